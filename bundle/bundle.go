package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strconv"
	"strings"

	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/sign"
)

// The names in a bundle.
const (
	nameStatement = "statement"
	nameSums      = "SHA256SUMS"
	nameProof     = "log.proof"
	leavesDir     = "leaves/"
	leafExt       = ".json"
	sealedDir     = "sealed/"
	sealedExt     = ".age"
	sigsDir       = "sigs/"
	sigExt        = ".sshsig"
)

// maxSignatures is the most signatures of a statement: more than any threshold
// in use, few enough to verify within a millisecond each.
const maxSignatures = 16

// A Bundle is one answer. It comes from Read, ReadDir, Assemble or Disclose,
// and is always sound in itself: its files are those that its statement commits
// to. Verify checks what a bundle cannot show by itself, such as who signed it.
type Bundle struct {
	files       map[string][]byte
	statement   *Statement
	id          string // of the statement, in hex
	commitments []merkle.Hash
	leaves      []leaf.Leaf // by index; nil where not disclosed
	signatures  []*sign.Signature
	proof       *sign.LogProof
	newer       *jcs.NewerError // the first of what is newer than this program, nil where nothing is
}

// errEmpty is the error of the zero Bundle, which holds no answer.
var errEmpty = &InvalidError{"bundle", "it holds no statement"}

// An InvalidError reports that a file or folder is no bundle. Where names the
// file of the bundle that is wrong, or "zip".
type InvalidError struct {
	Where, Reason string
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("the bundle is invalid: %s: %s", e.Where, e.Reason)
}

// read reads a zip, and keeps its sealed files or their sha256 alone.
func read(z *zipInput, keepSealed bool) (*Bundle, error) {
	found, err := readZip(z, keepSealed)
	if err != nil {
		return nil, err
	}
	return found.bundle()
}

// ReadDir reads an unpacked bundle. The error is an *InvalidError unless dir
// itself could not be read.
func ReadDir(dir fs.FS) (*Bundle, error) {
	found, err := readDir(dir, true)
	if err != nil {
		return nil, err
	}
	return found.bundle()
}

// Files returns a copy of the bundle's files by name.
func (b *Bundle) Files() map[string][]byte {
	out := make(map[string][]byte, len(b.files))
	for name, data := range b.files {
		out[name] = bytes.Clone(data)
	}
	return out
}

// Zip returns the canonical zip of the bundle.
func (b *Bundle) Zip() ([]byte, error) { return writeZip(b.files) }

// Statement returns a copy of the statement.
func (b *Bundle) Statement() Statement {
	if b.statement == nil {
		return Statement{}
	}
	s := *b.statement
	s.Sealed = slices.Clone(s.Sealed)
	return s
}

// Leaves returns the disclosed leaves in index order. They are shared and must
// not be changed.
func (b *Bundle) Leaves() []leaf.Leaf {
	return slices.DeleteFunc(slices.Clone(b.leaves), func(l leaf.Leaf) bool { return l == nil })
}

// Signers returns the keys whose signatures the bundle carries, by ID. Verify
// checks the signatures.
func (b *Bundle) Signers() []sign.Key {
	keys := make([]sign.Key, len(b.signatures))
	for i, s := range b.signatures {
		keys[i] = s.Key()
	}
	return keys
}

// fromFiles returns the bundle of files in memory.
func fromFiles(content map[string][]byte) (*Bundle, error) {
	found, err := filesOf(content)
	if err != nil {
		return nil, err
	}
	return found.bundle()
}

// bundle takes steps 1 to 9 of docs/spec/bundle.md.
func (f *files) bundle() (*Bundle, error) {
	files := f.content
	b := &Bundle{files: files}
	// Step 1: every name is one that a bundle can have, and those that it must
	// have are there.
	names := f.names()
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, invalid(display.Safe(name), err)
		}
	}
	for _, name := range []string{nameStatement, nameSums, nameProof} {
		if files[name] == nil {
			return nil, invalid(name, errors.New("it is missing"))
		}
	}
	// Step 2: the statement.
	st, newer, err := readStatement(files[nameStatement])
	if err != nil {
		return nil, invalid(nameStatement, err)
	}
	b.statement, b.id, b.newer = st, hex.EncodeToString(st.ID[:]), newer
	// Step 3: the commitments.
	if sum := sha256.Sum256(files[nameSums]); sum != st.Sums {
		return nil, invalid(nameSums, fmt.Errorf("its sha256 is %x, the statement says %x", sum, st.Sums))
	}
	if b.commitments, err = parseSums(files[nameSums], st.Leaves); err != nil {
		return nil, invalid(nameSums, err)
	}
	// Step 4: the root.
	if root := leaf.Root(b.commitments); root != st.Root {
		return nil, invalid(nameSums, fmt.Errorf("its root is %x, the statement says %x", root, st.Root))
	}
	// Steps 5 to 7: the leaves.
	if err := b.readLeaves(names, !f.keepSealed); err != nil {
		return nil, err
	}
	// Step 8: the sealed files.
	if err := b.checkSealed(f.sealed); err != nil {
		return nil, err
	}
	// Step 9: the form of signatures and log proof.
	if err := b.readSignatures(names); err != nil {
		return nil, err
	}
	if b.proof, err = sign.ParseLogProof(files[nameProof]); err != nil {
		return nil, invalid(nameProof, err)
	}
	if _, err := sign.ForeignLines(b.proof.Note); err != nil {
		return nil, invalid(nameProof, err)
	}
	return b, nil
}

// readLeaves takes steps 5 to 7. With drop, the bytes of leaves are not kept.
func (b *Bundle) readLeaves(names []string, drop bool) error {
	b.leaves = make([]leaf.Leaf, b.statement.Leaves)
	beyond, known := 0, 0
	// Step 5: each leaf is the one committed to, and says itself where it belongs.
	for _, name := range names {
		digits, ok := cutName(name, leavesDir, leafExt)
		if !ok {
			continue
		}
		i, err := strconv.Atoi(digits)
		if err != nil || i >= len(b.leaves) {
			beyond++
			continue
		}
		l, err := b.openLeaf(i, b.files[name])
		if err != nil {
			return invalid(name, err)
		}
		if u, ok := l.(*leaf.Unread); ok && b.newer == nil {
			b.newer = u.Newer
		}
		b.leaves[i] = l
		known++
		if drop {
			delete(b.files, name)
		}
	}
	if beyond > 0 {
		return invalid(leavesDir, fmt.Errorf("%d files, of which %d are beyond the %d leaves of the statement", known+beyond, beyond, len(b.leaves)))
	}
	// Step 6: the display leaf is disclosed.
	d := b.statement.Display
	switch b.leaves[d].(type) {
	case *leaf.Display, *leaf.Unread:
	default:
		return invalid(leafName(d), errors.New("the display leaf is missing or of another kind"))
	}
	// Step 7: references lead to the right kinds.
	if where, err := checkGraph(b.leaves, d); err != nil {
		return invalid(leafName(where), err)
	}
	return nil
}

// openLeaf checks data against commitment i and parses it.
func (b *Bundle) openLeaf(i int, data []byte) (leaf.Leaf, error) {
	if sum := leaf.Commitment(data); sum != b.commitments[i] {
		return nil, fmt.Errorf("its sha256 is %x, %s says %x", sum, nameSums, b.commitments[i])
	}
	l, err := leaf.Parse(data)
	if err != nil {
		var newer *jcs.NewerError
		if !errors.As(err, &newer) {
			return nil, err
		}
		if l, err = leaf.ParseUnread(data, newer); err != nil {
			return nil, err
		}
	}
	if h := l.Head(); h.Index != i || h.Answer != b.id {
		return nil, fmt.Errorf("it says it is leaf %d of answer %s, want %d of %x", h.Index, h.Answer, i, b.statement.ID)
	}
	return l, nil
}

// checkGraph checks the references between leaves, as far as they are known: leaves are by index,
// nil where unknown; display is the index of the display leaf. It returns the index of the leaf
// that is wrong.
func checkGraph(leaves []leaf.Leaf, display int) (int, error) {
	claims, scored := make(map[int]*leaf.Claim), make(map[int]int)
	question, reviews := -1, 0
	for i, l := range leaves {
		switch l := l.(type) {
		case *leaf.Claim:
			if claims[l.Claim] != nil {
				return i, fmt.Errorf("it is claim %d, as is leaf %d", l.Claim, claims[l.Claim].Index)
			}
			claims[l.Claim] = l
		case *leaf.Gate:
			if l.Stage == leaf.StageRank && l.Claim > 0 {
				if other, twice := scored[l.Claim]; twice {
					return i, fmt.Errorf("it scores claim %d, as does leaf %d", l.Claim, other)
				}
				scored[l.Claim] = i
			}
		case *leaf.Reviews:
			if reviews += len(l.Reviews); reviews > maxReviews {
				return i, fmt.Errorf("there are more than %d reviews", maxReviews)
			}
		case *leaf.Question:
			if question >= 0 {
				return i, fmt.Errorf("it is a second question, as leaf %d is one", question)
			}
			question = i
		}
	}
	var refs []leaf.Ref
	for i, l := range leaves {
		if l == nil {
			continue
		}
		if leaf.KindOf(l) == leaf.KindDisplay && i != display {
			return i, fmt.Errorf("it is a second display leaf, the statement names %d", display)
		}
		refs = leaf.AppendRefs(refs[:0], l)
		for _, r := range refs {
			if r.Index < 0 || r.Index >= len(leaves) {
				return i, fmt.Errorf("it refers to leaf %d of %d", r.Index, len(leaves))
			}
			if to := leaves[r.Index]; to != nil && leaf.KindOf(to) != r.Kind && leaf.KindOf(to) != "" {
				return i, fmt.Errorf("it refers to leaf %d as a %s, which is a %s", r.Index, r.Kind, leaf.KindOf(to))
			}
		}
		if r, ok := l.(*leaf.Reviews); ok {
			if err := checkReviews(r, claims, leaves); err != nil {
				return i, err
			}
		}
		if d, ok := l.(*leaf.Display); ok {
			for _, n := range d.Shown {
				if n >= len(leaves) {
					return i, fmt.Errorf("it lists leaf %d of %d", n, len(leaves))
				}
			}
		}
		if c, ok := l.(*leaf.Claim); ok {
			if err := checkClaim(c, leaves); err != nil {
				return i, err
			}
		}
	}
	return 0, nil
}

// checkClaim checks that a claim's cites and gate are about that claim.
func checkClaim(c *leaf.Claim, leaves []leaf.Leaf) error {
	for _, n := range c.Cites {
		if t, ok := leaves[n].(*leaf.Cite); ok && t.Claim != c.Claim {
			return fmt.Errorf("it is claim %d, its cite %d is for claim %d", c.Claim, n, t.Claim)
		}
	}
	if g, ok := leaves[c.Gate].(*leaf.Gate); ok && (g.Claim != c.Claim || g.Stage != leaf.StageCoverage) {
		return fmt.Errorf("it is claim %d, its gate %d is of claim %d at the stage %s", c.Claim, c.Gate, g.Claim, g.Stage)
	}
	if c.Role != cite.RoleNearest {
		return nil
	}
	for _, n := range c.Cites {
		if t, ok := leaves[n].(*leaf.Cite); ok && t.Relation != cite.DirectQuote {
			return fmt.Errorf("it is claim %d with the role nearest, its cite %d is no direct quote", c.Claim, n)
		}
	}
	return nil
}

// checkSealed takes step 8: each sealed file is one that the statement names.
func (b *Bundle) checkSealed(sums map[string]merkle.Hash) error {
	known := 0
	for _, s := range b.statement.Sealed {
		sum, ok := sums[s.Name()]
		if !ok {
			continue
		}
		if sum != s.SHA256 {
			return invalid(s.Name(), fmt.Errorf("its sha256 is %x, the statement says %x", sum, s.SHA256))
		}
		known++
	}
	if known == len(sums) {
		return nil
	}
	named := func(name string) bool {
		return slices.ContainsFunc(b.statement.Sealed, func(s Sealed) bool { return s.Name() == name })
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !named(name) {
			return invalid(name, errors.New("the statement does not name it"))
		}
	}
	return nil
}

// readSignatures parses the signatures; they are not verified.
func (b *Bundle) readSignatures(names []string) error {
	for _, name := range names {
		if !strings.HasPrefix(name, sigsDir) {
			continue
		}
		sig, err := sign.ParseSignature(b.files[name])
		if err != nil {
			return invalid(name, err)
		}
		if want := sigName(sig.Key()); name != want {
			return invalid(name, fmt.Errorf("it is a signature by %s and belongs into %s", sig.Key().Fingerprint(), want))
		}
		b.signatures = append(b.signatures, sig)
	}
	if n := len(b.signatures); n < 1 || n > maxSignatures {
		return invalid(sigsDir, fmt.Errorf("%d signatures, want 1 to %d", n, maxSignatures))
	}
	return nil
}

// checkName accepts the names a bundle can have, whatever its statement says.
func checkName(name string) error {
	if name == nameStatement || name == nameSums || name == nameProof {
		return nil
	}
	if n, ok := cutName(name, leavesDir, leafExt); ok && len(n) == 5 && strings.Trim(n, "0123456789") == "" {
		return nil
	}
	if n, ok := cutName(name, sigsDir, sigExt); ok && leaf.IsHex(n, sha256.Size) {
		return nil
	}
	if n, ok := cutName(name, sealedDir, sealedExt); ok {
		scope, subset, nested := strings.Cut(n, ".")
		if isScope(scope) && (!nested || isSubset(subset)) {
			return nil
		}
	}
	if len(name) > zipShownName {
		name = name[:zipShownName] + "…"
	}
	return fmt.Errorf("no file named %q belongs into a bundle", display.Safe(name))
}

// leafName returns the name of the file of leaf i.
func leafName(i int) string {
	name := []byte(leavesDir + "00000" + leafExt)
	for at := len(leavesDir) + 4; i > 0 && at >= len(leavesDir); at, i = at-1, i/10 {
		name[at] = byte('0' + i%10)
	}
	return string(name)
}

// cutName returns the part of a name between its folder and its extension.
func cutName(name, dir, ext string) (string, bool) {
	rest, ok := strings.CutPrefix(name, dir)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, ext)
}

func sigName(k sign.Key) string             { return sigsDir + k.ID() + sigExt }
func invalid(where string, err error) error { return &InvalidError{where, err.Error()} }
