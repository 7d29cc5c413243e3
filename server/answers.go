package server

import (
	"cmp"
	"context"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"muniment/answer"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/policy"
)

// A KeptAnswer is an answer as its requestor may see it.
type KeptAnswer struct {
	AskReply
	Address string                 `json:"address"` // of the answer's page; "" where none could be kept
	Own     bool                   `json:"own"`     // the client asked for it
	Shared  bool                   `json:"shared"`  // whoever has the address may read it
	Issued  string                 `json:"issued"`
	Places  map[string]AnswerPlace `json:"places"` // by handle, of papers that the requestor may know of
	Zip     []byte                 `json:"-"`      // the bundle without its sealed layer
	Page    []byte                 `json:"-"`      // the same as one HTML page
}

// An AnswerPlace is the place of the words of a citation of an answer.
type AnswerPlace struct {
	Artifact string `json:"artifact"`
	Span     string `json:"span"`
}

// Answer returns the answer at an address, if the client asked for it or it is shared, and its words
// may be shown to the client today.
func (c *Client) Answer(ctx context.Context, address string) (*KeptAnswer, error) {
	return call(ctx, c, func(h *handle) (*KeptAnswer, error) {
		n, err := readNote(h.archive, address)
		if err != nil {
			return nil, err
		}
		v, err := h.view(c)
		if err != nil {
			return nil, err
		}
		if n.Bundle == "" {
			return nil, errNoAnswer(address)
		}
		if n.Account == c.cred.account() {
			if a, ok := c.server.answers.Get(n.Account, address, c.Now()); ok {
				return a, v.checkReader(c, address, n, &a.Result)
			}
		} else if !n.Shared && !c.cred.seesAll() {
			return nil, errNoAnswer(address)
		}
		got, b, err := answer.Reread(h.archive, n.Bundle)
		if err != nil {
			return nil, err
		}
		if err := v.checkReader(c, address, n, got); err != nil {
			return nil, err
		}
		got.Question = cmp.Or(n.Question, got.Question)
		a := &KeptAnswer{AskReply: AskReply{Result: *got, ID: address}, Address: address, Shared: n.Shared, Own: n.Account == c.cred.account()}
		st := b.Statement()
		a.Issued = st.Issued.UTC().Format(time.RFC3339)
		if a.Zip, err = b.Zip(); err == nil {
			a.Page, err = b.Page()
		}
		if err != nil {
			return nil, problem.Wrap(err, "answer")
		}
		if a.Places, err = placesOf(c, h, got, n.Records); err != nil || !a.Own {
			return a, err
		}
		c.server.answers.Put(n.Account, address, a, len(a.Zip)+len(a.Page), c.Now())
		return a, nil
	})
}

// Share lets whoever has the address of the client's answer, report or examination read it.
func (c *Client) Share(ctx context.Context, address string) error {
	return c.server.with(ctx, func(h *handle) error {
		n, err := readNote(h.archive, address)
		if err == nil && n.Account != c.cred.account() {
			err = errNoAnswer(address)
		}
		if err != nil || n.Shared {
			return err
		}
		n.Shared = true
		if a, ok := c.server.answers.Get(n.Account, address, c.Now()); ok {
			shared := *a
			shared.Shared = true
			c.server.answers.Put(n.Account, address, &shared, len(a.Zip)+len(a.Page), c.Now())
		}
		_, err = writeNote(h.archive, address, *n)
		return err
	})
}

// ForOthers reports whether the answer may be handed on: what an archivist looks at is for nobody else.
func (a *KeptAnswer) ForOthers() bool { return a != nil && a.Tier != policy.ArchivistTier }

// Budget returns the rest of the client's budget, nil if it has no budget.
func (c *Client) Budget(ctx context.Context) (*answer.BudgetInfo, error) {
	return call(ctx, c, func(h *handle) (*answer.BudgetInfo, error) {
		who := c.cred.requestor()
		return answer.Budget(h.archive, answer.BudgetOptions{Requestor: who.Name, Tier: who.Tier, Account: c.cred.account()})
	})
}

// AskAndKeep answers a question as Ask does and keeps the answer for its page.
func (c *Client) AskAndKeep(ctx context.Context, question string) (*KeptAnswer, error) {
	return c.deliver(ctx, delivery{question: question, request: question}, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		return answer.Ask(ctx, h.archive, question, o)
	})
}

// More shows more of the text around a citation of an answer, within the budget.
func (c *Client) More(ctx context.Context, id, citation string) (*KeptAnswer, error) {
	before, err := c.Answer(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.deliver(ctx, delivery{question: before.Question, request: "more " + before.BundleID + " " + citation}, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		file := filepath.Join(filepath.Dir(o.DisplayFile), "before.zip")
		if err := os.WriteFile(file, before.Zip, 0o600); err != nil {
			return nil, problem.Wrap(err, "answer")
		}
		return answer.More(ctx, h.archive, citation, file, o)
	})
}

// A delivery is what is asked for.
type delivery struct {
	question string // that the page of the answer shows
	request  string // all that is asked: the same again waits for the first
	profile  string
	nonce    string // as it was sent
	noModel  bool
}

// deliver has an answer made, reads the copy for the client, and keeps it.
func (c *Client) deliver(ctx context.Context, d delivery, ask func(*handle, answer.AskOptions) (*answer.Result, error)) (*KeptAnswer, error) {
	if c.options().Signer == nil {
		return nil, errNoSigner()
	}
	dir, err := os.MkdirTemp("", "muniment-answer-*")
	if err != nil {
		return nil, problem.Wrap(err, "answer")
	}
	defer os.RemoveAll(dir)
	leave, err := c.server.turns.take(ctx, "ask "+c.cred.account()+"\x00"+d.request)
	if err != nil {
		return nil, err
	}
	defer leave()
	out := &KeptAnswer{}
	return call(ctx, c, func(h *handle) (*KeptAnswer, error) {
		o, err := c.askOptions(h)
		if err != nil {
			return nil, err
		}
		o.DisplayFile = filepath.Join(dir, "answer.zip")
		o.Profile, o.NoModel = d.profile, d.noModel
		if err := c.bindRequest(h.archive, &o, d.nonce, d.request); err != nil {
			return nil, err
		}
		got, err := ask(h, o)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(got.Bundle); err == nil && !got.Repeated && !c.cred.seesAll() {
			c.server.stored.Spend(c.cred.account(), float64(info.Size()), c.Now())
		}
		if out.Zip, err = os.ReadFile(o.DisplayFile); err != nil {
			return nil, problem.Wrap(err, "answer")
		}
		b, err := bundlefile.Read(o.DisplayFile)
		if err == nil {
			out.Page, err = b.Page()
		}
		if err != nil {
			return nil, problem.Wrap(err, "answer")
		}
		view, err := bundle.Render(b)
		if err != nil {
			return nil, problem.Wrap(err, "answer")
		}
		if out.Issued, out.Result = view.Issued, *got; d.nonce == "" {
			out.Nonce = hex.EncodeToString(o.Nonce)
		}
		out.Bundle, out.Display = "", ""
		if !o.Archivist {
			out.Budget, err = answer.Budget(h.archive, answer.BudgetOptions{Requestor: o.Requestor, Tier: o.Tier, Account: c.cred.account()})
		}
		if err != nil {
			return nil, err
		}
		if out.Places, err = placesOf(c, h, got, got.Records); err != nil {
			return nil, err
		}
		n := c.note()
		n.Bundle, n.Question, n.Records = out.BundleID, d.question, got.Records
		if out.Address, err = c.keepNote(h, n); err != nil {
			return nil, err
		}
		out.ID, out.Own, out.Shared = out.Address, true, n.Shared
		c.server.answers.Put(n.Account, out.Address, out, len(out.Zip)+len(out.Page), c.Now())
		return out, nil
	})
}

// note returns the note of something that the client has asked for, before what it leads to.
func (c *Client) note() addressNote {
	return addressNote{Account: c.cred.account(), Tier: c.cred.requestor().Tier, Shared: !c.cred.isNamed()} // nobody is told from another without a token
}

// keepNote keeps a note under a new address, which it returns, and charges the client with its bytes.
func (c *Client) keepNote(h *handle, n addressNote) (string, error) {
	address, size, err := newAddress(h.archive, n)
	if err == nil && !c.cred.seesAll() {
		c.server.stored.Spend(n.Account, float64(size), c.Now())
	}
	return address, err
}

// placesOf returns the places of the shown words of an answer, for papers that the client may know
// of. A citation of a record, by handle in records, has the record's paper without a span.
func placesOf(c *Client, h *handle, got *answer.Result, records map[string]string) (map[string]AnswerPlace, error) {
	shown, err := answer.Places(h.archive, got)
	if err != nil {
		return nil, err
	}
	v, err := h.view(c)
	if err != nil {
		return nil, err
	}
	for handle, id := range records { // the ledger has one place for all of a claim's
		if shown == nil {
			shown = map[string]answer.ShownPlace{}
		}
		shown[handle] = answer.ShownPlace{Artifact: id}
	}
	places := map[string]AnswerPlace{}
	for handle, p := range shown {
		if art, err := v.resolve(p.Artifact); err == nil {
			places[handle] = AnswerPlace{art.ID.String(), p.Span}
		}
	}
	return places, nil
}

// errNoSigner is the error of a server without a key.
func errNoSigner() error {
	return newFault(http.StatusServiceUnavailable, string(problem.Key), "this server has no key to sign answers with", "search finds passages; the owner starts the server with a key to sign answers")
}
