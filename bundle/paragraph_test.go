package bundle

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
	"muniment/testvectors"
)

const paragraphVectors = "../testvectors/paragraph"

// paragraphProof is the proof of the fixture's second paragraph.
func paragraphProof(t testing.TB, f *fixture) *ParagraphProof {
	t.Helper()
	units := f.letter.Units('p')
	u := units[1]
	p := &ParagraphProof{Type: TypeParagraphProof, Artifact: cid.Of(f.letter.Payload()).String(), Kind: "p", Ordinal: 2,
		Text: string(f.letter.Payload()[u.Start:u.End]), Proof: []string{}, RecordJSON: string(f.record), RecordProof: *f.proof, Commit: string(f.snap.Content)}
	for _, h := range f.letter.Prove('p', 1) {
		p.Proof = append(p.Proof, hex.EncodeToString(h[:]))
	}
	return p
}

// paragraphCases are proofs with at most one defect each, by the name of the
// vector, and a part of the reason, "" for a sound one.
func paragraphCases(t testing.TB) map[string]struct {
	data []byte
	want string
} {
	t.Helper()
	f := newFixture(t)
	out := map[string]struct {
		data []byte
		want string
	}{}
	add := func(name, want string, change func(p *ParagraphProof)) {
		p := paragraphProof(t, f)
		change(p)
		data, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		out[name] = struct {
			data []byte
			want string
		}{data, want}
	}
	add("good", "", func(*ParagraphProof) {})
	add("line", "", func(p *ParagraphProof) {
		u := f.letter.Units('l')[0]
		p.Kind, p.Ordinal, p.Text, p.Proof = "l", 1, string(f.letter.Payload()[u.Start:u.End]), []string{}
		for _, h := range f.letter.Prove('l', 0) {
			p.Proof = append(p.Proof, hex.EncodeToString(h[:]))
		}
	})
	add("text", "unit p2", func(p *ParagraphProof) { p.Text += "." })
	add("ordinal", "unit p1", func(p *ParagraphProof) { p.Ordinal = 1 })
	add("ordinal-zero", "unit p0", func(p *ParagraphProof) { p.Ordinal = 0 })
	add("kind-of-the-other-root", "unit l2", func(p *ParagraphProof) { p.Kind = "l" })
	add("kind-unknown", `kind "s"`, func(p *ParagraphProof) { p.Kind = "s" })
	add("hash-missing", "unit p2", func(p *ParagraphProof) { p.Proof = p.Proof[1:] })
	add("hash-short", "is not a hash", func(p *ParagraphProof) { p.Proof[0] = p.Proof[0][2:] })
	add("hash-capitals", "is not a hash", func(p *ParagraphProof) { p.Proof[0] = strings.ToUpper(p.Proof[0]) })
	add("artifact-other", "the record describes", func(p *ParagraphProof) { p.Artifact = cid.Of([]byte("x")).String() })
	add("record-changed", "want the record", func(p *ParagraphProof) {
		p.RecordJSON = strings.Replace(p.RecordJSON, "Ada Archivist", "Eda Archivist", 1)
	})
	add("record-proof-other-count", "record: ", func(p *ParagraphProof) { p.RecordProof.Count++ })
	add("commit-changed", "snapshot: ", func(p *ParagraphProof) {
		p.Commit = strings.Replace(p.Commit, "First accession", "Last accession", 1)
	})
	good := out["good"].data
	put := func(name, want string, data []byte) {
		out[name] = struct {
			data []byte
			want string
		}{data, want}
	}
	put("not-canonical", "paragraph proof: ", append(bytes.Clone(good), '\n'))
	put("member-unknown", "paragraph proof: ", bytes.Replace(good, []byte(`"kind":`), []byte(`"kin":"x","kind":`), 1))
	put("cut", "paragraph proof: ", good[:len(good)-1])
	return out
}

// Every vector is sound, or is refused for its one defect; nothing is returned
// of what is refused.
func TestParagraphVectors(t *testing.T) {
	cases := paragraphCases(t)
	var made []testvectors.Vector
	for name, c := range cases {
		v := testvectors.New(name, c.data, "kind", "paragraph-proof")
		if _, _, err := VerifyParagraph(c.data, Requirements{}); err != nil {
			v.Add("expect", "refused")
			v.Add("reason", err.Error())
		} else {
			v.Add("expect", "ok")
		}
		made = append(made, v)
	}
	testvectors.Generate(t, paragraphVectors, made)
	testvectors.Run(t, paragraphVectors, 17, func(t *testing.T, v testvectors.Vector) {
		want := cases[v.Name].want
		p, s, err := VerifyParagraph(v.Body, Requirements{})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || p != nil || s != nil) {
			t.Errorf("%v %v %v, want %q", p, s, err, want)
		}
	})
}

// The verdict needs a trusted key, and says of what else is required that the
// proof does not show it.
func TestJudgeProof(t *testing.T) {
	f := newFixture(t)
	data, err := paragraphProof(t, f).Encode()
	if err != nil {
		t.Fatal(err)
	}
	allow := func(k sign.Key) *sign.AllowedSigners {
		a, err := sign.ParseAllowedSigners([]byte("ada@example.org " + k.Authorized() + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, c := range []struct {
		name string
		q    Requirements
		want string
	}{
		{"no trust", Requirements{}, Incomplete},
		{"trusted", Requirements{Allowed: allow(f.archivist.Key())}, Valid},
		{"integrity required", Requirements{Allowed: allow(f.archivist.Key()), Require: []string{AxisIntegrity}}, Valid},
		{"another axis required", Requirements{Allowed: allow(f.archivist.Key()), Require: []string{AxisNames[len(AxisNames)-1]}}, Incomplete},
		{"another key", Requirements{Allowed: allow(f.answerer.Key())}, Invalid},
	} {
		v := JudgeProof(data, c.q)
		var report bytes.Buffer
		if err := WriteProofReport(&report, v); err != nil || v.Verdict != c.want || !strings.HasPrefix(report.String(), c.want+"\n") {
			t.Errorf("%s: %s, want %s\n%s", c.name, v.Verdict, c.want, report.String())
		}
		if (v.Text == "") != (c.want == Invalid) {
			t.Errorf("%s: the text is %q", c.name, v.Text)
		}
	}
}

// Whatever parses re-encodes to the same bytes, and what is refused gives
// nothing.
func FuzzParagraph(f *testing.F) {
	for _, c := range paragraphCases(f) {
		f.Add(c.data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p ParagraphProof
		if jcs.Unmarshal(data, TypeParagraphProof, &p) == nil {
			if again, err := p.Encode(); err != nil || !bytes.Equal(data, again) {
				t.Fatalf("%q becomes %q, %v", data, again, err)
			}
		}
		if p, s, err := VerifyParagraph(data, Requirements{}); err != nil && (p != nil || s != nil) {
			t.Fatal("a refused proof gives something")
		}
	})
}
