package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"filippo.io/age"

	"muniment/bundle/leaf"
	"muniment/sign"
	"muniment/snapshot/access"
)

const (
	// sealUnit is the smallest plaintext of a sealed file; every other is this
	// times a power of two, so that its length says little.
	sealUnit = 64 << 10

	// maxSealedPlain is the largest plaintext that fits into MaxZip.
	maxSealedPlain = 32 << 20
)

// encodePlain returns the plaintext of a sealed file: a line "<index> SP <leaf
// bytes> LF" for each leaf in index order, then zero bytes up to the smallest
// size that holds the lines and is at least least.
func encodePlain(leaves map[int][]byte, least int) ([]byte, error) {
	var b bytes.Buffer
	for _, i := range slices.Sorted(maps.Keys(leaves)) {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte(' ')
		b.Write(leaves[i])
		b.WriteByte('\n')
	}
	size := sealUnit
	for size <= maxSealedPlain && (size < b.Len() || size < least) {
		size *= 2
	}
	if size > maxSealedPlain {
		return nil, fmt.Errorf("sealed leaves take %d bytes and room for %d is asked; at most %d are allowed", b.Len(), max(b.Len(), least), maxSealedPlain)
	}
	return append(b.Bytes(), make([]byte, size-b.Len())...), nil
}

// parsePlain reads the output of encodePlain. A leaf is canonical JSON, which has no LF and no zero
// byte, so that the first zero byte where a line would begin is the padding, and only zero bytes
// may follow it.
func parsePlain(plain []byte) (map[int][]byte, error) {
	units := len(plain) / sealUnit
	if len(plain)%sealUnit != 0 || units&(units-1) != 0 || units == 0 || len(plain) > maxSealedPlain {
		return nil, fmt.Errorf("plaintext of %d bytes, want %d times a power of two, at most %d", len(plain), sealUnit, maxSealedPlain)
	}
	leaves := make(map[int][]byte)
	last := -1
	rest := plain
	for len(rest) > 0 && rest[0] != 0 {
		line, after, ok := bytes.Cut(rest, []byte("\n"))
		number, data, ok2 := bytes.Cut(line, []byte(" "))
		i, err := strconv.Atoi(string(number[:min(len(number), 8)]))
		switch {
		case !ok || !ok2 || err != nil || strconv.Itoa(i) != string(number) || i >= leaf.MaxCount:
			return nil, fmt.Errorf("line %d begins with %q, want an index, a space, a leaf and LF", len(leaves)+1, clip(string(line[:min(len(line), 24)])))
		case i <= last:
			return nil, fmt.Errorf("leaf %d after leaf %d, want ascending indexes", i, last)
		}
		leaves[i], last, rest = data, i, after
	}
	if n := len(bytes.TrimLeft(rest, "\x00")); n > 0 {
		return nil, fmt.Errorf("the padding after leaf %d has other bytes than zero", last)
	}
	return leaves, nil
}

// CheckIdentities returns an error if the bytes are not an age identity file.
func CheckIdentities(identities []byte) error {
	_, err := age.ParseIdentities(bytes.NewReader(identities))
	return err
}

// openSealed decrypts a sealed file and reads its leaves. A file for a subset
// of k people is k age files inside each other.
func openSealed(s Sealed, data, identities []byte) (map[int][]byte, error) {
	layers := 1
	if s.Subset != "" {
		layers = strings.Count(s.Subset, "-") + 1
	}
	for range layers {
		plain, err := sign.Open(identities, data)
		if err != nil {
			return nil, err
		}
		data = plain
	}
	return parsePlain(data)
}

// A sealer encrypts leaves, each to the scope of its kind.
type sealer struct {
	scopes  []access.Scope // sorted by name
	byKind  map[leaf.Kind]string
	others  string // the scope that takes every kind not in byKind
	encrypt sealFunc
}

// newSealer checks that the scopes are those of a policy: with names of their
// own, recipients, and exactly one scope for every kind.
func newSealer(scopes []access.Scope, encrypt sealFunc) (*sealer, error) {
	if len(scopes) == 0 {
		return nil, errors.New("the policy has no auditor scope: what is not shown could be sealed to nobody")
	}
	if len(scopes) > MaxScopes {
		return nil, fmt.Errorf("the policy has %d auditor scopes, at most %d are allowed", len(scopes), MaxScopes)
	}
	if _, err := (access.Auditors{Scopes: scopes}).Encode(); err != nil {
		return nil, fmt.Errorf("auditor scopes: %w", err)
	}
	files := 0
	for _, c := range scopes {
		files += len(subsets(c))
	}
	if files > MaxScopes {
		return nil, fmt.Errorf("the auditor scopes need %d sealed files, at most %d are allowed", files, MaxScopes)
	}
	s := &sealer{scopes: slices.Clone(scopes), byKind: make(map[leaf.Kind]string), encrypt: encrypt}
	slices.SortFunc(s.scopes, func(a, b access.Scope) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range s.scopes {
		if len(c.Holds) == 0 {
			s.others = c.Name
		}
		for _, k := range c.Holds {
			s.byKind[leaf.Kind(k)] = c.Name
		}
	}
	return s, nil
}

// subsets returns the names of the groups that open a scope, in the order of
// the statement: "" for everybody alone, else every group of as many numbers as
// the threshold says, from 1 in the order of the recipients.
func subsets(s access.Scope) []string {
	if s.Threshold == 0 {
		return []string{""}
	}
	var out []string
	var grow func(prefix string, from, more int)
	grow = func(prefix string, from, more int) {
		if more == 0 {
			out = append(out, prefix[1:])
			return
		}
		for n := from; n <= len(s.Recipients); n++ {
			grow(prefix+"-"+strconv.Itoa(n), n+1, more-1)
		}
	}
	grow("", 1, s.Threshold)
	return out
}

// nest encrypts to everybody at once, or for a group to each of its members in
// turn, the last one innermost.
func (s *sealer) nest(recipients []string, subset string, plain []byte) ([]byte, error) {
	if subset == "" {
		return s.encrypt(recipients, plain)
	}
	numbers := strings.Split(subset, "-")
	slices.Reverse(numbers)
	for _, number := range numbers {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		if plain, err = s.encrypt(recipients[n-1:n], plain); err != nil {
			return nil, err
		}
	}
	return plain, nil
}

// scope returns the name of the scope that holds leaves of kind k.
func (s *sealer) scope(k leaf.Kind) string {
	if name, ok := s.byKind[k]; ok {
		return name
	}
	return s.others
}
