package spare_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"muniment/sign"
	"muniment/sign/spare"
	"muniment/sign/sshkey"
)

func newKey(t testing.TB) []byte {
	t.Helper()
	_, private, err := sshkey.New(rand.Reader, "second")
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// TestPaper changes every letter of the key on a paper: each is refused with its line.
func TestPaper(t *testing.T) {
	private := newKey(t)
	page := spare.Paper(private, []string{"Second key of the archive letters", "Keep it where the machine is not."})
	got, err := spare.Read(page, nil)
	if err != nil || !bytes.Equal(got, private) {
		t.Fatalf("read back: %v\n%s", err, got)
	}
	typed := strings.ReplaceAll(string(page), "\n", "  \r\n\r\n")
	if got, err = spare.Read([]byte(typed), nil); err != nil || !bytes.Equal(got, private) {
		t.Fatalf("typed with other white space: %v", err)
	}
	lines := strings.Split(string(page), "\n")
	tried := 0
	for i, line := range lines[4 : len(lines)-2] {
		for at := 0; at < len(strings.Fields(line)[0]); at += 7 {
			changed := []byte(line)
			if changed[at] = 'x'; line[at] == 'x' {
				changed[at] = 'y'
			}
			all := append([]string{}, lines...)
			all[4+i] = string(changed)
			if _, err := spare.Read([]byte(strings.Join(all, "\n")), nil); !errors.Is(err, spare.ErrMisread) {
				t.Errorf("line %d, letter %d changed: %v", i, at, err)
			}
			tried++
		}
	}
	if tried < 40 {
		t.Errorf("changed %d letters, want 40 at least", tried)
	}
	for _, bad := range []string{"", "no key here", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n"} {
		if _, err := spare.Read([]byte(bad), nil); !errors.Is(err, spare.ErrNoKey) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestEnvelope(t *testing.T) {
	private := newKey(t)
	sealed, err := spare.Envelope(private, []byte("a long phrase"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spare.Read(sealed, nil); !errors.Is(err, spare.ErrPassphraseNeeded) {
		t.Errorf("without a passphrase: %v", err)
	}
	if _, err := spare.Read(sealed, &spare.Secrets{Passphrase: []byte("another")}); !errors.Is(err, spare.ErrWrongPassphrase) {
		t.Errorf("wrong passphrase: %v", err)
	}
	got, err := spare.Read(sealed, &spare.Secrets{Passphrase: []byte("a long phrase")})
	if err != nil || !bytes.Equal(got, private) {
		t.Errorf("right passphrase: %v", err)
	}
}

// TestParts has every choice of people open every envelope of two of four: an envelope
// opens for those who have both of its people, and for nobody else.
func TestParts(t *testing.T) {
	private := newKey(t)
	var recipients []string
	var identities [][]byte
	for range 4 {
		id, to, err := sign.NewIdentity()
		if err != nil {
			t.Fatal(err)
		}
		identities, recipients = append(identities, id), append(recipients, to)
	}
	parts, err := spare.Parts(private, recipients, 2)
	if err != nil || len(parts) != 6 {
		t.Fatalf("%d envelopes, %v; want 6", len(parts), err)
	}
	for _, p := range parts {
		for there := range 16 {
			var secrets spare.Secrets
			for i, id := range identities {
				if there&(1<<i) != 0 {
					secrets.Identities = append(secrets.Identities, id...)
				}
			}
			both := there&(1<<(p.People[0]-1)) != 0 && there&(1<<(p.People[1]-1)) != 0
			got, err := spare.Read(p.Data, &secrets)
			if both != bytes.Equal(got, private) || !both && !errors.Is(err, spare.ErrIdentityMissing) {
				t.Errorf("envelope of %v, there %04b: %v", p.People, there, err)
			}
		}
	}
	if _, err := spare.Parts(private, recipients, 5); err == nil {
		t.Error("five of four people: no error")
	}
}

func FuzzRead(f *testing.F) {
	private := newKey(f)
	f.Add(spare.Paper(private, nil))
	if sealed, err := spare.Envelope(private, []byte("x")); err == nil {
		f.Add(sealed[:len(sealed)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := spare.Read(data, nil)
		if err != nil {
			return
		}
		again, err := spare.Read(spare.Paper(key, nil), nil)
		if err != nil || !bytes.Equal(again, key) {
			t.Errorf("what was read is not read again: %v", err)
		}
	})
}
