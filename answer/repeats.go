package answer

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"muniment/answer/budget"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle/bundlefile"
	"muniment/objects/disk"
)

// repeatExt ends the name of a file of archive.BundlesDir that describes the answer to a
// request, so that the same request gets the same bundle.
const repeatExt = ".json"

// maxRepeatFile is the most bytes of such a file: the display of a whole bundle.
const maxRepeatFile = 4 << 20

// A repeat is an answer as its requestor was told of it, without the question and the
// nonce, which whoever asks again has.
type repeat struct {
	Result  Result            `json:"result"`
	Until   time.Time         `json:"until,omitzero"`    // when a budget that withheld something of it has room again
	Records map[string]string `json:"records,omitempty"` // Result.Records, which no reply has
}

// repeatFile returns the path of the file for a request of a kind about a subject, ""
// where the request is not repeatable: one of no account, or without a nonce. The name
// is a MAC under the nonce of everything that the answer depends on, so that it tells
// nobody what was asked.
func repeatFile(a *archive.Archive, p *Pipeline, kind string, o AskOptions) (string, error) {
	if o.Account == "" || o.Nonce == nil || o.subject == "" || o.BundleFile != "" {
		return "", nil
	}
	w := a.World()
	models := []string{}
	for _, m := range []*archive.Judge{w.Drafter, w.Judge, w.Reranker, w.Embedder} {
		if m != nil {
			models = append(models, m.URL, m.Model)
		} else {
			models = append(models, "", "")
		}
	}
	text, err := json.Marshal([]any{kind, o.Account, o.subject, p.View.Snapshot.ID.String(), hex.EncodeToString(p.Env.PolicyDigest[:]), o.Requestor, o.Tier,
		o.Profile, o.CitationsRequired, o.PrimaryOnly, o.Private, o.NoModel, o.Auditor, o.Signer.Key().Fingerprint(), models})
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, o.Nonce)
	mac.Write(text)
	return a.LocalPath(archive.BundlesDir, "asked-"+hex.EncodeToString(mac.Sum(nil))+repeatExt)
}

// findRepeat returns the path of the file for a request, and the answer that it describes:
// nil where there is none whose bundle is kept here.
func findRepeat(a *archive.Archive, p *Pipeline, kind string, o AskOptions) (file string, before *Result, err error) {
	if file, err = repeatFile(a, p, kind, o); file != "" && err == nil {
		before, err = readRepeat(a, file, o)
	}
	return file, before, err
}

// readRepeat returns the answer that a file describes, nil where it has none. It writes
// the display copy that was asked for, and neither charges nor counts anything: nothing
// is shown that was not shown before.
func readRepeat(a *archive.Archive, file string, o AskOptions) (*Result, error) {
	data, err := disk.ReadOwnPlain(file, maxRepeatFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, problem.Wrap(err, "bundles")
	}
	var known repeat
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, dropRepeat(file) // cut short by a crash, or of another version
	}
	out := &known.Result
	out.Records = known.Records
	path, err := a.LocalPath(archive.BundlesDir, out.BundleID+keptExt)
	if err != nil {
		return nil, err
	}
	b, err := bundlefile.Read(path)
	if err != nil || !known.Until.IsZero() && !a.World().Now().Before(known.Until) {
		return nil, dropRepeat(file) // pruned meanwhile, or more may be shown now
	}
	if st := b.Statement(); answerID(&st) != out.BundleID {
		return nil, dropRepeat(file)
	}
	if o.DisplayFile != "" {
		shown, err := b.WithoutSealed().Zip()
		if err != nil {
			return nil, problem.Wrap(err, "bundle")
		}
		if err := (archive.NewFile{Path: o.DisplayFile, Private: o.Private}).Write(shown); err != nil {
			return nil, err
		}
	}
	out.Bundle, out.Display, out.Question, out.Repeated = path, o.DisplayFile, o.question, true
	if out.Budget, err = Budget(a, BudgetOptions{Requestor: o.Requestor, Tier: o.Tier, Account: o.Account}); err != nil {
		return nil, err
	}
	out.Budget.Risks = nil // as in a new answer
	return out, nil
}

// dropRepeat removes a file of repeatFile.
func dropRepeat(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem.Wrap(err, "bundles")
	}
	return nil
}

// keepRepeat notes which answer a request got. An answer from an index that is not
// complete yet is given again when it is.
func keepRepeat(a *archive.Archive, file string, res *Response, out Result) error {
	if file == "" || out.IndexNotice != "" {
		return nil
	}
	known := repeat{Result: out, Records: out.Records}
	known.Result.Bundle, known.Result.Display, known.Result.Question, known.Result.Nonce, known.Result.Budget = "", "", "", "", nil
	for _, w := range res.Withheld {
		again := w.Taken.Again
		if again.IsZero() {
			again = budget.Day(a.World().Now()).Add(24 * time.Hour)
		}
		if known.Until.IsZero() || again.Before(known.Until) {
			known.Until = again
		}
	}
	data, err := json.Marshal(known)
	if err == nil && len(data) > maxRepeatFile {
		return nil // it is answered again
	}
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return problem.Wrap(a.World().Disk.Replace(file, data, 0o600), "bundles")
}

// pruneRepeats removes the files of repeatFile whose bundles are gone.
func pruneRepeats(a *archive.Archive) error {
	dir, err := a.LocalPath(archive.BundlesDir)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem.Wrap(err, "bundles")
	}
	there := map[string]bool{}
	for _, e := range entries {
		there[e.Name()] = true
	}
	for name := range there {
		if !strings.HasSuffix(name, repeatExt) {
			continue
		}
		file, err := a.LocalPath(archive.BundlesDir, name)
		if err != nil {
			return err
		}
		data, err := disk.ReadOwnPlain(file, maxRepeatFile)
		var known repeat
		if err == nil {
			err = json.Unmarshal(data, &known)
		}
		if err != nil || !there[known.Result.BundleID+keptExt] {
			if err := dropRepeat(file); err != nil {
				return err
			}
		}
	}
	return nil
}
