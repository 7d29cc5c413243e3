package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"muniment/cid"
	"muniment/objects"
)

func goodDraft() Draft {
	return Draft{
		Tree: objects.Hash{1}, Author: Author{"Ada Vale", "ada@example.org"}, Time: noon,
		Text: "Letters of 1911\n\nTwelve letters and a table.", Archive: archiveID, Seq: 1, Root: [32]byte{2}, Entries: 17,
	}
}

func secondDraft() Draft {
	d := goodDraft()
	d.Seq, d.Prev, d.Parents = 2, cid.Of([]byte("first")), []objects.Hash{{3}}
	return d
}

func joinDraft() Draft {
	d := secondDraft()
	d.Seq, d.Join, d.Parents = 9, cid.Of([]byte("other")), []objects.Hash{{3}, {4}}
	return d
}

func TestRoundTrip(t *testing.T) {
	for _, d := range []Draft{goodDraft(), secondDraft(), joinDraft()} {
		payload, err := d.Payload()
		if err != nil {
			t.Fatal(err)
		}
		content := signed(alice, payload)
		s, err := Parse(content)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, s.Draft, cmpopts.EquateComparable(cid.ID{})); diff != "" {
			t.Error(diff)
		}
		if s.ID != cid.Of(content) || s.Key != alice.Key() || !bytes.Equal(s.Payload, payload) {
			t.Errorf("id %s, key %s", s.ID, s.Key.Fingerprint())
		}
		again, err := Attach(s.Payload, s.Armored)
		if err != nil || !bytes.Equal(again, content) {
			t.Errorf("attached again: %q, %v", again, err)
		}
	}
}

func TestPayloadRefuses(t *testing.T) {
	bad := map[string]func(*Draft){
		"no tree":            func(d *Draft) { d.Tree = objects.Hash{} },
		"no archive":         func(d *Draft) { d.Archive = cid.ID{} },
		"archive is raw":     func(d *Draft) { d.Archive = cid.Of(nil) },
		"seq 0":              func(d *Draft) { d.Seq = 0 },
		"first has a parent": func(d *Draft) { d.Parents = []objects.Hash{{1}} },
		"first has a prev":   func(d *Draft) { d.Prev = cid.Of(nil) },
		"first joins":        func(d *Draft) { d.Join = cid.Of(nil) },
		"no prev":            func(d *Draft) { *d = secondDraft(); d.Prev = cid.ID{} },
		"prev is json":       func(d *Draft) { *d = secondDraft(); d.Prev = cid.OfJSON(nil) },
		"no parent":          func(d *Draft) { *d = secondDraft(); d.Parents = nil },
		"zero parent":        func(d *Draft) { *d = secondDraft(); d.Parents = []objects.Hash{{}} },
		"two parents":        func(d *Draft) { *d = secondDraft(); d.Parents = []objects.Hash{{1}, {2}} },
		"join, one parent":   func(d *Draft) { *d = joinDraft(); d.Parents = d.Parents[:1] },
		"join of itself":     func(d *Draft) { *d = joinDraft(); d.Parents[1] = d.Parents[0] },
		"join is prev":       func(d *Draft) { *d = joinDraft(); d.Join = d.Prev },
		"no entries":         func(d *Draft) { d.Entries = 0 },
		"before 1970":        func(d *Draft) { d.Time = time.Unix(-1, 0) },
		"after 9999":         func(d *Draft) { d.Time = time.Unix(maxUnix+1, 0) },
		"half a second":      func(d *Draft) { d.Time = noon.Add(time.Second / 2) },
		"author unnamed":     func(d *Draft) { d.Author.Name = "" },
		"author bracket":     func(d *Draft) { d.Author.Name = "Ada <Vale" },
		"author line":        func(d *Draft) { d.Author.Name = "Ada\nVale" },
		"author spaces":      func(d *Draft) { d.Author.Name = " Ada" },
		"author not UTF-8":   func(d *Draft) { d.Author.Name = "Ada\xff" },
		"author long":        func(d *Draft) { d.Author.Name = strings.Repeat("a", MaxAuthor+1) },
		"no address":         func(d *Draft) { d.Author.Email = "" },
		"address space":      func(d *Draft) { d.Author.Email = "a b" },
		"address bracket":    func(d *Draft) { d.Author.Email = "a>b" },
		"no text":            func(d *Draft) { d.Text = "" },
		"long text":          func(d *Draft) { d.Text = strings.Repeat("a", MaxText+1) },
		"text not UTF-8":     func(d *Draft) { d.Text = "\xff" },
		"text with tab":      func(d *Draft) { d.Text = "a\tb" },
		"text with CR":       func(d *Draft) { d.Text = "a\r\nb" },
		"text with NUL":      func(d *Draft) { d.Text = "a\x00b" },
		"text with C1":       func(d *Draft) { d.Text = "a\u0085b" },
		"text ends in LF":    func(d *Draft) { d.Text = "a\n" },
		"text with trailer":  func(d *Draft) { d.Text = "a\nMuniment-Seq: 7" },
		"text with armor":    func(d *Draft) { d.Text = "a\n-----BEGIN SSH SIGNATURE-----" },
	}
	for name, change := range bad {
		d := goodDraft()
		change(&d)
		if payload, err := d.Payload(); err == nil || payload != nil {
			t.Errorf("%s: got %q", name, payload)
		}
	}
}

func TestAttachRefuses(t *testing.T) {
	payload := must(goodDraft().Payload())
	s := must(Parse(signed(alice, payload)))
	for name, in := range map[string][2][]byte{
		"no signature":  {payload, nil},
		"other payload": {must(secondDraft().Payload()), s.Armored},
		"no payload":    {[]byte("tree\n\n"), s.Armored},
	} {
		if content, err := Attach(in[0], in[1]); err == nil || content != nil {
			t.Errorf("%s: got %q", name, content)
		}
	}
}

// The root written down a second time, straight from the specification.
func TestRootByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfNDistinct(rapid.OneOf(
			rapid.StringMatching(`artifacts/[0-3]a/bc/[0-9a-f]{4}(\.json)?`),
			rapid.StringMatching(`policy/[a-z]{1,3}`),
		), 0, 40, rapid.ID[string]).Draw(t, "paths")
		var lines []Line
		for _, p := range paths {
			lines = append(lines, Line{sha256.Sum256([]byte(p)), p})
		}
		tree, err := NewTree(lines)
		if err != nil {
			t.Fatal(err)
		}
		if want := slowRoot(lines); tree.Root() != want {
			t.Fatalf("root %x, want %x", tree.Root(), want)
		}
		grown := &Tree{}
		for _, l := range lines {
			grown.set(Line{Path: l.Path})
			grown.set(l)
			grown.set(Line{Path: "policy/zzzz"})
			grown.remove("policy/zzzz")
		}
		if grown.Root() != tree.Root() || grown.Entries() != tree.Entries() {
			t.Fatal("a tree that grew line by line has another root")
		}
		probe := rapid.OneOf(rapid.StringMatching(`artifacts/[0-3]a/bc/[0-9a-f]{4}`), rapid.StringMatching(`policy/[a-z]{1,3}`)).Draw(t, "probe")
		for _, path := range append(paths, probe) {
			checkProof(t, tree, path)
		}
	})
}

func checkProof(t *rapid.T, tree *Tree, path string) {
	p, err := tree.Prove(path)
	if err != nil {
		t.Fatal(err)
	}
	want, there := tree.Line(path)
	present, line, err := p.Verify(tree.Root())
	if err != nil || present != there || line.Path != path || line.Digest != want.Digest {
		t.Fatalf("%s: present %t, line %v, %v", path, present, line, err)
	}
	if _, _, err := p.Verify([32]byte{1}); err == nil {
		t.Fatalf("%s: the proof holds under another root", path)
	}
	if p.Absent != "" { // the same neighbours prove nothing about another gap
		q := *p
		q.Absent = "policy/~"
		if _, _, err := q.Verify(tree.Root()); err == nil {
			t.Fatal("a path that is not clean was proved absent")
		}
	}
}

// slowRoot computes the root as the specification words it.
func slowRoot(lines []Line) [32]byte {
	mth := func(leaves []string) [32]byte {
		var tree func([]string) [32]byte
		tree = func(d []string) [32]byte {
			switch len(d) {
			case 0:
				return sha256.Sum256(nil)
			case 1:
				return sha256.Sum256([]byte("\x00" + d[0]))
			}
			k := 1
			for k*2 < len(d) {
				k *= 2
			}
			l, r := tree(d[:k]), tree(d[k:])
			return sha256.Sum256([]byte("\x01" + string(l[:]) + string(r[:])))
		}
		return tree(leaves)
	}
	byShard := map[string][]string{}
	for _, l := range lines {
		name := "--"
		if parts := strings.Split(l.Path, "/"); len(parts) >= 4 {
			name = parts[1]
		}
		byShard[name] = append(byShard[name], l.Path+"\n"+l.String())
	}
	var outer []string
	for i := range 257 {
		name := hex.EncodeToString([]byte{byte(i)})
		if i == 256 {
			name = "--"
		}
		in := byShard[name]
		for i := range in {
			for j := range i {
				if in[i] < in[j] {
					in[i], in[j] = in[j], in[i]
				}
			}
		}
		for i := range in {
			_, in[i], _ = strings.Cut(in[i], "\n")
		}
		root := mth(in)
		outer = append(outer, shardLineText(name, len(in), root))
	}
	return mth(outer)
}

func shardLineText(name string, n int, root [32]byte) string {
	return strings.Join([]string{name, itoa(n), hex.EncodeToString(root[:])}, " ") + "\n"
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestNewTreeRefuses(t *testing.T) {
	for _, lines := range [][]Line{
		{{Path: "a"}, {Path: "a"}}, {{Path: "A"}}, {{Path: "a//b"}}, {{Path: ""}}, {{Path: ".git"}}, {{Path: "a/README.txt"}},
	} {
		if tree, err := NewTree(lines); err == nil || tree != nil {
			t.Errorf("%v: accepted", lines)
		}
	}
}

func run(t *testing.T, dir string, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "HOME="+t.TempDir())
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// Stock git verifies the signature, finds nothing wrong, and gives the bytes
// whose sha256 is the snapshot ID.
func TestStockGit(t *testing.T) {
	for _, tool := range []string{"git", "ssh-keygen"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	c := newChain(t)
	c.add(letter("Dear Ben,\r\n\r\nthe harbour froze.\r\n", "letters/07.txt"), nil)
	s := c.add(letter("Dear Ada, so it did.\n", "letters/08.txt"), nil)
	trust := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(trust, []byte(`ada namespaces="git" `+alice.Key().Authorized()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, c.dir, nil, "git", "fsck", "--strict", "--full")
	for _, rev := range []string{"main", "main~1"} {
		run(t, c.dir, nil, "git", "-c", "gpg.ssh.allowedSignersFile="+trust, "verify-commit", rev)
	}
	content := run(t, c.dir, nil, "git", "cat-file", "commit", "main")
	sum := sha256.Sum256([]byte(content))
	if hex.EncodeToString(sum[:]) != s.ID.Hex() {
		t.Errorf("sha256 of the commit is %x, the snapshot is %s", sum, s.ID.Hex())
	}
	name := strings.TrimSpace(run(t, c.dir, []byte(content), "git", "hash-object", "-t", "commit", "--stdin"))
	if name != c.tip.String() {
		t.Errorf("git names the commit %s, we %s", name, c.tip)
	}
	trailers := run(t, c.dir, []byte(s.Text+"\n\n"+content[strings.Index(content, "Muniment-Archive"):]), "git", "interpret-trailers", "--parse")
	if got := strings.Count(trailers, "Muniment-"); got != 5 {
		t.Errorf("git sees %d trailers:\n%s", got, trailers)
	}
}
