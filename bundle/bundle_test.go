package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/cite"
	"muniment/sign"
	"muniment/snapshot/access"
)

// results returns the results of a verdict by axis.
func results(v *Verdict) map[string]Result {
	out := make(map[string]Result)
	for _, a := range v.Axes {
		out[a.Name] = a.Result
	}
	return out
}

func axis(t testing.TB, v *Verdict, name string) Axis {
	t.Helper()
	i := slices.IndexFunc(v.Axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		t.Fatalf("verdict has no axis %q", name)
	}
	return v.Axes[i]
}

func TestVerifyAsAuditor(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	v := Verify(b, Requirements{
		Allowed: f.allowed(t), Identities: f.identity,
		Require: []string{AxisLog, AxisSealed, AxisSpan, AxisGate, AxisDisplay, AxisRequest},
		Request: &RequestProof{fixtureQuestion, []byte("nonce")},
	})
	want := map[string]Result{
		AxisIntegrity: Pass, AxisSigners: Pass, AxisArchive: NotChecked, AxisRevocation: NotChecked, AxisExpiry: NotChecked, AxisLog: Pass, AxisWitnesses: NotChecked,
		AxisConsistency: NotChecked, AxisRequest: Pass, AxisDisplay: Pass, AxisSealed: Pass, AxisSpan: Pass,
		AxisGate: Pass, AxisTruth: NotChecked,
	}
	if diff := cmp.Diff(want, results(v)); diff != "" || v.Verdict != Valid {
		t.Errorf("verdict %s, axes (-want +got):\n%s\n%v", v.Verdict, diff, v.Axes)
	}
	var names []string
	for _, a := range v.Axes {
		names = append(names, a.Name)
	}
	if diff := cmp.Diff(AxisNames, names); diff != "" {
		t.Errorf("order of axes (-want +got):\n%s", diff)
	}
	if r := axis(t, v, AxisSealed).Reason; !strings.HasPrefix(r, "record complete") {
		t.Errorf("sealed layer: %s", r)
	}
}

func TestVerifyAsRequestor(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t).WithoutSealed()
	v := Verify(b, Requirements{Allowed: f.allowed(t, f.answerer)})
	if v.Verdict != Valid {
		t.Errorf("verdict %s: %v", v.Verdict, v.Axes)
	}
	if r := axis(t, v, AxisSpan).Result; r != NotChecked {
		t.Errorf("artifact and span: %s, want NOT-CHECKED: the sources are sealed", r)
	}
	if r := axis(t, v, AxisGate).Result; r != Pass {
		t.Errorf("gate re-evaluation: %s, want PASS: the gates are disclosed", r)
	}
	if v := Verify(b, Requirements{}); v.Verdict != Incomplete {
		t.Errorf("without trust: %s, want INCOMPLETE", v.Verdict)
	}
	if v := Verify(b, Requirements{Allowed: f.allowed(t), Require: []string{AxisSealed}}); v.Verdict != Incomplete {
		t.Errorf("with a required axis that cannot be checked: %s, want INCOMPLETE", v.Verdict)
	}
	if v := Verify(b, Requirements{Allowed: f.allowed(t), Require: []string{"charm"}}); v.Verdict != Incomplete {
		t.Errorf("with a required axis that does not exist: %s, want INCOMPLETE", v.Verdict)
	}
	if v := Verify(b, Requirements{Allowed: f.allowed(t, f.archivist)}); v.Verdict != Invalid || len(v.Remarks) == 0 {
		t.Errorf("with another trusted key: %s, %v; want INVALID and a remark", v.Verdict, v.Remarks)
	}
	if v := Verify(b, Requirements{Allowed: f.allowed(t), Request: &RequestProof{"another question", []byte("nonce")}}); v.Verdict != Invalid {
		t.Errorf("with another question: %s, want INVALID", v.Verdict)
	}
}

// A correct signature by an unknown key is reported and not counted.
func TestSecondSigner(t *testing.T) {
	f := newFixture(t)
	env := f.env()
	env.Signers = append(env.Signers, newSeedKey('u'))
	b := must[*Bundle](t)(Assemble(f.answer(t), env))
	v := Verify(b, Requirements{Allowed: f.allowed(t)})
	if v.Verdict != Valid || len(v.Remarks) != 1 || !strings.Contains(v.Remarks[0], newSeedKey('u').Key().Fingerprint()) {
		t.Errorf("verdict %s, remarks %q", v.Verdict, v.Remarks)
	}
}

func TestSnapshotSignerMustBeAllowed(t *testing.T) {
	f := newFixture(t)
	v := Verify(f.bundle(t), Requirements{Allowed: f.allowed(t, f.answerer), Identities: f.identity})
	if a := axis(t, v, AxisSpan); a.Result != Fail || !strings.Contains(a.Reason, f.archivist.Key().Fingerprint()) {
		t.Errorf("%v, want FAIL naming the archivist's key", a)
	}
}

func TestZipAndFolder(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	data := must[[]byte](t)(b.Zip())
	again := must[*Bundle](t)(Read(bytes.NewReader(data)))
	if diff := cmp.Diff(b.Files(), again.Files()); diff != "" {
		t.Error(diff)
	}
	dir := fstest.MapFS{}
	for name, data := range b.Files() {
		dir[name] = &fstest.MapFile{Data: data}
	}
	again = must[*Bundle](t)(ReadDir(dir))
	if !bytes.Equal(must[[]byte](t)(again.Zip()), data) {
		t.Error("the zip of a folder differs from the zip it came from")
	}
	dir["leaves/00001.JSON"] = &fstest.MapFile{Data: []byte("x")}
	if _, err := ReadDir(dir); !isInvalid(err) || !strings.Contains(err.Error(), "00001.JSON") {
		t.Errorf("an extra file: %v, want an InvalidError that names it", err)
	}
}

func isInvalid(err error) bool {
	var bad *InvalidError
	return errors.As(err, &bad)
}

// No single changed byte of a valid zip gives VALID.
func TestEveryByteMatters(t *testing.T) {
	f := newFixture(t)
	data := must[[]byte](t)(f.bundle(t).WithoutSealed().Zip())
	allowed := f.allowed(t)
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1 << (i % 8)
		b, err := Read(bytes.NewReader(changed))
		if err != nil {
			if !isInvalid(err) {
				t.Fatalf("byte %d: %v, want an InvalidError", i, err)
			}
			continue
		}
		if v := Verify(b, Requirements{Allowed: allowed}); v.Verdict == Valid {
			t.Fatalf("byte %d changed, and the verdict is VALID", i)
		}
	}
	for _, n := range []int{0, 1, len(data) / 2, len(data) - 1} {
		if _, err := Read(bytes.NewReader(data[:n])); !isInvalid(err) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	t.Logf("%d bytes changed", len(data))
}

// The same, for the bytes of a sealed file.
func TestSealedBytesMatter(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	name := b.Statement().Sealed[0].Name()
	for _, i := range []int{0, 20, 200, 300, 40000, len(b.files[name]) - 1} {
		files := b.Files()
		files[name][i] ^= 1
		if _, err := fromFiles(files); !isInvalid(err) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}

func TestDisclose(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	r := must[*Bundle](t)(b.Disclose(b.LeavesOf(1)))
	v := Verify(r, Requirements{Allowed: f.allowed(t)})
	a := axis(t, v, AxisDisplay)
	missing := 0
	for _, i := range b.display().Shown {
		if r.leaves[i] == nil {
			missing++
		}
	}
	want := fmt.Sprintf("VALID, reduced: %d of %d shown parts are missing", missing, len(b.display().Shown))
	if v.Verdict != want || missing == 0 || !IsValid(v.Verdict) || a.Result != NotChecked || !strings.HasPrefix(a.Reason, "reduced: ") {
		t.Errorf("%s, %v, want %s", v.Verdict, a, want)
	}
	// Whoever asks for the whole answer is not given less under the same word.
	for q, want := range map[*Requirements]string{
		{Allowed: f.allowed(t), Require: []string{AxisDisplay}}: Incomplete,
		{}: Incomplete,
	} {
		if v := Verify(r, *q); v.Verdict != want {
			t.Errorf("%+v: %s, want %s", q, v.Verdict, want)
		}
	}
	if v := Verify(b, Requirements{Allowed: f.allowed(t), Require: []string{AxisDisplay}}); v.Verdict != Valid {
		t.Errorf("the whole answer is %s", v.Verdict)
	}
	for _, i := range b.LeavesOf(2) {
		if !strings.Contains(a.Reason, join([]int{i})) {
			t.Errorf("missing leaf %d is not named: %s", i, a.Reason)
		}
	}
	view := must[display.View](t)(Render(r))
	if len(view.Claims) != 1 || view.Claims[0].Number != 1 || len(view.Removed) != 1 || view.Missing == 0 {
		t.Errorf("view %+v", view)
	}
	kinds := map[leaf.Kind]int{}
	for _, l := range r.Leaves() {
		kinds[leaf.KindOf(l)]++
	}
	if want := map[leaf.Kind]int{leaf.KindDisplay: 1, leaf.KindRemoved: 1, leaf.KindClaim: 1, leaf.KindCite: 2, leaf.KindChunk: 2, leaf.KindGate: 1}; !cmp.Equal(want, kinds) {
		t.Errorf("leaves kept (-want +got):\n%s", cmp.Diff(want, kinds))
	}
	if _, err := b.Disclose([]int{63 * 63}); err == nil {
		t.Error("a leaf that is not there was disclosed")
	}
	// What must stay, taken out by hand.
	for _, i := range b.display().Keep {
		files := b.Files()
		delete(files, leafName(i))
		cut := must[*Bundle](t)(fromFiles(files))
		if a := axis(t, Verify(cut, Requirements{}), AxisDisplay); a.Result != Fail {
			t.Errorf("without leaf %d: %v, want FAIL", i, a)
		}
	}
	files := b.Files()
	delete(files, leafName(b.statement.Display))
	if _, err := fromFiles(files); !isInvalid(err) {
		t.Errorf("without the display leaf: %v", err)
	}
}

func TestOpen(t *testing.T) {
	f := newFixture(t)
	o := must[*Opened](t)(f.bundle(t).Open(f.identity))
	if !o.Complete || len(o.Claims) != 4 {
		t.Fatalf("complete %v, %d claims", o.Complete, len(o.Claims))
	}
	c := o.Claims[0].Citations[0]
	want := OpenedCitation{
		Handle: c.Handle, Relation: cite.DirectQuote, Shown: true, Citation: c.Citation,
		Artifact: f.citation(t, cite.DirectQuote, "x", "seven", "").Artifact, Record: f.recordID.String(),
		Snapshot: f.snap.ID.String(), Seq: 1, Span: "p2:20-55", Quote: "about seven rods from the stackyard",
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	other, _, err := sign.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.bundle(t).Open(other); !errors.Is(err, sign.ErrNoIdentity) {
		t.Errorf("with another identity: %v", err)
	}
	if _, err := f.bundle(t).Open([]byte("not an identity")); err == nil {
		t.Error("a malformed identity file opened a bundle")
	}
}

func TestScopes(t *testing.T) {
	f := newFixture(t)
	second, recipient, err := sign.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	f.scopes = append(f.scopes, access.Scope{Name: "evidence", Holds: []string{"source"}, Recipients: []string{recipient}})
	b := f.bundle(t)
	v := Verify(b, Requirements{Allowed: f.allowed(t), Identities: second})
	if a := axis(t, v, AxisSealed); a.Result != NotChecked || !strings.Contains(a.Reason, "opened evidence (4 leaves)") {
		t.Errorf("one scope of two: %v", a)
	}
	if a := axis(t, v, AxisSpan); a.Result != Pass {
		t.Errorf("the scope with the sources is open: %v", a)
	}
	both := append(slices.Clone(f.identity), second...)
	if v := Verify(b, Requirements{Allowed: f.allowed(t), Identities: both, Require: []string{AxisSealed}}); v.Verdict != Valid {
		t.Errorf("both scopes: %s %v", v.Verdict, v.Axes)
	}
	// A scope that holds nothing has its line too, and the same length.
	r := must[*Bundle](t)(Assemble(f.refusal(), f.env()))
	for _, s := range b.statement.Sealed {
		if len(b.files[s.Name()]) != len(r.files[s.Name()]) {
			t.Errorf("scope %s is %d bytes in an answer and %d in a refusal", s.Scope, len(b.files[s.Name()]), len(r.files[s.Name()]))
		}
	}
}

// A scope for two of three people: a file for each pair, sealed twice.
func TestSubsets(t *testing.T) {
	leaves := map[int][]byte{3: []byte(`{"a":"b"}`), 10: []byte(`{}`)}
	var ids [][]byte
	var to []string
	for range 2 {
		id, recipient, err := sign.NewIdentity()
		if err != nil {
			t.Fatal(err)
		}
		ids, to = append(ids, id), append(to, recipient)
	}
	data := must[[]byte](t)(encodePlain(leaves, 0))
	for i := range to {
		data = must[[]byte](t)(sign.Seal(to[len(to)-1-i:len(to)-i], data))
	}
	s := Sealed{Scope: "board", Subset: "1-3"}
	if s.Name() != "sealed/board.1-3.age" {
		t.Errorf("name %s", s.Name())
	}
	got := must[map[int][]byte](t)(openSealed(s, data, slices.Concat(ids...)))
	if diff := cmp.Diff(leaves, got); diff != "" {
		t.Error(diff)
	}
	if _, err := openSealed(s, data, ids[0]); !errors.Is(err, sign.ErrNoIdentity) {
		t.Errorf("one of two: %v", err)
	}
}

func TestPlain(t *testing.T) {
	leaves := map[int][]byte{0: []byte(`{}`), 17: bytes.Repeat([]byte("x"), sealUnit), 4095: []byte(`{"k":1}`)}
	plain := must[[]byte](t)(encodePlain(leaves, 0))
	if len(plain) != 2*sealUnit {
		t.Errorf("%d bytes, want %d", len(plain), 2*sealUnit)
	}
	got := must[map[int][]byte](t)(parsePlain(plain))
	if diff := cmp.Diff(leaves, got); diff != "" {
		t.Error(diff)
	}
	if n := len(must[[]byte](t)(encodePlain(nil, 3*sealUnit))); n != 4*sealUnit {
		t.Errorf("room for 3 units gives %d bytes", n)
	}
	for name, bad := range map[string]string{
		"order": "2 {}\n1 {}\n", "twice": "1 {}\n1 {}\n", "zero": "01 {}\n", "plus": "+1 {}\n",
		"no line end": "1 {}", "beyond": "4096 {}\n", "no leaf": "1\n", "after padding": "1 {}\n\x002 {}\n", "negative": "-1 {}\n",
	} {
		if _, err := parsePlain(append([]byte(bad), make([]byte, sealUnit-len(bad))...)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, n := range []int{0, 1, sealUnit - 1, 3 * sealUnit, 2 * maxSealedPlain} {
		if _, err := parsePlain(make([]byte, n)); err == nil {
			t.Errorf("plaintext of %d zero bytes accepted", n)
		}
	}
}
