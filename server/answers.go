package server

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"muniment/answer"
	"muniment/archive"
	"muniment/audit"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
)

const (
	maxAnswers     = 200 // that are kept for the pages of those who asked
	maxAnswerBytes = 64 << 20
)

// A KeptAnswer is an answer as its requestor may see it.
type KeptAnswer struct {
	AskReply
	Issued string                 `json:"issued"`
	Places map[string]AnswerPlace `json:"places"` // by handle, of papers that the requestor may know of
	Zip    []byte                 `json:"-"`      // the bundle without its sealed layer
	Page   []byte                 `json:"-"`      // the same as one HTML page
	owner  string
}

// An AnswerPlace is where the words of a citation of an answer stand.
type AnswerPlace struct {
	Artifact string `json:"artifact"`
	Span     string `json:"span"`
}

// answers keeps the newest answers, for those who asked.
type answers struct {
	mu    sync.Mutex
	all   map[string]*KeptAnswer
	order []string
	bytes int
}

// keep adds an answer and drops the oldest ones above the limits.
func (k *answers) keep(a *KeptAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[string]*KeptAnswer{}
	}
	k.all[a.BundleID], k.order = a, append(k.order, a.BundleID)
	k.bytes += len(a.Zip) + len(a.Page)
	for len(k.order) > 1 && (len(k.order) > maxAnswers || k.bytes > maxAnswerBytes) {
		old := k.all[k.order[0]]
		k.bytes -= len(old.Zip) + len(old.Page)
		delete(k.all, k.order[0])
		k.order = k.order[1:]
	}
}

// Answer returns an answer that this client was given since the server began.
func (c *Client) Answer(id string) (*KeptAnswer, error) {
	if c.server == nil {
		return nil, errNotOpen
	}
	k := &c.server.answers
	k.mu.Lock()
	defer k.mu.Unlock()
	if a, ok := k.all[id]; ok && a.owner == c.cred.Name {
		return a, nil
	}
	return nil, archive.Problem(archive.TypeNotFound, archive.Advise("ask again; answers are kept here until the server stops, and the files that were downloaded for good"), "no answer %s is kept for you", archive.Printable(id))
}

// Budget returns what the client may still be shown, nil where it has no budget.
func (c *Client) Budget(ctx context.Context) (*answer.BudgetInfo, error) {
	var out *answer.BudgetInfo
	return out, c.server.with(ctx, func(h *handle) (err error) {
		who := c.cred.requestor()
		out, err = answer.Budget(h.archive, who.Name, who.Tier, false)
		return err
	})
}

// AskAndKeep answers a question as Ask does and keeps the answer for its page.
func (c *Client) AskAndKeep(ctx context.Context, question string) (*KeptAnswer, error) {
	return c.deliver(ctx, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		return answer.Ask(ctx, h.archive, question, o)
	})
}

// More shows more of the text around a citation of an answer, within the budget.
func (c *Client) More(ctx context.Context, id, citation string) (*KeptAnswer, error) {
	before, err := c.Answer(id)
	if err != nil {
		return nil, err
	}
	return c.deliver(ctx, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		file := filepath.Join(filepath.Dir(o.DisplayFile), "before.zip")
		if err := os.WriteFile(file, before.Zip, 0o600); err != nil {
			return nil, archive.Environment(err, "answer")
		}
		return answer.More(ctx, h.archive, citation, file, o)
	})
}

// deliver has an answer made, reads the copy for the client, and keeps it.
func (c *Client) deliver(ctx context.Context, ask func(*handle, answer.AskOptions) (*answer.Result, error)) (*KeptAnswer, error) {
	if c.options().Signer == nil {
		return nil, errNoSigner()
	}
	dir, err := os.MkdirTemp("", "muniment-answer-*")
	if err != nil {
		return nil, archive.Environment(err, "answer")
	}
	defer os.RemoveAll(dir)
	who, out := c.cred.requestor(), &KeptAnswer{owner: c.cred.Name}
	return out, c.server.with(ctx, func(h *handle) error {
		o := answer.AskOptions{Requestor: who.Name, Tier: who.Tier, Signer: c.options().Signer, DisplayFile: filepath.Join(dir, "answer.zip")}
		got, err := ask(h, o)
		if err != nil {
			return err
		}
		if out.Zip, err = os.ReadFile(o.DisplayFile); err != nil {
			return archive.Environment(err, "answer")
		}
		b, err := bundlefile.Read(o.DisplayFile)
		if err == nil {
			out.Page, err = b.Page()
		}
		if err != nil {
			return archive.Environment(err, "answer")
		}
		view, err := bundle.Render(b)
		if err != nil {
			return archive.Environment(err, "answer")
		}
		out.Issued, out.Result = view.Issued, *got
		out.Bundle, out.Display = "", ""
		if out.Budget, err = answer.Budget(h.archive, who.Name, who.Tier, false); err != nil {
			return err
		}
		if out.Places, err = c.placesOf(h, got); err != nil {
			return err
		}
		c.server.answers.keep(out)
		return nil
	})
}

// placesOf returns where the shown words of an answer stand, for papers that the
// client may know of.
func (c *Client) placesOf(h *handle, got *answer.Result) (map[string]AnswerPlace, error) {
	places := map[string]AnswerPlace{}
	l, err := h.archive.ExistingLedger()
	if err != nil || l == nil {
		return places, err
	}
	v, err := h.view(c)
	if err != nil {
		return nil, err
	}
	for _, claim := range got.Claims {
		for _, one := range claim.Citations {
			shown, err := l.ShownUnder(got.BundleID, one.Handle)
			if err != nil || len(shown) == 0 || one.Restricted {
				continue // nothing of it was shown
			}
			if art, err := v.resolve(shown[0].Artifact); err == nil {
				places[one.Handle] = AnswerPlace{art.ID.String(), shown[0].Span}
			}
		}
	}
	return places, nil
}

// errNoSigner is the error of a server without a key.
func errNoSigner() error {
	return archive.Problem(archive.TypeKey, archive.Advise("search finds passages; the owner starts the server with a key to sign answers"), "this server has no key to sign answers with")
}

// VerifyProof returns the verdict on the proof of a paragraph or an artifact.
func (c *Client) VerifyProof(data []byte) (*audit.ProofVerdict, error) {
	f, err := os.CreateTemp("", "muniment-proof-*.json")
	if err != nil {
		return nil, archive.Environment(err, "proof")
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if end := f.Close(); err == nil {
		err = end
	}
	if err != nil {
		return nil, archive.Environment(err, "proof")
	}
	o := c.options().Trust
	o.Now = c.Now()
	return audit.VerifyProofFile(f.Name(), o)
}
