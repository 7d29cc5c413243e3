package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
	"muniment/testvectors"
)

const vectorDir = "../testvectors/snapshot"

// A vector is a commit, a proof or the lines of a tree. extra are its header
// lines beside expect, type and comment.
type vector struct{ name, expect, typ, comment, extra, data string }

// classes is the closed set of expect values, with what one of the errors of
// the class says.
var classes = map[string][]string{
	"ok":        nil,
	"form":      {"commit", "message", "author", "tree", "parent"},
	"text":      {"text"},
	"trailer":   {"Muniment-", "commit is not in the form", "seq is", "prev is", "join", "archive id", "entries", "parents of snapshot"},
	"signature": {"ssh signature", "signed", "gpgsig", "does not verify", "namespace"},
	"present":   nil,
	"absent":    nil,
	"invalid":   {"proof", "shard", "line", "hash", "leaf", "unknown", "missing", "canonical"},
}

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	out := testvectors.New(v.name, []byte(v.data), "expect", v.expect, "type", v.typ)
	for line := range strings.Lines(v.extra) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		out.Add(key, value)
	}
	out.Add("comment", v.comment)
	return out
}

// replaced signs d's payload after one replacement in it.
func replaced(d Draft, old, new string) string {
	payload := string(must(d.Payload()))
	if strings.Count(payload, old) < 1 {
		panic("nothing to replace: " + old)
	}
	return string(signed(alice, []byte(strings.Replace(payload, old, new, 1))))
}

// spoiled replaces in the commit after it was signed.
func spoiled(old, new string) string {
	content := string(signed(alice, must(goodDraft().Payload())))
	if !strings.Contains(content, old) {
		panic("nothing to replace: " + old)
	}
	return strings.Replace(content, old, new, 1)
}

func commitVectors() []vector {
	good := func(d Draft) string { return string(signed(alice, must(d.Payload()))) }
	first, second, join := goodDraft(), secondDraft(), joinDraft()
	payload := must(first.Payload())
	answer := string(attach(payload, must(sign.Sign(alice, sign.NamespaceAnswer, payload))))
	other := string(attach(payload, must(sign.Sign(alice, sign.NamespaceGit, must(second.Payload())))))
	long := goodDraft()
	long.Text = strings.Repeat("a", MaxText)
	lines := strings.SplitAfterN(good(first), "\n ", 4)
	rewrapped := lines[0] + lines[1] + strings.TrimSuffix(lines[2], "\n ") + lines[3]
	list := []struct{ name, expect, comment, data string }{
		{"first", "ok", "the first snapshot of an archive", good(first)},
		{"second", "ok", "a snapshot with a parent", good(second)},
		{"join", "ok", "a snapshot that joins two histories", good(join)},
		{"text-longest", "ok", "4096 bytes of text", good(long)},

		{"unsigned", "signature", "no gpgsig", string(payload)},
		{"signature-other", "signature", "the signature of another payload", other},
		{"signature-namespace", "signature", "signed for answer@muniment", answer},
		{"signature-text-changed", "signature", "one letter of the text changed", spoiled("Letters of", "letters of")},
		{"signature-root-changed", "signature", "one digit of the root changed", spoiled("sha256:02", "sha256:03")},
		{"signature-no-space", "form", "a line of the signature without its space", spoiled("\n -----END", "\n-----END")},
		{"signature-two-spaces", "signature", "a line of the signature with two spaces", spoiled("\n -----END", "\n  -----END")},
		{"signature-rewrapped", "signature", "the signature in longer lines", rewrapped},
		{"signature-trailing", "signature", "an empty line at the end of the signature", spoiled("SIGNATURE-----\n\n", "SIGNATURE-----\n \n\n")},
		{"signature-twice", "form", "two gpgsig headers", spoiled("SIGNATURE-----\n\n", "SIGNATURE-----\ngpgsig x\n\n")},
		{"signature-sha256", "form", "a gpgsig-sha256 header", spoiled("SIGNATURE-----\n\n", "SIGNATURE-----\ngpgsig-sha256 x\n\n")},

		{"empty", "form", "no bytes", ""},
		{"no-message", "form", "headers only", "tree 0000000000000000000000000000000000000001\n"},
		{"tree-short", "form", "a tree of 39 digits", replaced(first, "tree 01", "tree 1")},
		{"tree-upper", "form", "a tree in upper case", replaced(goodTree("ab"), "tree ab", "tree AB")},
		{"tree-missing", "form", "no tree", replaced(first, "tree 0100000000000000000000000000000000000000\n", "")},
		{"parent-three", "form", "three parents", replaced(join, "parent 03", "parent 0500000000000000000000000000000000000000\nparent 03")},
		{"encoding", "form", "an encoding header", replaced(first, "+0000\n\n", "+0000\nencoding UTF-8\n\n")},
		{"mergetag", "form", "another header", replaced(first, "+0000\n\n", "+0000\nx y\n\n")},
		{"author-zone", "form", "the author in another time zone", replaced(first, "+0000", "+0200")},
		{"author-time", "form", "author and committer at different times", replaced(first, "1714564800", "1714564801")},
		{"author-leading-zero", "form", "a leading zero in the author's time", replaced(first, "1714564800", "01714564800")},
		{"author-no-email", "form", "an author without an address", replaced(first, " <ada@example.org>", "")},
		{"author-twice", "form", "two authors", replaced(first, "author ", "author Ben Ost <b@example.org> 1714564800 +0000\nauthor ")},
		{"committer-person", "form", "an ordinary commit by the same key", replaced(first, "committer Muniment <"+archiveID.Hex()+"@archive.invalid>", "committer Ada Vale <ada@example.org>")},
		{"committer-digest", "form", "the committer of another archive", replaced(first, archiveID.Hex()+"@", strings.Repeat("0", 64)+"@")},

		{"text-empty", "text", "no text", replaced(first, first.Text, "")},
		{"text-space", "text", "text that begins with a space", replaced(first, "Letters of", " Letters of")},
		{"text-lf", "text", "text that ends in a line feed", replaced(first, "a table.", "a table.\n")},
		{"text-tab", "text", "a tab", replaced(first, "a table", "a\ttable")},
		{"text-escape", "text", "a terminal escape", replaced(first, "a table", "a \x1b[31mtable")},
		{"text-c1", "text", "a control character beyond ASCII", replaced(first, "a table", "a\u009btable")},
		{"text-not-utf8", "text", "a byte that is not UTF-8", replaced(first, "a table", "a\xfftable")},
		{"text-armor", "text", "a line like the head of a signature", replaced(first, "Twelve", "-----BEGIN SSH SIGNATURE-----\nTwelve")},
		{"text-trailer", "text", "a line like a trailer", replaced(first, "Twelve", "Muniment-Seq: 9\nTwelve")},
		{"text-long", "text", "4097 bytes of text", replaced(long, long.Text, long.Text+"a")},

		{"trailer-none", "form", "no trailers", string(signed(alice, payload[:bytes.Index(payload, []byte("\n\nMuniment-"))+1]))},
		{"trailer-no-lf", "form", "no line feed at the end", string(signed(alice, payload[:len(payload)-1]))},
		{"trailer-blank", "trailer", "a blank line at the end", string(signed(alice, append(bytes.Clone(payload), '\n')))},
		{"trailer-extra", "form", "another trailer", string(signed(alice, append(must(join.Payload()), "Signed-off-by: Ada\n"...)))},
		{"trailer-order", "trailer", "two trailers in another order", replaced(first, "Muniment-Entries: 17\nMuniment-Prev: none\n", "Muniment-Prev: none\nMuniment-Entries: 17\n")},
		{"trailer-twice", "trailer", "one trailer twice", replaced(first, "Muniment-Seq: 1\n", "Muniment-Seq: 1\nMuniment-Seq: 1\n")},
		{"trailer-missing", "trailer", "no Muniment-Prev", replaced(first, "Muniment-Prev: none\n", "")},
		{"trailer-lower", "form", "a trailer in lower case", replaced(first, "Muniment-Archive", "muniment-archive")},
		{"archive-raw", "trailer", "a raw id for the archive", replaced(first, "Muniment-Archive: "+archiveID.String(), "Muniment-Archive: "+cid.Of(archiveJSON).String())},
		{"seq-zero", "trailer", "snapshot 0", replaced(first, "Seq: 1", "Seq: 0")},
		{"seq-leading-zero", "trailer", "a leading zero", replaced(first, "Seq: 1", "Seq: 01")},
		{"seq-plus", "trailer", "a plus sign", replaced(first, "Seq: 1", "Seq: +1")},
		{"seq-huge", "trailer", "a number beyond 64 bits", replaced(first, "Seq: 1", "Seq: 9223372036854775808")},
		{"seq-orphan", "trailer", "a second snapshot without a parent", replaced(first, "Seq: 1", "Seq: 2")},
		{"root-upper", "trailer", "a root in upper case", replaced(goodRoot(0xab), "sha256:ab", "sha256:AB")},
		{"root-bare", "trailer", "a root without sha256:", replaced(first, "sha256:", "")},
		{"entries-zero", "trailer", "no entries", replaced(first, "Entries: 17", "Entries: 0")},
		{"entries-minus", "trailer", "fewer than no entries", replaced(first, "Entries: 17", "Entries: -17")},
		{"prev-none", "trailer", "prev none in a second snapshot", replaced(second, "Prev: "+second.Prev.String(), "Prev: none")},
		{"prev-json", "trailer", "a json id for prev", replaced(second, "Prev: "+second.Prev.String(), "Prev: "+cid.OfJSON([]byte("first")).String())},
		{"prev-first", "trailer", "prev in a first snapshot", replaced(first, "Prev: none", "Prev: "+second.Prev.String())},
		{"join-one-parent", "trailer", "a join with one parent", replaced(join, "parent 0400000000000000000000000000000000000000\n", "")},
		{"join-prev", "trailer", "a join with the snapshot before", replaced(join, "Join: "+join.Join.String(), "Join: "+join.Prev.String())},
		{"join-missing", "trailer", "two parents without a join", replaced(join, "Muniment-Join: "+join.Join.String()+"\n", "")},
	}
	out := make([]vector, len(list))
	for i, v := range list {
		extra := ""
		if v.expect == "ok" {
			extra = "id: " + cid.Of([]byte(v.data)).String() + "\nkey: " + alice.Key().Authorized() + "\n"
		}
		out[i] = vector{"commit-" + v.name, v.expect, "commit", v.comment, extra, v.data}
	}
	return out
}

func goodTree(hex2 string) Draft {
	d := goodDraft()
	d.Tree[0] = hexByte(hex2)
	return d
}

func goodRoot(b byte) Draft {
	d := goodDraft()
	d.Root[0] = b
	return d
}

func hexByte(s string) byte { return must(hex.DecodeString(s))[0] }

// sampleLines are the lines of a small tree: three shards and a bit.
func sampleLines() []Line {
	var out []Line
	for _, path := range []string{
		"README.txt", "archive.json", "policy/persons.json",
		"artifacts/ab/01/" + strings.Repeat("0", 60), "artifacts/ab/01/" + strings.Repeat("0", 60) + ".consent.json",
		"artifacts/ab/ff/" + strings.Repeat("9", 60), "originals/ab/02/" + strings.Repeat("1", 60),
		"artifacts/cd/02/" + strings.Repeat("2", 60), "artifacts/00/03/" + strings.Repeat("3", 60),
	} {
		out = append(out, Line{sha256.Sum256([]byte(path)), path})
	}
	return out
}

// wrapped is how a vector holds a proof: an object with a type.
type wrapped struct {
	Type  string `json:"type"`
	Proof Proof  `json:"proof"`
}

const wrappedType = "muniment/vector/v1"

func proofVectors() []vector {
	tree := must(NewTree(sampleLines()))
	root := tree.Root()
	extra := "root: " + hex.EncodeToString(root[:]) + "\n"
	consent := "artifacts/ab/01/" + strings.Repeat("0", 60) + ".consent.json"
	withdrawn := "artifacts/ab/01/" + strings.Repeat("0", 60) + ".withdrawn.json"
	make1 := func(name, expect, comment, path string, change func(*Proof)) vector {
		p := must(tree.Prove(path))
		if change != nil {
			change(p)
		}
		return vector{"proof-" + name, expect, "proof", comment, extra, string(must(jcs.Marshal(wrapped{wrappedType, *p})))}
	}
	return []vector{
		make1("present", "present", "a file in a shard", consent, nil),
		make1("present-alone", "present", "the only file of a shard", "artifacts/cd/02/"+strings.Repeat("2", 60), nil),
		make1("present-rest", "present", "a file outside the shards", "archive.json", nil),
		make1("absent-between", "absent", "between two files", withdrawn, nil),
		make1("absent-first", "absent", "before the first file", "artifacts/ab/00/"+strings.Repeat("f", 60), nil),
		make1("absent-last", "absent", "after the last file", "originals/ab/02/"+strings.Repeat("f", 60), nil),
		make1("absent-shard", "absent", "in an empty shard", "artifacts/ee/00/"+strings.Repeat("f", 60), nil),
		make1("absent-rest", "absent", "outside the shards", "policy/tiers.json", nil),

		make1("digest", "invalid", "another digest", consent, func(p *Proof) { p.Lines[0].Digest = strings.Repeat("00", 32) }),
		make1("digest-upper", "invalid", "a digest in upper case", consent, func(p *Proof) { p.Lines[0].Digest = strings.ToUpper(p.Lines[0].Digest) }),
		make1("path", "invalid", "another path", consent, func(p *Proof) { p.Lines[0].Path = withdrawn }),
		make1("index", "invalid", "another index", consent, func(p *Proof) { p.Lines[0].Index++ }),
		make1("index-minus", "invalid", "an index below 0", consent, func(p *Proof) { p.Lines[0].Index = -1 }),
		make1("count", "invalid", "another count", consent, func(p *Proof) { p.Count++ }),
		make1("count-minus", "invalid", "a count below 0", consent, func(p *Proof) { p.Count = -1 }),
		make1("shard", "invalid", "another shard", consent, func(p *Proof) { p.Shard = "ac" }),
		make1("shard-upper", "invalid", "a shard in upper case", consent, func(p *Proof) { p.Shard = "AB" }),
		make1("shard-root", "invalid", "another shard root", consent, func(p *Proof) { p.ShardRoot = strings.Repeat("00", 32) }),
		make1("outer-cut", "invalid", "one hash less outside", consent, func(p *Proof) { p.Outer = p.Outer[1:] }),
		make1("inner-cut", "invalid", "one hash less inside", consent, func(p *Proof) { p.Lines[0].Inner = p.Lines[0].Inner[1:] }),
		make1("inner-more", "invalid", "one hash more inside", consent, func(p *Proof) { p.Lines[0].Inner = append(p.Lines[0].Inner, p.Outer[0]) }),
		make1("hash-hex", "invalid", "a hash in hex", consent, func(p *Proof) { p.Outer[0] = p.ShardRoot }),
		make1("hash-padding", "invalid", "a hash without its padding", consent, func(p *Proof) { p.Outer[0] = strings.TrimSuffix(p.Outer[0], "=") }),
		make1("two-lines", "invalid", "presence with two lines", consent, func(p *Proof) { p.Lines = append(p.Lines, p.Lines[0]) }),
		make1("no-lines", "invalid", "presence without a line", consent, func(p *Proof) { p.Lines = nil }),
		make1("gap-present", "invalid", "absence of a path that is there", withdrawn, func(p *Proof) { p.Absent = consent }),
		make1("gap-one-side", "invalid", "absence with one neighbour of two", withdrawn, func(p *Proof) { p.Lines = p.Lines[:1] }),
		make1("gap-swapped", "invalid", "the neighbours in the other order", withdrawn, func(p *Proof) { p.Lines[0], p.Lines[1] = p.Lines[1], p.Lines[0] }),
		make1("gap-none", "invalid", "no neighbours in a shard with files", withdrawn, func(p *Proof) { p.Lines = nil }),
		make1("gap-other-shard", "invalid", "absence of a path of another shard", withdrawn, func(p *Proof) { p.Absent = "artifacts/ee/00/x" }),
		make1("gap-not-clean", "invalid", "absence of a path that may not be", withdrawn, func(p *Proof) { p.Absent = strings.Replace(withdrawn, "withdrawn", "Withdrawn", 1) }),
	}
}

func treeVectors() []vector {
	one := func(name, comment string, lines []Line) vector {
		tree := must(NewTree(lines))
		root := tree.Root()
		var text strings.Builder
		for _, l := range lines {
			text.WriteString(l.String())
		}
		return vector{"tree-" + name, "ok", "tree", comment,
			fmt.Sprintf("root: %x\nentries: %d\n", root, tree.Entries()), text.String()}
	}
	var many []Line
	for i := range 1000 {
		digest := sha256.Sum256([]byte(fmt.Sprint(i)))
		h := hex.EncodeToString(digest[:])
		many = append(many, Line{digest, "artifacts/" + h[:2] + "/" + h[2:4] + "/" + h[4:]})
	}
	return []vector{
		one("empty", "no file", nil),
		one("one", "one file", sampleLines()[:1]),
		one("sample", "nine files", sampleLines()),
		one("thousand", "1000 payloads", many),
	}
}

func vectors() []vector {
	return slices.Concat(commitVectors(), proofVectors(), rangeVectors(), treeVectors(), tagVectors(), countersignatureVectors(), signersVectors())
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range vectors() {
		made = append(made, v.made())
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 157, func(t *testing.T, v testvectors.Vector) {
		check := map[string]func(*testing.T, testvectors.Vector){"commit": checkCommit, "range": checkRangeVector, "tag": checkTagVector,
			"cosig": checkCountersignatureVector, "signers": checkSignersVector, "proof": checkProofVector, "tree": checkTree}[v.Get("type")]
		if check == nil {
			t.Fatalf("type %q is unknown", v.Get("type"))
		}
		check(t, v)
	})
}

func checkCommit(t *testing.T, v testvectors.Vector) {
	s, err := Parse(v.Body)
	if expect := v.Get("expect"); expect != "ok" {
		if s != nil {
			t.Error("after an error there is a snapshot")
		}
		explains(t, expect, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.ID.String() != v.Get("id") || s.Key.Authorized() != v.Get("key") {
		t.Errorf("got %s, %s, want %s, %s", s.ID, s.Key.Authorized(), v.Get("id"), v.Get("key"))
	}
}

func checkProofVector(t *testing.T, v testvectors.Vector) {
	var w wrapped
	err := jcs.Unmarshal(v.Body, wrappedType, &w)
	present := false
	if err == nil {
		present, _, err = w.Proof.Verify(must(parseHex(v.Get("root"))))
	}
	switch expect := v.Get("expect"); {
	case expect == "invalid":
		explains(t, expect, err)
	case err != nil:
		t.Error(err)
	case present != (expect == "present"):
		t.Errorf("present is %t, want %s", present, expect)
	}
}

func checkTree(t *testing.T, v testvectors.Vector) {
	var lines []Line
	for text := range strings.Lines(string(v.Body)) {
		digest, path, ok := strings.Cut(strings.TrimSuffix(text, "\n"), "  ")
		if !ok {
			t.Fatalf("line %q", text)
		}
		lines = append(lines, Line{must(parseHex(digest)), path})
	}
	tree, err := NewTree(lines)
	if err != nil {
		t.Fatal(err)
	}
	root := tree.Root()
	if hex.EncodeToString(root[:]) != v.Get("root") || fmt.Sprint(tree.Entries()) != v.Get("entries") || root != slowRoot(lines) {
		t.Errorf("got %x of %d entries, want %s of %s", root, tree.Entries(), v.Get("root"), v.Get("entries"))
	}
}

// explains checks that err is of a class.
func explains(t *testing.T, class string, err error) {
	if err == nil {
		t.Fatalf("accepted, want %s", class)
	}
	for _, part := range classes[class] {
		if strings.Contains(err.Error(), part) {
			return
		}
	}
	t.Errorf("error %q, want one that says %q", err, classes[class])
}
