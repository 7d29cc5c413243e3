package snapshot

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/adler32"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/testvectors"
)

const archiveDir = "../testvectors/archive"

// gitBundle returns a commit with everything it leads to as a git bundle, in which
// every object is stored whole, so that the bytes are the same in every run.
func gitBundle(st *objects.Store, tip objects.Hash) []byte {
	var pack bytes.Buffer
	n := uint32(0)
	seen := map[objects.Hash]bool{}
	var put func(h objects.Hash)
	put = func(h objects.Hash) {
		if seen[h] {
			return
		}
		seen[h] = true
		kind, data, err := st.Get(h)
		if err != nil {
			panic(err)
		}
		n++
		putEntry(&pack, kind, data)
		switch kind {
		case objects.Commit:
			s := must(Parse(data))
			put(s.Tree)
			for _, p := range s.Parents {
				put(p)
			}
		case objects.Tree:
			for _, e := range must(objects.ParseTree(data)) {
				put(e.Hash)
			}
		}
	}
	put(tip)
	head := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), n)
	whole := append(head, pack.Bytes()...)
	digest := sha1.Sum(whole)
	return append(append(fmt.Appendf(nil, "# v2 git bundle\n%s refs/heads/main\n\n", tip), whole...), digest[:]...)
}

// putEntry writes a pack entry: its kind and size, then a zlib stream of stored
// blocks.
func putEntry(b *bytes.Buffer, kind objects.Kind, data []byte) {
	number := map[objects.Kind]byte{objects.Commit: 1, objects.Tree: 2, objects.Blob: 3}[kind]
	size := len(data)
	c := number<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		b.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	b.WriteByte(c)
	b.WriteString("\x78\x01")
	for rest := data; ; {
		block := rest[:min(len(rest), 0xffff)]
		rest = rest[len(block):]
		last := byte(0)
		if len(rest) == 0 {
			last = 1
		}
		b.WriteByte(last)
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(block))))
		b.Write(binary.LittleEndian.AppendUint16(nil, ^uint16(len(block))))
		b.Write(block)
		if last == 1 {
			break
		}
	}
	b.Write(binary.BigEndian.AppendUint32(nil, adler32.Checksum(data)))
}

// textOf returns the files of a payload that a record describes as text@1,
// whatever it is.
func textOf(payload string) map[string][]byte {
	id := cid.Of([]byte(payload))
	m := canon.MeasureText([]byte(payload))
	rec := record.Record{
		Artifact: id.String(), Original: id.String(), Names: []string{"letter.txt"}, MediaType: "text/plain",
		Canonicalizer: canon.TextForm, Unicode: canon.UnicodeVersion, Charset: "utf-8 valid", Size: int64(len(payload)),
		PCount: m.Paragraphs, PRoot: hex.EncodeToString(m.PRoot[:]), LCount: m.Lines, LRoot: hex.EncodeToString(m.LRoot[:]),
		Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
	}
	data := must(rec.Encode())
	return map[string][]byte{layout.ArtifactPath(id): []byte(payload), layout.RecordPath(id, cid.OfJSON(data)): data}
}

// citationOf returns a citation of the first words of a letter in a snapshot, after
// change.
func citationOf(payload string, s *Snapshot, change func(*cite.Citation)) map[string][]byte {
	d := canon.NewDocument([]byte(payload))
	span := must(cite.ParseSpan("p1:0-4"))
	anchor := must(cite.AnchorOf(d, span))
	c := cite.Citation{
		Type: cite.FirstCitationType, Artifact: cid.Of([]byte(payload)).String(), Snapshot: s.ID.String(), Seq: s.Seq, Span: "p1:0-4",
		Relation: cite.DirectQuote, Claim: "The letter greets.", QuoteSHA256: anchor.SHA256, Prefix: anchor.Prefix, Suffix: anchor.Suffix,
		Match: cite.Exact, Length: 4,
	}
	change(&c)
	data := must(c.Encode())
	return map[string][]byte{layout.CitationPath(cid.OfJSON(data)): data}
}

// An archiveCase is an archive of one or more snapshots. expect is ok, wrong (with
// the path at which it shows, - for the snapshot itself) or untrusted.
type archiveCase struct {
	name, expect, path, comment string
	make                        func(*chain)
}

// firstFiles are what snapshot 1 of every case holds, unless the case says otherwise:
// a letter that was received with CRLF.
func firstFiles() map[string][]byte { return letter("Dear Ben,\r\n\r\nsnow.\r\n", "1.txt") }

const firstText = "Dear Ben,\n\nsnow.\n"

// second returns a case of two snapshots, of which the second brings files.
func second(name, expect, path, comment string, files map[string][]byte) archiveCase {
	return archiveCase{name, expect, path, comment, func(c *chain) {
		c.add(firstFiles(), nil)
		c.add(files, nil)
	}}
}

func archiveCases() []archiveCase {
	var out []archiveCase
	for _, p := range []struct{ name, comment, text string }{
		{"nfd", "a payload in another normal form", "Zoe\u0308\n"},
		{"crlf", "a payload with CRLF", "a\r\nb\n"},
		{"line-separator", "a payload with U+2028", "a\u2028b\n"},
		{"latin-1", "a payload that is not UTF-8", "caf\xe9\n"},
		{"invisible", "a payload of which nothing is visible", "\u200b\n"},
		{"controls", "a payload of control characters", "\x01\x02\n"},
		{"no-final-lf", "a payload without a line feed at its end", "a"},
		{"two-final-lf", "a payload that ends in an empty line", "a\n\n"},
		{"bom", "a payload that begins with a byte order mark", "\uFEFFa\n"},
		{"first-line-empty", "a payload that begins with an empty line", "\na\n"},
		{"blank-at-line-end", "a payload with a space at the end of a line", "a \nb\n"},
	} {
		files := textOf(p.text)
		out = append(out, second("payload-"+p.name, "wrong", one(files, layout.KindRecord), p.comment, files))
	}
	empty := cid.Of(nil)
	letterRecord := func(change func(*record.Record)) map[string][]byte {
		files := letter("Four.\r\n", "2.txt")
		rewrite(files, change)
		return files
	}
	emptyOriginal := letterRecord(func(r *record.Record) { r.Original = empty.String() })
	delete(emptyOriginal, one(emptyOriginal, layout.KindOriginal))
	emptyOriginal[layout.OriginalPath(empty)] = []byte{}
	size := letterRecord(func(r *record.Record) { r.Size++ })
	root := letterRecord(func(r *record.Record) { r.PRoot = strings.Repeat("00", 32) })
	withoutOriginal := letter("Four.\r\n", "2.txt")
	delete(withoutOriginal, one(withoutOriginal, layout.KindOriginal))
	first := firstFiles()
	artifact := artifactOf(first)
	withdrawal := must(record.Withdrawal{Artifact: artifact.String(), Reason: "asked", Authority: "the family", Time: "2024-05-01T00:00:00Z", Agent: "Ada Vale"}.Encode())
	withdrawn := map[string][]byte{layout.WithdrawnPath(artifact): withdrawal, layout.ArtifactPath(artifact): nil, one(first, layout.KindRecord): nil, one(first, layout.KindOriginal): nil}
	hold := must(record.Hold{Artifact: artifact.String(), Reason: "litigation", Authority: "District Court", Time: "2024-05-01T00:00:00Z", Agent: "Ada Vale"}.Encode())
	consent := must(access.Consent{Artifact: artifact.String(), Inclusion: true, Reason: "asked", Time: "2024-05-01T00:00:00Z", Agent: "Ada Vale"}.Encode())
	profile := layout.ProfilePath("mine")
	out = append(out,
		archiveCase{"one", "ok", "", "one snapshot", func(c *chain) { c.add(firstFiles(), nil) }},
		archiveCase{"bare", "ok", "", "archive.json and .gitattributes alone", func(c *chain) {
			c.add(map[string][]byte{layout.PathArchive: archiveJSON, layout.PathAttributes: []byte(layout.Attributes)}, nil)
		}},
		second("two", "ok", "", "two snapshots", letter("Four.\r\n", "2.txt")),
		second("consent", "ok", "", "a consent that closes", map[string][]byte{layout.ConsentPath(artifact): consent}),
		second("withdrawn", "ok", "", "a letter is withdrawn", withdrawn),
		second("payload-empty", "wrong", layout.ArtifactPath(empty), "an empty payload", map[string][]byte{layout.ArtifactPath(empty): {}}),
		second("original-empty", "wrong", layout.OriginalPath(empty), "an empty original", emptyOriginal),
		second("original-missing", "wrong", one(withoutOriginal, layout.KindRecord), "an original that is not there", withoutOriginal),
		second("record-size", "wrong", one(size, layout.KindRecord), "a record with another size", size),
		second("record-root", "wrong", one(root, layout.KindRecord), "a record with another root of paragraphs", root),
		second("consent-elsewhere", "wrong", layout.ConsentPath(empty), "a consent beside another artifact", map[string][]byte{layout.ConsentPath(empty): consent}),
		second("path-unknown", "wrong", "attic/a.txt", "a file where no archive has one", map[string][]byte{"attic/a.txt": []byte("x")}),
		second("attributes-gone", "wrong", layout.PathAttributes, ".gitattributes goes", map[string][]byte{layout.PathAttributes: nil}),
		second("attributes-other", "wrong", layout.PathAttributes, "another .gitattributes", map[string][]byte{layout.PathAttributes: []byte("* text=auto\n")}),
		second("readme-gone", "ok", "", "README.txt goes", map[string][]byte{layout.PathReadme: nil}),
		second("archive-gone", "wrong", layout.PathArchive, "archive.json goes", map[string][]byte{layout.PathArchive: nil}),
		second("profile", "ok", "", "a profile of its type", map[string][]byte{profile: []byte(`{"type":"muniment/profile/v1"}`)}),
		second("profile-empty", "wrong", profile, "a profile without a type", map[string][]byte{profile: []byte(`{}`)}),
		second("profile-no-json", "wrong", profile, "a profile that is no JSON", map[string][]byte{profile: []byte("name: mine\n")}),
		second("profile-escape", "wrong", profile, "a profile with a needless escape", map[string][]byte{profile: []byte(`{"name":"\u006dine","type":"muniment/profile/v1"}`)}),
		second("payload-dropped", "wrong", layout.ArtifactPath(artifact), "a payload goes without a withdrawal", map[string][]byte{layout.ArtifactPath(artifact): nil}),
		second("payload-beside-withdrawal", "wrong", layout.ArtifactPath(artifact), "a payload stays beside a withdrawal",
			map[string][]byte{layout.WithdrawnPath(artifact): withdrawal, one(first, layout.KindRecord): nil}),
		archiveCase{"withdrawn-held", "wrong", layout.WithdrawnPath(artifact), "a letter with a hold is withdrawn", func(c *chain) {
			c.add(firstFiles(), nil)
			c.add(map[string][]byte{layout.HoldPath(artifact): hold}, nil)
			c.add(withdrawn, nil)
		}},
		archiveCase{"root", "wrong", "-", "another root", func(c *chain) { c.add(firstFiles(), func(d *Draft) { d.Root[0]++ }) }},
		archiveCase{"entries", "wrong", "-", "another number of files", func(c *chain) { c.add(firstFiles(), func(d *Draft) { d.Entries++ }) }},
		archiveCase{"prev", "wrong", "-", "the ID of another snapshot before", func(c *chain) {
			c.add(firstFiles(), nil)
			c.add(letter("Four.\r\n", "2.txt"), func(d *Draft) { d.Prev = cid.Of([]byte("x")) })
		}},
	)
	return slices.Concat(out, pointerCases(), citationCases(), trustCases(), joinCases())
}

// scanned returns the files of a scan that is kept as bytes, with a pointer in the place
// of its payload; change is applied to the pointer.
func scanned(change func(*record.Pointer)) map[string][]byte {
	payload := []byte("a scan, as far as this goes")
	id := cid.Of(payload)
	rec := record.Record{
		Artifact: id.String(), Original: id.String(), Names: []string{"scan.png"}, MediaType: "image/png", Canonicalizer: record.BytesForm,
		Reason: "no text reader for image/png", Size: int64(len(payload)), Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
	}
	data := must(rec.Encode())
	p := record.Pointer{Payload: id.String(), Size: rec.Size, MediaType: rec.MediaType, KeyRule: record.KeyRule}
	change(&p)
	return map[string][]byte{layout.PointerPath(layout.ArtifactPath(id)): must(p.Encode()), layout.RecordPath(id, cid.OfJSON(data)): data}
}

// pointerCases are archives with a pointer in the place of bytes.
func pointerCases() []archiveCase {
	same := func(*record.Pointer) {}
	good := scanned(same)
	pointer, rec := one(good, layout.KindPointer), one(good, layout.KindRecord)
	payload := strings.TrimSuffix(pointer, layout.PointerPath(""))
	elsewhere := letter("Four.\r\n", "2.txt") // its original is
	original := one(elsewhere, layout.KindOriginal)
	delete(elsewhere, original)
	from := record.Pointer{Payload: cid.Of([]byte("Four.\r\n")).String(), Size: 7, MediaType: "text/plain", KeyRule: record.KeyRule}
	elsewhere[layout.PointerPath(original)] = must(from.Encode())
	text := textOf("Five.\n")
	of := record.Pointer{Payload: cid.Of([]byte("Five.\n")).String(), Size: 6, MediaType: "text/plain", KeyRule: record.KeyRule}
	delete(text, one(text, layout.KindPayload))
	text[layout.PointerPath(layout.ArtifactPath(cid.Of([]byte("Five.\n"))))] = must(of.Encode())
	both := scanned(same)
	both[payload] = []byte("a scan, as far as this goes")
	third := func(name, expect, path, comment string, files map[string][]byte) archiveCase {
		return archiveCase{name, expect, path, comment, func(c *chain) {
			c.add(firstFiles(), nil)
			c.add(good, nil)
			c.add(files, nil)
		}}
	}
	size, other := scanned(func(p *record.Pointer) { p.Size++ }), scanned(func(p *record.Pointer) { p.Payload = from.Payload })
	return []archiveCase{
		second("pointer", "ok", "", "a pointer in the place of a payload", good),
		second("pointer-original", "ok", "", "a pointer in the place of an original", elsewhere),
		second("pointer-text", "wrong", one(text, layout.KindRecord), "a pointer in the place of a text", text),
		second("pointer-size", "wrong", rec, "a pointer with another size than the record", size),
		second("pointer-other", "wrong", pointer, "the pointer to another payload", other),
		second("pointer-empty", "wrong", pointer, "an empty pointer", map[string][]byte{pointer: {}, rec: good[rec]}),
		second("pointer-beside-payload", "wrong", payload, "a pointer beside its payload", both),
		third("pointer-back", "ok", "", "the bytes come back into the tree", map[string][]byte{pointer: nil, payload: both[payload]}),
		third("pointer-then-payload", "wrong", payload, "a payload comes beside its pointer", map[string][]byte{payload: both[payload]}),
		third("pointer-changed", "wrong", pointer, "a pointer is changed", map[string][]byte{pointer: scanned(func(p *record.Pointer) { p.MediaType = "image/gif" })[pointer]}),
		third("pointer-dropped", "wrong", pointer, "a pointer goes without a withdrawal", map[string][]byte{pointer: nil}),
	}
}

// citationCases are archives with a sealed citation.
func citationCases() []archiveCase {
	third := func(name, expect, comment string, at int, change func(*cite.Citation)) archiveCase {
		build := func(c *chain) {
			one := c.add(firstFiles(), nil)
			two := c.add(letter("Four.\r\n", "2.txt"), nil)
			c.add(citationOf(firstText, []*Snapshot{one, two}[at], change), nil)
		}
		return archiveCase{name, expect, "citation", comment, build}
	}
	other := cid.Of([]byte("Four.\n")).String()
	return []archiveCase{
		third("citation", "ok", "a sealed citation", 1, func(*cite.Citation) {}),
		third("citation-older", "ok", "a citation of the first snapshot", 0, func(*cite.Citation) {}),
		third("citation-seq", "wrong", "a citation with another number of its snapshot", 1, func(c *cite.Citation) { c.Seq = 1 }),
		third("citation-snapshot", "wrong", "a citation of a snapshot that is not in the history", 1, func(c *cite.Citation) { c.Snapshot = other }),
		third("citation-too-early", "wrong", "a citation of a snapshot that has not its artifact", 0, func(c *cite.Citation) { c.Artifact = other }),
		third("citation-record", "wrong", "a citation with a record that its snapshot has not", 1, func(c *cite.Citation) { c.Record = archiveID.String() }),
		{"citation-form", "wrong", "citation", "an object that is no citation", func(c *chain) {
			c.add(firstFiles(), nil)
			data := []byte(`{"type":"muniment/citation/v1"}`)
			c.add(map[string][]byte{layout.CitationPath(cid.OfJSON(data)): data}, nil)
		}},
	}
}

// trustCases are archives that are sound and of which a signer may not do what it
// does: alice signs, and carol alone may withdraw.
func trustCases() []archiveCase {
	bob := newSigner('b')
	artifact := artifactOf(firstFiles())
	open := must(access.Consent{Artifact: artifact.String(), Inclusion: true, Surfacing: true, Display: true, Existence: true, Reason: "r", Time: "2024-05-01T00:00:00Z", Agent: "a"}.Encode())
	closed := must(access.ConsentDefault{Default: access.ConsentClosed}.Encode())
	return []archiveCase{
		{"signer-stranger", "untrusted", "", "the second snapshot is signed by another key", func(c *chain) {
			c.add(firstFiles(), nil)
			c.by = bob
			c.add(letter("Four.\r\n", "2.txt"), nil)
		}},
		{"consent-opened", "untrusted", "", "a key without the role withdraw opens what the default closes", func(c *chain) {
			files := firstFiles()
			files[layout.PathConsent] = closed
			c.add(files, nil)
			c.add(map[string][]byte{layout.ConsentPath(artifact): open}, nil)
		}},
		{"trust-changed", "untrusted", "", "a key without the role withdraw begins a list of signers", func(c *chain) {
			c.add(firstFiles(), nil)
			c.add(map[string][]byte{layout.PathAllowedSigners: []byte("bob namespaces=\"git\" " + bob.Key().Authorized() + "\n")}, nil)
		}},
	}
}

// joinCases are archives of which two histories are joined.
func joinCases() []archiveCase {
	bob := newSigner('b')
	fork := func(c *chain, change func(*Draft), more map[string][]byte) {
		base := c.add(firstFiles(), nil)
		c.by = bob
		theirs := c.add(letter("Five.\r\n", "3.txt"), nil)
		c.back(base, alice)
		c.add(letter("Four.\r\n", "2.txt"), nil)
		c.join(theirs, more, change)
	}
	return []archiveCase{
		{"join", "ok", "", "two histories joined", func(c *chain) { fork(c, nil, nil) }},
		{"join-pointer", "ok", "", "a join of a history with a pointer and one with its payload", func(c *chain) {
			good := scanned(func(*record.Pointer) {})
			rec, pointer := one(good, layout.KindRecord), one(good, layout.KindPointer)
			base := c.add(firstFiles(), nil)
			c.by = bob
			theirs := c.add(map[string][]byte{rec: good[rec], strings.TrimSuffix(pointer, layout.PointerPath("")): []byte("a scan, as far as this goes")}, nil)
			c.back(base, alice)
			c.add(good, nil)
			c.join(theirs, nil, nil)
		}},
		{"join-more", "wrong", "-", "a join that brings a letter of its own", func(c *chain) { fork(c, nil, textOf("Six.\n")) }},
		{"join-seq", "wrong", "-", "a join with a number too large", func(c *chain) { fork(c, func(d *Draft) { d.Seq++ }, nil) }},
	}
}

// archiveTrust is what the verifier brings to every case: alice and, in joins,
// bob may sign, and alice may withdraw where the case does so.
func archiveTrust(c archiveCase) string {
	out := `ada namespaces="git" ` + alice.Key().Authorized()
	if c.expect != "untrusted" {
		out = `ada namespaces="git,withdraw@muniment" ` + alice.Key().Authorized()
	}
	return out
}

// An archive is judged as its vector says: by CheckWith, where the vector is made.
func TestArchiveVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, one := range archiveCases() {
		c := newChain(t)
		one.make(c)
		trust := []string{archiveTrust(one)}
		if strings.HasPrefix(one.name, "join") {
			trust = append(trust, `ben namespaces="git" `+newSigner('b').Key().Authorized())
		}
		v := testvectors.New(one.name, gitBundle(c.store, c.tip), "kind", "archive", "expect", one.expect)
		for _, line := range trust {
			v.Add("trust", line)
		}
		allowed := must(sign.ParseAllowedSigners([]byte(strings.Join(trust, "\n") + "\n")))
		report := must(CheckWith(c.store, c.tip, Checking{Allowed: allowed}))
		path := one.path
		if path == "citation" && one.expect == "ok" {
			path = ""
		}
		if path == "citation" {
			for _, p := range report.Problems {
				path = p.Path
			}
		}
		v.AddIf("path", path)
		v.Add("comment", one.comment)
		made = append(made, v)
		if got, why := archiveVerdict(report, path); got != one.expect {
			t.Errorf("%s is %s, want %s: %s", one.name, got, one.expect, why)
		}
	}
	testvectors.Generate(t, archiveDir, made)
	if len(made) != 62 {
		t.Errorf("%d vectors, want 62", len(made))
	}
}

// archiveVerdict returns what a report says, and its problems.
func archiveVerdict(r *Report, path string) (verdict, why string) {
	why = fmt.Sprint(r.Problems, r.Untrusted, r.Unauthorized)
	switch {
	case r.NotChecked > 0 && r.Sound():
		return "not checked", why
	case !r.Sound():
		found := slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Path == path || path == "-" && p.Path == "" })
		if !found {
			return "wrong elsewhere", why
		}
		return "wrong", why
	case len(r.Untrusted)+len(r.Unauthorized) > 0:
		return "untrusted", why
	}
	return "ok", why
}
