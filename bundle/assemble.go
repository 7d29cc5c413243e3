package bundle

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"muniment/bundle/leaf"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/sign"
	"muniment/snapshot/access"
)

// An Appender is the answer log of one key, to which Assemble appends. Package archive/answerlog keeps one on disk.
type Appender interface {
	// Head returns the log as it is, size 0 before the first entry.
	Head() (sign.Checkpoint, error)
	// Append adds an entry, the sha256 of a statement, and returns the
	// encoded sign.LogProof for it. The entry is durable when it returns.
	Append(entry [sha256.Size]byte) (proof []byte, err error)
}

// Env is everything that Assemble takes from outside the answer. No field is
// optional.
type Env struct {
	Rand         io.Reader // of cryptographic quality: ids, salts, order of leaves and handles
	Now          time.Time
	Archive      cid.ID
	Signers      []sign.Signer // the log's key is among them
	Log          Appender
	Scopes       []access.Scope // of the policy in force
	PolicyDigest [sha256.Size]byte
	TrustDigest  [sha256.Size]byte
	RequestMAC   [sha256.Size]byte // see RequestMAC
}

// RequestMAC binds an answer to a question without showing it: HMAC-SHA256 of
// the question under a nonce that stays with the requestor.
func RequestMAC(nonce, question []byte) [sha256.Size]byte {
	m := hmac.New(sha256.New, nonce)
	m.Write(question)
	return [sha256.Size]byte(m.Sum(nil))
}

// Assemble makes the bundle of an answer: it completes, shuffles and pads the
// leaves, seals those that are not disclosed, signs the statement, appends it
// to the log, and verifies the result as anyone would. On error there is no
// bundle; the log may then hold an entry that belongs to nothing.
func Assemble(a Answer, env Env) (*Bundle, error) {
	b, err := assemble(a, env, sign.Seal)
	if err != nil {
		return nil, fmt.Errorf("assembling the answer: %w", err)
	}
	return b, nil
}

// sealFunc is sign.Seal: it encrypts to recipients.
type sealFunc func(recipients []string, plaintext []byte) ([]byte, error)

// assemble is Assemble with the encryption given, which tests replace.
func assemble(a Answer, env Env, encrypt sealFunc) (*Bundle, error) {
	if len(env.Signers) == 0 || env.Log == nil || env.Rand == nil {
		return nil, errors.New("a signer, a log and a source of randomness are needed")
	}
	seal, err := newSealer(env.Scopes, encrypt)
	if err != nil {
		return nil, err
	}
	st := &Statement{
		Archive: env.Archive,
		Issued:  env.Now.UTC().Truncate(time.Second),
		Request: env.RequestMAC,
		Policy:  env.PolicyDigest,
		Trust:   env.TrustDigest,
	}
	if _, err := io.ReadFull(env.Rand, st.ID[:]); err != nil {
		return nil, err
	}
	leaves, shown, err := a.number(env.Rand, st)
	if err != nil {
		return nil, err
	}
	if err := checkAll(leaves, st); err != nil {
		return nil, err
	}
	files, err := writeLeaves(a, leaves, shown, seal, st)
	if err != nil {
		return nil, err
	}
	if _, err := filesOf(files); err != nil { // too large: known before it is logged
		return nil, err
	}
	return finish(files, st, env)
}

// finish signs and logs a statement whose other files are ready, and verifies
// the whole.
func finish(files map[string][]byte, st *Statement, env Env) (*Bundle, error) {
	head, err := env.Log.Head()
	if err != nil {
		return nil, err
	}
	st.After = After{head.Origin, head.Size, head.Root}
	text, err := st.Encode()
	if err != nil {
		return nil, err
	}
	files[nameStatement] = text
	for _, s := range env.Signers {
		armored, err := sign.Sign(s, sign.NamespaceAnswer, text)
		if err != nil {
			return nil, err
		}
		files[sigName(s.Key())] = armored
	}
	if files[nameProof], err = env.Log.Append(sha256.Sum256(text)); err != nil {
		return nil, err
	}
	b, err := fromFiles(files)
	if err != nil {
		return nil, err
	}
	if bad := Verify(b, Requirements{}).firstFailure(); bad != "" {
		return nil, errors.New(bad)
	}
	return b, nil
}

// number turns the drafts into leaves by index: shuffled, with handles, salts,
// display leaf and pads. shown says which are disclosed.
func (a *Answer) number(rand io.Reader, st *Statement) (leaves []leaf.Leaf, shown []bool, err error) {
	if err := a.check(); err != nil {
		return nil, nil, err
	}
	count, err := a.countLeaves()
	if err != nil {
		return nil, nil, err
	}
	order, err := permutation(rand, count)
	if err != nil {
		return nil, nil, err
	}
	handles, err := a.nameSources(rand)
	if err != nil {
		return nil, nil, err
	}
	leaves, shown = make([]leaf.Leaf, count), make([]bool, count)
	display := &leaf.Display{RequestorTier: a.Tier}
	var visible []leaf.Leaf
	for i, d := range a.drafts {
		l := leaf.Remap(d.leaf, order)
		switch l := l.(type) {
		case *leaf.Cite:
			l.Handle, l.Label = handles[i], leaf.Label(l.Relation)
		case *leaf.Claim:
			if l.Role == "" {
				l.Role = cite.RoleAnswer
			}
		case *leaf.Gate:
			if l.Stage == leaf.StageCoverage {
				l.Table = cite.GateTableVersion
			}
		}
		leaves[order[i]], shown[order[i]] = l, d.disclosed
		if d.disclosed {
			visible = append(visible, l)
			display.Shown = append(display.Shown, order[i])
			if mustKeep(l) {
				display.Keep = append(display.Keep, order[i])
			}
		}
	}
	slices.Sort(display.Keep)
	if st.Outcome, display.OutcomeRung, err = outcome(visible); err != nil {
		return nil, nil, err
	}
	st.Leaves, st.Display = count, order[len(a.drafts)]
	leaves[st.Display], shown[st.Display] = display, true
	for i := range leaves {
		if leaves[i] == nil {
			leaves[i] = new(leaf.Pad)
		}
		var salt [leaf.SaltSize]byte
		if _, err := io.ReadFull(rand, salt[:]); err != nil {
			return nil, nil, err
		}
		kind := leaf.KindOf(leaves[i])
		*leaves[i].Head() = leaf.Header{Type: leaf.NewestType(kind), Answer: hex.EncodeToString(st.ID[:]), Index: i, Kind: kind, Salt: hex.EncodeToString(salt[:])}
	}
	return leaves, shown, nil
}

// check refuses drafts whose references lead nowhere, or that hold what
// Assemble makes itself.
func (a *Answer) check() error {
	for i, d := range a.drafts {
		switch k := leaf.KindOf(d.leaf); {
		case k == leaf.KindDisplay || k == leaf.KindPad:
			return fmt.Errorf("draft %d is a %s leaf, which only Assemble makes", i, k)
		case !d.disclosed && (k == leaf.KindRefusal || k == leaf.KindRemoved):
			return fmt.Errorf("draft %d is a %s leaf and not disclosed: what limits an answer is always shown", i, k)
		}
		if c, ok := d.leaf.(*leaf.Cite); ok && c.Handle != "" {
			return fmt.Errorf("draft %d has the handle %q already, which only Assemble gives", i, c.Handle)
		}
		for _, r := range leaf.AppendRefs(nil, d.leaf) {
			if r.Index < 0 || r.Index >= len(a.drafts) {
				return fmt.Errorf("draft %d (%s) refers to draft %d of %d", i, leaf.KindOf(d.leaf), r.Index, len(a.drafts))
			}
			if k := leaf.KindOf(a.drafts[r.Index].leaf); k != r.Kind {
				return fmt.Errorf("draft %d (%s) refers to draft %d as a %s, which is a %s", i, leaf.KindOf(d.leaf), r.Index, r.Kind, k)
			}
		}
	}
	return nil
}

// countLeaves returns the number of leaves: the drafts, the display leaf, and pads.
func (a *Answer) countLeaves() (int, error) {
	for _, n := range leaf.Steps {
		if n >= len(a.drafts)+1 && n >= a.MinLeaves {
			return n, nil
		}
	}
	return 0, fmt.Errorf("answer of %d leaves, at most %d are allowed", max(len(a.drafts)+1, a.MinLeaves), leaf.MaxCount)
}

// nameSources returns the handles of the sources of the cites by draft position: cites of one
// artifact share a handle. Letters are given in random order, those of
// disclosed cites first, so that a gap in them shows nothing.
func (a *Answer) nameSources(rand io.Reader) (map[int]string, error) {
	var groups [2][]string // artifacts of disclosed cites, then of the others
	seen := make(map[string]bool)
	artifact := make(map[int]string)
	for hidden := range groups {
		for i, d := range a.drafts {
			c, ok := d.leaf.(*leaf.Cite)
			if !ok || d.disclosed != (hidden == 0) {
				continue
			}
			artifact[i] = a.drafts[c.Source].leaf.(*leaf.Source).Subject()
			if !seen[artifact[i]] {
				seen[artifact[i]] = true
				groups[hidden] = append(groups[hidden], artifact[i])
			}
		}
	}
	named := make(map[string]string)
	for _, g := range groups {
		order, err := permutation(rand, len(g))
		if err != nil {
			return nil, err
		}
		first := len(named)
		for i, art := range g {
			named[art] = "Source " + letters(first+order[i])
		}
	}
	out := make(map[int]string)
	for i, art := range artifact {
		out[i] = named[art]
	}
	return out, nil
}

// letters returns A to Z, AA to ZZ, AAA, … for n from 0.
func letters(n int) string {
	s := string(rune('A' + n%26))
	if n < 26 {
		return s
	}
	return letters(n/26-1) + s
}

// mustKeep reports whether no reduction may drop a shown leaf: what limits or
// contradicts an answer stays with it.
func mustKeep(l leaf.Leaf) bool {
	if c, ok := l.(*leaf.Cite); ok {
		return c.Contradicts
	}
	return leaf.KindOf(l) == leaf.KindRefusal || leaf.KindOf(l) == leaf.KindRemoved
}

// neverShown reports whether a leaf has no place in a display: a refused claim
// is cut and listed, and a pad says nothing.
func neverShown(l leaf.Leaf) bool {
	c, ok := l.(*leaf.Claim)
	return ok && c.Rung == cite.Refused || leaf.KindOf(l) == leaf.KindPad
}

// outcome derives the outcome of an answer and its rung from its shown leaves.
func outcome(shown []leaf.Leaf) (Outcome, cite.Rung, error) {
	rungs := make(map[cite.Rung]int)
	claims, refusals, cut := 0, 0, 0
	for _, l := range shown {
		switch l := l.(type) {
		case *leaf.Claim:
			claims++
			rungs[l.Rung]++
			if l.Role == cite.RoleNearest {
				cut++
			}
		case *leaf.Refusal:
			refusals++
		case *leaf.Removed:
			cut++
		}
		if neverShown(l) {
			return "", "", fmt.Errorf("leaf %d is shown: claims with the rung refused and pads never are", l.Head().Index)
		}
	}
	switch {
	case claims == 0 && refusals == 0:
		return "", "", errors.New("neither a claim nor a refusal is shown")
	case claims == 0:
		return OutcomeRefusal, cite.Refused, nil
	}
	cut += refusals + rungs[cite.Narrowed]
	out, rung := OutcomeAnswer, cite.Supported
	if cut > 0 {
		out, rung = OutcomePartial, cite.Narrowed
	}
	if rungs[cite.Labeled] > 0 {
		rung = cite.Labeled
	}
	return out, rung, nil
}

// checkAll checks the leaves as an auditor with every identity would, before
// anything is signed.
func checkAll(leaves []leaf.Leaf, st *Statement) error {
	for _, l := range leaves {
		if err := leaf.Check(l); err != nil {
			return err
		}
	}
	if where, err := checkGraph(leaves, st.Display); err != nil {
		return fmt.Errorf("leaf %d: %w", where, err)
	}
	if ax := judgeGates(leaves, true, st.Archive, Requirements{}); ax.Result == Fail {
		return errors.New(ax.Reason)
	}
	if ax := checkSources(leaves, true, st.Archive, Requirements{}, nil); ax.Result == Fail {
		return errors.New(ax.Reason)
	}
	return nil
}

// writeLeaves makes the files of leaves and scopes, and fills root, sums and
// sealed of the statement.
func writeLeaves(a Answer, leaves []leaf.Leaf, shown []bool, seal *sealer, st *Statement) (map[string][]byte, error) {
	files := make(map[string][]byte)
	sealed := make(map[string]map[int][]byte)
	commitments := make([]merkle.Hash, len(leaves))
	for i, l := range leaves {
		data, err := leaf.Encode(l)
		if err != nil {
			return nil, err
		}
		commitments[i] = leaf.Commitment(data)
		if shown[i] {
			files[leafName(i)] = data
			continue
		}
		scope := seal.scope(leaf.KindOf(l))
		if sealed[scope] == nil {
			sealed[scope] = make(map[int][]byte)
		}
		sealed[scope][i] = data
	}
	files[nameSums] = encodeSums(commitments)
	st.Root, st.Sums = leaf.Root(commitments), sha256.Sum256(files[nameSums])
	for _, scope := range seal.scopes {
		plain, err := encodePlain(sealed[scope.Name], a.MinSealed)
		if err != nil {
			return nil, fmt.Errorf("scope %s: %w", scope.Name, err)
		}
		for _, subset := range subsets(scope) {
			data, err := seal.nest(scope.Recipients, subset, plain)
			if err != nil {
				return nil, fmt.Errorf("scope %s: %w", scope.Name, err)
			}
			line := Sealed{Scope: scope.Name, Subset: subset, SHA256: sha256.Sum256(data)}
			files[line.Name()] = data
			st.Sealed = append(st.Sealed, line)
		}
		delete(sealed, scope.Name)
	}
	if len(sealed) > 0 {
		return nil, fmt.Errorf("leaves of the scopes %v have no file", slices.Sorted(maps.Keys(sealed)))
	}
	return files, nil
}

// permutation returns 0 to n-1 in random order, every order as likely.
func permutation(rand io.Reader, n int) ([]int, error) {
	p := make([]int, n)
	for i := range p {
		j, err := below(rand, uint64(i)+1)
		if err != nil {
			return nil, err
		}
		p[i], p[j] = p[j], i
	}
	return p, nil
}

// below returns a random number from 0 to n-1 without bias.
func below(rand io.Reader, n uint64) (uint64, error) {
	most := ^uint64(0) - ^uint64(0)%n
	for {
		var b [8]byte
		if _, err := io.ReadFull(rand, b[:]); err != nil {
			return 0, err
		}
		if v := binary.BigEndian.Uint64(b[:]); v < most {
			return v % n, nil
		}
	}
}
