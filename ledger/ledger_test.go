package ledger

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2024, 5, 6, 12, 0, 0, 123456789, time.UTC)

const letter = "Dear Anna,\n\nThe mill burned on Tuesday.\n"

func open(t testing.TB, address string) *Ledger {
	t.Helper()
	l, err := openAt(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func entry(claim string) Entry {
	a, err := cite.AnchorOf(canon.NewDocument([]byte(letter)), cite.Span{Kind: cite.Paragraphs, From: cite.Point{Unit: 2}, To: cite.Point{Unit: 2, Offset: 26}})
	if err != nil {
		panic(err)
	}
	return Entry{
		Anchor: a, Time: noon, Session: "s1", Agent: "tester", Artifact: cid.Of([]byte(letter)).String(), Span: "p2:0-26",
		Relation: cite.DirectQuote, Claim: claim, Quote: "The mill burned on Tuesday", Locator: `{"page":3}`, Confidence: "high",
		Match: cite.Exact, Length: 26, Status: Verified,
	}
}

func object(t testing.TB, claim string) ([]byte, cid.ID) {
	t.Helper()
	return objectWith(t, claim, "", nil)
}

// objectWith returns the object of an entry with a verdict on its claim; one
// without a verdict is of the first type.
func objectWith(t testing.TB, claim string, verdict cite.ClaimVerdict, judge *cite.JudgeReply) ([]byte, cid.ID) {
	t.Helper()
	d := canon.NewDocument([]byte(letter))
	s, err := cite.ParseSpan("p2:0-26")
	if err != nil {
		t.Fatal(err)
	}
	a, err := cite.AnchorOf(d, s)
	if err != nil {
		t.Fatal(err)
	}
	c := cite.Citation{
		Type: cite.FirstCitationType, Artifact: cid.Of([]byte(letter)).String(), Snapshot: cid.Of([]byte("snapshot 1")).String(), Seq: 1,
		Span: s.String(), Relation: cite.DirectQuote, Claim: claim, QuoteSHA256: a.SHA256, Prefix: a.Prefix, Suffix: a.Suffix,
		Match: cite.Exact, Length: 26, ClaimVerdict: verdict, Judge: judge,
	}
	if verdict != "" {
		c.Type = cite.CitationType
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data, cid.OfJSON(data)
}

func bind(l *Ledger, n int64, data []byte, id cid.ID, at time.Time) error {
	_, err := l.Bind([]CitationObject{{n, id, data}}, at)
	return err
}

func seal(l *Ledger, n int64, snapshot cid.ID, at time.Time) error {
	_, err := l.Seal([]int64{n}, snapshot, at)
	return err
}

func add(t testing.TB, l *Ledger, e Entry) int64 {
	t.Helper()
	n, err := l.AddCitation(e)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The life of an entry, across closing and opening.
func testLife(t *testing.T, path string) {
	l, err := openAt(path)
	if err != nil {
		t.Fatal(err)
	}
	n := add(t, l, entry("It burned."))
	got, err := l.Get(n)
	if err != nil {
		t.Fatal(err)
	}
	want := Citation{Ordinal: 1, Entry: entry("It burned."), ClaimID: 1, Binding: Unbound}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cid.ID{})); diff != "" {
		t.Error(diff)
	}
	data, id := object(t, "It burned.")
	later := noon.Add(time.Hour)
	for range 2 { // the second time is no error
		if err := bind(l, n, data, id, later); err != nil {
			t.Fatal(err)
		}
	}
	if bound, err := l.BoundUnsealed(); err != nil || len(bound) != 1 || bound[0].ID != id || string(bound[0].JSON) != string(data) {
		t.Errorf("bound: %+v, %v", bound, err)
	}
	snapshot := cid.Of([]byte("snapshot 2"))
	for range 2 {
		if err := seal(l, n, snapshot, later); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Attest(n, Attestation{Time: later, Agent: "checker", Status: Failed, Notes: "withdrawn"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, path)
	got, err = l.Get(n)
	if err != nil {
		t.Fatal(err)
	}
	want.Binding, want.ID, want.JSON, want.Snapshot, want.Status, want.Notes = Sealed, id, data, snapshot, Failed, "withdrawn"
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cid.ID{})); diff != "" {
		t.Error(diff)
	}
	all, err := l.Attestations(n)
	wantAll := []Attestation{{Time: noon, Agent: "tester", Status: Verified}, {Time: later, Agent: "checker", Status: Failed, Notes: "withdrawn"}}
	if diff := cmp.Diff(wantAll, all); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if left, err := l.BoundUnsealed(); err != nil || len(left) != 0 {
		t.Errorf("still unsealed: %+v, %v", left, err)
	}
}

func testList(t *testing.T, path string) {
	l := open(t, path)
	other := entry("b")
	other.Session, other.Artifact, other.Status = "s2", cid.Of([]byte("other")).String(), Pending
	failed := entry("c")
	failed.Status, failed.Span, failed.Match = Failed, "", cite.Absent
	unknown := entry("d")
	unknown.Artifact, unknown.Span, unknown.Status = "", "", Unverified
	for _, e := range []Entry{entry("a"), other, failed, unknown} {
		add(t, l, e)
	}
	tests := map[string]struct {
		f    Filter
		want []int64
	}{
		"all":      {Filter{}, []int64{1, 2, 3, 4}},
		"session":  {Filter{Session: "s2"}, []int64{2}},
		"artifact": {Filter{Artifact: cid.Of([]byte(letter)).String()}, []int64{1, 3}},
		"status":   {Filter{Status: Failed}, []int64{3}},
		"binding":  {Filter{Binding: Bound}, nil},
		"unbound":  {Filter{Binding: Unbound, Session: "s1"}, []int64{1, 3, 4}},
		"agent":    {Filter{Agent: "nobody"}, nil},
		"project":  {Filter{Project: "p"}, nil},
		"claim":    {Filter{Claim: 3}, []int64{3}},
		"pending":  {Filter{Status: Pending, After: 1, Limit: 1}, []int64{2}},
		"page":     {Filter{After: 1, Limit: 2}, []int64{2, 3}},
		"both":     {Filter{Session: "s1", Status: Verified}, []int64{1}},
	}
	ordinals := func(all []Citation) (out []int64) {
		for _, c := range all {
			out = append(out, c.Ordinal)
		}
		return out
	}
	for name, tt := range tests {
		got, err := l.List(tt.f)
		if diff := cmp.Diff(tt.want, ordinals(got)); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
	}
	if got, err := l.Unbound(); err != nil || !slices.Equal(ordinals(got), []int64{1}) { // a pending one waits for its verdict
		t.Errorf("unbound: %v, %v", ordinals(got), err)
	}
	for _, n := range []int64{0, -1, 5} {
		if _, err := l.Get(n); !errors.Is(err, ErrNotFound) {
			t.Errorf("citation %d: %v", n, err)
		}
		if err := l.Attest(n, Attestation{Time: noon, Status: Failed}); !errors.Is(err, ErrNotFound) {
			t.Errorf("attesting %d: %v", n, err)
		}
		if _, err := l.Attestations(n); !errors.Is(err, ErrNotFound) {
			t.Errorf("attestations of %d: %v", n, err)
		}
	}
}

func testRefuses(t *testing.T, path string) {
	l := open(t, path)
	for name, change := range map[string]func(*Entry){
		"no time":        func(e *Entry) { e.Time = time.Time{} },
		"no claim":       func(e *Entry) { e.Claim = " " },
		"status":         func(e *Entry) { e.Status = "good" },
		"no status":      func(e *Entry) { e.Status = "" },
		"relation alias": func(e *Entry) { e.Relation = "inference" },
		"artifact":       func(e *Entry) { e.Artifact = "letter-07" },
		"record codec":   func(e *Entry) { e.Record = e.Artifact },
		"span":           func(e *Entry) { e.Span = "p0:1-2" },
		"NUL":            func(e *Entry) { e.Quote = "a\x00b" },
		"not UTF-8":      func(e *Entry) { e.Claim = "\xff" },
		"long name":      func(e *Entry) { e.Session = strings.Repeat("s", MaxName+1) },
		"no such source": func(e *Entry) { e.Source = 9 },
		"span of facts":  func(e *Entry) { e.Relation = cite.MetadataFact },
	} {
		e := entry("x")
		change(&e)
		if n, err := l.AddCitation(e); err == nil || n != 0 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	n := add(t, l, entry("It burned."))
	if n != 1 {
		t.Errorf("a refused entry took an ordinal: %d", n)
	}
	data, id := object(t, "It burned.")
	otherData, otherID := object(t, "It stood.")
	snapshot := cid.Of([]byte("s"))
	for name, err := range map[string]error{
		"bind another id":    bind(l, n, data, otherID, noon),
		"bind another claim": bind(l, n, otherData, otherID, noon),
		"bind not a cite":    bind(l, n, []byte("{}"), cid.OfJSON([]byte("{}")), noon),
		"bind no time":       bind(l, n, data, id, time.Time{}),
		"bind nothing":       bind(l, 7, data, id, noon),
		"seal unbound":       seal(l, n, snapshot, noon),
		"seal nothing":       seal(l, 7, snapshot, noon),
		"seal codec":         seal(l, n, id, noon),
		"attest status":      l.Attest(n, Attestation{Time: noon, Status: "good"}),
		"refusal":            l.AddRefusal(Refusal{Time: noon}),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := bind(l, n, data, id, noon); err != nil {
		t.Fatal(err)
	}
	if err := bind(l, n, otherData, otherID, noon); err == nil {
		t.Error("bound again to another object")
	}
	if err := seal(l, n, snapshot, noon); err != nil {
		t.Fatal(err)
	}
	if count, err := l.Seal([]int64{n}, cid.Of([]byte("t")), noon); err != nil || count != 0 {
		t.Errorf("sealed again in another snapshot: %d, %v", count, err)
	}
	if c, err := l.Get(n); err != nil || c.Snapshot != snapshot {
		t.Errorf("sealed in %s: %v", c.Snapshot, err)
	}
}

func testRefusals(t *testing.T, path string) {
	l := open(t, path)
	want := []Refusal{{noon, "coverage", "consent", "consent", searched}, {noon.Add(1), "category", "category", "category", Coverage{}}}
	for _, r := range want {
		if err := l.AddRefusal(r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Refusals()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestNewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	plain, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err = Open(path)
	var newer *NewerSchemaError
	if !errors.As(err, &newer) || l != nil {
		t.Fatalf("%v, %v", l, err)
	}
	if newer.Have != 99 || newer.Can < 4 || newer.Hint() == "" || !strings.Contains(err.Error(), "schema 99") {
		t.Errorf("%v; %s", err, newer.Hint())
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the refused file changed, %v", err)
	}
}

func TestNotALedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	text := strings.Repeat("this is a letter, not a database\n", 100)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(path); err == nil || l != nil {
		t.Fatalf("%v, %v", l, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != text {
		t.Errorf("the file changed, %v", err)
	}
	if l, err := Open(filepath.Join(t.TempDir(), "no", "folder.db")); err == nil || l != nil {
		t.Errorf("without a folder: %v, %v", l, err)
	}
}
