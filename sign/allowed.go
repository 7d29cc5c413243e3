package sign

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/cid"
)

// Limits of an allowed_signers file. It is read by people, and its patterns
// are matched against every signature.
const (
	MaxAllowedSigners = 1 << 20 // bytes of the file
	MaxPattern        = 255     // bytes of one pattern
)

// An AllowedSigner is one line of an allowed_signers file.
type AllowedSigner struct {
	Principals    []string // patterns, see HasPrincipal
	Key           Key
	Namespaces    []string // patterns; nil when the line allows every namespace
	ValidAfter    string   // as written, "" when there is no bound; see ValidAt
	ValidBefore   string
	CertAuthority bool   // the key certifies keys and does not sign itself
	Archive       cid.ID // the only archive that the line is for; zero for every archive, see ArchiveWord
	Comment       string // what follows the key, with the word that names the archive
	Line          int    // line number in the file, from 1
}

// ArchiveWord begins the word of a line's comment that names the one archive the
// line is for: muniment-archive= and the archive's ID. It stands in the comment
// because ssh-keygen refuses options that it does not know and reads no comment.
const ArchiveWord = "muniment-archive="

// AllowedSigners is a parsed allowed_signers file.
type AllowedSigners struct {
	entries []AllowedSigner
}

// Entries returns the file's lines in order, without comments and blanks.
func (a *AllowedSigners) Entries() []AllowedSigner { return slices.Clone(a.entries) }

// Allows returns the first line whose key is k, byte for byte, and which
// allows namespace in an archive: a line that names an archive is for that one
// only, and matches no other and not the zero ID. Lines with cert-authority never
// match, since there are no certificates here.
//
// It reads no clock: a line with bounds matches at any time. Where a time is
// known that the signer could not choose, ask [AllowedSigner.ValidAt] too.
func (a *AllowedSigners) Allows(k Key, namespace string, archive cid.ID) (AllowedSigner, bool) {
	for _, e := range a.linesOf(k, namespace) {
		if e.Archive.IsZero() || e.Archive == archive {
			return e, true
		}
	}
	return AllowedSigner{}, false
}

// Archives returns the archives that the lines of k for namespace name, the zero
// ID for a line that names none. It is empty where no line allows k.
func (a *AllowedSigners) Archives(k Key, namespace string) []cid.ID {
	var ids []cid.ID
	for _, e := range a.linesOf(k, namespace) {
		ids = append(ids, e.Archive)
	}
	return ids
}

// linesOf returns the lines that allow k to sign under namespace in some archive.
func (a *AllowedSigners) linesOf(k Key, namespace string) []AllowedSigner {
	if a == nil || k.IsZero() {
		return nil
	}
	var lines []AllowedSigner
	for _, e := range a.entries {
		if e.Key == k && !e.CertAuthority && e.HasNamespace(namespace) {
			lines = append(lines, e)
		}
	}
	return lines
}

// HasNamespace reports whether the line allows signatures under namespace.
func (s AllowedSigner) HasNamespace(namespace string) bool {
	return s.Namespaces == nil || matchList(s.Namespaces, namespace)
}

// HasPrincipal reports whether the line is for the given identity, such as
// archivist@example.org.
func (s AllowedSigner) HasPrincipal(name string) bool { return matchList(s.Principals, name) }

// ValidAt reports whether t lies within the line's bounds, which belong to
// them. A bound without Z is read in the location of t, as ssh-keygen reads
// it in the system's.
func (s AllowedSigner) ValidAt(t time.Time) bool {
	if after, err := parseBound(s.ValidAfter, t.Location()); s.ValidAfter != "" && (err != nil || t.Before(after)) {
		return false
	}
	if before, err := parseBound(s.ValidBefore, t.Location()); s.ValidBefore != "" && (err != nil || t.After(before)) {
		return false
	}
	return true
}

// String returns the line in the form that ParseAllowedSigners reads, without
// line end: one space between the fields, options in the order cert-authority,
// namespaces, valid-after, valid-before. Fields that were not parsed but set by
// a program are written as they are: parse the line before trusting it.
func (s AllowedSigner) String() string {
	principals := strings.Join(s.Principals, ",")
	if strings.ContainsAny(principals, " \t") || strings.HasPrefix(principals, "#") {
		principals = `"` + principals + `"`
	}
	var options []string
	if s.CertAuthority {
		options = append(options, optCertAuthority)
	}
	if s.Namespaces != nil {
		options = append(options, optNamespaces+`="`+strings.Join(s.Namespaces, ",")+`"`)
	}
	if s.ValidAfter != "" {
		options = append(options, optValidAfter+`="`+s.ValidAfter+`"`)
	}
	if s.ValidBefore != "" {
		options = append(options, optValidBefore+`="`+s.ValidBefore+`"`)
	}
	fields := []string{principals, strings.Join(options, ","), s.Key.Authorized(), s.Comment}
	return strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == "" }), " ")
}

// ParseAllowedSigners reads a file in the format of ssh-keygen(1), ALLOWED
// SIGNERS: lines of
//
//	principals [options] type base64 [comment]
//
// with spaces or tabs between them. Blank lines, and those that begin with #,
// are skipped.
//
// Principals and namespaces are pattern lists as in ssh_config(5): patterns
// separated by commas, in which * stands for any characters and ? for one, and
// which must not match where they begin with !. A list matches when one
// pattern does and no negated one does; a list of negated patterns alone
// matches nothing. Principals may stand in double quotes, and then hold
// spaces.
//
// Options are separated by commas, each at most once, names in any case:
//
//	cert-authority
//	namespaces="pattern,…"   without it, every namespace is allowed
//	valid-after="time"       YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, then Z
//	valid-before="time"      for UTC
//
// A word muniment-archive=ID in the comment makes the line one for that archive
// alone; see ArchiveWord. There is at most one.
//
// The whole file is refused, with the line's number, where ssh-keygen would
// skip a line or guess: unknown options, keys of any other type, empty
// patterns, backslashes and inner quotes, control characters (a CR at the end
// of a line is one), bytes that are not UTF-8. A file that allows nobody is
// fine.
func ParseAllowedSigners(data []byte) (*AllowedSigners, error) {
	if len(data) > MaxAllowedSigners {
		return nil, fmt.Errorf("allowed signers: %d bytes, at most %d", len(data), MaxAllowedSigners)
	}
	a := &AllowedSigners{}
	for i, line := range strings.Split(string(data), "\n") {
		e, ok, err := parseAllowed(line)
		if err != nil {
			return nil, fmt.Errorf("allowed signers: line %d: %w", i+1, err)
		}
		if ok {
			e.Line = i + 1
			a.entries = append(a.entries, e)
		}
	}
	return a, nil
}

// AllowedLine returns the line of an allowed_signers file that trusts the key of a
// .pub file, with a name to be replaced where the key's comment is none. ok is false
// where data is no such file.
func AllowedLine(data []byte) (line string, ok bool) {
	k, err := ParseKey(string(data))
	if err != nil {
		return "", false
	}
	name := "name@example.org"
	if fields := strings.Fields(string(data)); len(fields) == 3 && strings.Contains(fields[2], "@") {
		if _, ok, err := parseAllowed(fields[2] + " " + k.Authorized()); ok && err == nil {
			name = fields[2]
		}
	}
	return name + " " + k.Authorized(), true
}

// parseAllowed reads one line; ok is false when there is nothing on it.
func parseAllowed(line string) (e AllowedSigner, ok bool, err error) {
	if !utf8.ValidString(line) {
		return AllowedSigner{}, false, fmt.Errorf("not valid UTF-8")
	}
	if i := strings.IndexFunc(line, func(r rune) bool { return r != '\t' && isControl(r) }); i >= 0 {
		return AllowedSigner{}, false, fmt.Errorf("control character %q in column %d", line[i], i+1)
	}
	line = strings.Trim(line, blanks)
	if line == "" || line[0] == '#' {
		return AllowedSigner{}, false, nil
	}
	principals, rest, err := cutPrincipals(line)
	if err != nil {
		return AllowedSigner{}, false, err
	}
	if e.Principals, err = parsePatterns("principal", principals); err != nil {
		return AllowedSigner{}, false, err
	}
	field, _ := cutField(rest)
	if _, err := parseTyped(principals, field); err == nil || checkType(principals) == nil && field == "" {
		return AllowedSigner{}, false, fmt.Errorf("begins with the key type %s, want principals before it", principals)
	}
	if rest != "" && !isKeyType(rest) {
		var options string
		if options, rest, err = cutOptions(rest); err != nil {
			return AllowedSigner{}, false, err
		}
		if err := e.parseOptions(options); err != nil {
			return AllowedSigner{}, false, err
		}
	}
	typ, rest := cutField(rest)
	b64, comment := cutField(rest)
	if typ == "" || b64 == "" {
		return AllowedSigner{}, false, fmt.Errorf("no key, want principals, options, key type and base64 key")
	}
	if e.Key, err = parseTyped(typ, b64); err != nil {
		return AllowedSigner{}, false, err
	}
	e.Comment = comment
	if e.Archive, err = archiveIn(comment); err != nil {
		return AllowedSigner{}, false, err
	}
	return e, true, nil
}

// archiveIn returns the archive that a comment names, the zero ID for none.
func archiveIn(comment string) (id cid.ID, err error) {
	for word := range strings.FieldsFuncSeq(comment, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		text, ok := strings.CutPrefix(word, ArchiveWord)
		switch {
		case !ok:
		case !id.IsZero():
			return cid.ID{}, fmt.Errorf("two archives are named, want one")
		default:
			if id, err = cid.ParseAs(cid.JSON, text); err != nil {
				return cid.ID{}, fmt.Errorf("%s: %w", strings.TrimSuffix(ArchiveWord, "="), err)
			}
		}
	}
	return id, nil
}

// blanks separate fields.
const blanks = " \t"

// cutField returns the text before the first blank, and the text after the blanks that follow.
func cutField(s string) (field, rest string) {
	i := strings.IndexAny(s, blanks)
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], blanks)
}

func cutPrincipals(line string) (principals, rest string, err error) {
	quoted, ok := strings.CutPrefix(line, `"`)
	if !ok {
		principals, rest = cutField(line)
	} else if principals, rest, ok = strings.Cut(quoted, `"`); !ok {
		return "", "", fmt.Errorf("no closing quote after the principals")
	} else if rest != "" && !strings.ContainsAny(rest[:1], blanks) {
		return "", "", fmt.Errorf("%q follows the closing quote of the principals", clip(rest))
	}
	if strings.ContainsAny(principals, `"\`) {
		return "", "", fmt.Errorf("quote or backslash within the principals %q", clip(principals))
	}
	return principals, strings.TrimLeft(rest, blanks), nil
}

// isKeyType reports whether s begins with the name of a key type, ours or not,
// rather than with options.
func isKeyType(s string) bool {
	field, _ := cutField(s)
	for _, prefix := range []string{"ssh-", "sk-", "ecdsa-"} {
		if strings.HasPrefix(field, prefix) {
			return true
		}
	}
	return false
}

// cutOptions splits at the first blank outside quotes.
func cutOptions(s string) (options, rest string, err error) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case !quoted && strings.IndexByte(blanks, s[i]) >= 0:
			return s[:i], strings.TrimLeft(s[i:], blanks), nil
		}
	}
	if quoted {
		return "", "", fmt.Errorf("no closing quote in the options")
	}
	return s, "", nil
}

// Names of the options.
const (
	optCertAuthority = "cert-authority"
	optNamespaces    = "namespaces"
	optValidAfter    = "valid-after"
	optValidBefore   = "valid-before"
)

func (e *AllowedSigner) parseOptions(s string) error {
	seen := make(map[string]bool)
	for more := true; more; {
		var name, value string
		var valued bool
		var err error
		if name, value, valued, s, more, err = cutOption(s); err != nil {
			return err
		}
		name = strings.ToLower(name)
		if seen[name] {
			return fmt.Errorf("option %s given twice", name)
		}
		seen[name] = true
		if valued == (name == optCertAuthority) {
			return fmt.Errorf("unknown option %q, want %s or %s, %s, %s with a value in quotes",
				clip(name), optCertAuthority, optNamespaces, optValidAfter, optValidBefore)
		}
		if err := e.setOption(name, value); err != nil {
			return err
		}
	}
	return e.checkBounds()
}

func (e *AllowedSigner) setOption(name, value string) (err error) {
	switch name {
	default:
		return fmt.Errorf("unknown option %q", clip(name))
	case optCertAuthority:
		e.CertAuthority = true
	case optNamespaces:
		e.Namespaces, err = parsePatterns("namespace", value)
	case optValidAfter:
		e.ValidAfter = value
		_, err = parseBound(value, time.UTC)
	case optValidBefore:
		e.ValidBefore = value
		_, err = parseBound(value, time.UTC)
	}
	return err
}

// cutOption takes one option, name or name="value", from the front of s; more
// says that a comma followed it.
func cutOption(s string) (name, value string, valued bool, rest string, more bool, err error) {
	i := strings.IndexAny(s, `=,"`)
	if i < 0 || s[i] == ',' {
		name, rest, more = strings.Cut(s, ",")
		return name, "", false, rest, more, nil
	}
	name, rest = s[:i], s[i:]
	quoted, ok := strings.CutPrefix(rest, `="`)
	if !ok {
		return "", "", false, "", false, fmt.Errorf("value of option %q is not in quotes", clip(name))
	}
	value, rest, ok = strings.Cut(quoted, `"`)
	if !ok || strings.Contains(value, `\`) {
		return "", "", false, "", false, fmt.Errorf("quote or backslash within the value of option %q", clip(name))
	}
	if rest, more = strings.CutPrefix(rest, ","); !more && rest != "" {
		return "", "", false, "", false, fmt.Errorf("%q follows the value of option %q", clip(rest), clip(name))
	}
	return name, value, true, rest, more, nil
}

// checkBounds refuses a line that is never valid. Bounds of which only one is
// in UTC cannot be compared without a location.
func (e *AllowedSigner) checkBounds() error {
	if e.ValidAfter == "" || e.ValidBefore == "" ||
		strings.HasSuffix(e.ValidAfter, "Z") != strings.HasSuffix(e.ValidBefore, "Z") {
		return nil
	}
	after, _ := parseBound(e.ValidAfter, time.UTC)
	before, _ := parseBound(e.ValidBefore, time.UTC)
	if !after.Before(before) {
		return fmt.Errorf("valid-after %s is not before valid-before %s", e.ValidAfter, e.ValidBefore)
	}
	return nil
}

// parseBound reads a time of an option.
func parseBound(s string, local *time.Location) (time.Time, error) {
	digits, utc := strings.CutSuffix(s, "Z")
	if utc {
		local = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(digits) != len(layout) {
			continue
		}
		if t, err := time.ParseInLocation(layout, digits, local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q, want YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with Z for UTC", clip(s))
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
