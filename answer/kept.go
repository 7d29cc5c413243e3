package answer

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/objects/disk"
	"muniment/sign"
)

// The files of archive.local with which complete bundles are kept.
const (
	keptExt    = ".zip"
	policyFile = "answers.json"   // a keepPolicy
	prunedFile = "answers-pruned" // a line for each bundle that was pruned: ID, issued, pruned, its place in the log
)

// maxPrunedFile is the most bytes of prunedFile: a hundred thousand lines.
const maxPrunedFile = 32 << 20

// MaxKeepDays is the longest time for which complete bundles can be said to be kept: a
// century, beyond which nobody would prune.
const MaxKeepDays = 36525

// keepPolicy says how many days complete bundles are kept, 0 for always.
type keepPolicy struct {
	Days int `json:"days"`
}

// A KeptAnswer is a complete bundle that lies in the local folder of an archive.
type KeptAnswer struct {
	ID      string `json:"id"`
	Issued  string `json:"issued"` // RFC 3339, as the statement says
	Outcome string `json:"outcome"`
	Bytes   int64  `json:"bytes"`
	File    string `json:"file"`
	Logged  string `json:"logged"`           // its place in the answer log here; "" where the log here does not have it
	Reason  string `json:"reason,omitempty"` // why it is not in the log here, or cannot be read
}

// A KeptResult lists the complete bundles of an archive, kept and pruned.
type KeptResult struct {
	Days   int          `json:"days"` // for which bundles are kept; 0 for always
	Kept   []KeptAnswer `json:"kept"`
	Pruned []KeptAnswer `json:"pruned"` // by this call, or by the call that it tries out
	Bytes  int64        `json:"bytes"`  // of those kept
}

// Kept returns the complete bundles that lie here, the oldest first.
func Kept(a *archive.Archive) (*KeptResult, error) {
	policy, err := readKeepPolicy(a)
	if err != nil {
		return nil, err
	}
	dir, err := a.LocalPath(archive.BundlesDir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Wrap(err, "bundles")
	}
	logDir, err := a.LocalPath("log")
	if err != nil {
		return nil, err
	}
	logs, err := answerlog.List(logDir, a.ID())
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	out := &KeptResult{Days: policy.Days, Kept: []KeptAnswer{}, Pruned: []KeptAnswer{}}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), keptExt); ok && e.Type().IsRegular() {
			k := describeKept(filepath.Join(dir, e.Name()), id, logs)
			out.Kept = append(out.Kept, k)
			out.Bytes += k.Bytes
		}
	}
	slices.SortStableFunc(out.Kept, func(x, y KeptAnswer) int { return strings.Compare(x.Issued, y.Issued) })
	return out, nil
}

// describeKept returns the description of one bundle that lies here.
func describeKept(file, id string, logs []*answerlog.Stored) KeptAnswer {
	k := KeptAnswer{ID: id, File: file}
	if info, err := os.Lstat(file); err == nil {
		k.Bytes = info.Size()
	}
	b, err := bundlefile.Read(file)
	if err != nil {
		k.Reason = err.Error()
		return k
	}
	st := b.Statement()
	k.Issued, k.Outcome = st.Issued.Format(time.RFC3339), string(st.Outcome)
	if answerID(&st) != id {
		k.Reason = "the bundle in it has another ID"
		return k
	}
	if k.Logged, err = placeInLog(b, &st, logs); err != nil {
		k.Reason = err.Error()
	}
	return k
}

// placeInLog returns the place of a bundle's statement in the log that lies here.
// The error says why it is not shown to be there.
func placeInLog(b *bundle.Bundle, st *bundle.Statement, logs []*answerlog.Stored) (string, error) {
	text, err := st.Encode()
	if err != nil {
		return "", err
	}
	entry := sha256.Sum256(text)
	for _, s := range logs {
		if s.Checkpoint.Origin != st.After.Origin {
			continue
		}
		if s.Damage != nil {
			return "", s.Damage
		}
		proof, err := s.Prove(b.Proof().Index, s.Note)
		if err != nil {
			return "", err
		}
		for _, k := range b.Signers() {
			if k.ID() != s.KeyID {
				continue
			}
			if _, err := proof.Verify(entry[:], k); err != nil {
				return "", err
			}
			return fmt.Sprintf("entry %d of %s", proof.Index, st.After.Origin), nil
		}
	}
	return "", errors.New("the log here is another one")
}

// requireUnproved returns an error of TypeDamaged where archive.local has nothing of the log of
// a key, by ID, and a bundle that is kept here proves an entry of an epoch after those of the
// copies on its ref: such an epoch is never begun again. It reads the bundles only where the
// folder of the log is lost. A bundle that cannot be read proves nothing.
func requireUnproved(a *archive.Archive, key string, copies []answerlog.Published) error {
	dir, err := a.LocalPath("log")
	if err != nil {
		return err
	}
	own := filepath.Join(dir, a.ID().Hex(), key)
	if there, err := filepath.Glob(filepath.Join(own, "*", "checkpoint")); err != nil || len(there) > 0 {
		return problem.Wrap(err, "answer log")
	}
	kept, err := a.LocalPath(archive.BundlesDir)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(kept, "*"+keptExt))
	if err != nil {
		return problem.Wrap(err, "bundles")
	}
	last, file := int64(0), ""
	if len(copies) > 0 {
		last = copies[len(copies)-1].Epoch
	}
	for _, name := range files {
		b, err := bundlefile.Read(name)
		if err != nil {
			continue
		}
		number, ok := strings.CutPrefix(b.Statement().After.Origin, strings.TrimSuffix(sign.AnswerOrigin(a.ID(), key, 0), "0"))
		if n, err := strconv.ParseInt(number, 10, 64); ok && err == nil && n > last {
			last, file = n, filepath.Base(name)
		}
	}
	next := filepath.Join(own, strconv.FormatInt(last+1, 10))
	if _, err := os.Lstat(next); file == "" || err == nil {
		return nil
	}
	if info, err := os.Lstat(filepath.Join(own, strconv.FormatInt(last, 10), "entries")); err == nil && info.Size() > 0 {
		return nil // entries without a checkpoint are left as they are, and the next epoch begins
	}
	return problem.New(problem.Damaged, problem.Next(problem.DoFetch).With("a remote that has the log brings it back; where none has it, make the folder "+next+": answers go on in that epoch"),
		"the answer log of %.16s is lost: %s proves an entry of epoch %d, which is neither in %s nor on %s", key, file, last, dir, archive.RefLog+key)
}

// KeepAnswers sets for how many days complete bundles are kept, 0 for always. Nothing
// is removed before PruneAnswers.
func KeepAnswers(a *archive.Archive, days int) (*KeptResult, error) {
	if days < 0 || days > MaxKeepDays {
		return nil, problem.New(problem.Usage, problem.Advise("give a number of days, or 0 for always"), "answers cannot be kept for %d days, at most for %d", days, MaxKeepDays)
	}
	data, err := json.Marshal(keepPolicy{days})
	if err == nil {
		err = replaceLocal(a, policyFile, append(data, '\n'))
	}
	if err != nil {
		return nil, err
	}
	return Kept(a)
}

// readKeepPolicy returns the policy of KeepAnswers.
func readKeepPolicy(a *archive.Archive) (keepPolicy, error) {
	var p keepPolicy
	file, err := a.LocalPath(policyFile)
	if err != nil {
		return p, err
	}
	data, err := disk.ReadOwnPlain(file, 256) // one number
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err == nil && (p.Days < 0 || p.Days > MaxKeepDays) {
		err = fmt.Errorf("%d days", p.Days)
	}
	return p, problem.Wrap(err, policyFile)
}

// PruneAnswers removes the complete bundles that are older than the policy says, if the
// answer log here has them: that the answer was given, and its hash, stay provable. What
// was removed is noted before. With try nothing is removed.
func PruneAnswers(a *archive.Archive, try bool) (*KeptResult, error) {
	r, err := Kept(a)
	if err != nil || r.Days == 0 {
		return r, err
	}
	now := a.World().Now().UTC()
	stay := []KeptAnswer{}
	var lines strings.Builder
	for _, k := range r.Kept {
		issued, err := time.Parse(time.RFC3339, k.Issued)
		if err != nil || k.Logged == "" || now.Sub(issued) < time.Duration(r.Days)*24*time.Hour {
			stay = append(stay, k)
			continue
		}
		r.Pruned = append(r.Pruned, k)
		r.Bytes -= k.Bytes
		fmt.Fprintf(&lines, "%s %s %s %s\n", k.ID, k.Issued, now.Format(time.RFC3339), strconv.Quote(k.Logged))
	}
	r.Kept = stay
	if try || len(r.Pruned) == 0 {
		return r, nil
	}
	noted, err := readPruned(a)
	if err != nil {
		return nil, err
	}
	if err := replaceLocal(a, prunedFile, append(noted, lines.String()...)); err != nil {
		return nil, err
	}
	for _, k := range r.Pruned {
		if err := os.Remove(k.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, problem.Wrap(err, "bundles")
		}
		if err := mark.Forget(filepath.Dir(k.File), filepath.Base(k.File)); err != nil {
			return nil, problem.Wrap(err, mark.File)
		}
	}
	return r, pruneRepeats(a)
}

// readPruned returns the lines about bundles that were pruned.
func readPruned(a *archive.Archive) ([]byte, error) {
	file, err := a.LocalPath(prunedFile)
	if err != nil {
		return nil, err
	}
	data, err := disk.ReadOwnPlain(file, maxPrunedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, problem.Wrap(err, prunedFile)
}

// wasPruned reports whether the bundle of an answer was pruned here.
func wasPruned(a *archive.Archive, id string) (bool, error) {
	data, err := readPruned(a)
	return strings.HasPrefix(string(data), id+" ") || strings.Contains(string(data), "\n"+id+" "), err
}

// replaceLocal writes a file of the local folder whole or not at all.
func replaceLocal(a *archive.Archive, name string, data []byte) error {
	file, err := a.LocalPath(name)
	if err != nil {
		return err
	}
	return problem.Wrap(a.World().Disk.Replace(file, data, 0o600), name)
}
