// Package spare writes a second signing key so that it outlives the machine on
// which it was made: on paper, in an envelope under a passphrase, or in
// envelopes that several people open together. It reads them back when the
// first key is lost.
//
//	page := spare.Paper(private, []string{"Second key of the archive letters"})
//	private, err := spare.Read(page, nil)
//
//	sealed, err := spare.Envelope(private, passphrase)
//	parts, err := spare.Parts(private, recipients, 2) // any two of the recipients
//	private, err := spare.Read(parts[0].Data, &spare.Secrets{Identities: files})
//
// The private key is the content of an OpenSSH key file; nothing here looks into
// it. Envelopes are age files (age-encryption.org/v1) in ASCII armor, which the
// age program opens too. A group of k people is k age files inside each other,
// the same as for auditors: no secret sharing of our own.
//
// A paper has a checksum (CRC-32C) at the end of each line of the key, so that a
// letter that was misread names its line. It is no protection: whoever has the
// paper has the key.
package spare

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"

	"muniment/sign"
)

const (
	// MaxPeople is the most people among whom a key is divided: each group is
	// one file, and of five there are at most ten groups.
	MaxPeople = 5

	// MaxFile is the most bytes that Read takes: a key is 400, and each layer of
	// an envelope adds at most a header of 2.5 kB and the armor.
	MaxFile = 64 << 10

	// maxWork bounds the cost of a passphrase (scrypt, a power of two) that a
	// hostile envelope can ask for: 2^20 takes about a second, and 1 GiB.
	maxWork = 20

	keyBegin = "-----BEGIN OPENSSH PRIVATE KEY-----"
	keyEnd   = "-----END OPENSSH PRIVATE KEY-----"
)

// Reasons for Read to give no key.
var (
	ErrNoKey            = errors.New("it holds no private key in OpenSSH form")
	ErrMisread          = errors.New("misread")
	ErrPassphraseNeeded = errors.New("it is an envelope under a passphrase")
	ErrWrongPassphrase  = errors.New("the passphrase does not open it")
	ErrIdentityMissing  = errors.New("none of the identities opens it, or not all of its people are there")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Paper returns a page of text to print: the lines of heading, an empty line, and the
// key with the checksum of each of its lines.
func Paper(private []byte, heading []string) []byte {
	var out bytes.Buffer
	for _, line := range heading {
		fmt.Fprintln(&out, line)
	}
	fmt.Fprintln(&out)
	for line := range strings.Lines(string(private)) {
		line = strings.TrimSpace(line)
		fmt.Fprintf(&out, "%-72s %08x\n", line, lineSum(line))
	}
	return out.Bytes()
}

func lineSum(line string) uint32 { return crc32.Checksum([]byte(line), castagnoli) }

// readPaper finds the key in a page. What stands before and after it is passed over,
// and so is white space within a line. A line may be without its checksum.
func readPaper(page []byte) ([]byte, error) {
	var out strings.Builder
	inside, number := false, 0
	lines := bufio.NewScanner(bytes.NewReader(page))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, keyBegin) {
			inside = true
		}
		if !inside || line == "" {
			continue
		}
		number++
		line, err := checkLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of the key: %w", number, err)
		}
		out.WriteString(line + "\n")
		if line == keyEnd {
			return []byte(out.String()), nil
		}
	}
	if inside {
		return nil, fmt.Errorf("%w: %q is missing", ErrNoKey, keyEnd)
	}
	return nil, ErrNoKey
}

// checkLine returns a line of the key without its checksum, which must be that of the line.
func checkLine(line string) (string, error) {
	for _, frame := range []string{keyBegin, keyEnd} {
		if strings.HasPrefix(line, frame) {
			return frame, nil
		}
	}
	fields := strings.Fields(line)
	last := fields[len(fields)-1]
	var sum uint32
	if n, err := fmt.Sscanf(last, "%08x", &sum); len(fields) == 1 || len(last) != 8 || n != 1 || err != nil {
		return strings.Join(fields, ""), nil
	}
	line = strings.Join(fields[:len(fields)-1], "")
	if lineSum(line) != sum {
		return "", fmt.Errorf("%w: it does not have the checksum %s", ErrMisread, last)
	}
	return line, nil
}

// Envelope encrypts the key under a passphrase (scrypt) and returns an age file in armor.
func Envelope(private, passphrase []byte) ([]byte, error) {
	to, err := age.NewScryptRecipient(string(passphrase))
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err == nil {
		_, err = w.Write(private)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	return wrap(sealed.Bytes())
}

// A Part is the envelope of one group of people.
type Part struct {
	People []int // numbers of the group, from 1, in the order of the recipients
	Data   []byte
}

// Parts returns an envelope for each group of k of the recipients (at most MaxPeople,
// age recipients of one kind): whoever has the identities of a whole group opens its envelope.
func Parts(private []byte, recipients []string, k int) ([]Part, error) {
	if len(recipients) > MaxPeople || k < 1 || k > len(recipients) {
		return nil, fmt.Errorf("envelopes: %d of %d people, want 1 to %d of at most %d", k, len(recipients), len(recipients), MaxPeople)
	}
	var out []Part
	for _, people := range groups(len(recipients), k) {
		data := private
		for i := len(people) - 1; i >= 0; i-- {
			var err error
			if data, err = sign.Seal(recipients[people[i]-1:people[i]], data); err != nil {
				return nil, err
			}
		}
		data, err := wrap(data)
		if err != nil {
			return nil, err
		}
		out = append(out, Part{people, data})
	}
	return out, nil
}

// groups returns every choice of k of the numbers 1 to n, in order.
func groups(n, k int) [][]int {
	if k == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for last := k; last <= n; last++ {
		for _, g := range groups(last-1, k-1) {
			out = append(out, append(g, last))
		}
	}
	return out
}

// wrap returns a binary age file in ASCII armor.
func wrap(sealed []byte) ([]byte, error) {
	var out bytes.Buffer
	w := armor.NewWriter(&out)
	if _, err := w.Write(sealed); err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	return out.Bytes(), nil
}

// Secrets open an envelope.
type Secrets struct {
	Passphrase []byte
	Identities []byte // lines of age identity files, of everybody who is there
}

// Read returns the private key of a paper or of an envelope. secrets may be nil for a
// paper. Errors are ErrNoKey, ErrMisread (with the line), ErrPassphraseNeeded, ErrWrongPassphrase,
// ErrIdentityMissing, or that of a damaged envelope.
func Read(data []byte, secrets *Secrets) ([]byte, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrNoKey, MaxFile)
	}
	if secrets == nil {
		secrets = &Secrets{}
	}
	data, err := withoutArmor(data)
	for layer := 0; err == nil && bytes.HasPrefix(data, []byte("age-encryption.org/v1\n")); layer++ {
		if layer == MaxPeople {
			return nil, fmt.Errorf("%w: more than %d envelopes inside each other", ErrNoKey, MaxPeople)
		}
		data, err = secrets.open(data)
	}
	if err != nil {
		return nil, err
	}
	return readPaper(data)
}

func withoutArmor(data []byte) ([]byte, error) {
	at := bytes.Index(data, []byte(armor.Header))
	if at < 0 {
		return data, nil
	}
	plain, err := io.ReadAll(armor.NewReader(bytes.NewReader(data[at:])))
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	return plain, nil
}

// open takes off one layer.
func (s *Secrets) open(data []byte) ([]byte, error) {
	header, _, _ := bytes.Cut(data, []byte("\n---"))
	if !bytes.Contains(header, []byte("\n-> scrypt ")) {
		if len(s.Identities) == 0 {
			return nil, ErrIdentityMissing
		}
		plain, err := sign.Open(s.Identities, data)
		if errors.Is(err, sign.ErrNoIdentity) {
			err = ErrIdentityMissing
		}
		return plain, err
	}
	if len(s.Passphrase) == 0 {
		return nil, ErrPassphraseNeeded
	}
	id, err := age.NewScryptIdentity(string(s.Passphrase))
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	id.SetMaxWorkFactor(maxWork)
	r, err := age.Decrypt(bytes.NewReader(data), id)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, ErrWrongPassphrase
	case err != nil:
		return nil, fmt.Errorf("envelope: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(r, MaxFile))
	if err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	return plain, nil
}
