package verifiers_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"muniment/bundle/leaf"
	"slices"
	"strings"

	"muniment/cid/merkle"
	"muniment/cite"
)

// The people of the generated bundles.
var (
	answerer  = newSigner('a', "")
	custodian = newSigner('c', "")
	hardware  = newSigner('h', "ssh:custody")
	stranger  = newSigner('x', "")
)

// trusts are the files that a verifier brings along; "" brings none.
var trusts = func() map[string]string {
	line := func(before string, s signer) string { return before + " " + s.Key().Authorized() + "\n" }
	return map[string]string{
		"none":       "",
		"all":        line("ada@example.org", answerer) + line("ben@example.org", custodian) + line("cleo@example.org", hardware),
		"answerer":   "# who answers\n\n" + line(`ada@example.org namespaces="answer@muniment,git"`, answerer),
		"hardware":   line(`"cleo ames@example.org"`, hardware),
		"patterns":   line(`*@example.org,!eve@example.org NAMESPACES="answer@*,!git"`, answerer),
		"namespace":  line(`ada@example.org namespaces="git"`, answerer),
		"negated":    line(`ada@example.org namespaces="*,!answer@muniment"`, answerer),
		"authority":  line(`ada@example.org cert-authority`, answerer),
		"bounds":     line(`ada@example.org valid-after="19990101Z",valid-before="20000101Z"`, answerer),
		"strangers":  line("eve@example.org", stranger),
		"archive":    line("ada@example.org", answerer)[:len(line("ada@example.org", answerer))-1] + " muniment-archive=" + archiveID + "\n",
		"elsewhere":  line("ada@example.org", answerer)[:len(line("ada@example.org", answerer))-1] + " muniment-archive=" + otherArchive + "\n",
		"of two":     line("ben@example.org", custodian) + line("ada@example.org", answerer)[:len(line("ada@example.org", answerer))-1] + " muniment-archive=" + otherArchive + "\n",
		"same point": line("eve@example.org", signer{hardware.private, ""}),
	}
}()

// pins name the archive that a verifier with one of the trusts asks for; none for
// the others.
var pins = map[string]string{"none": archiveID, "hardware": otherArchive, "patterns": archiveID, "elsewhere": archiveID}

// texts are what people write, and what they should not.
var texts = []string{
	"The barn stood seven rods off.", "a", "Ünï çödé: 京都 😀", `quotes " and \ back / slash`, "two\nlines\tand a tab",
	"right \u202e to left", "\u2028separators\u2029", "control \x01\x1f\x7f", "nul \x00 inside", "\ufeffmark", "e\u0301 and \u00e9", "</script><b>",
}

func (s *sketch) text1() string { return texts[s.r.IntN(len(texts))] }
func (s *sketch) coin() bool    { return s.r.IntN(2) == 0 }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// newSketch is a good bundle, different for every seed.
func newSketch(seed uint64, sources []*leaf.Source) *sketch {
	s := &sketch{r: rand.New(rand.NewPCG(seed, 1)), raw: map[int][]byte{}, sealed: map[string][]byte{}, logKey: answerer}
	size := 64
	if s.r.IntN(40) == 0 {
		size = 256
	}
	order := s.r.Perm(size)
	next := func() int { i := order[0]; order = order[1:]; return i }
	s.leaves = make([]object, size)
	add := func(l leaf.Leaf, kind leaf.Kind, shown bool) int {
		i := next()
		h := l.Head()
		*h = leaf.Header{Type: leaf.Type1, Answer: answerID, Index: i, Kind: kind, Salt: s.salt()}
		s.leaves[i] = toObject(l)
		if shown {
			s.shown = append(s.shown, i)
		}
		return i
	}
	claims := s.r.IntN(5)
	for n := 1; n <= claims; n++ {
		s.claim(n, add, sources)
	}
	for range s.r.IntN(3) {
		add(&leaf.Removed{Topic: s.text1(), Reason: s.text1()}, leaf.KindRemoved, true)
	}
	if claims == 0 || s.r.IntN(4) == 0 {
		add(&leaf.Refusal{RefusalKind: pick(s.r, leaf.RefusalKinds...), Message: s.text1(), Suggestions: []string{s.text1()}, Topic: pick(s.r, "", s.text1())}, leaf.KindRefusal, true)
	}
	add(&leaf.Gate{Stage: leaf.StageCategory, Query: s.text1(), Notes: []string{s.text1()}}, leaf.KindGate, s.r.IntN(8) == 0)
	add(&leaf.Gate{Stage: leaf.StageConsent, Claim: s.r.IntN(3), TrueKind: pick(s.r, "", "consent")}, leaf.KindGate, false)
	s.r.Shuffle(len(s.shown), func(i, j int) { s.shown[i], s.shown[j] = s.shown[j], s.shown[i] })
	_, rung := s.outcome()
	s.at = add(&leaf.Display{OutcomeRung: cite.Rung(rung), RequestorTier: "public"}, leaf.KindDisplay, false)
	for i, l := range s.leaves {
		if l == nil {
			s.leaves[i] = toObject(&leaf.Pad{Header: leaf.Header{Type: leaf.Type1, Answer: answerID, Index: i, Kind: leaf.KindPad, Salt: s.salt()}})
		}
	}
	s.display()["shown"], s.display()["keep"] = indexes(s.shown), indexes(s.keep())
	s.people()
	return s
}

func (s *sketch) salt() string {
	b := make([]byte, 32)
	for i := range b {
		b[i] = byte(s.r.Uint32())
	}
	return hex.EncodeToString(b)
}

// claim adds a claim with its gate, its cites and what these lead to.
func (s *sketch) claim(n int, add func(leaf.Leaf, leaf.Kind, bool) int, sources []*leaf.Source) {
	in := cite.GateInput{}
	var v cite.Verdict
	for {
		in = cite.GateInput{
			Relation: pick(s.r, cite.Relations[:]...), Match: pick(s.r, cite.Exact, cite.Normalized, cite.Fuzzy, cite.Ambiguous, cite.Absent, ""),
			Entailed: pick(s.r, "", "", cite.EntailedYes, cite.EntailedNo, cite.EntailedContradiction),
			Aligned:  s.coin(), InputsResolve: s.coin(), SpanResolves: s.coin(), Narrowed: s.coin(), Marker: s.coin(),
		}
		if v = cite.Judge(in); v.Rung != cite.Refused {
			break
		}
	}
	table := cite.GateTableVersion
	if s.r.IntN(30) == 0 {
		table = "muniment/gate/v2"
	}
	gate := add(&leaf.Gate{Stage: leaf.StageCoverage, Claim: n, Inputs: in, Rung: v.Rung, Failed: v.Failed, Table: table}, leaf.KindGate, s.r.IntN(5) != 0)
	var cites []int
	restricted := s.r.IntN(6) == 0
	for range s.r.IntN(3) {
		c := &leaf.Cite{Claim: n, Handle: "Source " + string(rune('A'+s.r.IntN(26))), Relation: in.Relation, Label: leaf.Label(in.Relation), Contradicts: s.r.IntN(5) == 0, Restricted: restricted}
		src := *sources[s.r.IntN(len(sources))]
		c.Source = add(&src, leaf.KindSource, false)
		for range s.r.IntN(4) {
			if !restricted {
				c.Chunks = append(c.Chunks, add(&leaf.Chunk{Text: s.text1()}, leaf.KindChunk, s.r.IntN(3) != 0))
			}
		}
		cites = append(cites, add(c, leaf.KindCite, s.r.IntN(8) != 0))
	}
	add(&leaf.Claim{Claim: n, Text: s.text1(), Rung: v.Rung, Restricted: restricted, Cites: cites, Gate: gate}, leaf.KindClaim, true)
}

// keep are the shown leaves that no copy may leave out.
func (s *sketch) keep() []int {
	var out []int
	for _, i := range s.shown {
		if l := s.leaves[i]; l["kind"] == "refusal" || l["kind"] == "removed" || l["contradicts"] == true {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// people chooses signers, scopes and the log before.
func (s *sketch) people() {
	s.signers = []signer{answerer}
	if s.r.IntN(3) == 0 {
		s.signers = append(s.signers, custodian)
	}
	if s.r.IntN(4) == 0 {
		s.signers = append(s.signers, hardware)
	}
	if s.r.IntN(6) == 0 {
		s.signers = append(s.signers, stranger)
	}
	file := func() []byte { return bytes.Repeat([]byte{byte(s.r.Uint32())}, s.r.IntN(40)) }
	if s.r.IntN(3) == 0 {
		for _, subset := range []string{"1-2", "1-3", "2-3"} {
			s.sealed["sealed/court."+subset+".age"] = file()
		}
	}
	for _, scope := range []string{"auditor", "co", "co-urt", "z9"}[:1+s.r.IntN(4)] {
		s.sealed["sealed/"+scope+".age"] = file()
	}
	if s.coin() { // the copy of a requestor
		s.files = func(files map[string][]byte) {
			for name := range s.sealed {
				delete(files, name)
			}
		}
	}
	for i := range s.r.IntN(10) {
		s.before = append(s.before, merkle.LeafHash(fmt.Append(nil, i)))
	}
	if s.r.IntN(4) == 0 { // a reduced copy
		for _, i := range s.shown {
			if !slices.Contains(s.keep(), i) && s.coin() {
				s.omit = append(s.omit, i)
			}
		}
	}
}

// any returns the index of some disclosed leaf of one of the kinds; ok is false
// where there is none.
func (s *sketch) some(kinds ...string) (int, bool) {
	var found []int
	for i, l := range s.leaves {
		if slices.Contains(kinds, l["kind"].(string)) && (l["kind"] == "display" || slices.Contains(s.shown, i)) && !slices.Contains(s.omit, i) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	return found[s.r.IntN(len(found))], true
}

// line changes the statement's line of a key.
func line(key string, edit func(value string) string) func(*sketch) bool {
	return func(s *sketch) bool {
		s.lines = func(lines []string) []string {
			for i, l := range lines {
				if k, v, _ := strings.Cut(l, " "); k == key {
					lines[i] = strings.TrimSuffix(k+" "+edit(v), " \x00")
					break
				}
			}
			return lines
		}
		return true
	}
}
