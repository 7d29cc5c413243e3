package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"muniment/bundle/leaf"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/sign"
)

const (
	// StatementHead is the first line of a statement.
	StatementHead = "muniment/answer/v1"

	// MaxStatement is the most bytes of a statement: it is short enough to be
	// read by the person who signs it.
	MaxStatement = 4 << 10

	// MaxScopes is the most sealed lines, which MaxStatement has room for.
	MaxScopes = 16

	// timeForm is RFC 3339 in UTC, to the second.
	timeForm = "2006-01-02T15:04:05Z"
)

// Outcome is the outcome of a question in one word.
type Outcome string

// The three outcomes.
const (
	OutcomeAnswer  Outcome = "answer"  // claims, and nothing was cut or refused
	OutcomePartial Outcome = "partial" // claims, and something was cut or refused
	OutcomeRefusal Outcome = "refusal" // no claim
)

// A Statement is the signed part of a bundle. Its text form is described in
// docs/spec/bundle.md.
type Statement struct {
	Archive cid.ID // JSON ID of archive.json
	ID      [leaf.IDSize]byte
	Issued  time.Time // UTC, whole seconds; a claim of the signer that decides nothing
	Request [sha256.Size]byte
	Outcome Outcome
	Leaves  int // one of Steps
	Root    merkle.Hash
	Sums    [sha256.Size]byte // of SHA256SUMS
	Display int               // index of the display leaf
	Sealed  []Sealed          // sorted by scope, then subset
	Policy  [sha256.Size]byte
	Trust   [sha256.Size]byte
	After   After
}

// Sealed names one sealed file.
type Sealed struct {
	Scope  string
	Subset string // "" or, for k of n people, the numbers of k of them: "1-3"
	SHA256 [sha256.Size]byte
}

// Name returns the name of the file in the bundle.
func (s Sealed) Name() string {
	if s.Subset == "" {
		return sealedDir + s.Scope + sealedExt
	}
	return sealedDir + s.Scope + "." + s.Subset + sealedExt
}

// After is the answer log as it was before this answer.
type After struct {
	Origin string // muniment/<archive id>/answers/<hex of key>/<epoch>
	Size   int64
	Root   merkle.Hash
}

// Encode returns the statement's text.
func (s *Statement) Encode() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var b strings.Builder
	line := func(key string, values ...string) {
		b.WriteString(key + " " + strings.Join(values, " ") + "\n")
	}
	b.WriteString(StatementHead + "\n")
	line("archive", s.Archive.String())
	line("id", hex.EncodeToString(s.ID[:]))
	line("issued", s.Issued.Format(timeForm))
	line("request", hex.EncodeToString(s.Request[:]))
	line("outcome", string(s.Outcome))
	line("leaves", strconv.Itoa(s.Leaves))
	line("root", hex.EncodeToString(s.Root[:]))
	line("sums", hex.EncodeToString(s.Sums[:]))
	line("display", strconv.Itoa(s.Display))
	for _, f := range s.Sealed {
		subset := f.Subset
		if subset == "" {
			subset = "-"
		}
		line("sealed", f.Scope, subset, hex.EncodeToString(f.SHA256[:]))
	}
	line("policy", hex.EncodeToString(s.Policy[:]))
	line("trust", hex.EncodeToString(s.Trust[:]))
	line("after", s.After.Origin, strconv.FormatInt(s.After.Size, 10), hex.EncodeToString(s.After.Root[:]))
	if b.Len() > MaxStatement {
		return nil, fmt.Errorf("statement of %d bytes, at most %d are allowed", b.Len(), MaxStatement)
	}
	return []byte(b.String()), nil
}

// ParseStatement reads a statement's text. What it accepts, Encode gives back
// byte for byte.
func ParseStatement(data []byte) (*Statement, error) {
	if len(data) > MaxStatement {
		return nil, fmt.Errorf("statement of %d bytes, at most %d are allowed", len(data), MaxStatement)
	}
	p := statementParser{rest: string(data)}
	if head := p.next(); p.err == nil && head != StatementHead {
		return nil, fmt.Errorf("first line of the statement is %q, want %q", clip(head), StatementHead)
	}
	s := new(Statement)
	s.Archive = p.id("archive")
	copy(s.ID[:], p.bytes("id", p.one("id"), leaf.IDSize))
	s.Issued = p.time("issued")
	s.Request = p.hash("request")
	s.Outcome = Outcome(p.one("outcome"))
	s.Leaves = int(p.number("leaves", p.one("leaves"), leaf.MaxCount))
	s.Root = p.hash("root")
	s.Sums = p.hash("sums")
	s.Display = int(p.number("display", p.one("display"), leaf.MaxCount-1))
	for p.err == nil && strings.HasPrefix(p.rest, "sealed ") {
		if len(s.Sealed) == MaxScopes {
			return nil, fmt.Errorf("statement has more than %d sealed lines", MaxScopes)
		}
		f := p.fields("sealed", 3)
		s.Sealed = append(s.Sealed, Sealed{f[0], strings.TrimPrefix(f[1], "-"), p.sum("sealed", f[2])})
	}
	s.Policy = p.hash("policy")
	s.Trust = p.hash("trust")
	f := p.fields("after", 3)
	s.After = After{f[0], p.number("after", f[1], 1<<53-1), p.sum("after", f[2])}
	if p.err == nil && p.rest != "" {
		p.err = fmt.Errorf("statement goes on after its last line with %q", clip(p.rest))
	}
	if p.err != nil {
		return nil, p.err
	}
	again, err := s.Encode()
	if err != nil {
		return nil, err
	}
	if string(again) != string(data) {
		return nil, errors.New("statement is not in its only form: it encodes to other bytes")
	}
	return s, nil
}

// check returns an error if a value is not one that a statement may have.
func (s *Statement) check() error {
	switch {
	case s.Archive.Codec() != cid.JSON:
		return fmt.Errorf("archive %q of the statement is not a json id", s.Archive)
	case s.Issued.UTC().Format(timeForm) != s.Issued.Format(timeForm) || s.Issued.Year() < 1970 || s.Issued.Year() > 9999:
		return fmt.Errorf("issued %v of the statement is not in UTC or not in the years 1970 to 9999", s.Issued)
	case s.Outcome != OutcomeAnswer && s.Outcome != OutcomePartial && s.Outcome != OutcomeRefusal:
		return fmt.Errorf("outcome %q of the statement, want answer, partial or refusal", s.Outcome)
	case !slices.Contains(leaf.Steps[:], s.Leaves):
		return fmt.Errorf("statement has %d leaves, want one of %v", s.Leaves, leaf.Steps)
	case s.Display < 0 || s.Display >= s.Leaves:
		return fmt.Errorf("display leaf %d of the statement, want 0 to %d", s.Display, s.Leaves-1)
	case len(s.Sealed) < 1 || len(s.Sealed) > MaxScopes:
		return fmt.Errorf("statement has %d sealed lines, want 1 to %d", len(s.Sealed), MaxScopes)
	}
	for i, f := range s.Sealed {
		if !isScope(f.Scope) {
			return fmt.Errorf("scope %q, want 1 to 31 of a-z, 0-9 and -, beginning with a letter", clip(f.Scope))
		}
		if f.Subset != "" && !isSubset(f.Subset) {
			return fmt.Errorf("subset %q of scope %s, want ascending numbers from 1 to 5 joined by -", clip(f.Subset), f.Scope)
		}
		if i == 0 {
			continue
		}
		before := s.Sealed[i-1]
		if before.Scope > f.Scope || before.Scope == f.Scope && before.Subset >= f.Subset {
			return fmt.Errorf("sealed line of %s is not after that of %s", f.Name(), before.Name())
		}
		if before.Scope == f.Scope && before.Subset == "" {
			return fmt.Errorf("scope %s is sealed both as a whole and to a subset", f.Scope)
		}
	}
	if _, _, err := s.After.key(s.Archive); err != nil {
		return err
	}
	if s.After.Size < 0 || s.After.Size == 0 && s.After.Root != merkle.Root(nil) {
		return fmt.Errorf("log of size %d has root %x", s.After.Size, s.After.Root)
	}
	return nil
}

// key returns the hex ID of the key in the log's origin, which must be that of
// an answer log of archive, and the log's epoch.
func (a After) key(archive cid.ID) (id string, epoch int64, err error) {
	parts := strings.Split(a.Origin, "/")
	if len(parts) == 5 && leaf.IsHex(parts[3], sha256.Size) {
		epoch, err := strconv.ParseInt(parts[4], 10, 64)
		if err == nil && epoch >= 1 && epoch <= jcs.MaxInt && a.Origin == sign.AnswerOrigin(archive, parts[3], epoch) {
			return parts[3], epoch, nil
		}
	}
	return "", 0, fmt.Errorf("log origin %q, want muniment/%s/answers/<hex of key>/<epoch>", clip(a.Origin), archive)
}

// isScope reports whether s can name a scope in a statement and a file.
func isScope(s string) bool {
	if len(s) < 1 || len(s) > 31 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// isSubset reports whether s is 2 to 5 ascending digits 1 to 5 joined by "-".
func isSubset(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) < 2 {
		return false
	}
	for i, p := range parts {
		if len(p) != 1 || p[0] < '1' || p[0] > '5' || i > 0 && parts[i-1] >= p {
			return false
		}
	}
	return true
}

// A statementParser reads line after line; the first error stays.
type statementParser struct {
	rest string
	err  error
}

// next reads one line.
func (p *statementParser) next() string {
	if p.err != nil {
		return ""
	}
	line, rest, ok := strings.Cut(p.rest, "\n")
	if !ok {
		p.err = fmt.Errorf("statement ends in %q, without LF", clip(line))
		return ""
	}
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			p.err = fmt.Errorf("statement has the byte 0x%02x, want printable ASCII", line[i])
			return ""
		}
	}
	p.rest = rest
	return line
}

// fields reads the line of key and returns its n values, always n strings.
func (p *statementParser) fields(key string, n int) []string {
	line := p.next()
	values := strings.Split(strings.TrimPrefix(line, key+" "), " ")
	if p.err == nil && (!strings.HasPrefix(line, key+" ") || len(values) != n) {
		p.err = fmt.Errorf("line %q of the statement, want %s and %d values", clip(line), key, n)
	}
	if p.err != nil {
		return make([]string, n)
	}
	return values
}

// one reads the line of key with one value.
func (p *statementParser) one(key string) string { return p.fields(key, 1)[0] }

// bytes parses a value of n bytes in hexadecimal digits.
func (p *statementParser) bytes(key, value string, n int) []byte {
	if p.err == nil && !leaf.IsHex(value, n) {
		p.err = fmt.Errorf("%s %q in the statement, want %d hex digits", key, clip(value), 2*n)
	}
	if p.err != nil {
		return make([]byte, n)
	}
	b, err := hex.DecodeString(value)
	if err != nil {
		p.err = err
		return make([]byte, n)
	}
	return b
}

func (p *statementParser) sum(key, value string) [sha256.Size]byte {
	return [sha256.Size]byte(p.bytes(key, value, sha256.Size))
}

func (p *statementParser) hash(key string) [sha256.Size]byte { return p.sum(key, p.one(key)) }

// id parses the line of key with a JSON ID.
func (p *statementParser) id(key string) cid.ID {
	value := p.one(key)
	if p.err != nil {
		return cid.ID{}
	}
	id, err := cid.ParseAs(cid.JSON, value)
	if err != nil {
		p.err = fmt.Errorf("%s in the statement: %w", key, err)
	}
	return id
}

// time parses the line of key with a time.
func (p *statementParser) time(key string) time.Time {
	value := p.one(key)
	if p.err != nil {
		return time.Time{}
	}
	t, err := time.Parse(timeForm, value)
	if err != nil {
		p.err = fmt.Errorf("%s %q in the statement, want the form %s", key, clip(value), timeForm)
	}
	return t
}

// number parses a value from 0 to most.
func (p *statementParser) number(key, value string, most int64) int64 {
	if p.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 || n > most || strconv.FormatInt(n, 10) != value {
		p.err = fmt.Errorf("%s %q in the statement, want a number from 0 to %d", key, clip(value), most)
		return 0
	}
	return n
}

// clip returns a text short enough for an error line.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
