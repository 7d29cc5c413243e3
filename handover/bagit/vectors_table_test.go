package bagit

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// A bag is the files of one vector by path. A path that ends with a slash is
// an empty folder, one that begins with "link " a symbolic link to its value.
type bag map[string]string

// A vector is one bag with at most one defect.
type vector struct {
	name   string
	expect State
	bag    bag
}

// A plan builds a bag: files, then payload manifests over data/, then what mid
// breaks in them, then tag manifests over the rest, then what after breaks.
type plan struct {
	version, encoding string
	algorithms, tags  []string
	before, mid       func(b bag)
	after             func(b bag)
}

func (p plan) build() bag {
	if p.version == "" {
		p.version = "1.0"
	}
	if p.encoding == "" {
		p.encoding = "UTF-8"
	}
	if p.algorithms == nil {
		p.algorithms = []string{"sha256", "sha512"}
	}
	if p.tags == nil {
		p.tags = []string{"sha512"}
	}
	b := bag{
		"bagit.txt":        "BagIt-Version: " + p.version + "\nTag-File-Character-Encoding: " + p.encoding + "\n",
		"bag-info.txt":     "Source-Organization: The Letters\nBagging-Date: 2024-02-29\nPayload-Oxum: 26.2\n",
		"data/a.txt":       "Dear Ada,\n",
		"data/sub/größe.x": "eine große Sache"[1:],
	}
	edit := func(f func(bag)) {
		if f != nil {
			f(b)
		}
	}
	edit(p.before)
	for _, a := range p.algorithms {
		b["manifest-"+a+".txt"] = b.manifest(a, func(path string) bool { return strings.HasPrefix(path, "data/") })
	}
	edit(p.mid)
	rest := map[string]string{}
	for _, a := range p.tags {
		rest["tagmanifest-"+a+".txt"] = b.manifest(a, func(path string) bool { return !strings.HasPrefix(path, "data/") })
	}
	maps.Copy(b, rest)
	edit(p.after)
	return b
}

// manifest lists the files that are wanted.
func (b bag) manifest(algorithm string, want func(string) bool) string {
	var out string
	for _, path := range slices.Sorted(maps.Keys(b)) {
		if want(path) && !strings.HasSuffix(path, "/") && !strings.HasPrefix(path, "link ") {
			out += sum(algorithm, b[path]) + "  " + encodePath(path) + "\n"
		}
	}
	return out
}

func sum(algorithm, body string) string {
	make, ok := algorithms[algorithm]
	if !ok {
		return "00112233445566778899aabbccddeeff"
	}
	h := make()
	h.Write([]byte(body))
	return hex.EncodeToString(h.Sum(nil))
}

// Edits.
func set(path, body string) func(bag)  { return func(b bag) { b[path] = body } }
func remove(path string) func(bag)     { return func(b bag) { delete(b, path) } }
func add(path, more string) func(bag)  { return func(b bag) { b[path] += more } }
func both(fs ...func(bag)) func(bag)   { return func(b bag) { apply(b, fs) } }
func info(text string) func(bag)       { return set("bag-info.txt", text) }
func rename(path, to string) func(bag) { return func(b bag) { b[to] = b[path]; delete(b, path) } }
func replace(path, a, z string) func(bag) {
	return func(b bag) { b[path] = strings.Replace(b[path], a, z, 1) }
}

func apply(b bag, fs []func(bag)) {
	for _, f := range fs {
		f(b)
	}
}

// everywhere makes the same replacement in both payload manifests.
func everywhere(a, z string) func(bag) {
	return both(replace("manifest-sha256.txt", a, z), replace("manifest-sha512.txt", a, z))
}

// line adds a path with some right-looking checksum to both payload manifests.
func line(path string) func(bag) {
	return both(add("manifest-sha256.txt", sum("sha256", "x")+"  "+path+"\n"), add("manifest-sha512.txt", sum("sha512", "x")+"  "+path+"\n"))
}

func utf16(b bag) { b.recode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)) }

func utf32BOM(b bag) { b.recode(utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)) }

// recode writes the tag files but the declaration in another encoding.
func (b bag) recode(as encoding.Encoding) {
	e := as.NewEncoder()
	for _, name := range []string{"bag-info.txt", "manifest-sha256.txt", "manifest-sha512.txt"} {
		out, err := e.String(b[name])
		if err != nil {
			panic(err)
		}
		b[name] = out
	}
}

func crlf(b bag) {
	for name := range b {
		if !strings.HasPrefix(name, "data/") {
			b[name] = strings.ReplaceAll(b[name], "\n", "\r\n")
		}
	}
}

func vectors() []vector {
	const decl = "bagit.txt"
	oxum := func(v string) func(bag) { return info("Payload-Oxum: " + v + "\n") }
	fetch := func(lines string) func(bag) { return set("fetch.txt", lines) }
	const hole = "https://archive.example/a.txt 10 data/a.txt\n"
	v := func(name string, expect State, p plan) vector { return vector{name, expect, p.build()} }
	return []vector{
		// Valid bags.
		v("valid", OK, plan{}),
		v("valid-097", OK, plan{version: "0.97", algorithms: []string{"md5", "sha256"}}),
		v("valid-all-algorithms", OK, plan{algorithms: []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}, tags: []string{"md5", "sha256"}}),
		v("valid-sha3", OK, plan{algorithms: []string{"sha3256", "sha3512"}, tags: []string{"sha3384"}}),
		v("valid-crlf", OK, plan{mid: crlf}),
		v("valid-cr", OK, plan{mid: func(b bag) { b[decl] = strings.ReplaceAll(b[decl], "\n", "\r") }}),
		v("valid-utf-16", OK, plan{encoding: "UTF-16", mid: utf16, tags: []string{}}),
		v("valid-utf-32", OK, plan{encoding: "UTF-32", mid: utf32BOM, tags: []string{}}),
		v("valid-latin-1", OK, plan{encoding: "ISO-8859-1", mid: everywhere("größe", "gr\xf6\xdfe")}),
		v("valid-upper-case-checksums", OK, plan{mid: func(b bag) {
			hex := sum("sha256", b["data/a.txt"])
			b["manifest-sha256.txt"] = strings.Replace(b["manifest-sha256.txt"], hex, strings.ToUpper(hex), 1)
		}}),
		v("valid-tabs", OK, plan{mid: replace("manifest-sha256.txt", "  data/a", "\t \tdata/a")}),
		v("valid-tag-folder", OK, plan{before: set("metadata/deep/mods.xml", "<mods/>\n")}),
		v("valid-empty-file", OK, plan{before: both(set("data/empty", ""), oxum("26.3"))}),
		v("valid-empty-payload", OK, plan{before: both(remove("data/a.txt"), remove("data/sub/größe.x"), set("data/", ""), oxum("0.0"))}),
		v("valid-percent-encoded", OK, plan{before: both(set("data/50% of\r\nit.txt", "x"), oxum("27.3"))}),
		v("valid-info-repeated-and-long", OK, plan{before: info("Contact-Name: A\nContact-Name: B\nExternal-Description: one\n  two\n\tthree\nX y: \n")}),
		v("valid-097-info-spaces", OK, plan{version: "0.97", before: info("Contact-Name \t:   A\nPayload-Oxum:26.2\n")}),
		v("valid-097-listed-once", OK, plan{version: "0.97", mid: func(b bag) {
			first, second, _ := strings.Cut(b["manifest-sha256.txt"], "\n")
			b["manifest-sha256.txt"] = first + "\n"
			_ = second
		}}),
		v("valid-fetch-already-there", OK, plan{before: fetch(hole)}),
		v("valid-spaces-in-name", OK, plan{before: both(set("data/a b  c.txt ", "x"), oxum("27.3"))}),

		// Valid with a remark.
		v("remark-weak-only", OK, plan{algorithms: []string{"md5"}, tags: []string{"md5"}}),
		v("remark-no-tag-manifest", OK, plan{tags: []string{}}),
		v("remark-tag-file-unlisted", OK, plan{after: set("notes.txt", "later\n")}),
		v("remark-declaration-unended", OK, plan{before: func(b bag) { b[decl] = strings.TrimSuffix(b[decl], "\n") }}),
		v("remark-manifest-unended", OK, plan{mid: func(b bag) { b["manifest-sha512.txt"] = strings.TrimSuffix(b["manifest-sha512.txt"], "\n") }}),
		v("remark-md5sum-asterisk", OK, plan{mid: everywhere("  data/a.txt", " *data/a.txt")}),
		v("remark-tag-asterisk", OK, plan{after: replace("tagmanifest-sha512.txt", "  bag-info.txt", " *bag-info.txt")}),
		v("remark-dot-slash", OK, plan{mid: everywhere("  data/a.txt", "  ./data/a.txt")}),
		v("remark-normalization", OK, plan{mid: everywhere("größe", "gro\u0308ße")}),
		v("remark-bare-percent", OK, plan{before: both(set("data/50%.txt", "x"), oxum("27.3")), mid: everywhere("50%25", "50%")}),
		v("remark-manifest-in-capitals", OK, plan{before: set("Manifest-sha1.txt", "")}),
		v("remark-bagging-date", OK, plan{before: info("Bagging-Date: yesterday\n")}),
		v("remark-oxum-spaces", OK, plan{before: info("Payload-Oxum:  26.2 \n")}),
		v("remark-fetch-length", OK, plan{before: fetch("https://archive.example/a.txt 11 data/a.txt\n")}),
		v("remark-096", OK, plan{version: "0.96", algorithms: []string{"md5"}, tags: []string{}, before: info("Payload-Oxum : 26.2\n")}),
		v("remark-094-package-info", OK, plan{version: "0.94", algorithms: []string{"sha1"}, before: rename("bag-info.txt", "package-info.txt")}),
		v("remark-097-bom", OK, plan{version: "0.97", mid: func(b bag) { b["manifest-sha256.txt"] = bom + b["manifest-sha256.txt"] }}),
		v("remark-097-twice-same", OK, plan{version: "0.97", mid: func(b bag) { b["manifest-sha256.txt"] += strings.SplitAfter(b["manifest-sha256.txt"], "\n")[0] }}),
		v("remark-097-payload-manifest-unlisted", OK, plan{version: "0.97", after: set("tagmanifest-sha512.txt", sum("sha512", "BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n")+" bagit.txt\n")}),

		// The declaration.
		v("declaration-absent", Absent, plan{before: remove(decl)}),
		v("declaration-empty", Failed, plan{before: set(decl, "")}),
		v("declaration-bom", Failed, plan{before: func(b bag) { b[decl] = bom + b[decl] }}),
		v("declaration-space-before-colon", Failed, plan{before: replace(decl, "Version:", "Version :")}),
		v("declaration-two-spaces", Failed, plan{before: replace(decl, ": 1.0", ":  1.0")}),
		v("declaration-no-space", Failed, plan{before: replace(decl, ": 1.0", ":1.0")}),
		v("declaration-case", Failed, plan{before: replace(decl, "Version", "version")}),
		v("declaration-order", Failed, plan{before: set(decl, "Tag-File-Character-Encoding: UTF-8\nBagIt-Version: 1.0\n")}),
		v("declaration-third-line", Failed, plan{before: add(decl, "\n")}),
		v("declaration-one-line", Failed, plan{before: set(decl, "BagIt-Version: 1.0\n")}),
		v("declaration-version", NotChecked, plan{before: replace(decl, "1.0", "2.0")}),
		v("declaration-version-old", NotChecked, plan{before: replace(decl, "1.0", "0.92")}),
		v("oxum-094", Failed, plan{version: "0.94", before: both(rename("bag-info.txt", "package-info.txt"), replace("package-info.txt", "26.2", "26.3"))}),
		v("declaration-version-no-number", Failed, plan{before: replace(decl, "1.0", "one")}),
		v("declaration-encoding-unknown", NotChecked, plan{encoding: "KLINGON-8"}),
		v("declaration-too-long", Failed, plan{before: add(decl, strings.Repeat("x", 2000))}),
		v("declaration-link", Failed, plan{before: both(remove(decl), set("link "+decl, "data/a.txt"))}),

		// Required elements.
		v("manifest-absent", Absent, plan{algorithms: []string{}, before: set("note.txt", "x")}),
		v("manifest-algorithm-unknown", NotChecked, plan{algorithms: []string{"sha256", "blake3"}}),
		v("manifest-algorithm-only-unknown", NotChecked, plan{algorithms: []string{"blake3"}}),
		v("payload-folder-absent", Absent, plan{before: both(remove("data/a.txt"), remove("data/sub/größe.x"), oxum("0.0"))}),
		v("payload-folder-is-a-file", Failed, plan{before: both(remove("data/a.txt"), remove("data/sub/größe.x"), set("data", "x"), oxum("0.0"))}),

		// Lines of manifests.
		v("manifest-not-utf-8", Failed, plan{mid: everywhere("größe", "gr\xf6\xdfe")}),
		v("manifest-bom", Failed, plan{mid: func(b bag) { b["manifest-sha256.txt"] = bom + b["manifest-sha256.txt"] }}),
		v("manifest-empty-line", Failed, plan{mid: add("manifest-sha256.txt", "\n")}),
		v("manifest-no-path", Failed, plan{mid: add("manifest-sha256.txt", sum("sha256", "x")+"\n")}),
		v("manifest-no-checksum", Failed, plan{mid: add("manifest-sha256.txt", "  data/a.txt\n")}),
		v("manifest-checksum-short", Failed, plan{mid: add("manifest-sha256.txt", "00ff data/b.txt\n")}),
		v("manifest-checksum-not-hex", Failed, plan{mid: add("manifest-sha256.txt", strings.Repeat("zz", 32)+" data/b.txt\n")}),
		v("manifest-md5sum-escape", Failed, plan{mid: add("manifest-sha256.txt", `\`+sum("sha256", "x")+`  data/a\\b.txt`+"\n")}),
		v("manifest-twice", Failed, plan{mid: func(b bag) { b["manifest-sha256.txt"] += strings.SplitAfter(b["manifest-sha256.txt"], "\n")[0] }}),
		v("manifest-twice-different", Failed, plan{mid: add("manifest-sha256.txt", sum("sha256", "x")+"  data/a.txt\n")}),
		v("manifest-twice-by-normalization", Failed, plan{mid: add("manifest-sha256.txt", sum("sha256", "x")+"  data/sub/gro\u0308ße.x\n")}),

		// Paths that lead elsewhere.
		v("path-absolute", Failed, plan{mid: line("/etc/passwd")}),
		v("path-home", Failed, plan{mid: line("~/.ssh/id_ed25519")}),
		v("path-parent", Failed, plan{mid: line("data/../../secret")}),
		v("path-parent-inside", Failed, plan{mid: line("data/sub/../a.txt")}),
		v("path-parent-encoded", Absent, plan{mid: line("data/%2e%2e/secret")}),
		v("path-drive", Failed, plan{mid: line("C:/secret")}),
		v("path-namespace", Failed, plan{mid: line(`\\?\C:\secret`)}),
		v("path-backslash", Failed, plan{mid: line(`data\a.txt`)}),
		v("path-nul", Failed, plan{mid: line("data/a\x00.txt")}),
		v("path-dot", Failed, plan{mid: line("data/./a.txt")}),
		v("path-folder", Failed, plan{mid: line("data/sub/")}),
		v("path-outside-payload", Failed, plan{mid: line("bagit.txt")}),
		v("path-payload-in-tag-manifest", Failed, plan{after: add("tagmanifest-sha512.txt", sum("sha512", "Dear Ada,\n")+"  data/a.txt\n")}),
		v("path-parent-in-tag-manifest", Failed, plan{after: add("tagmanifest-sha512.txt", sum("sha512", "x")+"  ../bag-info.txt\n")}),
		v("path-link", Failed, plan{mid: both(line("data/l"), set("link data/l", "../bagit.txt"))}),
		v("path-link-unlisted", Failed, plan{after: set("link data/l", "/etc/passwd")}),

		// Files and checksums.
		v("file-absent", Absent, plan{mid: both(remove("data/a.txt"), oxum("16.1"))}),
		v("file-absent-case", Failed, plan{mid: rename("data/a.txt", "data/A.txt")}),
		v("file-unlisted", Failed, plan{mid: both(set("data/b.txt", "x"), oxum("27.3"))}),
		v("file-unlisted-in-one", Failed, plan{mid: func(b bag) {
			b["manifest-sha256.txt"] = strings.SplitAfter(b["manifest-sha256.txt"], "\n")[0]
		}}),
		v("file-unlisted-hidden", Failed, plan{mid: both(set("data/.DS_Store", "x"), oxum("27.3"))}),
		v("file-unlisted-097", Failed, plan{version: "0.97", mid: both(set("data/b.txt", "x"), oxum("27.3"))}),
		v("file-changed", Failed, plan{mid: set("data/a.txt", "Dear Eda,\n")}),
		v("file-cut", Failed, plan{mid: both(set("data/a.txt", "Dear Ada"), oxum("24.2"))}),
		v("checksum-of-one", Failed, plan{mid: func(b bag) {
			b["manifest-sha512.txt"] = strings.Replace(b["manifest-sha512.txt"], sum("sha512", "Dear Ada,\n"), sum("sha512", "x"), 1)
		}}),
		v("tag-file-absent", Absent, plan{before: set("metadata/a.xml", "<a/>"), after: remove("metadata/a.xml")}),
		v("tag-file-changed", Failed, plan{after: add("bag-info.txt", "Contact-Name: A\n")}),
		v("tag-manifest-lists-itself", Failed, plan{tags: []string{"sha256", "sha512"}, after: func(b bag) {
			b["tagmanifest-sha512.txt"] += sum("sha512", b["tagmanifest-sha256.txt"]) + "  tagmanifest-sha256.txt\n"
		}}),
		v("tag-manifest-without-payload-manifest", Failed, plan{after: func(b bag) {
			b["tagmanifest-sha512.txt"] = b.manifest("sha512", func(p string) bool {
				return !strings.Contains(p, "manifest-sha256") && !strings.HasPrefix(p, "data/") && !strings.HasPrefix(p, "tagm")
			})
		}}),

		// bag-info.txt.
		v("info-oxum-octets", Failed, plan{before: oxum("27.2")}),
		v("info-oxum-streams", Failed, plan{before: oxum("26.3")}),
		v("info-oxum-form", Failed, plan{before: oxum("26 bytes")}),
		v("info-oxum-zeros", Failed, plan{before: oxum("026.2")}),
		v("info-oxum-twice", Failed, plan{before: info("Payload-Oxum: 26.2\npayload-oxum: 26.2\n")}),
		v("info-no-colon", Failed, plan{before: info("Contact-Name\n")}),
		v("info-no-space", Failed, plan{before: info("Contact-Name:A\n")}),
		v("info-space-before-colon", Failed, plan{before: info("Contact-Name : A\n")}),
		v("info-no-label", Failed, plan{before: info(": A\n")}),
		v("info-continues-nothing", Failed, plan{before: info("  A\n")}),
		v("info-empty-line", Failed, plan{before: info("Contact-Name: A\n\n")}),
		v("info-not-utf-8", Failed, plan{before: info("Contact-Name: gr\xf6\xdfe\n")}),

		// fetch.txt.
		v("fetch-hole", Absent, plan{before: fetch(hole), mid: remove("data/a.txt")}),
		v("fetch-unlisted", Failed, plan{before: fetch("https://archive.example/b.txt - data/b.txt\n")}),
		v("fetch-tag-file", Failed, plan{before: fetch("https://archive.example/b.txt - bag-info.txt\n")}),
		v("fetch-parent", Failed, plan{before: fetch("https://archive.example/b.txt - data/../../b.txt\n")}),
		v("fetch-no-url", Failed, plan{before: fetch("a.txt 10 data/a.txt\n")}),
		v("fetch-length", Failed, plan{before: fetch("https://archive.example/a.txt ten data/a.txt\n")}),
		v("fetch-two-fields", Failed, plan{before: fetch("https://archive.example/a.txt data/a.txt\n")}),
		v("fetch-twice", Failed, plan{before: fetch(hole + hole)}),
	}
}

// encode writes the files of a bag: for each a line with its quoted path and
// its number of bytes, then the bytes and a LF.
func (b bag) encode() []byte {
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(b)) {
		fmt.Fprintf(&out, "-- %q %d --\n%s\n", path, len(b[path]), b[path])
	}
	return []byte(out.String())
}
