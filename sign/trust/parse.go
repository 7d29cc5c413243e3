package trust

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
	"muniment/sign/quorum"
)

// Parse reads a trust root: the bytes that Encode writes and no others.
func Parse(data []byte) (*Root, error) {
	r, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("trust root: %w", err)
	}
	return r, nil
}

func parse(data []byte) (*Root, error) {
	if len(data) > MaxRoot {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), MaxRoot)
	}
	for i, c := range data {
		if c != '\n' && (c < ' ' || c > '~') {
			return nil, fmt.Errorf("byte %d is 0x%02x, want printable ASCII and LF", i+1, c)
		}
	}
	text, ok := strings.CutSuffix(string(data), "\n")
	if !ok {
		return nil, errors.New("does not end in a line end")
	}
	p := &parser{lines: strings.Split(text, "\n"), root: &Root{Thresholds: make(map[Role]Threshold)}}
	if err := p.run(); err != nil {
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	}
	if err := p.root.check(); err != nil {
		return nil, err
	}
	if !bytes.Equal(p.root.Encode(), data) {
		return nil, errors.New("does not encode to the same bytes")
	}
	return p.root, nil
}

// A parser takes the lines in order.
type parser struct {
	lines []string
	line  int // the one last taken, from 1
	root  *Root
}

// next returns the next line, or "" after the last.
func (p *parser) next() string {
	p.line++
	if p.line > len(p.lines) {
		return ""
	}
	return p.lines[p.line-1]
}

// fields takes the next line, which begins with words and has n more values.
func (p *parser) fields(words string, n int) ([]string, error) {
	line := p.next()
	rest, ok := strings.CutPrefix(line, words+" ")
	values := strings.Split(rest, " ")
	if !ok || len(values) != n || slices.Contains(values, "") {
		return nil, fmt.Errorf("is %q, want %s and %d values", clip(line), words, n)
	}
	return values, nil
}

func (p *parser) run() error {
	line := p.next()
	heads := []string{Head, HeadExpiring, HeadReview, HeadWitness}
	if newer := jcs.Newer(line, heads...); newer != nil {
		return newer
	}
	if !slices.Contains(heads, line) {
		return fmt.Errorf("is %q, want one of %s", clip(line), strings.Join(heads, ", "))
	}
	if err := p.head(); err != nil {
		return err
	}
	if line == HeadExpiring || line != Head && p.at("expires ") {
		if err := p.expires(); err != nil {
			return err
		}
	}
	for _, role := range thresholdRoles {
		values, err := p.fields("threshold "+string(role), 2)
		if err != nil {
			return err
		}
		keys, ok1 := parseNumber(values[0])
		orgs, ok2 := parseNumber(values[1])
		if !ok1 || !ok2 || keys > MaxCount || orgs > keys || orgs < 1 && !(role == Witness && keys == 0) {
			return fmt.Errorf("%s keys of %s organisations, want 1 to %d keys of as many organisations or fewer", clip(values[0]), clip(values[1]), MaxCount)
		}
		p.root.Thresholds[role] = Threshold{int(keys), int(orgs)}
	}
	for p.at("key ") {
		if err := p.key(); err != nil {
			return err
		}
	}
	if line == HeadWitness {
		if err := p.witnesses(); err != nil {
			return err
		}
	}
	for p.at("revoke ") {
		if err := p.revoke(); err != nil {
			return err
		}
	}
	if p.line < len(p.lines) {
		line := p.next()
		return fmt.Errorf("is %q, want a key line, or after those a revoke line", clip(line))
	}
	if reviewed := p.root.Has(Review); line != HeadWitness && reviewed != (line == HeadReview) {
		return fmt.Errorf("a root of the form %s, and keys of the role review: %v; they come with %s and it with them", line, reviewed, HeadReview)
	}
	return nil
}

// at reports whether the next line begins so.
func (p *parser) at(words string) bool {
	return p.line < len(p.lines) && strings.HasPrefix(p.lines[p.line], words)
}

// witnesses reads the lines that the forms before the fourth have not.
func (p *parser) witnesses() error {
	w := &p.root.Witnesses
	for p.at("witness ") {
		v, err := p.fields("witness", 4)
		if err != nil {
			return err
		}
		if !isOrg(v[0]) || !isOrg(v[2]) {
			return fmt.Errorf("witness %q of %q, want two names of 1 to %d of a-z, 0-9, - and ., the first a letter or digit", clip(v[0]), clip(v[2]), MaxOrg)
		}
		c, err := sign.ParseCosigner(v[1])
		if err != nil {
			return err
		}
		w.Witnesses = append(w.Witnesses, quorum.Witness{Name: v[0], Cosigner: c, Org: v[2], Group: noGroup(v[3])})
	}
	if len(w.Witnesses) == 0 {
		return fmt.Errorf("want a witness line: a root of the form %s has one", HeadWitness)
	}
	for p.at("group ") {
		v, err := p.fields("group", 3)
		if err != nil {
			return err
		}
		g := quorum.Group{Name: v[0], Group: noGroup(v[2])}
		n, ok := parseNumber(v[1])
		switch {
		case !isOrg(v[0]):
			return fmt.Errorf("group %q, want 1 to %d of a-z, 0-9, - and ., the first a letter or digit", clip(v[0]), MaxOrg)
		case v[1] == "all":
			g.Needs = quorum.All
		case v[1] == "any":
			g.Needs = 1
		case !ok || n < 2 || n > quorum.MaxWitnesses:
			return fmt.Errorf("group %s needs %q, want all, any or 2 to %d", v[0], clip(v[1]), quorum.MaxWitnesses)
		default:
			g.Needs = int(n)
		}
		w.Groups = append(w.Groups, g)
	}
	v, err := p.fields("quorum", 1)
	if err != nil {
		return err
	}
	w.Quorum = v[0]
	return w.Check()
}

// noGroup returns the group that a line names, "" for none.
func noGroup(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

func (p *parser) head() error {
	archive, err := p.fields("archive", 1)
	if err != nil {
		return err
	}
	if p.root.Archive, err = cid.ParseAs(cid.JSON, archive[0]); err != nil {
		return err
	}
	version, err := p.fields("version", 1)
	if err != nil {
		return err
	}
	n, ok := parseNumber(version[0])
	if !ok || n < 1 {
		return fmt.Errorf("version %q, want a number from 1", clip(version[0]))
	}
	p.root.Version = n
	prev, err := p.fields("prev", 1)
	if err != nil {
		return err
	}
	if n == 1 {
		if prev[0] != "-" {
			return fmt.Errorf("version 1 follows %q, want -", clip(prev[0]))
		}
		return nil
	}
	if !decodeHex(p.root.Prev[:], prev[0]) || p.root.Prev == [sha256.Size]byte{} {
		return fmt.Errorf("prev %q, want the sha256 of version %d in 64 hex digits", clip(prev[0]), n-1)
	}
	return nil
}

// expires reads the line that the first grammar has not.
func (p *parser) expires() error {
	values, err := p.fields("expires", 1)
	if err != nil {
		return err
	}
	t, err := time.Parse(TimeForm, values[0])
	if err != nil || t.Format(TimeForm) != values[0] || t.Year() < 1970 {
		return fmt.Errorf("expires %q, want a time in UTC of the years 1970 to 9999, such as 2027-06-30T00:00:00Z", clip(values[0]))
	}
	p.root.Expires = t
	return nil
}

func (p *parser) key() error {
	if len(p.root.Keys) == MaxKeys {
		return fmt.Errorf("more than %d keys", MaxKeys)
	}
	v, err := p.fields("key", 6)
	if err != nil {
		return err
	}
	k := Key{Role: Role(v[0]), Org: v[1]}
	if !slices.Contains(Roles, k.Role) {
		return fmt.Errorf("role %q, want one of snapshot, withdraw, answer, log, witness, policy, review", clip(v[0]))
	}
	if !isOrg(k.Org) {
		return fmt.Errorf("organisation %q, want 1 to %d of a-z, 0-9, - and ., the first a letter or digit", clip(k.Org), MaxOrg)
	}
	if k.Key, err = sign.ParseKey(v[2] + " " + v[3]); err != nil {
		return err
	}
	if (k.Role == Log || k.Role == Witness) && k.Key.Type() != sign.TypeEd25519 {
		return fmt.Errorf("key of role %s is %s, want %s: checkpoints are signed by plain keys", k.Role, k.Key.Type(), sign.TypeEd25519)
	}
	if v[4] != "-" {
		if k.From, err = parsePlace(k.Role, v[4]); err != nil {
			return err
		}
	} else if !k.Role.logged() {
		return fmt.Errorf("from is -, want a number: 1 is the first")
	}
	if v[5] != "-" {
		if k.To, err = parsePlace(k.Role, v[5]); err != nil {
			return err
		}
		if !k.From.IsZero() && !k.From.notAfter(k.To) {
			return fmt.Errorf("from %s is not before %s of the same log", k.From, k.To)
		}
	}
	p.root.Keys = append(p.root.Keys, k)
	return nil
}

func (p *parser) revoke() error {
	if len(p.root.Revoked) == MaxRevoked {
		return fmt.Errorf("more than %d revocations", MaxRevoked)
	}
	f, err := p.fields("revoke", 3)
	if err != nil {
		return err
	}
	v := Revocation{Role: Role(f[0]), Name: f[1]}
	switch {
	case !slices.Contains(Roles, v.Role) || v.Role == Policy:
		return fmt.Errorf("role %q, want snapshot, withdraw, answer, log, witness or review; a policy key ends by its bound", clip(f[0]))
	case !isHex(v.Name, nameLen):
		return fmt.Errorf("key name %q, want %d hex digits", clip(f[1]), nameLen)
	}
	if f[2] == "-" {
		v.None = true
		p.root.Revoked = append(p.root.Revoked, v)
		return nil
	}
	last, pin, ok := cutLast(f[2])
	if ok {
		v.Last, err = parsePlace(v.Role, last)
	}
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("%q names no last good place", clip(f[2]))
	case v.Role.logged():
		if !decodeHex(v.Root[:], pin) || v.Last.Number < 1 {
			return fmt.Errorf("%q, want <log>/<epoch>/<size>/<root in 64 hex digits>, or -", clip(f[2]))
		}
	default:
		if v.Snapshot, err = cid.ParseAs(cid.Raw, pin); err != nil {
			return err
		}
	}
	p.root.Revoked = append(p.root.Revoked, v)
	return nil
}

// cutLast splits at the last slash.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

func isOrg(s string) bool {
	return s != "" && len(s) <= MaxOrg && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && s[0] != '-' && s[0] != '.'
}

// decodeHex fills out from lower case digits.
func decodeHex(out []byte, s string) bool {
	if !isHex(s, 2*len(out)) {
		return false
	}
	_, err := hex.Decode(out, []byte(s))
	return err == nil
}

// Encode returns the text of the root.
func (r *Root) Encode() []byte {
	head := Head
	switch {
	case len(r.Witnesses.Witnesses) > 0:
		head = HeadWitness
	case r.Has(Review):
		head = HeadReview
	case !r.Expires.IsZero():
		head = HeadExpiring
	}
	b := fmt.Appendf(nil, "%s\narchive %s\nversion %d\n", head, r.Archive, r.Version)
	if r.Version == 1 {
		b = append(b, "prev -\n"...)
	} else {
		b = fmt.Appendf(b, "prev %x\n", r.Prev)
	}
	if !r.Expires.IsZero() {
		b = fmt.Appendf(b, "expires %s\n", r.Expires.UTC().Format(TimeForm))
	}
	for _, role := range thresholdRoles {
		t := r.Thresholds[role]
		b = fmt.Appendf(b, "threshold %s %d %d\n", role, t.Keys, t.Orgs)
	}
	for _, k := range r.Keys {
		b = fmt.Appendf(b, "%s\n", k)
	}
	for _, line := range r.WitnessLines() {
		b = append(b, line+"\n"...)
	}
	for _, v := range r.Revoked {
		b = fmt.Appendf(b, "%s\n", v)
	}
	return b
}

// WitnessLines returns the lines of witnesses of others, without line ends; nil where there are none.
func (r *Root) WitnessLines() (lines []string) {
	p := r.Witnesses
	if len(p.Witnesses) == 0 {
		return nil
	}
	for _, w := range p.Witnesses {
		lines = append(lines, fmt.Sprintf("witness %s %s %s %s", w.Name, w.Cosigner, w.Org, cmp.Or(w.Group, "-")))
	}
	for _, g := range p.Groups {
		needs := strconv.Itoa(g.Needs)
		switch g.Needs {
		case quorum.All:
			needs = "all"
		case 1:
			needs = "any"
		}
		lines = append(lines, fmt.Sprintf("group %s %s %s", g.Name, needs, cmp.Or(g.Group, "-")))
	}
	return append(lines, "quorum "+cmp.Or(p.Quorum, quorum.None))
}

// String returns the key line, without line end.
func (k Key) String() string {
	return fmt.Sprintf("key %s %s %s %s %s", k.Role, k.Org, k.Key.Authorized(), k.From, k.To)
}

// String returns the revoke line, without line end.
func (v Revocation) String() string {
	switch {
	default:
		return fmt.Sprintf("revoke %s %s %s/%s", v.Role, v.Name, v.Last, v.Snapshot)
	case v.None:
		return fmt.Sprintf("revoke %s %s -", v.Role, v.Name)
	case v.Role.logged():
		return fmt.Sprintf("revoke %s %s %s/%x", v.Role, v.Name, v.Last, v.Root)
	}
}

// check refuses what the lines are right about one by one, and wrong about
// together.
func (r *Root) check() error {
	byPoint := make(map[[32]byte]Key)
	byName := make(map[string]sign.Key)
	lines := make(map[Key]bool)
	logs := make(map[string]bool)
	for _, k := range r.Keys {
		name := Name(k.Key)
		if first, ok := byPoint[k.Key.Point()]; ok && first.Key != k.Key {
			return fmt.Errorf("key %s is wrapped as %s and as %s: it would count twice", name, first.Key.Type(), k.Key.Type())
		} else if ok && first.Org != k.Org {
			return fmt.Errorf("key %s is of %s and of %s: it would count for two organisations", name, first.Org, k.Org)
		}
		byPoint[k.Key.Point()] = k
		if other, ok := byName[name]; ok && other != k.Key {
			return fmt.Errorf("two keys have the name %s", name)
		}
		byName[name] = k.Key
		line := k
		line.To = Place{}
		if lines[line] {
			return fmt.Errorf("key %s has role %s twice from %s", name, k.Role, k.From)
		}
		lines[line] = true
		if k.Role == Log {
			logs[name] = true
		}
	}
	for _, k := range r.Keys {
		for _, at := range []Place{k.From, k.To} {
			if at.Log != "" && !logs[at.Log] {
				return fmt.Errorf("key %s is bounded by log %s, whose key is not in the root", Name(k.Key), at.Log)
			}
		}
	}
	for i, v := range r.Revoked {
		k, ok := byName[v.Name]
		if !ok || !slices.ContainsFunc(r.Keys, func(l Key) bool { return l.Role == v.Role && l.Key == k }) {
			return fmt.Errorf("revocation of %s, which has no line of role %s", v.Name, v.Role)
		}
		if v.Last.Log != "" && !logs[v.Last.Log] {
			return fmt.Errorf("key %s is revoked by log %s, whose key is not in the root", v.Name, v.Last.Log)
		}
		for _, w := range r.Revoked[:i] {
			if w.Role == v.Role && w.Name == v.Name && (w.None || v.None || w.Last.Log == v.Last.Log) {
				return fmt.Errorf("key %s is revoked twice in role %s", v.Name, v.Role)
			}
		}
	}
	return r.checkThresholds()
}

// checkThresholds refuses a threshold that no signing could ever reach.
func (r *Root) checkThresholds() error {
	for _, role := range thresholdRoles {
		var keys []Key
		for _, k := range r.Keys {
			if k.Role == role {
				keys = append(keys, k)
			}
		}
		t, all := r.Thresholds[role], count(keys)
		if (len(keys) > 0 || role == Policy) && (all.Keys < t.Keys || all.Orgs < t.Orgs) {
			return fmt.Errorf("threshold %s asks for %d keys of %d organisations, and %d keys of %d have the role", role, t.Keys, t.Orgs, all.Keys, all.Orgs)
		}
	}
	return nil
}

// count counts key lines by points, then by organisations.
func count(keys []Key) Threshold {
	points := make(map[[32]byte]bool)
	orgs := make(map[string]bool)
	for _, k := range keys {
		points[k.Key.Point()] = true
		orgs[k.Org] = true
	}
	return Threshold{len(points), len(orgs)}
}
