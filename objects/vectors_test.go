package objects

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"muniment/testvectors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pjbgf/sha1cd"

	"muniment/objects/pack"
)

const vectorDir = "../testvectors/objects"

// A vector is one input with at most one defect.
type vector struct {
	name   string
	kind   string // tree, index, entry, delta, packed-refs
	expect string // accept, refuse, too-large
	why    string // the one defect, or what is special
	sha1   string // of the object: tree, or result of a delta
	base   int    // delta: how many of the bytes are the base
	body   []byte
}

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	out := testvectors.New(v.name, v.body, "kind", v.kind, "expect", v.expect, "why", v.why)
	out.AddIf("sha1", v.sha1)
	if v.kind == "delta" {
		out.Add("base", strconv.Itoa(v.base))
	}
	return out
}

// parseVector returns the vector in a file.
func parseVector(t testing.TB, f testvectors.Vector) vector {
	t.Helper()
	v := vector{name: f.Name, kind: f.Get("kind"), expect: f.Get("expect"), why: f.Get("why"), sha1: f.Get("sha1"), body: f.Body}
	if v.kind == "delta" {
		var err error
		if v.base, err = strconv.Atoi(f.Get("base")); err != nil || v.base < 0 || v.base > len(v.body) {
			t.Fatalf("%s: base %q of %d bytes", f.Name, f.Get("base"), len(v.body))
		}
	}
	return v
}

// vectors returns the vectors of one kind.
func vectors(t testing.TB, kind string) []vector {
	t.Helper()
	var out []vector
	for _, f := range testvectors.Read(t, vectorDir) {
		if f.Get("kind") == kind {
			out = append(out, parseVector(t, f))
		}
	}
	if len(out) < 5 {
		t.Fatalf("%d vectors of kind %s in %s, want at least 5", len(out), kind, vectorDir)
	}
	return out
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range makeVectors(t) {
		made = append(made, v.made())
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 86, func(t *testing.T, f testvectors.Vector) {
		v := parseVector(t, f)
		if err := v.run(); err != nil {
			t.Errorf("%s: %v", v.why, err)
		}
	})
}

// run reads the body and returns an error where the outcome is not the expected
// one.
func (v vector) run() error {
	var err error
	var got Hash
	switch v.kind {
	default:
		return fmt.Errorf("kind %q is unknown", v.kind)
	case "tree":
		_, err = ParseTree(v.body)
		got = Sum(Tree, v.body)
	case "index":
		var x *pack.Index
		if x, err = pack.ParseIndex(v.body); err == nil {
			err = x.Verify()
		}
	case "entry":
		_, err = pack.ParseHeader(v.body)
	case "delta":
		var out []byte
		out, err = pack.ApplyDelta(v.body[:v.base], v.body[v.base:])
		got = Sum(Blob, out)
	case "packed-refs":
		_, err = parsePackedRefs(string(v.body))
	}
	outcome := "accept"
	switch {
	case errors.Is(err, ErrCorrupt):
		outcome = "refuse"
	case errors.Is(err, ErrTooLarge):
		outcome = "too-large"
	case err != nil:
		outcome = "error"
	}
	if outcome != v.expect {
		return fmt.Errorf("%s (%v), want %s", outcome, err, v.expect)
	}
	if err == nil && v.sha1 != "" && got.String() != v.sha1 {
		return fmt.Errorf("named %s, want %s", got, v.sha1)
	}
	return nil
}

// makeVectors builds every vector. TestTreeVectorsInGit compares the accepted
// trees with stock git.
func makeVectors(t testing.TB) []vector {
	var out []vector
	add := func(kind, name, expect, why string, body []byte) *vector {
		out = append(out, vector{name: kind + "-" + name, kind: kind, expect: expect, why: why, body: body})
		return &out[len(out)-1]
	}
	makeTreeVectors(add)
	makeIndexVectors(add)
	makeEntryVectors(add)
	makeDeltaVectors(add)
	makeRefVectors(add)
	return out
}

type adder func(kind, name, expect, why string, body []byte) *vector

func makeTreeVectors(add adder) {
	e := func(mode, name string) string { return mode + " " + name + "\x00" + string(h1[:]) }
	file := func(name string) string { return e("100644", name) }
	dir := func(name string) string { return e("40000", name) }
	tree := func(name, why, body string) {
		add("tree", name, "accept", why, []byte(body)).sha1 = Sum(Tree, []byte(body)).String()
	}
	tree("empty", "no entries", "")
	tree("file", "one file", file("a"))
	tree("slash-order", "a directory sorts as if it ended in a slash", file("a.b")+dir("a")+file("a0"))
	tree("high-bytes", "names sort by unsigned bytes", file("z")+file("\xc3\xbc"))
	for _, c := range []struct{ name, why, body string }{
		{"unsorted", "b before a", file("b") + file("a")},
		{"dir-as-file-order", "a directory sorted as if it were a file", dir("a") + file("a.b")},
		{"twice", "a name twice", file("a") + file("a")},
		{"file-and-dir", "a file and a directory of one name, not neighbours", file("a") + file("a.b") + dir("a")},
		{"executable", "mode 100755", e("100755", "a")},
		{"symlink", "mode 120000", e("120000", "a")},
		{"gitlink", "mode 160000", e("160000", "a")},
		{"mode-zero", "mode with a leading zero, as old tools wrote it", e("040000", "a")},
		{"mode-664", "mode 100664, as old git wrote it", e("100664", "a")},
		{"no-name", "an empty name", file("")},
		{"dot", "the name .", file(".")},
		{"dotdot", "the name ..", dir("..")},
		{"dotgit", "the name .git", dir(".git")},
		{"dotgit-case", "the name .GIT", dir(".GIT")},
		{"dotgit-ntfs", "the name git~1", file("git~1")},
		{"dotgit-hfs", "the name .git with a code point that HFS+ ignores", file(".g\u200cit")},
		{"slash", "a slash in a name", file("a/b")},
		{"zero", "an entry that names no object", "100644 a\x00" + strings.Repeat("\x00", 20)},
		{"cut-hash", "a hash cut short", file("a")[:15]},
		{"cut-name", "no NUL after the name", "100644 a"},
		{"no-mode", "no mode", "a\x00" + string(h1[:])},
		{"trailing", "a byte after the last entry", file("a") + "x"},
	} {
		add("tree", c.name, "refuse", c.why, []byte(c.body))
	}
}

func makeIndexVectors(add adder) {
	var entries []pack.IndexEntry
	for i := range 5 {
		entries = append(entries, pack.IndexEntry{Hash: Sum(Blob, []byte{byte(i)}), Offset: int64(12 + 100*i), CRC: uint32(i)})
	}
	sum := Sum(Blob, []byte("pack"))
	good := pack.EncodeIndex(entries, sum)
	add("index", "empty", "accept", "no objects", pack.EncodeIndex(nil, sum))
	add("index", "five", "accept", "five objects", good)
	big := append(entries[:4:4], pack.IndexEntry{Hash: Hash{0xff}, Offset: 5 << 30, CRC: 9})
	add("index", "big-offset", "accept", "an offset of 5 GiB in the 64-bit table", pack.EncodeIndex(big, sum))
	wide := slices.Clone(entries)
	wide[1].Wide, wide[3].Wide = true, true
	add("index", "wide-offsets", "accept", "small offsets in the 64-bit table, as git index-pack --index-version=2,0x70 writes them", pack.EncodeIndex(wide, sum))
	one := version1(entries, sum)
	add("index", "version-1", "accept", "version 1", one)
	one = bytes.Clone(one)
	one[4*256+10] ^= 1
	add("index", "version-1-checksum", "refuse", "version 1 with a wrong checksum", one)
	refuse := func(name, why string, resign bool, change func([]byte) []byte) {
		data := change(bytes.Clone(good))
		if resign {
			own, _ := sha1cd.Sum(data[:len(data)-sha1cd.Size])
			copy(data[len(data)-sha1cd.Size:], own[:])
		}
		add("index", name, "refuse", why, data)
	}
	const names = 8 + 256*4 // behind the magic and the counts
	refuse("checksum", "a wrong checksum", false, func(b []byte) []byte { b[len(b)-1] ^= 1; return b })
	refuse("magic", "neither the magic of version 2 nor version 1", true, func(b []byte) []byte { b[0] = 0; return b })
	refuse("version", "version 3", true, func(b []byte) []byte { b[7] = 3; return b })
	refuse("cut", "the last byte missing", false, func(b []byte) []byte { return b[:len(b)-1] })
	refuse("cut-head", "half of the counts missing", false, func(b []byte) []byte { return b[:500] })
	refuse("counts-fall", "a count below the one before it", true, func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[8+4*254:], 6)
		return b
	})
	refuse("count-wrong", "names under another count than their first byte", true, func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[8:], 5)
		for i := 1; i < 255; i++ {
			binary.BigEndian.PutUint32(b[8+4*i:], 5)
		}
		return b
	})
	refuse("count-huge", "2^32-1 objects announced", true, func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[8+4*255:], 1<<32-1)
		return b
	})
	refuse("unsorted", "two names exchanged", true, func(b []byte) []byte {
		x := bytes.Clone(b[names : names+20])
		copy(b[names:], b[names+20:names+40])
		copy(b[names+20:], x)
		return b
	})
	refuse("twice", "a name twice", true, func(b []byte) []byte {
		copy(b[names+20:names+40], b[names:names+20])
		return b
	})
	refuse("big-missing", "a 64-bit offset without its table", true, func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[names+5*24:], 1<<31)
		return b
	})
}

// version1 returns the index that git before 1.6 wrote for the sorted entries.
func version1(entries []pack.IndexEntry, packSum Hash) []byte {
	var out []byte
	for i := range 256 {
		n := 0
		for _, e := range entries {
			if int(e.Hash[0]) <= i {
				n++
			}
		}
		out = binary.BigEndian.AppendUint32(out, uint32(n))
	}
	for _, e := range entries {
		out = binary.BigEndian.AppendUint32(out, uint32(e.Offset))
		out = append(out, e.Hash[:]...)
	}
	out = append(out, packSum[:]...)
	own, _ := sha1cd.Sum(out)
	return append(out, own[:]...)
}

func makeEntryVectors(add adder) {
	enc := func(h pack.Header) []byte { return h.Append(nil) }
	blob := pack.Type(Blob)
	add("entry", "blob-0", "accept", "an empty blob", enc(pack.Header{Type: blob}))
	add("entry", "blob-15", "accept", "the largest size in one byte", enc(pack.Header{Type: blob, Size: 15}))
	add("entry", "blob-16", "accept", "the least size in two bytes", enc(pack.Header{Type: blob, Size: 16}))
	add("entry", "blob-max", "accept", "the largest object", enc(pack.Header{Type: blob, Size: MaxObject}))
	add("entry", "ofs-delta", "accept", "a delta of an entry 128 bytes back, the least distance in two bytes", enc(pack.Header{Type: pack.OffsetDelta, Size: 9, Back: 128}))
	add("entry", "ref-delta", "accept", "a delta of a named object", enc(pack.Header{Type: pack.NameDelta, Size: 9, Base: h1}))
	add("entry", "too-large", "too-large", "one byte above the largest object", enc(pack.Header{Type: blob, Size: MaxObject + 1}))
	add("entry", "size-overflow", "too-large", "a size of 70 bits", []byte("\xbf\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))
	for _, c := range []struct{ name, why, body string }{
		{"nothing", "no bytes", ""},
		{"type-0", "type 0", "\x00"},
		{"type-5", "type 5, reserved", "\x50"},
		{"size-cut", "a size that goes on after the end", "\xb1"},
		{"size-long", "a size in more bytes than it needs", "\xb1\x00"},
		{"size-long-2", "a size in more bytes than it needs, by two", "\xb1\x80\x00"},
		{"back-0", "a delta of itself", "\x61\x00"},
		{"back-cut", "a distance that goes on after the end", "\x61\x80"},
		{"back-huge", "a distance of 63 bits", "\x61\xff\xff\xff\xff\xff\xff\xff\xff\x7f"},
		{"ref-cut", "a base name cut short", "\x71" + string(h1[:19])},
	} {
		add("entry", c.name, "refuse", c.why, []byte(c.body))
	}
}

func makeDeltaVectors(add adder) {
	base := "the quick brown fox"
	delta := func(name, expect, why, ops string) *vector {
		v := add("delta", name, expect, why, []byte(base+ops))
		v.base = len(base)
		return v
	}
	size := string([]byte{byte(len(base))})
	accept := func(name, why, ops, result string) {
		delta(name, "accept", why, ops).sha1 = Sum(Blob, []byte(result)).String()
	}
	accept("copy-all", "one copy of the whole base", size+size+"\x90"+size, base)
	accept("insert", "one insert", size+"\x03\x03abc", "abc")
	accept("both", "an insert, then a copy with an offset", size+"\x08\x04the \x91\x0f\x04", "the "+base[15:])
	accept("empty", "a result of no bytes", size+"\x00", "")
	for _, c := range []struct{ name, why, ops string }{
		{"wrong-base", "made for a base of another size", "\x07\x03\x03abc"},
		{"op-0", "instruction 0, reserved", size + "\x03\x00"},
		{"short", "makes less than announced", size + "\x04\x03abc"},
		{"long", "makes more than announced", size + "\x02\x03abc"},
		{"copy-outside", "copies past the end of the base", size + "\x05\x91\x10\x05"},
		{"copy-cut", "a copy without its size byte", size + "\x05\x91\x10"},
		{"copy-64k", "a copy whose size 0 means 65,536, of a small base", size + "\x05\x80"},
		{"insert-cut", "an insert cut short", size + "\x05\x05abc"},
		{"no-size", "no result size", size},
		{"size-long", "a result size in more bytes than it needs", size + "\x83\x00\x03abc"},
		{"nothing", "no bytes", ""},
	} {
		delta(c.name, "refuse", c.why, c.ops)
	}
	delta("too-large", "too-large", "announces one byte above the largest object", size+"\x81\x80\x80\x10\x90"+size)
}

func makeRefVectors(add adder) {
	line := func(name string) string { return h1.String() + " " + name + "\n" }
	head := "# pack-refs with: peeled fully-peeled sorted \n"
	add("packed-refs", "none", "accept", "an empty file", nil)
	add("packed-refs", "head", "accept", "the comment alone", []byte(head))
	add("packed-refs", "two", "accept", "two refs", []byte(head+line("refs/heads/main")+line("refs/muniment/staged")))
	add("packed-refs", "peeled", "accept", "a tag with what it peels to", []byte(head+line("refs/tags/v1")+"^"+h2.String()+"\n"))
	for _, c := range []struct{ name, why, body string }{
		{"cut", "no LF at the end", head + strings.TrimSuffix(line("refs/heads/main"), "\n")},
		{"peeled-first", "a peeled line after no ref", head + "^" + h2.String() + "\n"},
		{"upper", "upper case hexadecimal", strings.ToUpper(h1.String()) + " refs/heads/main\n"},
		{"outside", "a name outside refs/", line("../config")},
		{"blank", "a blank line", line("refs/heads/main") + "\n"},
	} {
		add("packed-refs", c.name, "refuse", c.why, []byte(c.body))
	}
}
