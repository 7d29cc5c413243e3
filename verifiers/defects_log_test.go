package verifiers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"muniment/cid/merkle"
	"muniment/sign"
)

func onProof(name string, edit func(s *sketch, p *sign.LogProof)) defect {
	return defect{name, func(s *sketch) bool {
		s.proof = func(p *sign.LogProof, _ *[32]byte) {
			if p != nil {
				edit(s, p)
			}
		}
		return true
	}}
}

func onProofText(name string, edit func(s *sketch, text string) string) defect {
	return defect{name, func(s *sketch) bool {
		s.proofText = func(v string) string { return edit(s, v) }
		return true
	}}
}

var logDefects = []defect{
	afterSigning("log proof changed", "log.proof", flip),
	{"another statement in the log", func(s *sketch) bool {
		s.proof = func(_ *sign.LogProof, entry *[32]byte) { entry[0] ^= 1 }
		return true
	}},
	{"the statement's text as entry", func(s *sketch) bool {
		s.proof = func(p *sign.LogProof, entry *[32]byte) {
			if p == nil {
				*entry = sha256.Sum256(entry[:])
			}
		}
		return true
	}},
	{"checkpoint of another origin", func(s *sketch) bool {
		s.origin = func(o string) string { return o[:len(o)-1] + "2" }
		return true
	}},
	{"checkpoint of a foreign log", func(s *sketch) bool { s.origin = func(string) string { return "example.org/log" }; return true }},
	onProof("index one more", func(s *sketch, p *sign.LogProof) { p.Index++ }),
	onProof("index one less", func(s *sketch, p *sign.LogProof) { p.Index = max(p.Index-1, 0) }),
	onProof("hash missing", func(s *sketch, p *sign.LogProof) { p.Hashes = p.Hashes[:max(len(p.Hashes)-1, 0)] }),
	onProof("hash too many", func(s *sketch, p *sign.LogProof) { p.Hashes = append(p.Hashes, merkle.Hash{1}) }),
	onProof("sixty-three hashes", func(s *sketch, p *sign.LogProof) { p.Hashes = make([]merkle.Hash, 63) }),
	onProof("sixty-four hashes", func(s *sketch, p *sign.LogProof) { p.Hashes = make([]merkle.Hash, 64) }),
	onProof("hash changed", func(s *sketch, p *sign.LogProof) {
		if len(p.Hashes) > 0 {
			p.Hashes[0][3] ^= 1
		}
	}),
	onProof("checkpoint of another root", func(s *sketch, p *sign.LogProof) { p.Note = s.checkpoint(s.logOrigin(), 7, merkle.Hash{9}) }),
	onProof("checkpoint of an empty log", func(s *sketch, p *sign.LogProof) {
		p.Index, p.Hashes, p.Note = 0, nil, s.checkpoint(s.logOrigin(), 0, merkle.Root(nil))
	}),
	onProof("empty log with a root", func(s *sketch, p *sign.LogProof) { p.Note = s.checkpoint(s.logOrigin(), 0, merkle.Hash{}) }),
	onProof("leaf passed off as a node", func(s *sketch, p *sign.LogProof) {
		p.Index, p.Hashes = 0, nil
		p.Note = s.checkpoint(s.logOrigin(), 1, merkle.Hash{1})
	}),
	onProof("checkpoint signed by a stranger", func(s *sketch, p *sign.LogProof) {
		k := s.logKey
		s.logKey.private = stranger.private
		p.Note = s.checkpoint("muniment/"+archiveID+"/answers/"+k.id()+"/1", len(s.before)+1, merkle.Hash{})
		s.logKey = k
	}),
	onProofText("cosignature of another name", func(s *sketch, v string) string {
		return v + "— witness.example.org/w1 " + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(s.r.Uint32())}, 76)) + "\n"
	}),
	onProofText("cosignature of a longer name", func(s *sketch, v string) string {
		return v + strings.Replace(witnessLine, "ab ", "abc ", 1) + "AAAAAAA=\n"
	}),
	onProofText("cosignature in capitals", func(s *sketch, v string) string {
		return v + strings.Replace(witnessLine, "ab", "AB", 1) + "AAAAAAA=\n"
	}),
	onProofText("cosignature before that of the log", func(s *sketch, v string) string {
		return strings.Replace(v, "\n\n—", "\n\n"+witnessLine+base64.StdEncoding.EncodeToString(make([]byte, 76))+"\n—", 1)
	}),
	onProofText("cosignature twice", func(s *sketch, v string) string {
		w := witnessLine + base64.StdEncoding.EncodeToString(make([]byte, 76)) + "\n"
		return v + w + w
	}),
	onProofText("cosignature of four bytes", func(s *sketch, v string) string { return v + witnessLine + "AAAAAA==\n" }),
	onProofText("cosignature of five bytes", func(s *sketch, v string) string { return v + witnessLine + "AAAAAAA=\n" }),
	onProofText("cosignature with a plus in its name", func(s *sketch, v string) string { return v + "— w+1 AAAAAAA=\n" }),
	onProofText("cosignature with a no-break space", func(s *sketch, v string) string { return v + "— w\u00a01 AAAAAAA=\n" }),
	onProofText("cosignature with a control", func(s *sketch, v string) string { return v + "— w\x7f1 AAAAAAA=\n" }),
	onProofText("cosignature with a next line", func(s *sketch, v string) string { return v + "— w\u00851 AAAAAAA=\n" }),
	onProofText("cosignature with a zero width space", func(s *sketch, v string) string { return v + "— w\u200b1 AAAAAAA=\n" }),
	onProofText("cosignature with a separator control", func(s *sketch, v string) string { return v + "— w\x1c1 AAAAAAA=\n" }),
	onProofText("cosignature with a mark", func(s *sketch, v string) string { return v + "— w\ufeff1 AAAAAAA=\n" }),
	onProofText("cosignature with other base64", func(s *sketch, v string) string { return v + witnessLine + "AAAAAAB=\n" }),
	onProofText("signature of the log twice", func(s *sketch, v string) string { return v + v[strings.LastIndex(v, "—"):] }),
	onProofText("another signature under the log's name", func(s *sketch, v string) string {
		name, _, _ := strings.Cut(v[strings.LastIndex(v, "— ")+len("— "):], " ")
		return v + "— " + name + " " + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(s.r.Uint32())}, 68)) + "\n"
	}),
	onProofText("a hundred cosignatures", func(s *sketch, v string) string { return v + cosigned(99) }),
	onProofText("a hundred and one cosignatures", func(s *sketch, v string) string { return v + cosigned(100) }),
	onProofText("signature missing", func(s *sketch, v string) string { return v[:strings.LastIndex(v, "—")] }),
	onProofText("extension line", func(s *sketch, v string) string { return strings.Replace(v, "\n\n—", "\nmore\n\n—", 1) }),
	onProofText("extra line", func(s *sketch, v string) string { return strings.Replace(v, "\nindex", "\nextra AAAA\nindex", 1) }),
	onProofText("index with a zero before", func(s *sketch, v string) string { return strings.Replace(v, "index ", "index 0", 1) }),
	onProofText("index of 2^63", func(s *sketch, v string) string { return replaceLine(v, 1, "index 9223372036854775808") }),
	onProofText("index of 2^63-1", func(s *sketch, v string) string { return replaceLine(v, 1, "index 9223372036854775807") }),
	onProofText("index in wide digits", func(s *sketch, v string) string { return replaceLine(v, 1, "index \u0664") }),
	onProofText("size of 2^63", func(s *sketch, v string) string {
		l := strings.Split(v, "\n")
		return replaceLine(v, slices.Index(l[1:], "")+3, "9223372036854775808")
	}),
	onProofText("proof without last LF", func(s *sketch, v string) string { return v[:len(v)-1] }),
	onProofText("proof with CRLF", func(s *sketch, v string) string { return strings.ReplaceAll(v, "\n", "\r\n") }),
	onProofText("proof of version 2", func(s *sketch, v string) string { return strings.Replace(v, "@v1", "@v2", 1) }),
	onProofText("proof with an empty line", func(s *sketch, v string) string { return v + "\n" }),
	onProofText("proof empty", func(s *sketch, v string) string { return "" }),
	onProofText("proof with a mark", func(s *sketch, v string) string { return "\ufeff" + v }),
	onProofText("proof with a long cosignature", func(s *sketch, v string) string {
		return v + witnessLine + base64.StdEncoding.EncodeToString(make([]byte, 60000)) + "\n"
	}),
	onProofText("root in url base64", func(s *sketch, v string) string { return strings.NewReplacer("+", "-", "/", "_").Replace(v) }),
	onProofText("dash for the em dash", func(s *sketch, v string) string { return strings.ReplaceAll(v, "—", "-") }),
}

// witnessLine begins the line of a witness.
var witnessLine = "— " + sign.WitnessPrefix + strings.Repeat("ab", 32) + " "

func cosigned(n int) string {
	var b strings.Builder
	for i := range n {
		sig := binary.BigEndian.AppendUint32(nil, uint32(i))
		fmt.Fprintf(&b, "%s%s\n", witnessLine, base64.StdEncoding.EncodeToString(append(sig, make([]byte, 72)...)))
	}
	return b.String()
}

func replaceLine(text string, n int, with string) string {
	l := strings.Split(text, "\n")
	l[n] = with
	return strings.Join(l, "\n")
}
