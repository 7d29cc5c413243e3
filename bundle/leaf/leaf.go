package leaf

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/cite"
)

const (
	// MaxLeaf is the most bytes of one leaf: a verifier may hold 4096 of them.
	MaxSize = jcs.MaxLeaf

	// MaxLeaves is the largest step of Steps.
	MaxCount = 4096

	// MaxTexts is the most texts in a list. An empty one costs three bytes in a
	// file and sixteen in memory, and no person reads more.
	MaxTexts = 100

	// IDSize and SaltSize are in bytes: an id must not collide among the
	// answers of an archive, a salt must not be guessed.
	IDSize, SaltSize = 16, 32
)

// Steps are the numbers of leaves an answer can have. There are few, so that
// the number says little.
var Steps = [...]int{64, 256, 1024, MaxCount}

// A Ref is a reference from one leaf to another.
type Ref struct {
	Index int
	Kind  Kind
}

// Encode returns the canonical JSON of a leaf, the content of its file.
func Encode(l Leaf) ([]byte, error) {
	if err := Check(l); err != nil {
		return nil, err
	}
	data, err := jcs.MarshalLimit(l, MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%s leaf %d: %w", l.kind(), l.Head().Index, err)
	}
	return data, nil
}

// ParseLeaf reads the content of a leaf file. What it accepts, Encode gives
// back byte for byte.
func Parse(data []byte) (Leaf, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("leaf of %d bytes, at most %d are allowed", len(data), MaxSize)
	}
	typ, err := typeIn(data)
	if err != nil {
		return nil, err
	}
	kind := kindIn(data)
	l := newLeaf(kind)
	if l == nil {
		return nil, fmt.Errorf("kind %.60q of a leaf is not known", kind)
	}
	if err := jcs.UnmarshalLimit(data, typ, l, MaxSize); err != nil {
		return nil, err
	}
	if err := Check(l); err != nil {
		return nil, err
	}
	return l, nil
}

// kindIn finds the kind of a leaf without parsing it twice. Members are sorted,
// and no leaf has one named kind inside a member that comes before its own; a
// wrong guess fails in the strict parse of that Go type.
func kindIn(data []byte) Kind {
	_, rest, _ := bytes.Cut(data, []byte(`"kind":"`))
	kind, _, _ := bytes.Cut(rest, []byte(`"`))
	return Kind(kind)
}

// typeIn finds the type of a leaf, which is the last of its sorted members in the versions
// that are read. The error is a *jcs.NewerError for a newer one.
func typeIn(data []byte) (string, error) {
	switch {
	case bytes.HasSuffix(data, []byte(`"type":"`+Type1+`"}`)):
		return Type1, nil
	case bytes.HasSuffix(data, []byte(`"type":"`+Type2+`"}`)):
		return Type2, nil
	case bytes.HasSuffix(data, []byte(`"type":"`+Type3+`"}`)):
		return Type3, nil
	}
	saw, err := jcs.Member(data, "type")
	if newer := jcs.Newer(saw, Type3); err == nil && newer != nil {
		return "", newer
	}
	return Type1, nil // Unmarshal says what is wrong with it
}

// newLeaf returns an empty leaf of a kind, nil for an unknown one.
func newLeaf(k Kind) Leaf {
	switch k {
	default:
		return nil
	case KindClaim:
		return new(Claim)
	case KindCite:
		return new(Cite)
	case KindSource:
		return new(Source)
	case KindChunk:
		return new(Chunk)
	case KindGate:
		return new(Gate)
	case KindRefusal:
		return new(Refusal)
	case KindRemoved:
		return new(Removed)
	case KindDisplay:
		return new(Display)
	case KindPad:
		return new(Pad)
	case KindQuestion:
		return new(Question)
	case KindReviews:
		return new(Reviews)
	}
}

// Commitment returns the sha256 of a leaf's bytes, which SHA256SUMS lists.
func Commitment(leaf []byte) merkle.Hash { return sha256.Sum256(leaf) }

// Root returns the root of a statement: RFC 6962 over the raw 32-byte
// commitments in index order.
func Root(commitments []merkle.Hash) merkle.Hash {
	hashes := make([]merkle.Hash, len(commitments))
	for i := range commitments {
		hashes[i] = merkle.LeafHash(commitments[i][:])
	}
	return merkle.Root(hashes)
}

// CheckLeaf checks the header of a leaf, and the leaf by itself.
func Check(l Leaf) error {
	h := l.Head()
	switch {
	case !isTypeOf(h.Type, l.kind()):
		return fmt.Errorf("type %q of a %s leaf, want %q", h.Type, l.kind(), NewestType(l.kind()))
	case h.Kind != l.kind():
		return fmt.Errorf("kind %q of a %s leaf", h.Kind, l.kind())
	case h.Index < 0 || h.Index >= MaxCount:
		return fmt.Errorf("index %d of a leaf, want 0 to %d", h.Index, MaxCount-1)
	case !IsHex(h.Answer, IDSize):
		return fmt.Errorf("leaf %d: answer %q, want %d hex digits", h.Index, h.Answer, 2*IDSize)
	case !IsHex(h.Salt, SaltSize):
		return fmt.Errorf("leaf %d: salt of %d characters, want %d hex digits", h.Index, len(h.Salt), 2*SaltSize)
	}
	if err := l.check(); err != nil {
		return fmt.Errorf("%s leaf %d: %w", h.Kind, h.Index, err)
	}
	return nil
}

// NewestType returns the type that leaves of a kind are written with.
func NewestType(k Kind) string {
	switch k {
	default:
		return Type1
	case KindClaim, KindCite, KindGate, KindQuestion:
		return Type2
	case KindReviews:
		return Type3
	}
}

// isTypeOf reports whether leaves of a kind are read with a type: the newest,
// or the first, which questions and reviews never had.
func isTypeOf(name string, k Kind) bool {
	return name == NewestType(k) || name == Type1 && k != KindQuestion && k != KindReviews
}

func (*Claim) kind() Kind   { return KindClaim }
func (*Cite) kind() Kind    { return KindCite }
func (*Source) kind() Kind  { return KindSource }
func (*Chunk) kind() Kind   { return KindChunk }
func (*Gate) kind() Kind    { return KindGate }
func (*Refusal) kind() Kind { return KindRefusal }
func (*Removed) kind() Kind { return KindRemoved }
func (*Display) kind() Kind { return KindDisplay }
func (*Pad) kind() Kind     { return KindPad }

func (*Question) kind() Kind { return KindQuestion }

func (l *Claim) check() error {
	switch {
	case l.Claim < 1:
		return fmt.Errorf("claim %d, ordinals start at 1", l.Claim)
	case l.Text == "":
		return errors.New("the text is empty")
	case l.Role == cite.RoleNearest && l.Rung != "":
		return fmt.Errorf("rung %q of a claim with the role nearest, which carries none", l.Rung)
	case l.Role != cite.RoleNearest && !isRung(l.Rung):
		return fmt.Errorf("rung %q is not known", l.Rung)
	case l.Type == Type1 && l.Role != "" || l.Type != Type1 && l.Role != cite.RoleAnswer && l.Role != cite.RoleNearest:
		return fmt.Errorf("role %q in a leaf of type %s", l.Role, l.Type)
	}
	return checkList("cites", l.Cites)
}

func (l *Cite) check() error {
	switch {
	case l.Claim < 1:
		return fmt.Errorf("claim %d, ordinals start at 1", l.Claim)
	case !IsHandle(l.Handle):
		return fmt.Errorf("handle %q, want \"Source A\" to \"Source ZZZ\"", l.Handle)
	case Label(l.Relation) == "":
		return fmt.Errorf("relation %q is not known", l.Relation)
	case l.Label != Label(l.Relation):
		return fmt.Errorf("label %q of relation %s, want %q", l.Label, l.Relation, Label(l.Relation))
	case l.Restricted && len(l.Chunks) > 0:
		return fmt.Errorf("restricted, yet with %d chunks", len(l.Chunks))
	case l.Type == Type1 && l.Title+l.Date != "":
		return fmt.Errorf("a source is named in a leaf of type %s", l.Type)
	}
	return checkList("chunks", l.Chunks)
}

func (l *Chunk) check() error {
	if l.Text == "" {
		return errors.New("the text is empty")
	}
	return nil
}

func (l *Source) check() error {
	artifact := cid.Raw
	if strings.HasPrefix(l.Span, cite.MetaPrefix) {
		artifact = cid.JSON
	}
	for _, id := range []struct {
		name, text string
		codec      cid.Codec
	}{
		{"citation", l.Citation, cid.JSON},
		{"artifact", l.Artifact, artifact},
		{"record", l.Record, cid.JSON},
		{"snapshot", l.Snapshot, cid.Raw},
	} {
		if _, err := cid.ParseAs(id.codec, id.text); err != nil {
			return fmt.Errorf("%s: %w", id.name, err)
		}
	}
	if !IsHex(l.QuoteSHA256, sha256.Size) {
		return fmt.Errorf("quote_sha256 %q, want 64 hex digits", l.QuoteSHA256)
	}
	for _, p := range l.Paragraphs {
		for _, h := range p.Proof {
			if !IsHex(h, sha256.Size) {
				return fmt.Errorf("hash %q in the proof of %s%d, want 64 hex digits", h, p.Kind, p.Ordinal)
			}
		}
	}
	for _, line := range l.RecordProof.Lines {
		if err := checkTexts("inner", line.Inner); err != nil {
			return err
		}
	}
	return checkTexts("outer", l.RecordProof.Outer)
}

func (l *Gate) check() error {
	coverage := l.Stage == StageCoverage
	switch {
	case l.Stage != StageCategory && l.Stage != StageRank && l.Stage != StageCoverage && l.Stage != StageConsent:
		return fmt.Errorf("stage %q is not known", l.Stage)
	case l.Type == Type1 && (l.Stage == StageRank || l.Role != "" || l.Rank != nil || l.Judge != nil):
		return fmt.Errorf("a score or a judge in a leaf of type %s", l.Type)
	case l.Claim < 0:
		return fmt.Errorf("claim %d", l.Claim)
	case l.Query != "" && l.Stage != StageCategory:
		return fmt.Errorf("query at the stage %s, allowed at %s only", l.Stage, StageCategory)
	case coverage && !isRung(l.Rung):
		return fmt.Errorf("rung %q is not known", l.Rung)
	case coverage && l.Table == "":
		return errors.New("the rung table has no version")
	case !coverage && (l.Rung != "" || l.Table != "" || len(l.Failed) > 0 || l.Inputs != cite.GateInput{} || l.Judge != nil):
		return fmt.Errorf("rung, table, failed tests, inputs or judge at the stage %s, allowed at %s only", l.Stage, StageCoverage)
	case l.TrueKind != "" && !slices.Contains(RefusalKinds, l.TrueKind):
		return fmt.Errorf("true_kind %q is not known", l.TrueKind)
	}
	if err := l.checkRank(); err != nil {
		return err
	}
	if err := l.Judge.check(); err != nil {
		return err
	}
	return checkTexts("notes", l.Notes)
}

// checkRank checks the form of a score: a gate of the stage rank has one, and no
// other.
func (l *Gate) checkRank() error {
	switch {
	case l.Stage != StageRank && (l.Rank != nil || l.Role != ""):
		return fmt.Errorf("score or role at the stage %s, allowed at %s only", l.Stage, StageRank)
	case l.Stage != StageRank:
		return nil
	case l.Rank == nil || l.Rank.Table == "":
		return errors.New("there is no score, or its weights have no version")
	case l.Role != "" && l.Role != cite.RoleAnswer && l.Role != cite.RoleNearest:
		return fmt.Errorf("role %q is not known", l.Role)
	case len(l.Rank.Features) > MaxTexts:
		return fmt.Errorf("%d features, at most %d are allowed", len(l.Rank.Features), MaxTexts)
	}
	return nil
}

// check checks the form of a judge, which may be nil.
func (j *Judge) check() error {
	switch {
	case j == nil:
		return nil
	case j.Model == "" || !IsHex(j.PromptSHA256, sha256.Size) || !IsHex(j.ReplySHA256, sha256.Size):
		return errors.New("the judge has no model, or a hash is not 64 hex digits")
	case !slices.Contains(JudgeVerdicts, j.Verdict):
		return fmt.Errorf("verdict %q of a judge is not known", j.Verdict)
	}
	return nil
}

func (l *Refusal) check() error {
	switch {
	case !slices.Contains(RefusalKinds, l.RefusalKind):
		return fmt.Errorf("refusal_kind %q is not known", l.RefusalKind)
	case l.Message == "":
		return errors.New("the message is empty")
	}
	return checkTexts("suggestions", l.Suggestions)
}

func (l *Removed) check() error {
	if l.Topic == "" || l.Reason == "" {
		return errors.New("topic or reason is empty")
	}
	return nil
}

func (l *Display) check() error {
	switch {
	case !isRung(l.OutcomeRung):
		return fmt.Errorf("outcome_rung %q is not known", l.OutcomeRung)
	case l.RequestorTier == "":
		return errors.New("requestor_tier is empty")
	case !slices.IsSorted(l.Keep):
		return errors.New("keep is not in ascending order")
	case slices.Contains(l.Shown, l.Index):
		return errors.New("the display leaf lists itself")
	}
	for _, i := range l.Keep {
		if !slices.Contains(l.Shown, i) {
			return fmt.Errorf("keep lists %d, which is not shown", i)
		}
	}
	if err := checkList("keep", l.Keep); err != nil {
		return err
	}
	return checkList("shown", l.Shown)
}

func (l *Pad) check() error { return nil }

func (l *Question) check() error {
	if l.Text == "" {
		return errors.New("the text is empty")
	}
	return nil
}

func (l *Claim) refs(to []Ref) []Ref {
	return append(appendRefs(to, KindCite, l.Cites), Ref{l.Gate, KindGate})
}

func (l *Cite) refs(to []Ref) []Ref {
	return append(appendRefs(to, KindChunk, l.Chunks), Ref{l.Source, KindSource})
}

func (*Source) refs(to []Ref) []Ref  { return to }
func (*Chunk) refs(to []Ref) []Ref   { return to }
func (*Gate) refs(to []Ref) []Ref    { return to }
func (*Refusal) refs(to []Ref) []Ref { return to }
func (*Removed) refs(to []Ref) []Ref { return to }
func (*Display) refs(to []Ref) []Ref { return to }
func (*Pad) refs(to []Ref) []Ref     { return to }

func (*Question) refs(to []Ref) []Ref { return to }

func (l *Claim) remap(to []int) Leaf {
	c := *l
	c.Cites, c.Gate = mapList(l.Cites, to), to[l.Gate]
	return &c
}

func (l *Cite) remap(to []int) Leaf {
	c := *l
	c.Chunks, c.Source = mapList(l.Chunks, to), to[l.Source]
	return &c
}

func (l *Source) remap([]int) Leaf  { c := *l; return &c }
func (l *Chunk) remap([]int) Leaf   { c := *l; return &c }
func (l *Gate) remap([]int) Leaf    { c := *l; return &c }
func (l *Refusal) remap([]int) Leaf { c := *l; return &c }
func (l *Removed) remap([]int) Leaf { c := *l; return &c }
func (l *Display) remap([]int) Leaf { c := *l; return &c }
func (l *Pad) remap([]int) Leaf     { c := *l; return &c }

func (l *Question) remap([]int) Leaf { c := *l; return &c }

// KindOf returns the kind of a leaf's Go type; "" of an Unread one.
func KindOf(l Leaf) Kind { return l.kind() }

// AppendRefs appends to list the references of a leaf to others, with the kind each must have.
func AppendRefs(list []Ref, l Leaf) []Ref { return l.refs(list) }

// Remap returns a copy of a leaf in which every reference i is to[i]; the leaf itself where to
// has no entry for one.
func Remap(l Leaf, to []int) Leaf {
	for _, r := range l.refs(nil) {
		if r.Index < 0 || r.Index >= len(to) {
			return l
		}
	}
	return l.remap(to)
}

// appendRefs appends references to leaves of one kind.
func appendRefs(to []Ref, k Kind, indexes []int) []Ref {
	for _, n := range indexes {
		to = append(to, Ref{n, k})
	}
	return to
}

// mapList returns a list with every index i replaced by to[i].
func mapList(from, to []int) []int {
	out := make([]int, len(from))
	for i, n := range from {
		out[i] = to[n]
	}
	return out
}

// checkList requires indexes in range and none twice.
func checkList(name string, list []int) error {
	for _, i := range list {
		if i < 0 || i >= MaxCount {
			return fmt.Errorf("%s lists %d, which no leaf can have", name, i)
		}
	}
	if i := duplicateOf(list); i >= 0 {
		return fmt.Errorf("%s lists %d twice", name, i)
	}
	return nil
}

// duplicateOf returns an index that the list has twice, or -1.
func duplicateOf(list []int) int {
	if len(list) < 2 { // as a rule
		return -1
	}
	var seen [MaxCount]bool
	for _, i := range list {
		if seen[i] {
			return i
		}
		seen[i] = true
	}
	return -1
}

// checkTexts requires a list that a person could read.
func checkTexts(name string, list []string) error {
	if len(list) > MaxTexts {
		return fmt.Errorf("%s has %d entries, at most %d are allowed", name, len(list), MaxTexts)
	}
	return nil
}

// isRung reports whether r is one of the four rungs.
func isRung(r cite.Rung) bool {
	return r == cite.Supported || r == cite.Narrowed || r == cite.Labeled || r == cite.Refused
}

// IsHandle reports whether s is "Source " and one to three capital letters.
func IsHandle(s string) bool {
	letters, ok := strings.CutPrefix(s, "Source ")
	if !ok || len(letters) < 1 || len(letters) > 3 {
		return false
	}
	for i := range len(letters) {
		if letters[i] < 'A' || letters[i] > 'Z' {
			return false
		}
	}
	return true
}

// hexDigits are the lower case digits, by byte.
var hexDigits = func() (is [256]bool) {
	for _, c := range []byte("0123456789abcdef") {
		is[c] = true
	}
	return is
}()

// IsHex reports whether s is n bytes in lower case hexadecimal digits.
func IsHex(s string, n int) bool {
	if len(s) != 2*n {
		return false
	}
	for i := range len(s) {
		if !hexDigits[s[i]] {
			return false
		}
	}
	return true
}
