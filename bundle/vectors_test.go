package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"muniment/bundle/leaf"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/sign"
	"muniment/testvectors"
)

const vectorDir = "../testvectors/bundle"

// The closed set of what a vector expects.
const (
	expectOK         = "ok"         // a statement or leaf that is read and encodes to the same bytes
	expectMalformed  = "malformed"  // not read at all
	expectValid      = "valid"      // the verdicts on a zip
	expectReduced    = "reduced"    // VALID, and some of what was shown is missing
	expectIncomplete = "incomplete" //
	expectInvalid    = "invalid"    // the axis in the header fails
)

// A vector is a statement, a leaf or a zip with at most one defect.
type vector struct {
	name, kind, expect string
	axis               string // zip: the axis that fails
	trust              string // zip: an allowed_signers line, or none
	identity           string // zip: an age identity, or none
	data               []byte
}

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	out := testvectors.New(v.name, v.data, "kind", v.kind, "expect", v.expect)
	out.AddIf("axis", v.axis)
	out.AddIf("trust", v.trust)
	out.AddIf("identity", v.identity)
	return out
}

// runVector returns what became of a vector, in the words of the closed set, and
// why.
func runVector(t *testing.T, v testvectors.Vector) (got, axis, why string) {
	t.Helper()
	var again []byte
	var err error
	switch v.Get("kind") {
	default:
		t.Fatalf("kind %q is unknown", v.Get("kind"))
	case "statement":
		var s *Statement
		if s, err = ParseStatement(v.Body); err == nil {
			again, err = s.Encode()
		}
	case "leaf":
		var l leaf.Leaf
		if l, err = leaf.Parse(v.Body); err == nil {
			again, err = leaf.Encode(l)
		}
	case "zip", "page":
		return runZip(t, v)
	}
	if err != nil {
		return expectMalformed, "", err.Error()
	}
	if !bytes.Equal(again, v.Body) {
		t.Error("it encodes to other bytes")
	}
	return expectOK, "", ""
}

func runZip(t *testing.T, v testvectors.Vector) (got, axis, why string) {
	b, err := Read(bytes.NewReader(v.Body))
	if err != nil {
		return expectMalformed, "", err.Error()
	}
	write := b.Zip
	if v.Get("kind") == "page" {
		write = func() ([]byte, error) { return b.pageOf(formIn(v.Body)) }
	}
	if again := must[[]byte](t)(write()); !bytes.Equal(again, v.Body) {
		t.Error("it encodes to other bytes")
	}
	var q Requirements
	if line := v.Get("trust"); line != "" {
		q.Allowed = must[*sign.AllowedSigners](t)(sign.ParseAllowedSigners([]byte(line + "\n")))
	}
	if line := v.Get("identity"); line != "" {
		q.Identities, q.Require = []byte(line+"\n"), []string{AxisSealed, AxisSpan, AxisGate}
	}
	verdict := Verify(b, q)
	for _, a := range verdict.Axes {
		if a.Result == Fail && axis == "" {
			axis, why = a.Name, a.Reason
		}
	}
	if strings.HasPrefix(verdict.Verdict, Reduced+" ") {
		return expectReduced, axis, why
	}
	return strings.ToLower(verdict.Verdict), axis, why
}

// formIn returns the form that a page names.
func formIn(page []byte) string {
	form, _, _ := strings.Cut(strings.TrimPrefix(string(page), pageBegin), "\"")
	return form
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range makeVectors(t) {
		made = append(made, v.made())
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 311, func(t *testing.T, v testvectors.Vector) {
		got, axis, why := runVector(t, v)
		if got != v.Get("expect") || axis != v.Get("axis") {
			t.Errorf("%s %q (%s), want %s %q", got, axis, why, v.Get("expect"), v.Get("axis"))
		}
	})
}

// makeVectors makes every vector from fixed keys and fixed randomness. Sealed
// files cannot be: age takes no randomness from outside, so those that are on
// disk and hold the right plaintext are kept.
func makeVectors(t *testing.T) []vector {
	t.Helper()
	f := newFixture(t)
	all := fmt.Sprintf(`ada@example.org namespaces="answer@muniment,git" %s`, f.answerer.Key().Authorized())
	// The vectors have one trusted key for answers and snapshots.
	var out []vector
	zip := func(name, expect, axis string, files map[string][]byte) *vector {
		out = append(out, vector{name: name, kind: "zip", expect: expect, axis: axis, trust: all, data: must[[]byte](t)(writeZip(files))})
		return &out[len(out)-1]
	}
	forge := func() *forgery {
		g := firstForgery(t)
		g.oneKey(t)
		return g
	}
	unsealed := func(files map[string][]byte) map[string][]byte {
		delete(files, "sealed/auditor.age")
		return files
	}
	for _, c := range forgeries(t) {
		g := forge()
		c.edit(g)
		expect := expectInvalid
		if c.axis == "" {
			expect = expectValid
		}
		zip("zip-"+c.name, expect, c.axis, unsealed(g.make(t)))
	}
	good := func() map[string][]byte { return unsealed(forge().make(t)) }
	zip("zip-no-trust", expectIncomplete, "", good()).trust = ""
	zip("zip-unknown-signer", expectInvalid, AxisSigners, good()).trust = "eve@example.org " + newSeedKey('e').Key().Authorized()
	g := forge()
	g.answer = g.f.refusal()
	small := unsealed(g.make(t))
	zip("zip-refusal", expectValid, "", small)
	reduced := must[*Bundle](t)(must[*Bundle](t)(fromFiles(good())).Disclose(nil))
	zip("zip-reduced", expectReduced, "", reduced.files)
	for _, c := range brokenFiles(t) {
		files := good()
		c.edit(files)
		zip("zip-"+c.name, c.expect, c.axis, files)
	}
	base := must[[]byte](t)(writeZip(small))
	for _, c := range brokenZips() {
		out = append(out, vector{name: "zip-form-" + c.name, kind: "zip", expect: expectMalformed, trust: all, data: c.edit(bytes.Clone(base))})
	}
	out = append(out, sealedVectors(t, all)...)
	out = append(out, pageVectors(t, all)...)
	out = append(out, secondVectors(t, all)...)
	out = append(out, examinedVectors(t, all)...)
	out = append(out, thirdVectors(t, all)...)
	out = append(out, statementVectors(good()[nameStatement])...)
	return append(out, leafVectors(t, good())...)
}

// oneKey has the fixture's snapshots signed by the answering key too.
func (g *forgery) oneKey(t testing.TB) {
	g.f.archivist = g.f.answerer
	g.f.snap = g.f.commit(t, g.f.answerer, g.f.snap.Root, 1)
	g.answer = g.f.answer(t)
}

type brokenCase struct {
	name, expect, axis string
	edit               func(files map[string][]byte)
}

// brokenFiles are bundles whose files were changed after signing.
func brokenFiles(t *testing.T) []brokenCase {
	rename := func(from, to string) func(map[string][]byte) {
		return func(files map[string][]byte) { files[to] = files[from]; delete(files, from) }
	}
	drop := func(name string) func(map[string][]byte) {
		return func(files map[string][]byte) { delete(files, name) }
	}
	replace := func(name, from, to string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			if !bytes.Contains(files[name], []byte(from)) {
				t.Fatalf("%s has no %q to replace", name, from)
			}
			files[name] = bytes.Replace(files[name], []byte(from), []byte(to), 1)
		}
	}
	put := func(name, data string) func(map[string][]byte) {
		return func(files map[string][]byte) { files[name] = []byte(data) }
	}
	leafOf := func(files map[string][]byte, k leaf.Kind) string {
		for name, data := range files {
			if strings.Contains(string(data), fmt.Sprintf(`"kind":"%s"`, k)) && strings.HasPrefix(name, leavesDir) {
				return name
			}
		}
		t.Fatalf("no %s leaf", k)
		return ""
	}
	cosigned := func(edit func(line string) string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			p := must[*sign.LogProof](t)(sign.ParseLogProof(files[nameProof]))
			note := string(must[[]byte](t)(sign.Cosign(newSeedKey('m'), p.Note, 1772528400)))
			at := strings.LastIndex(note, "\n— ") + 1
			p.Note = []byte(note[:at] + edit(strings.TrimSuffix(note[at:], "\n")) + "\n")
			files[nameProof] = p.Encode()
		}
	}
	foreign := func(n int, name string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			for i := range n {
				files[nameProof] = fmt.Appendf(files[nameProof], "— %s%d %s\n", name, i, base64.StdEncoding.EncodeToString(make([]byte, 76)))
			}
		}
	}
	sig := sigName(newSeedKey('a').Key())
	return []brokenCase{
		{"statement-altered", expectInvalid, AxisSigners, replace(nameStatement, "issued 2021", "issued 2020")},
		{"statement-missing", expectMalformed, "", drop(nameStatement)},
		{"sums-missing", expectMalformed, "", drop(nameSums)},
		{"sums-altered", expectMalformed, "", replace(nameSums, "leaves/00001", "leaves/00002")},
		{"log-missing", expectMalformed, "", drop(nameProof)},
		{"log-trailing", expectMalformed, "", func(files map[string][]byte) { files[nameProof] = append(files[nameProof], '\n') }},
		{"log-line-of-another-name", expectValid, "", foreign(1, "witness.example/w")},
		{"log-sixteen-lines-of-others", expectValid, "", foreign(16, "witness.example/w")},
		{"log-seventeen-lines-of-others", expectMalformed, "", foreign(17, "witness.example/w")},
		{"log-long-lines-of-others", expectMalformed, "", foreign(16, strings.Repeat("witness.example/", 10))},
		{"log-line-of-half-a-witness", expectMalformed, "", foreign(1, "muniment/witness/")},
		{"log-second-line-of-the-log", expectMalformed, "", func(files map[string][]byte) {
			note := files[nameProof]
			line := note[bytes.LastIndex(note, []byte("\n— "))+1:]
			name, _, _ := bytes.Cut(line[len("— "):], []byte(" "))
			files[nameProof] = fmt.Appendf(note, "— %s %s\n", name, base64.StdEncoding.EncodeToString(make([]byte, 68)))
		}},
		{"witness-right", expectValid, "", cosigned(func(line string) string { return line })},
		{"witness-wrong", expectInvalid, AxisWitnesses, cosigned(func(line string) string { return line[:len(line)-8] + "AAAAAA==" })},
		{"witness-of-small-order", expectInvalid, AxisWitnesses, func(files map[string][]byte) {
			neutral := append([]byte{1}, make([]byte, 31)...) // as a key, and as R with S = 0: the equation holds
			name := fmt.Sprintf("%s%x", sign.WitnessPrefix, neutral)
			hash := sha256.Sum256(append([]byte(name+"\n\x04"), neutral...))
			line := slices.Concat(hash[:4], make([]byte, 8), neutral, make([]byte, 32))
			files[nameProof] = fmt.Appendf(files[nameProof], "— %s %s\n", name, base64.StdEncoding.EncodeToString(line))
		}},
		{"leaf-altered", expectMalformed, "", func(files map[string][]byte) { replace(leafOf(files, leaf.KindRemoved), "price", "prize")(files) }},
		{"leaf-under-other-name", expectMalformed, "", func(files map[string][]byte) { rename(leafOf(files, leaf.KindRemoved), "leaves/00000.json")(files) }},
		{"leaf-beyond", expectMalformed, "", put("leaves/00064.json", "{}")},
		{"display-missing", expectMalformed, "", func(files map[string][]byte) { drop(leafOf(files, leaf.KindDisplay))(files) }},
		{"removed-missing", expectInvalid, AxisDisplay, func(files map[string][]byte) { drop(leafOf(files, leaf.KindRemoved))(files) }},
		{"signature-missing", expectMalformed, "", drop(sig)},
		{"signature-altered", expectMalformed, "", replace(sig, "U1NIU0lH", "U1NIU0lG")},
		{"signature-trailing", expectMalformed, "", func(files map[string][]byte) { files[sig] = append(files[sig], '\n') }},
		{"signature-under-other-name", expectMalformed, "", rename(sig, sigsDir+strings.Repeat("0", 64)+sigExt)},
		{"sealed-unnamed", expectMalformed, "", put("sealed/board.age", "x")},
		{"sealed-altered", expectMalformed, "", put("sealed/auditor.age", "x")},
		{"name-extra", expectMalformed, "", put("notes.txt", "x")},
		{"name-upper", expectMalformed, "", put("Statement", "x")},
		{"name-parent", expectMalformed, "", put("../statement", "x")},
		{"name-absolute", expectMalformed, "", put("/statement", "x")},
		{"name-backslash", expectMalformed, "", put(`leaves\00001.json`, "x")},
		{"name-bidi", expectMalformed, "", put("leaves/\u202e00001.json", "x")},
		{"name-control", expectMalformed, "", put("leaves/00001.json\n", "x")},
		{"name-folder", expectMalformed, "", put("leaves/", "")},
		{"name-long-index", expectMalformed, "", put("leaves/000001.json", "{}")},
		{"name-deep", expectMalformed, "", put("leaves/0/00001.json", "{}")},
		{"name-empty", expectMalformed, "", put("", "x")},
	}
}

type zipCase struct {
	name string
	edit func(zip []byte) []byte
}

// brokenZips are zips that hold the right files in another form.
func brokenZips() []zipCase {
	central := func(zip []byte) int { return bytes.Index(zip, []byte("PK\x01\x02")) }
	set := func(at int, v byte) func([]byte) []byte {
		return func(zip []byte) []byte { zip[at] = v; return zip }
	}
	setCentral := func(at int, v byte) func([]byte) []byte {
		return func(zip []byte) []byte { zip[central(zip)+at] = v; return zip }
	}
	setEnd := func(at int, v byte) func([]byte) []byte {
		return func(zip []byte) []byte { zip[len(zip)-zipEndLen+at] = v; return zip }
	}
	return []zipCase{
		{"empty", func([]byte) []byte { return nil }},
		{"no-files", func(zip []byte) []byte { return append([]byte("PK\x05\x06"), make([]byte, 18)...) }},
		{"prefix", func(zip []byte) []byte { return append([]byte("#!"), zip...) }},
		{"trailing", func(zip []byte) []byte { return append(zip, 0) }},
		{"cut", func(zip []byte) []byte { return zip[:len(zip)-1] }},
		{"cut-in-file", func(zip []byte) []byte { return zip[:200] }},
		{"cut-in-header", func(zip []byte) []byte { return zip[:20] }},
		{"comment", func(zip []byte) []byte {
			binary.LittleEndian.PutUint16(zip[len(zip)-2:], 2)
			return append(zip, "hi"...)
		}},
		{"twice", func(zip []byte) []byte { return append(zip[:central(zip):central(zip)], zip...) }},
		{"version", set(4, 20)},
		{"flags", set(6, 8)},
		{"method", set(8, 8)},
		{"time", set(10, 1)},
		{"date", set(12, 0x22)},
		{"crc", func(zip []byte) []byte { zip[14] ^= 1; return zip }},
		{"packed-size", func(zip []byte) []byte { zip[18] ^= 1; return zip }},
		{"size-huge", func(zip []byte) []byte {
			return append(append(zip[:18:18], bytes.Repeat([]byte{255}, 8)...), zip[26:]...)
		}},
		{"name-length", set(27, 255)},
		{"extra", set(28, 4)},
		{"directory-link", setCentral(41, 0xA1)},
		{"directory-made-by", setCentral(5, 0)},
		{"directory-flags", setCentral(8, 8)},
		{"directory-name", func(zip []byte) []byte { zip[central(zip)+zipEntryLen] = 'x'; return zip }},
		{"directory-offset", func(zip []byte) []byte { zip[central(zip)+42] ^= 1; return zip }},
		{"directory-comment", setCentral(32, 1)},
		{"end-count", func(zip []byte) []byte { return setEnd(8, zip[len(zip)-zipEndLen+8]-1)(zip) }},
		{"end-disk", setEnd(4, 1)},
		{"unsorted", func(zip []byte) []byte {
			files, err := unzip(zip)
			if err != nil {
				panic(err)
			}
			var local, dir []byte
			for _, name := range []string{nameStatement, nameSums, nameProof} {
				sum, size := crc32.ChecksumIEEE(files[name]), len(files[name])
				dir = appendEntry(dir, name, sum, size, len(local))
				local = append(appendLocal(local, name, sum, size), files[name]...)
			}
			return append(append(local, dir...), zip[len(zip)-zipEndLen:]...)
		}},
	}
}

// sealedVectors hold sealed files.
func sealedVectors(t *testing.T, trust string) []vector {
	cases := []struct {
		name, expect, axis string
		plain              func([]byte) []byte
	}{
		{"zip-sealed", expectValid, "", func(b []byte) []byte { return b }},
		{"zip-sealed-padding", expectInvalid, AxisSealed, func(b []byte) []byte { b[len(b)-1] = '\n'; return b }},
		{"zip-sealed-leaf-left-out", expectInvalid, AxisSealed, func(b []byte) []byte {
			_, rest, _ := bytes.Cut(b, []byte("\n"))
			return append(rest, make([]byte, len(b)-len(rest))...)
		}},
	}
	var out []vector
	for _, c := range cases {
		g := firstForgery(t)
		g.oneKey(t)
		g.encrypt = func(to []string, plain []byte) ([]byte, error) {
			plain = c.plain(plain)
			if kept := keptSeal(t, c.name); kept != nil {
				if had, err := sign.Open(g.f.identity, kept); err == nil && bytes.Equal(had, plain) {
					return kept, nil
				}
			}
			return sign.Seal(to, plain)
		}
		out = append(out, vector{
			name: c.name, kind: "zip", expect: c.expect, axis: c.axis, trust: trust, identity: fixtureIdentity,
			data: must[[]byte](t)(writeZip(g.make(t))),
		})
	}
	return out
}

// keptSeal returns the sealed file of a vector on disk, nil when there is none.
func keptSeal(t *testing.T, name string) []byte {
	path := filepath.Join(vectorDir, name)
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	files, err := unzip(testvectors.ReadFile(t, path).Body)
	if err != nil {
		return nil
	}
	return files["sealed/auditor.age"]
}

// seedVectors adds the bytes of the vectors of a kind to a fuzz corpus.
func seedVectors(f *testing.F, kind string) {
	f.Helper()
	n := 0
	for _, v := range testvectors.Read(f, vectorDir) {
		if v.Get("kind") == kind && len(v.Body) < 64<<10 {
			f.Add(v.Body)
			n++
		}
	}
	if n < 20 {
		f.Fatalf("%d seeds of kind %s, want at least 20", n, kind)
	}
}
