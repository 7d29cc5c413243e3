package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/cid"
	"muniment/cite"
	"muniment/ledger/cluster"

	"github.com/google/go-cmp/cmp"
)

// openAt opens a ledger: a server's for an address, else a file's.
func openAt(address string) (*Ledger, error) {
	if strings.HasPrefix(address, "postgres://") {
		return OpenPostgres(address, "")
	}
	return Open(address)
}

// server is started at its first use and stopped by TestMain.
var server struct {
	once    sync.Once
	cluster *cluster.Cluster
	err     error
	schemas int
}

// newSchema returns the address of a schema that nobody has used.
func newSchema(t testing.TB) string {
	t.Helper()
	server.once.Do(func() { server.cluster, server.err = cluster.Start() })
	if errors.Is(server.err, cluster.ErrNotInstalled) {
		t.Skipf("skipped: the ledger on PostgreSQL was not tried: %v; install the Debian package postgresql", server.err)
	}
	if server.err != nil {
		t.Fatal(server.err)
	}
	server.schemas++
	return server.cluster.URL(fmt.Sprintf("test_%d", server.schemas))
}

// The same tests on both databases.
var conformance = []struct {
	name string
	test func(t *testing.T, address string)
}{
	{"life", testLife}, {"list", testList}, {"refuses", testRefuses}, {"refusals", testRefusals}, {"questions", testQuestions}, {"append only", testAppendOnly}, {"reviews", testReviews}, {"events", testEvents},
	{"goroutines", testGoroutines}, {"sixteen writers", testSixteenWriters}, {"killed processes", testKilledProcesses},
	{"sources", testSources}, {"claims", testClaims}, {"links", testLinks}, {"searches", testSearches}, {"attestations", testModelAttestation},
	{"batch", testBatch}, {"pages", testPages}, {"failed transaction", testFailedTransaction}, {"long texts", testLongTexts},
	{"syntheses", testSyntheses}, {"packs", testPacks}, {"shown", testShown}, {"shown at once", testShownAtOnce},
	{"refused", testRefused}, {"storage", testStorage}, {"earlier schema", testEarlierSchema}, {"together", testTogether}, {"add many", testAddMany}, {"backup", testBackup},
}

func TestConformance(t *testing.T) {
	for database, address := range map[string]func(t testing.TB) string{
		"sqlite":   func(t testing.TB) string { return filepath.Join(t.TempDir(), "a ledger #1?.db") },
		"postgres": newSchema,
	} {
		ran := 0
		t.Run(database, func(t *testing.T) {
			for _, c := range conformance {
				t.Run(c.name, func(t *testing.T) { c.test(t, address(t)) })
				ran++
			}
		})
		if ran != len(conformance) {
			t.Errorf("%s: %d tests ran, want %d", database, ran, len(conformance))
		}
	}
}

// raw opens the database behind a ledger as any other program would.
func raw(t testing.TB, address string) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(address, "postgres://") {
		driver = "pgx"
	} else {
		address = "file:" + strings.NewReplacer("#", "%23", "?", "%3f", " ", "%20").Replace(address)
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Nothing changes what is written, not even a program that knows SQL.
func testAppendOnly(t *testing.T, address string) {
	l := open(t, address)
	burned := entry("It burned.")
	burned.Key = "k"
	n := add(t, l, burned)
	add(t, l, entry("It burned again."))
	data, id := object(t, "It burned.")
	_, _, errSource := l.AddSource(source("a.txt"))
	_, errSearch := l.AddSearch(SearchRecord{Time: noon, Claim: "x"})
	_, errSynthesis := l.AddSynthesis(synthesis())
	_, errPack := l.AddPack(Pack{Time: noon, PackID: "p", Metadata: "{}"})
	for _, err := range []error{
		bind(l, n, data, id, noon), seal(l, n, cid.Of([]byte("s")), noon), l.AddRefusal(Refusal{noon, "a", "b", "c", searched}), l.AddQuestion(asked(noon, "engine", "")),
		errSource, errSearch, errSynthesis, errPack, l.AddLink(Link{Time: noon, From: 2, To: 1, Type: "supersedes"}),
		l.AddShown([]Shown{shownAt(noon, "ann", "Source A", 0, 0, 0)}, []Risk{{noon, "ann", "daily", "x", 1}}, Cap{}),
		l.AddRefused("ann", noon), l.AddSegmentationErrors([]SegmentationError{{noon, "bind", "too long", 1}}), reviewed(l, n),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	db := raw(t, address)
	tables := map[string]string{"citations": "ordinal", "attestations": "id", "bindings": "ordinal", "seals": "ordinal", "refusals": "id",
		"sessions": "id", "sources": "id", "claims": "id", "links": "id", "search_records": "id", "shown": "id", "extraction_risks": "id",
		"packs": "id", "syntheses": "id", "synthesis_bullets": "id", "synthesis_citations": "id", "questions": "id", "citation_keys": "id",
		"refused": "id", "segmentation_errors": "id", "documents": "id", "chunks": "id", "reviews": "id", "review_seals": "id"}
	tried := 0
	for table, key := range tables {
		statements := []string{
			"UPDATE %[1]s SET time = 'x'",
			"UPDATE %[1]s SET %[2]s = 9",
			"DELETE FROM %[1]s",
			"INSERT INTO %[1]s SELECT * FROM %[1]s WHERE true ON CONFLICT(%[2]s) DO UPDATE SET time = 'x'",
		}
		if l.dialect.numbered {
			statements = append(statements, "TRUNCATE %[1]s CASCADE")
		} else {
			statements = append(statements, "INSERT OR REPLACE INTO %[1]s SELECT * FROM %[1]s")
		}
		for _, statement := range statements {
			tried++
			q := fmt.Sprintf(statement, table, key)
			if _, err := db.Exec(q); err == nil || !strings.Contains(err.Error(), "append only") {
				t.Errorf("%s: %v", q, err)
			}
		}
	}
	if tried != 5*len(tables) || len(tables) != 24 {
		t.Errorf("tried %d statements", tried)
	}
	for _, gap := range []string{
		`INSERT INTO claims (id, time, project, claim) VALUES (9, 'x', '', 'y')`,
		`INSERT INTO claims (id, time, project, claim) VALUES (-1, 'x', '', 'y')`,
		`INSERT INTO sessions (id, time, project, session, agent, user_id) VALUES (9, 'x', '', 'y', '', '')`,
		`INSERT INTO citations (ordinal, time, session, agent, artifact, record, span, relation, claim, quote, reasoning, context, locator, confidence,
			match, edits, length, difference, sha256, prefix, suffix, project, user_id, method, language, inputs, text)
			VALUES (9, '', '', '', '', '', '', '', '', '', '', '', '', '', '', 0, 0, '', '', '', '', '', '', '', '', '', '')`,
	} {
		if _, err := db.Exec(gap); err == nil || !strings.Contains(err.Error(), "no gaps") {
			t.Errorf("a gap: %v", err)
		}
	}
	rows, err := db.Query(`SELECT * FROM refusals`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if names, err := rows.Columns(); err != nil || !slices.Equal(names, []string{"id", "time", "kind", "true_kind", "stage", "snapshot", "searched", "papers"}) {
		t.Errorf("columns of refusals: %v, %v", names, err)
	}
	if got, err := l.List(Filter{}); err != nil || len(got) != 2 || got[0].Claim != "It burned." {
		t.Errorf("after all that: %v, %v", got, err)
	}
}

// Ledgers open on one database, several goroutines each: every ordinal once.
func testGoroutines(t *testing.T, address string) {
	manyWriters(t, address, 2, 3, 20)
}

func testSixteenWriters(t *testing.T, address string) {
	manyWriters(t, address, 4, 4, 25)
}

func manyWriters(t *testing.T, address string, ledgers, writers, each int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[int64]string{}
	for i := range ledgers {
		wg.Go(func() {
			l, err := openAt(address) // all make the tables at once
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Close()
			var inner sync.WaitGroup
			for j := range writers {
				inner.Go(func() {
					for k := range each {
						e := entry(fmt.Sprintf("claim %d of writer %d.%d", k, i, j))
						e.Session = fmt.Sprintf("session %d", j)
						n, err := l.AddCitation(e)
						if err != nil {
							t.Error(err)
							return
						}
						if err := l.Attest(n, Attestation{Time: noon, Status: Unverified, Notes: e.Claim}); err != nil {
							t.Error(err)
						}
						if c, err := l.Get(n); err != nil || c.Claim != e.Claim || c.Notes != e.Claim {
							t.Errorf("citation %d: %q, %v", n, c.Claim, err)
						}
						mu.Lock()
						if other, ok := got[n]; ok {
							t.Errorf("ordinal %d was given to %q and to %q", n, other, e.Claim)
						}
						got[n] = e.Claim
						mu.Unlock()
					}
				})
			}
			inner.Wait()
		})
	}
	wg.Wait()
	want := ledgers * writers * each
	all, err := open(t, address).List(Filter{})
	if err != nil || len(all) != want || len(got) != want {
		t.Fatalf("%d records, %d ordinals told, want %d; %v", len(all), len(got), want, err)
	}
	for i, c := range all {
		if c.Ordinal != int64(i+1) || got[c.Ordinal] != c.Claim {
			t.Fatalf("at place %d: ordinal %d, %q, told to %q", i+1, c.Ordinal, c.Claim, got[c.Ordinal])
		}
	}
}

func source(name string) Source {
	return Source{Time: noon, Type: "document", Identifier: name, Name: "A letter", Version: "2024-01", Artifact: cid.Of([]byte(letter)).String(),
		Record: cid.OfJSON([]byte("{}")).String(), Metadata: map[string]string{"shelf": "3"}, Session: "s1", Agent: "tester"}
}

func testSources(t *testing.T, address string) {
	l := open(t, address)
	web, custom, other := source("https://example.org/a"), source("matrix"), source("a.txt")
	web.Type = "website"
	custom.Type, custom.Inputs, custom.Metadata = "custom", []string{web.Artifact, "1"}, nil
	other.Project = "gobd"
	for i, s := range []Source{source("a.txt"), web, custom, other} {
		id, added, err := l.AddSource(s)
		if id != int64(i+1) || !added || err != nil {
			t.Fatalf("%d: %d, %v, %v", i, id, added, err)
		}
		if again, added, err := l.AddSource(s); again != id || added || err != nil {
			t.Errorf("again %d: %d, %v, %v", i, again, added, err)
		}
		s.ID = id
		got, err := l.Source(id)
		if diff := cmp.Diff(s, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
	}
	tests := map[string]struct {
		f    SourceFilter
		want []int64
	}{
		"all":        {SourceFilter{}, []int64{1, 2, 3, 4}},
		"type":       {SourceFilter{Type: "document"}, []int64{1, 4}},
		"project":    {SourceFilter{Project: "gobd", Type: "document"}, []int64{1, 4}},
		"stranger":   {SourceFilter{Project: "slr", Type: "document"}, []int64{1}},
		"identifier": {SourceFilter{Identifier: "matrix"}, []int64{3}},
		"page":       {SourceFilter{After: 1, Limit: 2}, []int64{2, 3}},
		"nothing":    {SourceFilter{Artifact: cid.Of([]byte("x")).String()}, nil},
	}
	for name, tt := range tests {
		got, err := l.Sources(tt.f)
		var ids []int64
		for _, s := range got {
			ids = append(ids, s.ID)
		}
		if !slices.Equal(ids, tt.want) || err != nil {
			t.Errorf("%s: %v, want %v, %v", name, ids, tt.want, err)
		}
	}
	if _, err := l.Source(9); !errors.Is(err, ErrNotFound) {
		t.Errorf("source 9: %v", err)
	}
	for name, change := range map[string]func(*Source){
		"type": func(s *Source) { s.Type = "web" }, "no identifier": func(s *Source) { s.Identifier = "" }, "no time": func(s *Source) { s.Time = time.Time{} },
		"neither": func(s *Source) { s.Artifact, s.Record = "", "" }, "codec": func(s *Source) { s.Artifact = s.Record }, "NUL": func(s *Source) { s.Name = "\x00" },
	} {
		s := source("refused")
		change(&s)
		if id, _, err := l.AddSource(s); err == nil || id != 0 {
			t.Errorf("%s: %d, %v", name, id, err)
		}
	}
	e := entry("x")
	e.Source = 2
	n := add(t, l, e)
	if got, err := l.List(Filter{Source: 2}); err != nil || len(got) != 1 || got[0].Ordinal != n || got[0].Source != 2 {
		t.Errorf("citations of source 2: %+v, %v", got, err)
	}
}

func testClaims(t *testing.T, address string) {
	l := open(t, address)
	failed := entry("It burned.")
	failed.Status = Failed
	theirs := entry("It burned.")
	theirs.Project, theirs.Session, theirs.Agent = "gobd", "s2", "another"
	for _, e := range []Entry{entry("It burned."), failed, entry("It stood."), theirs, entry("It burned.")} {
		add(t, l, e)
	}
	if err := l.AddLink(Link{Time: noon, From: 5, To: 1, Type: "supersedes"}); err != nil {
		t.Fatal(err)
	}
	want := []Claim{
		{ID: 1, Time: noon, Claim: "It burned.", Citations: 3, Verified: 1},
		{ID: 2, Time: noon, Claim: "It stood.", Citations: 1, Verified: 1},
		{ID: 3, Time: noon, Project: "gobd", Claim: "It burned.", Citations: 1, Verified: 1},
	}
	for name, tt := range map[string]struct {
		f    ClaimFilter
		want []Claim
	}{
		"all": {ClaimFilter{}, want}, "project": {ClaimFilter{Project: "gobd"}, want[2:]}, "session": {ClaimFilter{Session: "s1"}, want[:2]},
		"agent": {ClaimFilter{Agent: "another"}, want[2:]}, "page": {ClaimFilter{After: 1, Limit: 1}, want[1:2]},
	} {
		got, err := l.Claims(tt.f)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
	}
	got, err := l.Sessions("")
	wantSessions := []Session{{1, noon, "", "s1", "tester", ""}, {2, noon, "gobd", "s2", "another", ""}}
	if diff := cmp.Diff(wantSessions, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, err := l.Sessions("gobd"); err != nil || len(got) != 1 {
		t.Errorf("sessions of gobd: %v, %v", got, err)
	}
}

func testLinks(t *testing.T, address string) {
	l := open(t, address)
	for range 4 {
		add(t, l, entry("x"))
	}
	want := []Link{{noon, 2, 1, "supports", "a", "s"}, {noon, 3, 2, "supersedes", "a", "s"}, {noon, 4, 2, "supersedes", "a", "s"}}
	for range 2 { // the same link again adds nothing
		for _, k := range want {
			if err := l.AddLink(k); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := l.Links(2)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, n := range []int64{1, 2, 3, 4} {
		one, err := l.Links(n)
		if err != nil {
			t.Fatal(err)
		}
		some, err := l.LinksOf([]int64{1, 2, 3, 4})
		if diff := cmp.Diff(one, some[n]); err != nil || diff != "" && len(one) > 0 {
			t.Errorf("links of %d in a list: %v %s", n, err, diff)
		}
	}
	if got, err := l.Superseded([]int64{1, 2, 3, 4}); err != nil || len(got) != 1 || got[2] != 4 {
		t.Errorf("superseded: %v, %v", got, err)
	}
	for name, k := range map[string]Link{
		"itself": {Time: noon, From: 1, To: 1, Type: "supports"}, "no time": {From: 1, To: 2, Type: "supports"}, "type": {Time: noon, From: 1, To: 2, Type: "proves"},
		"nothing": {Time: noon, From: 1, To: 9, Type: "supports"}, "backwards": {Time: noon, From: 1, To: 2, Type: "supersedes"},
	} {
		if err := l.AddLink(k); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func testSearches(t *testing.T, address string) {
	l := open(t, address)
	want := SearchRecord{Time: noon, Claim: "It needs encryption.", Query: "encryption at rest", Snapshot: cid.Of([]byte("s")).String(),
		Artifact: cid.Of([]byte(letter)).String(), Source: 3, Locator: `{"page":28}`, Spans: []string{"p1:0-9", "p2:0-3"}, Reasoning: "only access controls", Project: "gobd", Session: "s9", Agent: "a", User: "u"}
	id, err := l.AddSearch(want)
	if err != nil || id != 1 {
		t.Fatal(id, err)
	}
	if id, err := l.AddSearch(SearchRecord{Time: noon, Claim: "y"}); err != nil || id != 2 {
		t.Fatal(id, err)
	}
	want.ID = 1
	got, err := l.Searches(Filter{Project: "gobd", Session: "s9"})
	if diff := cmp.Diff([]SearchRecord{want}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if all, err := l.Searches(Filter{}); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if id, err := l.AddSearch(SearchRecord{Time: noon}); err == nil || id != 0 {
		t.Error("a search record without a claim")
	}
}

func testModelAttestation(t *testing.T, address string) {
	l := open(t, address)
	e := entry("x")
	e.Status, e.Checks = Pending, []Check{{"span", "pass", "p2:0-26", "The mill"}, {"entailment", "not_checked", "", "no answer"}}
	n := add(t, l, e)
	if waiting, err := l.Unbound(); err != nil || len(waiting) != 0 {
		t.Errorf("a citation without its verdict can be bound: %v, %v", waiting, err)
	}
	judged := Attestation{Time: noon.Add(1), Agent: "a", Status: Verified, Verdict: cite.ClaimJudged, Notes: "it follows", Checks: []Check{{"entailment", "pass", "yes", "yes"}},
		Model: "m", PromptSHA256: "00", Prompt: "Does it?", Reply: `{"entailed":"yes"}`}
	if err := l.Attest(n, judged); err != nil {
		t.Fatal(err)
	}
	got, err := l.Attestations(n)
	want := []Attestation{{Time: noon, Agent: "tester", Status: Pending, Checks: e.Checks}, judged}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if pending, err := l.List(Filter{Status: Pending}); err != nil || len(pending) != 0 {
		t.Errorf("still pending: %v, %v", pending, err)
	}
	if err := l.Attest(n, Attestation{Time: noon, Status: Failed, Reply: "\x00"}); err == nil {
		t.Error("a NUL was accepted")
	}
	if waiting, err := l.Unbound(); err != nil || len(waiting) != 1 {
		t.Errorf("the verdict is there, and the citation cannot be bound: %v, %v", waiting, err)
	}
	// What is bound says of the claim what the newest attestation says.
	for _, verdict := range []cite.ClaimVerdict{"", cite.ClaimFollows, cite.ClaimNotShown} {
		data, id := objectWith(t, "x", verdict, nil)
		if err := bind(l, n, data, id, noon); err == nil || !strings.Contains(err.Error(), "claim verdict") {
			t.Errorf("an object whose claim verdict is %q was bound: %v", verdict, err)
		}
	}
	zeros := strings.Repeat("0", 64)
	data, id := objectWith(t, "x", cite.ClaimJudged, &cite.JudgeReply{Model: "m", PromptSHA256: zeros, ReplySHA256: zeros})
	if err := bind(l, n, data, id, noon); err != nil {
		t.Error(err)
	}
}

func testBatch(t *testing.T, address string) {
	l := open(t, address)
	add(t, l, entry("first"))
	n, err := l.AddCitation(entry("a"), entry("b"), entry("c"))
	if n != 2 || err != nil {
		t.Fatal(n, err)
	}
	bad := entry("d")
	bad.Source = 77
	if n, err := l.AddCitation(entry("e"), bad); n != 0 || err == nil {
		t.Errorf("half a batch: %d, %v", n, err)
	}
	if n, err := l.AddCitation(); n != 0 || err == nil {
		t.Errorf("an empty batch: %d, %v", n, err)
	}
	if n := add(t, l, entry("last")); n != 5 {
		t.Errorf("after half a batch the next ordinal is %d", n)
	}
}

// Pages of a session hold every entry once, in order.
func testPages(t *testing.T, address string) {
	l := open(t, address)
	var want []int64
	for i := range 40 {
		e := entry(fmt.Sprintf("claim %d", i))
		if e.Session = "other"; i%3 == 0 {
			e.Session = "mine"
		}
		if n := add(t, l, e); e.Session == "mine" {
			want = append(want, n)
		}
	}
	var got []int64
	for after := int64(0); ; {
		page, err := l.List(Filter{Session: "mine", After: after, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, c := range page {
			got = append(got, c.Ordinal)
		}
		after = page[len(page)-1].Ordinal
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages gave %v, want %v", got, want)
	}
}

// A transaction that fails takes no ordinal.
func testFailedTransaction(t *testing.T, address string) {
	l := open(t, address)
	for i := range 3 {
		e := entry("x")
		e.Source = 12
		if _, err := l.AddCitation(e); err == nil {
			t.Fatal("a source that is not there was accepted")
		}
		if n := add(t, l, entry("y")); n != int64(i+1) {
			t.Fatalf("ordinal %d, want %d", n, i+1)
		}
	}
}

// Claims and quotes have no limit of length in the ledger; names have one.
func testLongTexts(t *testing.T, address string) {
	l := open(t, address)
	for _, size := range []int{3000, 1 << 20} {
		e := entry(strings.Repeat("é", size))
		e.Quote, e.Context, e.Match = strings.Repeat("word ", size), "\u200d\U0001f469 \\ ' \" ? $1", cite.Normalized
		n := add(t, l, e)
		if again := add(t, l, e); again != n+1 {
			t.Errorf("ordinal %d after %d", again, n)
		}
		got, err := l.Get(n)
		if err != nil || got.Claim != e.Claim || got.Quote != e.Quote || got.Context != e.Context {
			t.Errorf("%d: %v", size, err)
		}
	}
	if claims, err := l.Claims(ClaimFilter{}); err != nil || len(claims) != 2 || claims[0].Citations != 2 {
		t.Errorf("%d claims, %v", len(claims), err)
	}
}

// A ledger of the first schema is brought up to date with what it holds.
func TestFirstSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	first, err := os.ReadFile("migrations/sqlite/00001_ledger.sql")
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, path)
	for _, q := range []string{
		strings.NewReplacer("-- +goose StatementBegin", "", "-- +goose StatementEnd", "", "-- +goose Up", "").Replace(string(first)),
		`CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1)`,
		`INSERT INTO citations VALUES (1, '2024-05-06T12:00:00.123456789Z', 's1', 'tester', '', '', '', 'direct_quote', 'It burned.', 'q', '', '', '', 'high', 'absent', 1, 1, '', '', '', '')`,
		`INSERT INTO attestations VALUES (1, 1, '2024-05-06T12:00:00.123456789Z', 'tester', 'failed', 'n')`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	l := open(t, path)
	got, err := l.Get(1)
	if err != nil || got.Claim != "It burned." || got.ClaimID != 1 || got.Status != Failed || !got.Time.Equal(noon) {
		t.Errorf("%+v, %v", got, err)
	}
	if n := add(t, l, entry("It burned.")); n != 2 {
		t.Errorf("the next ordinal is %d", n)
	}
	if claims, err := l.Claims(ClaimFilter{}); err != nil || len(claims) != 1 || claims[0].Citations != 2 {
		t.Errorf("%+v, %v", claims, err)
	}
	if _, err := db.Exec(`UPDATE citations SET claim = 'x'`); err == nil || !strings.Contains(err.Error(), "append only") {
		t.Errorf("an update: %v", err)
	}
}
