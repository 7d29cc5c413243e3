package answer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft"
	"muniment/draft/enforce"
	"muniment/history"
	"muniment/policy"
	"muniment/search/rank"
	"muniment/sign"
	"muniment/text/legible"
)

// AskOptions say who asks and where the answer goes. Signer is required.
type AskOptions struct {
	Profile     string // policy.DefaultProfile when empty
	Requestor   string // "" is unnamed and has the lowest tier
	Tier        string
	Account     string // whom a server charges, counts refusals of and gives a repeated answer; "" is the requestor, by name
	BundleFile  string // path for the complete, sealed bundle; "" for archive.local/bundles
	DisplayFile string // path for the requestor's copy; "" for none
	Archivist   bool   // ask as whoever may change who sees what: the key must have the right; no model reads along
	Auditor     bool   // add artifact, snapshot and span to the result
	Signer      sign.Signer

	// What Ask requires differently from the profile; nil leaves the profile's own.
	CitationsRequired *bool
	PrimaryOnly       *bool

	Private bool // leave the question out of what the bundle shows
	NoModel bool // draft with the archive's own words, even where there is a model

	question string
	subject  string         // what is answered, where a repeated request gets the same answer
	cut      []RemovedTopic // of a draft, by the rules of its profile
	Progress func(done, total int)

	// What binds the answer to the question, from the requestor's side: a
	// nonce of 16 to 64 bytes; or the bundle.RequestMAC of nonce and question,
	// so that the nonce never comes here. Without either a nonce is drawn and
	// returned.
	Nonce      []byte
	RequestMAC *[sha256.Size]byte
}

// Ask answers a question from the newest snapshot, signs, logs and keeps the
// bundle. A refusal is a result, not an error. Where it would be one, and a part of the
// snapshot was not searched, the error is of kind NotSearched, and nothing is signed,
// logged or counted.
func Ask(ctx context.Context, a *archive.Archive, question string, o AskOptions) (*Result, error) {
	if gate.Unreadable(question) { // one message, whatever is wrong with it
		return nil, problem.New(problem.Usage, problem.Advise("ask it in plain words, in at most 4,000 characters"), "that question cannot be read")
	}
	o.question, o.subject = question, question
	return deliver(ctx, a, "ask", o, func(p *Pipeline, r Request) (*Response, error) {
		return p.Ask(ctx, question, r)
	})
}

// named returns the options with the requestor that they mean: a tier alone names itself.
func (o AskOptions) named() AskOptions {
	switch {
	case o.Archivist:
		o.Requestor, o.Tier, o.NoModel = policy.ArchivistTier, policy.ArchivistTier, true
	case o.Requestor == "":
		o.Requestor = o.Tier
	}
	return o
}

// Bind runs a draft through the same pipeline.
func Bind(ctx context.Context, a *archive.Archive, text string, o AskOptions) (*Result, error) {
	if strings.TrimSpace(text) == "" {
		return nil, problem.New(problem.Usage, problem.Advise("give a text with at least one sentence"), "the draft is empty")
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, problem.New(problem.Usage, problem.Advise("give a plain text or markdown file in UTF-8"), "the draft is not UTF-8 text")
	}
	var notices []string
	o = o.named()
	if o.Profile != "" && o.Profile != policy.DefaultProfile { // which has no rule that the pipeline lacks
		left, err := draft.Reduce(ctx, a, text, draft.CheckOptions{Profile: o.Profile, Requestor: o.Requestor, Tier: o.Tier})
		if err != nil {
			return nil, err
		}
		text, notices = left.Text, left.Notices
		for _, c := range left.Cut {
			o.cut = append(o.cut, RemovedTopic(c))
		}
	}
	r, err := deliver(ctx, a, "bind", o, func(p *Pipeline, r Request) (*Response, error) {
		return p.Bind(ctx, text, r)
	})
	if r != nil {
		r.Notices = append(notices, r.Notices...)
	}
	return r, err
}

// deliver runs the pipeline on the newest snapshot, charges what it shows, keeps
// the bundle and describes it. kind is ask, bind or more, as the ledger keeps it.
func deliver(ctx context.Context, a *archive.Archive, kind string, o AskOptions, run func(*Pipeline, Request) (*Response, error)) (*Result, error) {
	o = o.named()
	rules, err := draft.FindProfile(a, o.Profile)
	if err != nil {
		return nil, err
	}
	o.Profile = rules.Name
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if err := a.CheckRollback(head); err != nil {
		return nil, err
	}
	if err := checkDelivery(a, o); err != nil {
		return nil, err
	}
	a.RememberSnapshot(head)
	begun := a.World().Now()
	pipeline, who, err := pipelineUnder(a, head, rules, o)
	if err != nil {
		return nil, err
	}
	known, before, err := findRepeat(a, pipeline, kind, o)
	if before != nil || err != nil {
		return before, err
	}
	if err := checkRefused(a, o); err != nil {
		return nil, err
	}
	nonce, drawn, err := chooseNonce(a, o)
	if err != nil {
		return nil, err
	}
	request := Request{Requestor: who, Account: accountOf(o.Requestor, o.Account), Nonce: nonce, Private: o.Private, MAC: o.RequestMAC, Cut: o.cut, Toggles: enforce.Toggles{CitationsRequired: o.CitationsRequired, PrimaryOnly: o.PrimaryOnly}}
	charged := kind
	if o.Auditor {
		charged = auditKind
	}
	res, err := runMetered(a, head.Tree, pipeline.Policy, &request, charged, func() (*Response, error) { return run(pipeline, request) })
	if noted := noteSegmentation(a, kind, res, err); noted != nil && err == nil {
		err = noted
	}
	if err != nil {
		return nil, err
	}
	out, err := keepBundle(a, res, head, o)
	if err != nil {
		return nil, err
	}
	out.Tier = cmp.Or(o.Tier, pipeline.Policy.Lowest())
	if pipeline.Stranger {
		out.Stranger = o.Signer.Key().Fingerprint()
	}
	out.Searched, out.IndexNotice = pipeline.Searched, pipeline.IndexNotice
	if pipeline.LogNotice != "" {
		out.Notices = append(out.Notices, pipeline.LogNotice)
	}
	if drawn {
		out.Nonce = hex.EncodeToString(nonce)
	}
	if err := noteOutcome(a, pipeline, request, kind, res, rules); err != nil {
		return nil, err
	}
	if kind == "ask" {
		out.Question, out.Unanswered = o.question, res.Unanswered
		out.Contract = contractOf(a, o.question, res, out)
	}
	if request.Budget != nil {
		out.Budget = budgetInfo(who, out.Tier, request.Budget)
	}
	if err := keepRepeat(a, known, res, *out); err != nil {
		return nil, err
	}
	waitForStep(a.World(), begun, res)
	return out, nil
}

// checkDelivery checks, before anything is signed and logged, that the answer can
// be delivered as it is wanted.
func checkDelivery(a *archive.Archive, o AskOptions) error {
	for _, file := range []string{o.BundleFile, o.DisplayFile} {
		if file == "" {
			continue
		}
		if err := archive.CheckNewFile(file); err != nil {
			return err
		}
	}
	if o.BundleFile != "" && filepath.Clean(o.BundleFile) == filepath.Clean(o.DisplayFile) {
		return problem.New(problem.Usage, problem.Advise("choose two names"), "the bundle and the display copy are both to be %s", legible.Printable(o.BundleFile))
	}
	if !o.Auditor {
		return nil
	}
	identity, err := history.ArchivistIdentity(a)
	if err == nil && identity == nil {
		err = problem.New(problem.NotPermitted, problem.Advise("ask without the auditor's layer; who holds the identity opens it in the bundle"),
			"this copy of the archive has no auditor identity, so artifact, snapshot and span are not shown")
	}
	return err
}

// The bounds of a nonce in bytes: it cannot be guessed, and a hash holds no more.
const (
	minNonce = 16
	maxNonce = 64
)

// chooseNonce returns the nonce to bind an answer with, and whether it was drawn here.
// It is nil where the requestor has bound the question without telling it.
func chooseNonce(a *archive.Archive, o AskOptions) (nonce []byte, drawn bool, err error) {
	switch {
	default:
		nonce = make([]byte, sha256.Size)
		_, err := io.ReadFull(a.World().Rand, nonce)
		return nonce, true, problem.Wrap(err, "randomness")
	case o.RequestMAC != nil && o.Nonce != nil:
		return nil, false, problem.New(problem.Usage, problem.Advise("give the nonce, or what was made of it"), "both a nonce and a bound request were given")
	case o.RequestMAC != nil:
		return nil, false, nil
	case o.Nonce != nil && (len(o.Nonce) < minNonce || len(o.Nonce) > maxNonce):
		return nil, false, problem.New(problem.Usage, problem.Advise("openssl rand -hex 32 makes one"), "the nonce has %d bytes, want %d to %d", len(o.Nonce), minNonce, maxNonce)
	case o.Nonce != nil:
		return o.Nonce, false, nil
	}
}

// pipelineError returns an error of the pipeline with a kind and a next step.
func pipelineError(err error) error {
	var failure *problem.Error
	if errors.As(err, &failure) {
		return failure
	}
	if errors.Is(err, ErrTooManyClaims) {
		return problem.New(problem.Usage, problem.Advise("split the draft and bind its parts"), "%w", err)
	}
	if errors.Is(err, ErrLongClaim) {
		return problem.New(problem.Usage, problem.Advise("cut the sentence into sentences"), "%w", err)
	}
	if errors.Is(err, ErrAssembly) {
		return problem.New(problem.AssemblyFailed, problem.Next(problem.DoDoctor).With("nothing was delivered"), "%w", err)
	}
	return problem.Wrap(err, "answer")
}

// Prepare reads and compiles the rules that every question needs. A program may call it
// beside other work, such as opening the archive; without it the first question does so.
func Prepare() {
	gate.Prepare() // asked first
	rank.Prepare()
}

// timeStep is the step to which the time of an answer with something refused is
// rounded up, so that it does not tell why: an answer takes some 50 ms, and whether
// something hidden was looked at makes single ones. Half of a step is what a question
// waits on average.
const timeStep = 50 * time.Millisecond

// waitForStep waits until a refusal, or an answer with removed topics, has taken a
// whole number of steps.
func waitForStep(w archive.World, begun time.Time, res *Response) {
	if w.Sleep == nil || len(res.Removed) == 0 {
		return
	}
	w.Sleep(timeStep - w.Now().Sub(begun)%timeStep)
}
