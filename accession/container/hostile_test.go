package container

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A hostile container is refused as a whole, or loses entries, or gives an
// error when one is read; each with exactly this reason.
type hostile struct {
	name   string
	data   []byte
	refuse string // whole reason of New
	skip   string // reason of the one skipped entry
	read   string // error of reading the last entry
	note   string // note of the last entry
}

var ok = member{name: "ok.txt", body: []byte("fine\n")}

func named(name string) member { return member{name: name, body: []byte("x\n")} }

func zipCases(t testing.TB) []hostile {
	z := func(ms ...member) []byte { return buildZip(t, zipPlan{}, ms...) }
	plan := func(p zipPlan, ms ...member) []byte { return buildZip(t, p, ms...) }
	twice := func(id uint16) []byte { return append(record(id), record(id)...) }
	long := strings.Repeat("n", MaxName+1)
	text := []byte(strings.Repeat("text ", 1000))
	return []hostile{
		{name: "absolute", data: z(ok, named("/etc/passwd")), skip: "an absolute path"},
		{name: "parent", data: z(ok, named("a/../../b")), skip: `the path leaves its folder: a part ".."`},
		{name: "drive", data: z(ok, named("C:/x")), skip: `a drive letter: "C:"`},
		{name: "drive behind dot", data: z(ok, named("./c:x")), skip: `a drive letter: "c:"`},
		{name: "backslash", data: z(ok, named(`a\b`)), skip: "a backslash in the name, which some systems take for a separator"},
		{name: "share", data: z(ok, named(`\\host\b`)), skip: "an absolute path (a Windows share or namespace)"},
		{name: "NUL", data: z(ok, named("a\x00b")), skip: "a NUL in the name"},
		{name: "no name", data: z(ok, named("")), skip: "an empty name"},
		{name: "long name", data: z(ok, named(long)), skip: "a name of 4097 bytes, at most 4096 are taken"},
		{name: "empty part", data: z(ok, named("a//b")), skip: "an empty part in the path"},
		{name: "dot part", data: z(ok, named("a/./b")), skip: `a part "." in the path`},
		{name: "folder with bad name", data: z(ok, named("../")), skip: "a folder with 2 bytes of data"},
		{name: "folder outside", data: z(ok, member{name: "../"}), skip: `the path leaves its folder: a part ".."`},
		{name: "file and folder", data: z(ok, named("a/b"), named("a")), skip: "the name of a file and of a folder"},
		{name: "symbolic link", data: z(ok, member{name: "l", body: []byte("/etc"), unix: 0o120777}), skip: "a symbolic link"},
		{name: "device", data: z(ok, member{name: "null", unix: 0o020666}), skip: "a device, a pipe or a socket"},
		{name: "encrypted", data: z(ok, member{name: "e", flags: 1, body: []byte("0123456789abcdef")}), skip: "encrypted"},
		{name: "AES", data: z(ok, member{name: "e", method: 99, body: []byte("x")}), skip: "encrypted"},
		{name: "patch", data: z(ok, member{name: "e", flags: 1 << 5}), skip: "a patch to another file"},
		{name: "LZMA", data: z(ok, member{name: "e", method: 14}), skip: "compressed with LZMA, which is not read here"},
		{name: "method", data: z(ok, member{name: "e", method: 77}), skip: "compressed with method 77, which is not read here"},
		{name: "stored sizes", data: z(ok, member{name: "e", body: []byte("abc"), size: u32(9)}), skip: "stored as 3 bytes and said to have 9"},
		{name: "case", data: z(named("READ.txt"), named("Read.txt")), note: `differs from "READ.txt" only in case`},
		{name: "normalization", data: z(named("\u00e9"), named("e\u0301")), note: `differs from "é" only in Unicode normalization`},
		{name: "Unicode path", data: z(member{name: "a.txt", extra: record(0x7075, 1, 0, 0, 0, 0, 'b')}), note: `its Unicode path field says "b"`},

		{name: "Unicode path in the place of UTF-8", data: z(member{name: "gr\x81n", extra: append([]byte{0x75, 0x70, 10, 0, 1, 0xcd, 0x49, 0x52, 0x58}, "grün"...)})},

		{name: "size too small", data: z(member{name: "e", method: 8, body: text, size: u32(100)}), read: `"e" holds more than the 100 bytes it declares`},
		{name: "size too large", data: z(member{name: "e", method: 8, body: text, size: u32(9999)}), read: `"e" ends after 5000 bytes, 9999 are declared`},
		{name: "checksum", data: z(member{name: "e", method: 8, body: text, crc: u32(1)}), read: `"e" has checksum 804f3192, 00000001 is declared`},
		{name: "behind the data", data: z(member{name: "e", method: 8, body: text, packedExtra: []byte("??")}), read: `"e" has bytes behind the end of its packed data`},
		{name: "not deflate", data: z(member{name: "e", method: 8, packedExtra: []byte("\xff\xff\xff"), body: nil, size: u32(5)}), read: `"e" ends after 0 bytes, 5 are declared`},

		{name: "prefix", data: plan(zipPlan{prefix: []byte("#!/bin/sh\n"), dirShift: -10}, ok), refuse: "neither a zip nor a 7z nor a tar, plain or packed by gzip, bzip2, xz or zstd"},
		{name: "zip before zip", data: append(z(ok), z(ok)...), refuse: "zip: 115 bytes before the first entry, or between the directory and the end record"},
		{name: "gap at the start", data: plan(zipPlan{prefix: []byte("PK\x03\x04..")}, ok), refuse: "zip: 6 bytes at byte 0 belong to no entry"},
		{name: "gap", data: z(member{name: "a", body: []byte("1"), tail: []byte("hidden")}, ok), refuse: "zip: 6 bytes at byte 32 belong to no entry"},
		{name: "gap before directory", data: z(member{name: "a", body: []byte("1"), tail: []byte("hidden")}), refuse: "zip: 6 bytes at byte 32 belong to no entry"},
		{name: "behind directory", data: plan(zipPlan{gap: []byte("sig")}, ok), refuse: "zip: 3 bytes before the first entry, or between the directory and the end record"},
		{name: "after", data: plan(zipPlan{after: []byte("x")}, ok), refuse: "zip: the comment of the end record is cut off, or followed by other bytes"},
		{name: "comment", data: plan(zipPlan{comment: "fine"}, ok)},
		{name: "two ends", data: plan(zipPlan{comment: "PK\x05\x06" + strings.Repeat("\x00", 16) + "\x00\x00"}, ok), refuse: "zip: two end records: which directory is meant is unknown"},
		{name: "overlap", data: z(named("a"), member{name: "b", body: []byte("x\n"), offset: u32(0)}), refuse: `zip: "a" at byte 0: no room for a header`},
		{name: "overlapping data", data: overlapping(t), refuse: `zip: "a" of 74 packed bytes at byte 31 overlaps what begins at byte 72`},
		{name: "other local name", data: z(member{name: "a", local: "b", body: []byte("x")}), refuse: `zip: "a" at byte 0: the header before the data names it "b"`},
		{name: "more entries", data: plan(zipPlan{entries: u16(2)}, ok), refuse: `zip: 2 entries do not fit into a directory of 52 bytes`},
		{name: "fewer entries", data: plan(zipPlan{entries: u16(1)}, ok, named("hidden")), refuse: "zip: 52 bytes of the directory belong to no entry"},
		{name: "directory beyond", data: plan(zipPlan{dirShift: 1 << 20}, ok), refuse: "zip: a directory of 52 bytes at byte 1048617 does not fit before byte 93: cut off"},
		{name: "zip64", data: plan(zipPlan{zip64: true}, ok)},
		{name: "zip64 elsewhere", data: plan(zipPlan{zip64: true, zip64At: -1}, ok), refuse: "zip: the zip64 end record is not directly before its locator"},
		{name: "zip64 beyond", data: plan(zipPlan{zip64: true, zip64At: 99}, ok), refuse: "zip: the zip64 end record is not directly before its locator"},
		{name: "zip64 missing", data: plan(zipPlan{entries: u16(0xFFFF)}, ok), refuse: "zip: saturated sizes without a zip64 end record"},
		{name: "zip64 twice", data: z(member{name: "a", extra: twice(1)}), refuse: `zip: directory entry 1: "a": two zip64 fields`},
		{name: "zip64 unasked", data: z(member{name: "a", extra: record(1, 1, 2, 3, 4, 5, 6, 7, 8)}), refuse: `zip: directory entry 1: "a": zip64 field of 8 bytes, want 0`},
		{name: "zip64 size absent", data: z(member{name: "a", size: u32(math.MaxUint32)}), refuse: `zip: directory entry 1: "a": a size of 2^32-1 without a zip64 field`},
		{name: "zip64 huge", data: z(member{name: "a", size: u32(math.MaxUint32), extra: record(1, 0, 0, 0, 0, 0, 0, 0, 0x80)}), refuse: `zip: directory entry 1: "a": zip64 size of 9223372036854775808`},
		{name: "extra cut off", data: z(member{name: "a", extra: []byte{9, 9, 200, 0}}), refuse: `zip: directory entry 1: "a": extra field 0x0909 of 200 bytes is cut off`},
		{name: "extra padding", data: z(member{name: "a", extra: []byte{0, 0, 0}})},
		{name: "descriptor", data: z(member{name: "a", method: 8, flags: 8, body: text})},
		{name: "descriptor of 64 bits", data: z(member{name: "a", method: 8, flags: 8, body: text, descriptor64: true})},
		{name: "false descriptor", data: z(member{name: "a", method: 8, flags: 8, body: text, tail: []byte("1234")}), refuse: `zip: "a" at byte 0: 20 bytes after the data are no descriptor of it`},
		{name: "declared bomb", data: z(member{name: "a", method: 8, size: u32(3 << 30)}), refuse: "zip: 105 bytes expand to 3221225472, at most 67108864 are read"},
	}
}

// overlapping is a zip whose first entry spans the second, as a dense bomb
// does.
func overlapping(t testing.TB) []byte {
	data := buildZip(t, zipPlan{}, member{name: "a", body: []byte("0123456789012345678901234567890123456789?")}, member{name: "b", body: []byte("x\n")})
	for _, at := range []int{18, 22, 105 + 20, 105 + 24} {
		le.PutUint32(data[at:], 74)
	}
	return data
}

func tarCases() []hostile {
	fine := tarFile("ok.txt", "fine\n")
	T := func(parts ...[]byte) []byte { return append(join(parts...), tarEnd...) }
	size := func(s string) func([]byte) { return func(b []byte) { copy(b[124:136], s) } }
	gnu := func(b []byte) { copy(b[257:265], "ustar  \x00") }
	h := func(kind byte, name string) []byte { return header(kind, name, 0, nil) }
	to := func(name, link string) []byte {
		return header('1', name, 0, func(b []byte) { copy(b[157:257], link) })
	}
	x := func(records ...string) []byte { return tarEntry('x', "pax", pax(records...), nil) }
	broken := tarFile("b", "x")
	broken[0] = 'c'
	return []hostile{
		{name: "absolute", data: T(fine, tarFile("/etc/passwd", "x")), skip: "an absolute path"},
		{name: "parent", data: T(fine, tarFile("../x", "x")), skip: `the path leaves its folder: a part ".."`},
		{name: "backslash", data: T(fine, tarFile(`..\x`, "x")), skip: "a backslash in the name, which some systems take for a separator"},
		{name: "dot slash", data: T(header('5', "./", 0, nil), tarFile("./a", "x"), tarFile("b", "y"))},
		{name: "PAX name with NUL", data: T(fine, x("path=a\x00b"), tarFile("a", "x")), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "symbolic link", data: T(fine, h('2', "l")), skip: "a symbolic link"},
		{name: "hard link", data: T(fine, to("l", "ok.txt")), note: `a hard link to "ok.txt"`},
		{name: "hard link by a long name", data: T(tarFile("./d/f", "x"), tarEntry('K', "l", "./d/f\x00", gnu), to("l", "cut")), note: `a hard link to "d/f"`},
		{name: "hard link by PAX", data: T(fine, x("linkpath=ok.txt"), to("l", "cut")), note: `a hard link to "ok.txt"`},
		{name: "hard link to a hard link", data: T(fine, to("l", "ok.txt"), to("m", "l")), note: `a hard link to "l"`},
		{name: "hard link to nothing", data: T(fine, h('1', "l")), skip: "a hard link without a name to follow"},
		{name: "hard link outside", data: T(fine, to("l", "/etc/passwd")), skip: `a hard link to "/etc/passwd", which is no file before it`},
		{name: "hard link ahead", data: T(to("l", "ok.txt"), fine), skip: `a hard link to "ok.txt", which is no file before it`},
		{name: "hard link to itself", data: T(fine, to("l", "l")), skip: `a hard link to "l", which is no file before it`},
		{name: "hard link to a folder", data: T(fine, h('5', "d/"), to("l", "d")), skip: `a hard link to "d", which is no file before it`},
		{name: "hard link to a symbolic link", data: T(fine, h('2', "s"), to("l", "s")), skip: `a symbolic linka hard link to "s", which is no file before it`},
		{name: "two names for one link", data: T(fine, tarEntry('K', "l", "a\x00", gnu), x("linkpath=ok.txt"), to("l", "cut")), refuse: "tar: header at byte 1024: two long link names for one entry"},
		{name: "PAX sparse of version 0.0", data: T(fine, x("GNU.sparse.offset=0", "GNU.sparse.numbytes=1", "GNU.sparse.offset=9", "GNU.sparse.numbytes=0", "GNU.sparse.numblocks=2", "GNU.sparse.size=9"), tarFile("s", "x")), skip: "a sparse file"},
		{name: "device", data: T(fine, h('3', "d")), skip: "a device or a pipe"},
		{name: "pipe", data: T(fine, h('6', "p")), skip: "a device or a pipe"},
		{name: "sparse", data: T(fine, tarEntry('S', "s", "data", gnu)), skip: "a sparse file"},
		{name: "sparse with a long map", data: T(fine, header('S', "s", 4, func(b []byte) { gnu(b); b[482] = 1 }), make([]byte, 512), fill("data")), skip: "a sparse file"},
		{name: "PAX sparse", data: T(fine, x("GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.realsize=9", "GNU.sparse.name=s"), tarFile("s", "1\n8\n1\n"+strings.Repeat("\x00", 506)+"x")), skip: "a sparse file"},
		{name: "volume", data: T(fine, tarEntry('M', "v", "x", nil)), skip: `an entry of kind 'M', which is not read here`},
		{name: "case", data: T(tarFile("Straße/A", "1"), tarFile("straße/a", "2")), note: `differs from "Straße/A" only in case`},
		{name: "file and folder", data: T(fine, tarFile("a", "1"), h('5', "a/")), skip: "the name of a file and of a folder"},
		{name: "comment for all", data: T(tarEntry('g', "g", pax("comment=abc"), nil), fine)},
		{name: "owner for all", data: T(tarEntry('g', "g", pax("uname=anna", "LIBARCHIVE.creationtime=1", "atime=5.5"), nil), fine)},
		{name: "GNU long name", data: T(tarEntry('L', "././@LongLink", strings.Repeat("d/", 80)+"f\x00", gnu), tarEntry('0', "d", "x", gnu))},
		{name: "GNU number", data: T(tarEntry('0', "a", "abc", size("\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03")))},
		{name: "V7", data: T(tarEntry(0, "a", "abc", func(b []byte) { clear(b[257:265]) }))},

		{name: "checksum", data: T(fine, broken), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "negative", data: T(fine, header('0', "a", 0, size("-0000000001\x00"))), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "negative binary", data: T(fine, header('0', "a", 0, size(strings.Repeat("\xff", 12)))), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "beyond 63 bits", data: T(fine, header('0', "a", 0, size("\x80\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00"))), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "huge", data: T(fine, header('0', "a", 0, size("\x80\x00\x00\x00\x7f\x00\x00\x00\x00\x00\x00\x00"))), refuse: `tar: header at byte 1024: "a" declares 9151314442816847872 bytes, at most 274877906944 are read`},
		{name: "longer than the file", data: T(fine, header('0', "a", 1<<30, nil)), refuse: `tar: header at byte 1024: "a" of 1073741824 bytes: cut off`},
		{name: "not octal", data: T(fine, header('0', "a", 0, size("00000000009\x00"))), refuse: "tar: header at byte 1024: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "magic", data: T(fine, header('0', "a", 0, func(b []byte) { copy(b[257:], "tar\x00!!!!") })), refuse: `tar: header at byte 1024: magic "tar\x00!!!!" is of no tar that is known here`},
		{name: "link with data", data: T(fine, tarEntry('1', "l", "x", nil)), refuse: `tar: header at byte 1024: "l" of kind '1' has 1 bytes of data`},
		{name: "folder with data", data: T(fine, tarEntry('5', "d/", "x", nil)), refuse: `tar: header at byte 1024: "d/" of kind '5' has 1 bytes of data`},
		{name: "PAX size", data: T(x("size=1024"), header('0', "a", 0, nil), fill("hidden")), refuse: `tar: header at byte 0: "a": PAX size 1024, 0 in the header`},
		{name: "PAX size negative", data: T(x("size=-1"), tarFile("a", "x")), refuse: "tar: header at byte 0: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "PAX same size", data: T(x("size=1"), tarFile("a", "x"))},
		{name: "PAX key twice", data: T(x("path=a", "path=b"), tarFile("a", "x")), refuse: `tar: header at byte 0: PAX: "path" twice`},
		{name: "PAX twice", data: T(x("path=a"), x("path=b"), tarFile("a", "x")), refuse: "tar: header at byte 0: two PAX headers for one entry"},
		{name: "PAX for all", data: T(tarEntry('g', "g", pax("path=b"), nil), fine), refuse: `tar: header at byte 0: PAX sets "path" for all files that follow, which readers treat differently`},
		{name: "PAX length", data: T(tarEntry('x', "x", "99 path=a\n", nil), fine), refuse: "tar: header at byte 0: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "PAX without length", data: T(tarEntry('x', "x", "path=a\n", nil), fine), refuse: "tar: header at byte 0: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "PAX time", data: T(x("mtime=soon"), tarFile("a", "x")), refuse: "tar: header at byte 0: no valid header: its checksum, a number or a PAX record is wrong"},
		{name: "two long names", data: T(tarEntry('L', "l", "a\x00", gnu), x("path=b"), tarFile("a", "x")), refuse: "tar: header at byte 0: two long names for one entry"},
		{name: "long name for nothing", data: T(fine, tarEntry('L', "l", "a\x00", gnu)), refuse: "tar: header at byte 1024: the end, where a long name or PAX header announces an entry"},
		{name: "huge PAX", data: T(tarEntry('x', "x", strings.Repeat("x", 1<<20+1), nil)), refuse: "tar: header at byte 0: archive/tar: header field too long"},
		{name: "no end", data: fine, refuse: "tar: no end after byte 1024: cut off between two entries"},
		{name: "half an end", data: append(fine[:1024:1024], make([]byte, 512)...), refuse: "tar: one block of zeros at the end, want two: cut off"},
		{name: "after the end", data: append(T(fine), fine...), refuse: "tar: bytes after the end, from byte 2048 on"},
		{name: "part of a block", data: append(T(fine), 0), refuse: "tar: a part of a block at byte 2048, after the end"},
	}
}

func TestHostile(t *testing.T) {
	dup := func(parts ...[]byte) []byte { return append(join(parts...), tarEnd...) }
	all := map[string][]hostile{"zip": zipCases(t), "tar": tarCases()}
	ran := 0
	for kind, cases := range all {
		for _, c := range cases {
			ran++
			t.Run(kind+"/"+c.name, func(t *testing.T) { c.check(t) })
		}
	}
	if want := 117; ran != want {
		t.Errorf("%d cases, want %d", ran, want)
	}
	// Of a name that occurs twice no copy is taken.
	for kind, data := range map[string][]byte{
		"zip": buildZip(t, zipPlan{}, named("a"), ok, named("a")),
		"tar": dup(tarFile("a", "1"), tarFile("ok.txt", "fine\n"), tarFile("./a", "2")),
	} {
		r, err := open(data)
		if err != nil {
			t.Fatal(kind, err)
		}
		if len(r.Entries()) != 1 || len(r.Skipped()) != 2 || r.Skipped()[1].Reason != "2 entries have this name; which one is meant is unknown" {
			t.Errorf("%s: %d entries and %v", kind, len(r.Entries()), r.Skipped())
		}
	}
}

func (c hostile) check(t *testing.T) {
	r, err := open(c.data)
	if got := fmt.Sprint(err); err != nil && got != c.refuse || err == nil && c.refuse != "" {
		t.Fatalf("opened with %q, want %q", got, c.refuse)
	}
	if err != nil {
		return
	}
	var skip string
	for _, s := range r.Skipped() {
		skip += s.Reason
	}
	if skip != c.skip {
		t.Errorf("skipped %q, want %q", skip, c.skip)
	}
	if len(r.Entries()) == 0 {
		t.Fatal("no entry is left")
	}
	e := r.Entries()[len(r.Entries())-1]
	if e.Note != c.note {
		t.Errorf("note %q, want %q", e.Note, c.note)
	}
	body, err := readAll(e)
	if got := fmt.Sprint(err); err != nil && got != c.read || err == nil && c.read != "" {
		t.Errorf("read with %q, want %q", got, c.read)
	}
	if int64(len(body)) > e.Size {
		t.Errorf("%d bytes of an entry of %d", len(body), e.Size)
	}
}
