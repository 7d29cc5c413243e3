package custody_test

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/objects"
)

// A liar is a git server that shows the refs it is told to and sends the pack
// it is told to, whatever it is asked for.
type liar struct {
	refs map[string]objects.Hash
	pack []byte
	mute bool
}

// start listens on loopback and returns the liar's address.
func (l *liar) start(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go l.talk(c)
		}
	}()
	return fmt.Sprintf("git://%s/any.git", listener.Addr())
}

func (l *liar) talk(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	if _, err := readLine(in); err != nil { // git-upload-pack /any.git
		return
	}
	if l.mute {
		io.Copy(io.Discard, in)
		return
	}
	caps := "\x00ofs-delta agent=liar"
	for _, name := range slices.Sorted(archive.KeysOf(l.refs)) {
		line := fmt.Sprintf("%s %s%s\n", l.refs[name], name, caps)
		fmt.Fprintf(c, "%04x%s", len(line)+4, line)
		caps = ""
	}
	io.WriteString(c, "0000")
	for {
		line, err := readLine(in)
		if err != nil {
			return
		}
		if strings.HasPrefix(line, "done") {
			break
		}
	}
	io.WriteString(c, "0008NAK\n")
	c.Write(l.pack)
}

// readLine reads a pkt-line; a flush is "".
func readLine(r io.Reader) (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	if err != nil || n < 4 {
		return "", err
	}
	body := make([]byte, n-4)
	_, err = io.ReadFull(r, body)
	return string(body), err
}

// packOf returns the pack of what tips lead to and have does not.
func packOf(t *testing.T, st *objects.Store, tips, have []objects.Hash) []byte {
	t.Helper()
	sel, err := st.Select(tips, have)
	if err != nil {
		t.Fatal(err)
	}
	defer sel.Close()
	var b bytes.Buffer
	if err := sel.WritePack(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLiars has remotes send what they should not. Whatever it is, the fetch
// is refused and nothing of the archive has changed.
func TestLiars(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	before := archivetest.Refs(t, a)[archive.RefMain]
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := custody.Clone(t.Context(), a.Dir(), dir, custody.CloneOptions{}, a.World()); err != nil {
		t.Fatal(err)
	}
	mirror, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer mirror.Close()
	archivetest.AddLetter(t, a, s, "The third letter, which the copy has not seen.\n")
	tip := archivetest.Refs(t, a)[archive.RefMain]
	good := packOf(t, a.Store(), []objects.Hash{tip}, []objects.Hash{before})
	all := packOf(t, a.Store(), []objects.Hash{tip}, nil)

	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	forged := refitted(flipped)
	huge := bytes.Clone(good)
	copy(huge[8:], "\xff\xff\xff\xff")

	// A snapshot that is signed well by somebody whom nobody allowed.
	b, foreign := archivetest.NewLetters(t, 1)
	strangers := filepath.Join(t.TempDir(), "stranger")
	if _, err := custody.Clone(t.Context(), a.Dir(), strangers, custody.CloneOptions{}, a.World()); err != nil {
		t.Fatal(err)
	}
	stranger, err := archive.Open(strangers, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	archivetest.AddLetter(t, stranger, foreign, "A letter that a stranger signed.\n")
	usurped := archivetest.Refs(t, stranger)[archive.RefMain]

	// An ordinary commit in the place of a snapshot.
	plain := withCommit(t, stranger, fmt.Sprintf("tree %s\nparent %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n", treeOf(t, stranger, usurped), before))
	// The signed commit, with another tree under it: its content cannot be
	// changed, so an object it needs is left out.
	bald := onlyCommit(t, a.Store(), tip)

	main := func(h objects.Hash) map[string]objects.Hash { return map[string]objects.Hash{archive.RefMain: h} }
	cases := []struct {
		name string
		liar liar
		want string
	}{
		{"nothing sent", liar{refs: main(tip)}, ""},
		{"cut short", liar{refs: main(tip), pack: good[:len(good)-30]}, "checksum"},
		{"only a head", liar{refs: main(tip), pack: good[:12]}, ""},
		{"a byte flipped", liar{refs: main(tip), pack: flipped}, "checksum"},
		{"a byte flipped, sum corrected", liar{refs: main(tip), pack: forged}, ""},
		{"more announced than sent", liar{refs: main(tip), pack: refitted(huge)}, "announces 4294967295 objects"},
		{"bytes after the end", liar{refs: main(tip), pack: append(bytes.Clone(good), 'x')}, "checksum"},
		{"objects that nothing names", liar{refs: main(tip), pack: packOf(t, merged(t, a, b), []objects.Hash{tip, archivetest.Refs(t, b)[archive.RefMain]}, []objects.Hash{before})}, "no ref leads to"},
		{"a ref to what it has not", liar{refs: main(objects.Hash{1, 2, 3}), pack: good}, ""},
		{"another object than promised", liar{refs: main(objects.Hash{1, 2, 3}), pack: all}, ""},
		{"a commit without its tree", liar{refs: main(tip), pack: bald}, ""},
		{"an ordinary commit", liar{refs: main(plain), pack: packOf(t, stranger.Store(), []objects.Hash{plain}, []objects.Hash{before})}, ""},
		{"a stranger's signature", liar{refs: main(usurped), pack: packOf(t, stranger.Store(), []objects.Hash{usurped}, []objects.Hash{before})}, "does not allow"},
		{"another archive", liar{refs: main(archivetest.Refs(t, b)[archive.RefMain]), pack: packOf(t, b.Store(), []objects.Hash{archivetest.Refs(t, b)[archive.RefMain]}, nil)}, "another archive"},
	}
	kept := archivetest.HashFiles(t, mirror)
	for _, c := range cases {
		address := c.liar.start(t)
		r, err := custody.Fetch(t.Context(), mirror, address, custody.FetchOptions{Transfer: custody.Transfer{Stall: 5 * time.Second}})
		var failure *problem.Error
		if !errors.As(err, &failure) || failure.Next.IsZero() {
			t.Errorf("%s: %+v, %v", c.name, r, err)
			continue
		}
		if !strings.Contains(failure.Message, c.want) {
			t.Errorf("%s: %q, want %q", c.name, failure.Message, c.want)
		}
		if archivetest.HashFiles(t, mirror) != kept {
			t.Fatalf("%s: the archive has changed", c.name)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, archive.LocalDir, custody.QuarantineDir, "*")); len(left) > 0 {
			t.Errorf("%s: %v was left", c.name, left)
		}
		into := filepath.Join(t.TempDir(), "clone")
		if _, err := custody.Clone(t.Context(), address, into, custody.CloneOptions{Expect: a.ID().String()}, a.World()); err == nil {
			t.Errorf("%s: it was cloned", c.name)
		}
		if _, err := os.Stat(into); err == nil {
			t.Errorf("%s: a refused clone left its folder", c.name)
		}
	}
	// And one that tells the truth, so that the above was refused for what it was.
	honest := liar{refs: main(tip), pack: good}
	if r, err := custody.Fetch(t.Context(), mirror, honest.start(t), custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Errorf("an honest remote: %+v, %v", r, err)
	}
}

// TestMuteRemote gives up on a remote that takes the connection and is silent.
func TestMuteRemote(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 1)
	l := liar{mute: true}
	_, err := custody.Fetch(t.Context(), a, l.start(t), custody.FetchOptions{Transfer: custody.Transfer{Stall: 300 * time.Millisecond}})
	if err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("a mute remote: %v", err)
	}
}

// TestReplaceRefs pushes to a remote in which git shows other content under an
// object's name: clones get what was signed.
func TestReplaceRefs(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 2)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.Push(t.Context(), a, repo, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	archivetest.Git(t, repo, "replace", archivetest.Git(t, repo, "rev-parse", "main"), archivetest.Git(t, repo, "rev-parse", "main~1"))
	r, err := custody.Clone(t.Context(), repo, filepath.Join(t.TempDir(), "copy"), custody.CloneOptions{}, a.World())
	if err != nil || r.Snapshots != 2 {
		t.Errorf("clone: %+v, %v", r, err)
	}
}

// refitted gives a pack the checksum of its bytes.
func refitted(pack []byte) []byte {
	sum := sha1.Sum(pack[:len(pack)-20])
	return append(bytes.Clone(pack[:len(pack)-20]), sum[:]...)
}

// withCommit puts a commit into a store and returns its name.
func withCommit(t *testing.T, a *archive.Archive, content string) objects.Hash {
	t.Helper()
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	h, err := b.Put(objects.Commit, []byte(content))
	if err == nil {
		err = b.Publish(lock)
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func treeOf(t *testing.T, a *archive.Archive, commit objects.Hash) objects.Hash {
	t.Helper()
	tree, err := a.Store().TreeOf(commit)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// onlyCommit returns a pack with one commit in it, and its tree replaced by
// nothing.
func onlyCommit(t *testing.T, st *objects.Store, commit objects.Hash) []byte {
	t.Helper()
	dir := t.TempDir()
	one, err := objects.InitWith(filepath.Join(dir, "one.git"), objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	_, content, err := st.Get(commit)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := one.Lock(objects.Owner{PID: os.Getpid(), Host: "test", Start: time.Now()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	b, err := one.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Put(objects.Commit, content); err != nil {
		t.Fatal(err)
	}
	if err := b.Publish(lock); err != nil {
		t.Fatal(err)
	}
	packs, err := filepath.Glob(filepath.Join(dir, "one.git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("%v, %v", packs, err)
	}
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// merged is a store with the objects of two archives.
func merged(t *testing.T, a, b *archive.Archive) *objects.Store {
	t.Helper()
	st, err := objects.InitWith(filepath.Join(t.TempDir(), "merged.git"), objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if err := errors.Join(st.Borrow(a.Store()), st.Borrow(b.Store())); err != nil {
		t.Fatal(err)
	}
	return st
}
