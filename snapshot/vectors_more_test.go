package snapshot

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/testvectors"
)

func rangeVectors() []vector {
	lines, artifacts := rangeLines()
	tree := must(NewTree(lines))
	root := tree.Root()
	make1 := func(name, expect, comment string, id cid.ID, change func(*Range)) vector {
		r := must(tree.ProveRange(id))
		if change != nil {
			change(r)
		}
		return vector{"range-" + name, expect, "range", comment, "root: " + hex.EncodeToString(root[:]) + "\n", string(must(r.Encode()))}
	}
	full, withdrawn, chunks, alone := artifacts[0], artifacts[1], artifacts[2], artifacts[3]
	absent := cid.FromDigest(cid.Raw, [32]byte{0xab, 1, 8})
	return []vector{
		make1("full", "payload records=2 consent hold", "the first of its shard", full, nil),
		make1("withdrawn", "consent withdrawn", "no payload, no record", withdrawn, nil),
		make1("chunks", "payload records=1", "two chunks", chunks, nil),
		make1("alone", "payload", "a payload without a record", alone, nil),
		make1("absent", "nothing", "no artifact of this id", absent, nil),
		make1("empty-shard", "nothing", "a shard without lines", cid.FromDigest(cid.Raw, [32]byte{0xee}), nil),
		make1("line-dropped", "invalid", "the withdrawal is left out", withdrawn, func(r *Range) { r.Lines = append(r.Lines[:2:2], r.Lines[3:]...) }),
		make1("before-dropped", "invalid", "the line before is left out", withdrawn, func(r *Range) { r.Lines, r.Index = r.Lines[1:], r.Index+1 }),
		make1("after-dropped", "invalid", "the line after is left out", withdrawn, func(r *Range) { r.Lines = r.Lines[:len(r.Lines)-1] }),
		make1("order", "invalid", "two lines in the other order", full, func(r *Range) { r.Lines[0], r.Lines[1] = r.Lines[1], r.Lines[0] }),
		make1("digest", "invalid", "another digest", full, func(r *Range) { r.Lines[0].Digest = strings.Repeat("00", 32) }),
		make1("index", "invalid", "another index", chunks, func(r *Range) { r.Index++ }),
		make1("index-minus", "invalid", "an index below 0", full, func(r *Range) { r.Index = -1 }),
		make1("count", "invalid", "another count", full, func(r *Range) { r.Count++ }),
		make1("count-zero", "invalid", "no lines in a shard with lines", absent, func(r *Range) { r.Count, r.Index, r.Lines, r.Inner = 0, 0, nil, nil }),
		make1("artifact", "invalid", "another artifact", full, func(r *Range) { r.Artifact = alone.String() }),
		make1("artifact-json", "invalid", "a json id", full, func(r *Range) { r.Artifact = cid.FromDigest(cid.JSON, full.Digest()).String() }),
		make1("inner-cut", "invalid", "one hash less inside", chunks, func(r *Range) { r.Inner = r.Inner[1:] }),
		make1("inner-more", "invalid", "one hash more inside", chunks, func(r *Range) { r.Inner = append(r.Inner, r.Outer[0]) }),
		make1("outer-cut", "invalid", "one hash less outside", full, func(r *Range) { r.Outer = r.Outer[1:] }),
		make1("type", "invalid", "another type", full, func(r *Range) { r.Type = "muniment/range/v2" }),
	}
}

func checkRangeVector(t *testing.T, v testvectors.Vector) {
	r, err := ParseRange(v.Body)
	var b *Beside
	if err == nil {
		b, err = r.Verify(must(parseHex(v.Get("root"))))
	}
	if v.Get("expect") == "invalid" {
		if err == nil || b != nil {
			t.Errorf("accepted: %+v", b)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := b.words(); got != v.Get("expect") {
		t.Errorf("got %q, want %q", got, v.Get("expect"))
	}
}

// words says what lies beside an artifact, for the vectors.
func (b *Beside) words() string {
	var out []string
	for _, one := range []struct {
		there bool
		word  string
	}{
		{b.Payload, "payload"}, {len(b.Records) > 0, fmt.Sprintf("records=%d", len(b.Records))}, {b.Consent != nil, "consent"},
		{b.Hold != nil, "hold"}, {b.Withdrawal != nil, "withdrawn"},
	} {
		if one.there {
			out = append(out, one.word)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, " ")
}

func goodTag() Tag {
	s := must(Parse(signed(alice, must(goodDraft().Payload()))))
	return Tag{Name: "deposit-1", Commit: objects.Sum(objects.Commit, s.Content), Tagger: s.Author, Time: noon, Text: "As deposited\n\nwith the county.",
		Archive: s.Archive, Seq: s.Seq, Snapshot: s.ID}
}

func tagVectors() []vector {
	payload := string(must(goodTag().Payload()))
	make1 := func(name, expect, comment, payload string) vector {
		armored := must(sign.Sign(alice, sign.NamespaceGit, []byte(payload)))
		return vector{"tag-" + name, expect, "tag", comment, "", payload + string(armored)}
	}
	changed := func(old, repl string) string { return strings.Replace(payload, old, repl, 1) }
	good := make1("good", "ok", "a tag of the first snapshot", payload)
	other := string(must(sign.Sign(alice, sign.NamespaceSnapshot, []byte(payload))))
	return []vector{
		good,
		make1("name-upper", "invalid", "a capital in the name", changed("tag deposit-1", "tag Deposit-1")),
		make1("name-lock", "invalid", "a name that git refuses", changed("tag deposit-1", "tag deposit.lock")),
		make1("type", "invalid", "a tag of a tree", changed("type commit", "type tree")),
		make1("zone", "invalid", "another time zone", changed("+0000", "+0100")),
		make1("header", "invalid", "one header more", changed("\n\nAs", "\nencoding x\n\nAs")),
		make1("seq", "invalid", "seq with a leading zero", changed("Seq: 1", "Seq: 01")),
		make1("snapshot-json", "invalid", "a json id for the snapshot", changed("Muniment-Snapshot: bafkrei", "Muniment-Snapshot: baguqeera")),
		make1("trailer-more", "invalid", "one trailer more", payload+"Muniment-More: x\n"),
		make1("no-text", "invalid", "no text", changed("As deposited\n\nwith the county.", "")),
		{"tag-unsigned", "invalid", "tag", "no signature", "", payload},
		{"tag-other-text", "invalid", "tag", "signed for another text", "", strings.Replace(good.data, "county", "state", 1)},
		{"tag-namespace", "invalid", "tag", "signed for another namespace", "", payload + other},
		{"tag-trailing", "invalid", "tag", "a byte after the signature", "", good.data + "x"},
	}
}

func checkTagVector(t *testing.T, v testvectors.Vector) {
	tag, err := ParseTag(v.Body)
	if v.Get("expect") == "invalid" {
		if err == nil || tag != nil {
			t.Errorf("accepted: %+v", tag)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := tag.Names(must(Parse(signed(alice, must(goodDraft().Payload()))))); err != nil {
		t.Error(err)
	}
	if err := tag.Names(must(Parse(signed(newSigner('b'), must(goodDraft().Payload()))))); err == nil {
		t.Error("the tag names a commit that another key signed")
	}
}

// A countersignature's vector has its path as a header.
func countersignatureVectors() []vector {
	s := must(Parse(signed(alice, must(goodDraft().Payload()))))
	bob := newSigner('b')
	good := must(s.Countersign(bob))
	make1 := func(name, expect, comment, path string, data []byte) vector {
		return vector{"cosig-" + name, expect, "cosig", comment, "path: " + path + "\n", string(data)}
	}
	path := CountersignaturePath(1, bob.Key())
	second := must(Parse(signed(alice, must(secondDraft().Payload()))))
	return []vector{
		make1("good", "ok", "of the first snapshot of the commit vectors", path, good.Armored),
		make1("other-snapshot", "other", "a right signature, of snapshot 2", path, must(second.Countersign(bob)).Armored),
		make1("namespace", "other", "signed for git", path, must(sign.Sign(bob, sign.NamespaceGit, s.CountersignatureText()))),
		make1("name", "invalid", "the name of another key", CountersignaturePath(1, alice.Key()), good.Armored),
		make1("seq-zero", "invalid", "snapshot 0", "0/"+bob.Key().ID()+".sshsig", good.Armored),
		make1("seq-form", "invalid", "a leading zero", "01/"+bob.Key().ID()+".sshsig", good.Armored),
		make1("deep", "invalid", "one directory more", "a/"+path, good.Armored),
		make1("trailing", "invalid", "a byte after the signature", path, append(good.Armored[:len(good.Armored):len(good.Armored)], 'x')),
		make1("empty", "invalid", "no signature", path, nil),
	}
}

func checkCountersignatureVector(t *testing.T, v testvectors.Vector) {
	seq, c, err := ParseCountersignature(v.Get("path"), v.Body)
	if v.Get("expect") == "invalid" {
		if err == nil || c != nil || seq != 0 {
			t.Errorf("accepted: %+v", c)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	s := must(Parse(signed(alice, must(goodDraft().Payload()))))
	if err := c.Verify(s); (err == nil) != (v.Get("expect") == "ok") {
		t.Errorf("verify: %v, want %s", err, v.Get("expect"))
	}
}

// Whatever parses as a tag is written again with the same bytes.
func FuzzTag(f *testing.F) {
	for _, v := range tagVectors() {
		f.Add([]byte(v.data))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		tag, err := ParseTag(content)
		if err != nil {
			if tag != nil {
				t.Fatal("after an error there is a tag")
			}
			return
		}
		if again := string(must(tag.Payload())) + string(tag.Armored); again != string(content) {
			t.Fatalf("%q is written as %q", content, again)
		}
	})
}

func FuzzCountersignature(f *testing.F) {
	for _, v := range countersignatureVectors() {
		f.Add(strings.TrimSuffix(strings.TrimPrefix(v.extra, "path: "), "\n"), []byte(v.data))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		seq, c, err := ParseCountersignature(path, data)
		if err != nil {
			if c != nil || seq != 0 {
				t.Fatal("after an error there is a result")
			}
			return
		}
		if CountersignaturePath(seq, c.Key) != path || string(c.Armored) != string(data) {
			t.Fatalf("%q is written as %q", path, CountersignaturePath(seq, c.Key))
		}
	})
}

// signersVectors are trust roots with the keys of a snapshot: the first signed it, the
// others countersigned it.
func signersVectors() []vector {
	bob, carol, dora, stranger := newSigner('b'), newSigner('c'), newSigner('d'), newSigner('x')
	root := func(keys, orgs int) string {
		r := must(trust.First(archiveID).With(func(r *trust.Root) {
			r.Thresholds[trust.Snapshot] = trust.Threshold{Keys: keys, Orgs: orgs}
			r.Keys = []trust.Key{
				{Role: trust.Snapshot, Org: "vale", Key: alice.Key(), From: trust.Seq(1)},
				{Role: trust.Snapshot, Org: "vale", Key: bob.Key(), From: trust.Seq(1)},
				{Role: trust.Snapshot, Org: "museum", Key: carol.Key(), From: trust.Seq(3), To: trust.Seq(9)},
				{Role: trust.Withdraw, Org: "museum", Key: dora.Key(), From: trust.Seq(1)},
				{Role: trust.Policy, Org: "vale", Key: alice.Key(), From: trust.Version(1)}}
		}))
		return string(r.Encode())
	}
	make1 := func(name, expect, comment, root string, seq int, keys ...sign.Signer) vector {
		extra := fmt.Sprintf("seq: %d\n", seq)
		for _, k := range keys {
			extra += "key: " + k.Key().Authorized() + "\n"
		}
		return vector{"signers-" + name, expect, "signers", comment, extra, root}
	}
	one, two, orgs := root(1, 1), root(2, 1), root(2, 2)
	return []vector{
		make1("one", "ok", "one key where one is asked for", one, 5, alice),
		make1("two", "ok", "a countersignature reaches two", two, 5, alice, bob),
		make1("two-reversed", "ok", "either key may have signed", two, 5, bob, alice),
		make1("alone", "few", "one key where two are asked for", two, 5, alice),
		make1("twice", "few", "the same key countersigned", two, 5, alice, alice),
		make1("stranger-countersigns", "few", "a stranger does not count", two, 5, alice, stranger),
		make1("other-role", "few", "a key with the role withdraw alone does not count", two, 5, alice, dora),
		make1("organisations", "ok", "two keys of two organisations", orgs, 5, alice, carol),
		make1("one-organisation", "few", "two keys of one organisation", orgs, 5, alice, bob),
		make1("out-of-bounds", "few", "the second key counts from snapshot 3 on", two, 2, alice, carol),
		make1("three", "ok", "a third key that does not count takes nothing away", two, 5, alice, stranger, bob),
		make1("stranger-signs", "no", "the signer must count, whoever countersigns", two, 5, stranger, alice, bob),
		make1("stranger-signs-one", "no", "the same where one key is asked for", one, 5, stranger, alice),
		make1("signer-out-of-bounds", "no", "the signer has ended", two, 10, carol, alice, bob),
	}
}

func checkSignersVector(t *testing.T, v testvectors.Vector) {
	root := must(trust.Parse(v.Body))
	s := &Snapshot{Draft: Draft{Archive: root.Archive}}
	var keys []sign.Key
	for _, l := range v.Header {
		switch l.Key {
		case "seq":
			s.Seq = int64(must(strconv.Atoi(l.Value)))
		case "key":
			keys = append(keys, must(sign.ParseKey(l.Value)))
		}
	}
	s.Key = keys[0]
	err := PermitRoot(root, nil)(trust.Snapshot, s, keys)
	got := "no"
	switch {
	case err == nil:
		got = "ok"
	case IsUndersigned(err):
		got = "few"
	}
	if got != v.Get("expect") {
		t.Errorf("%s (%v), want %s", got, err, v.Get("expect"))
	}
}
