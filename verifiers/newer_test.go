package verifiers_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"muniment/bundle/leaf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muniment/bundle"
	proof "muniment/bundle/evidence"
	"muniment/cid"
	"muniment/internal/casecount"
	"muniment/sign"
	"muniment/testvectors"
)

// A bump gives a part of a bundle a version that no verifier knows, before it is signed.
// It reports whether there was such a part.
type bump struct {
	name string
	edit func(s *sketch) bool
}

// later returns a type with a version that no verifier knows.
func (s *sketch) later(name string) string { return fmt.Sprintf("%s/v%d", name, 4+s.r.IntN(900)) }

// bumps are the parts of a bundle that have a version and that each verifier sees.
func bumps() []bump {
	out := []bump{
		{"statement", func(s *sketch) bool {
			s.lines = func(lines []string) []string { lines[0] = s.later("muniment/answer"); return lines }
			return true
		}},
		{"statement with lines of its own", func(s *sketch) bool {
			s.lines = func(lines []string) []string {
				lines[0] = s.later("muniment/answer")
				return slices.Insert(lines, 1+s.r.IntN(len(lines)-2), "until 2031-01-01 for ever", "rights none")
			}
			return true
		}},
		{"table of a gate", func(s *sketch) bool {
			return s.bumpLeaf(func(l object) bool { return l["kind"] == "gate" && l["stage"] == "coverage" }, func(l object) { l["table"] = s.later("muniment/gate") })
		}},
		{"citation of a source", func(s *sketch) bool { return s.bumpSource("citation") }},
	}
	for _, kind := range []string{"claim", "cite", "chunk", "source", "gate", "refusal", "removed", "display"} {
		out = append(out, bump{"leaf " + kind, func(s *sketch) bool {
			return s.bumpLeaf(func(l object) bool { return l["kind"] == kind }, func(l object) {
				l["type"] = s.later("muniment/leaf")
				if s.coin() {
					l["until"], l["aside"] = "2031", []any{1, "b"}
				}
			})
		}})
	}
	return out
}

// bumpLeaf edits a leaf that is the case, disclosed and not left out.
func (s *sketch) bumpLeaf(is func(object) bool, edit func(object)) bool {
	for _, i := range s.r.Perm(len(s.leaves)) {
		if is(s.leaves[i]) && (i == s.at || slices.Contains(s.shown, i)) && !slices.Contains(s.omit, i) {
			edit(s.leaves[i])
			return true
		}
	}
	return false
}

// bumpSource gives a citation or record in a disclosed source another version and
// its name anew.
func (s *sketch) bumpSource(part string) bool {
	return s.bumpLeaf(func(l object) bool { return l["kind"] == "source" }, func(l object) {
		text := regexp.MustCompile(`"type":"muniment/`+part+`/v\d+"`).ReplaceAllString(l[part+"_json"].(string), `"type":"`+s.later("muniment/"+part)+`"`)
		l[part+"_json"], l[part] = text, cid.OfJSON([]byte(text)).String()
	})
}

// mutant returns a bundle with a bumped part, which is good but for that; its damage,
// where it has one, came after it was signed.
func mutant(t *testing.T, number int, sources []*leaf.Source, all []bump) (name string, zip []byte, damaged bool) {
	t.Helper()
	for seed := uint64(number); ; seed += 1 << 20 {
		s, b := newSketch(seed, sources), all[number%len(all)]
		s.signers, s.logKey, s.omit = []signer{answerer}, answerer, nil
		if strings.Contains(b.name, "source") { // sources lie in the sealed layer: show one
			for i, l := range s.leaves {
				if l["kind"] == "source" && !slices.Contains(s.shown, i) {
					s.shown = append(s.shown, i)
					s.display()["shown"] = indexes(s.shown)
					break
				}
			}
		}
		if !b.edit(s) {
			continue
		}
		if b.name != "table of a gate" && slices.ContainsFunc(s.leaves, func(l object) bool { return l["table"] == "muniment/gate/v2" }) {
			continue
		}
		if damaged = number%3 == 0; damaged {
			s.bytes = func(z []byte) []byte { return damage(s, z) }
		}
		return b.name, s.build(t), damaged
	}
}

// damage changes one byte of the content of a file in a zip and makes the zip anew, so
// that only what is hashed or signed shows it.
func damage(s *sketch, z []byte) []byte {
	files := filesOf(z)
	for {
		name := pick(s.r, slices.Sorted(maps.Keys(files))...)
		if len(files[name]) == 0 {
			continue
		}
		files[name][s.r.IntN(len(files[name]))] ^= byte(1 << s.r.IntN(7))
		return canonicalZip(files)
	}
}

// filesOf returns the files of a zip.
func filesOf(z []byte) map[string][]byte {
	r := must(zip.NewReader(bytes.NewReader(z), int64(len(z))))
	files := map[string][]byte{}
	for _, f := range r.File {
		in := must(f.Open())
		var b bytes.Buffer
		must(b.ReadFrom(in))
		files[f.Name] = b.Bytes()
	}
	return files
}

// TestNewer bumps the version of each part of a bundle and damages a third of the
// mutants: the library, verify.py, verify.js in Node and verify.html say INCOMPLETE of those
// that are whole and INVALID of the others, and VALID of none.
func TestNewer(t *testing.T) {
	count := casecount.Of(100, 3000)
	judges := map[string]func(t *testing.T, with given, batch []sample) []judgement{
		"verify.py": byPython(t), "verify.js": byNode(t), "verify.html": byBrowser(t),
	}
	sources, all := sourcesOfVectors(t), bumps()
	q := bundle.Requirements{Allowed: must(sign.ParseAllowedSigners([]byte(trusts["answerer"])))}
	verdicts := map[string]map[string]int{"whole": {}, "damaged": {}}
	seen := map[string]int{}
	for start := 0; start < count; start += agreeBatch {
		dir := t.TempDir()
		trust := filepath.Join(dir, "trust")
		write(t, trust, []byte(trusts["answerer"]))
		var batch []sample
		var state []string
		for n := start; n < min(start+agreeBatch, count); n++ {
			name, zip, damaged := mutant(t, n, sources, all)
			x := sample{number: uint64(n), defect: name, zip: zip, path: filepath.Join(dir, strconv.Itoa(n)+".zip")}
			write(t, x.path, zip)
			batch, state = append(batch, x), append(state, map[bool]string{true: "damaged", false: "whole"}[damaged])
			seen[name]++
		}
		given := given{trust: trust}
		said := map[string][]judgement{}
		for who, judge := range judges {
			said[who] = judge(t, given, batch)
		}
		for i, x := range batch {
			want := map[string]string{"whole": bundle.Incomplete, "damaged": bundle.Invalid}[state[i]]
			ours, _ := judge(x.zip, q)
			verdicts[state[i]][ours.verdict]++
			if ours.verdict != want {
				t.Errorf("mutant %d (%s, %s): the library says %v, want %s", x.number, x.defect, state[i], ours, want)
			}
			for who := range judges {
				verdicts[state[i]][said[who][i].verdict]++
				if said[who][i].verdict != want {
					t.Errorf("mutant %d (%s, %s): %s says %v, want %s", x.number, x.defect, state[i], who, said[who][i], want)
				}
			}
		}
	}
	t.Logf("%d mutants of %d parts, judged by 4 verifiers: whole %v, damaged %v; by part %v", count, len(all), verdicts["whole"], verdicts["damaged"], seen)
	if len(seen) != len(all) {
		t.Errorf("%d of %d parts were bumped", len(seen), len(all))
	}
}

// TestNewerEvidence bumps the version of evidence, whole and with one byte changed.
func TestNewerEvidence(t *testing.T) {
	python(t)
	program := node(t)
	dir := t.TempDir()
	var args, want []string
	add := func(data []byte, verdict string) {
		path := filepath.Join(dir, strconv.Itoa(len(args)))
		write(t, path, data)
		args, want = append(args, path), append(want, verdict)
		if got := proof.Judge(data, bundle.Requirements{}).Verdict; got != verdict {
			t.Errorf("evidence %d: the library says %s, want %s", len(args)-1, got, verdict)
		}
	}
	for _, v := range testvectors.Read(t, "../testvectors/evidence") {
		if v.Get("expect") != "incomplete" || !strings.HasPrefix(v.Name, "snapshots-note-type") && !strings.HasPrefix(v.Name, "log-head-v3") {
			continue
		}
		add(v.Body, bundle.Incomplete)
		for i := 60; i < len(v.Body); i += 1 + len(v.Body)/casecount.Of(20, 300) {
			data := bytes.Clone(v.Body)
			data[i] ^= 1
			add(data, bundle.Invalid)
		}
	}
	if want := casecount.Of(40, 60); len(args) < want {
		t.Fatalf("%d mutants of evidence, want %d", len(args), want)
	}
	out, err := exec.Command(program, append([]string{"verify.js", "--json"}, args...)...).Output()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	var byNode []report
	for l := range bytes.Lines(out) {
		byNode = append(byNode, parseReport(t, l))
	}
	byPython, _ := run(t, args...)
	for i := range args {
		if byPython[i].Verdict != want[i] || byNode[i].Verdict != want[i] {
			data, _ := os.ReadFile(args[i])
			t.Errorf("evidence %d (%d bytes): verify.py says %s, verify.js %s, want %s", i, len(data), byPython[i].Verdict, byNode[i].Verdict, want[i])
		}
	}
	t.Logf("%d mutants of evidence, judged by 3 verifiers alike", len(args))
}

// TestWriteNewer writes a bundle with a newer leaf, and who is to be trusted with it, into
// the files that MUNIMENT_NEWER and MUNIMENT_NEWER_TRUST name: internal/bench/mixed.sh
// shows it to older programs. Without them it only makes one.
func TestWriteNewer(t *testing.T) {
	all := slices.DeleteFunc(bumps(), func(b bump) bool { return b.name != "leaf claim" })
	_, zip, damaged := mutant(t, 1, sourcesOfVectors(t), all)
	if damaged || len(zip) == 0 {
		t.Fatal("no whole bundle was made")
	}
	if path := os.Getenv("MUNIMENT_NEWER"); path != "" {
		write(t, path, zip)
		write(t, os.Getenv("MUNIMENT_NEWER_TRUST"), []byte(trusts["answerer"]))
	}
}
