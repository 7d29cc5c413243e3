package answer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/answer/enforce"
	"muniment/answer/gate"
	answerlog "muniment/answer/log"
	"muniment/answer/policy"
	"muniment/answer/retrieve"
	"muniment/archive"
	"muniment/archive/search"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/ledger"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// DefaultProfile is the profile of Ask and Bind. It has no diversity, recency
// or minimum-source rules.
const DefaultProfile = "persona-archive"

// AskOptions say who asks and where the answer goes. Signer is required.
type AskOptions struct {
	Profile     string // DefaultProfile when empty
	Requestor   string // "" is unnamed and has the lowest tier
	Tier        string
	BundleFile  string // path for the complete, sealed bundle; "" for archive.local/bundles
	DisplayFile string // path for the requestor's copy; "" for none
	Auditor     bool   // add artifact, snapshot and span to the result
	Signer      sign.Signer

	// What Ask requires differently from the profile; nil leaves the profile's own.
	CitationsRequired *bool
	PrimaryOnly       *bool

	NoModel bool // draft with the archive's own words, even where there is a model

	question string
	cut      []Removed // of a draft, by the rules of its profile
	Progress func(done, total int)

	// What binds the answer to the question, from the requestor's side: a
	// nonce of 16 to 64 bytes; or the bundle.RequestMAC of nonce and question,
	// so that the nonce never comes here. Without either a nonce is drawn and
	// returned.
	Nonce      []byte
	RequestMAC *[sha256.Size]byte
}

// Ask answers a question from the newest snapshot, signs, logs and keeps the
// bundle. A refusal is a result, not an error.
func Ask(ctx context.Context, a *archive.Archive, question string, o AskOptions) (*AnswerResult, error) {
	if gate.Unreadable(question) { // one message, whatever is wrong with it
		return nil, archive.Problem(archive.TypeUsage, archive.Advise(`ask it in plain words, in at most 4,000 characters: muniment ask "Who repaired the mill?"`), "that question cannot be read")
	}
	o.question = question
	return deliver(ctx, a, "ask", o, func(p *Pipeline, r Request) (*Response, error) {
		return p.Ask(ctx, question, r)
	})
}

// Bind runs a draft through the same pipeline.
func Bind(ctx context.Context, a *archive.Archive, draft string, o AskOptions) (*AnswerResult, error) {
	if strings.TrimSpace(draft) == "" {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give a text with at least one sentence"), "the draft is empty")
	}
	if !utf8.ValidString(draft) || strings.ContainsRune(draft, 0) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give a plain text or markdown file in UTF-8"), "the draft is not UTF-8 text")
	}
	draft, notices, err := underRules(ctx, a, draft, &o)
	if err != nil {
		return nil, err
	}
	r, err := deliver(ctx, a, "bind", o, func(p *Pipeline, r Request) (*Response, error) {
		return p.Bind(ctx, draft, r)
	})
	if r != nil {
		r.Notices = append(notices, r.Notices...)
	}
	return r, err
}

func deliver(ctx context.Context, a *archive.Archive, kind string, o AskOptions, run func(*Pipeline, Request) (*Response, error)) (*AnswerResult, error) {
	if o.Signer == nil {
		return nil, archive.Problem(archive.TypeKey, archive.Advise("give the key that signs"), "an answer needs a key to sign with, and none was given")
	}
	rules, err := findProfile(a, o.Profile)
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
	if err := mayDeliver(a, o); err != nil {
		return nil, err
	}
	a.RememberSnapshot(head)
	begun := a.World().Now()
	pipeline, err := NewPipeline(a, head, o)
	if err != nil {
		return nil, err
	}
	pipeline.Profile = *rules
	who, err := requestorOf(pipeline.Policy, o.Requestor, o.Tier)
	if err != nil {
		return nil, err
	}
	if a.World().Judge != nil && !o.NoModel {
		pipeline.Draft = a.World().Judge.Draft
		pipeline.Classify = a.World().Judge.Classify
	}
	pipeline.Freeform = rules.Freeform && pipeline.Policy.Freeform(who)
	pipeline.View.Mentions = mentions(a, head.Tree, pipeline.Policy, who)
	pipeline.View.Hidden = func(who policy.Requestor) ([]string, error) { return hiddenFrom(a, head.Tree, pipeline.Policy, who) }
	request := Request{Requestor: who, MAC: o.RequestMAC, Cut: o.cut, Toggles: enforce.Toggles{CitationsRequired: o.CitationsRequired, PrimaryOnly: o.PrimaryOnly}}
	nonce, drawn, err := nonce(a, o)
	if err != nil {
		return nil, err
	}
	request.Nonce = nonce
	charged := kind
	if o.Auditor {
		charged = auditKind
	}
	res, err := metered(a, head.Tree, pipeline.Policy, &request, charged, func() (*Response, error) { return run(pipeline, request) })
	if err != nil {
		return nil, err
	}
	out, err := keep(a, res, head, o)
	if err != nil {
		return nil, err
	}
	if out.Tier = o.Tier; drawn {
		out.Nonce = hex.EncodeToString(nonce)
	}
	if out.Tier == "" {
		out.Tier = pipeline.Policy.Lowest()
	}
	if kind == "ask" {
		if err := noteQuestion(a, res, rules); err != nil {
			return nil, err
		}
		out.Contract = contractOf(a, o.question, res, out)
	}
	if res.Refusal != nil {
		if err := noteRefusal(a, res); err != nil {
			return nil, err
		}
	}
	if request.Budget != nil {
		out.Budget = budgetInfo(who, out.Tier, request.Budget)
	}
	waitForStep(a.World(), begun, res)
	return out, nil
}

// timeStep is the step to which the time of an answer with something refused is
// rounded up, so that it does not tell why: an answer takes a few hundredths
// of a second, and whether something hidden was looked at makes thousandths.
const timeStep = 100 * time.Millisecond

// waitForStep waits until a refusal, or an answer with removed topics, has taken a
// whole number of steps.
func waitForStep(w archive.World, begun time.Time, res *Response) {
	if w.Sleep == nil || len(res.Removed) == 0 {
		return
	}
	w.Sleep(timeStep - w.Now().Sub(begun)%timeStep)
}

func answerID(st *bundle.Statement) string { return hex.EncodeToString(st.ID[:]) }

// The bounds of a nonce in bytes: it cannot be guessed, and a hash holds no more.
const (
	minNonce = 16
	maxNonce = 64
)

// nonce returns the nonce to bind an answer with, and whether it was drawn here.
// It is nil where the requestor has bound the question without telling it.
func nonce(a *archive.Archive, o AskOptions) (nonce []byte, drawn bool, err error) {
	switch {
	default:
		nonce = make([]byte, sha256.Size)
		_, err := io.ReadFull(a.World().Rand, nonce)
		return nonce, true, archive.Environment(err, "randomness")
	case o.RequestMAC != nil && o.Nonce != nil:
		return nil, false, archive.Problem(archive.TypeUsage, archive.Advise("give the nonce, or what was made of it"), "both a nonce and a bound request were given")
	case o.RequestMAC != nil:
		return nil, false, nil
	case o.Nonce != nil && (len(o.Nonce) < minNonce || len(o.Nonce) > maxNonce):
		return nil, false, archive.Problem(archive.TypeUsage, archive.Advise("openssl rand -hex 32 makes one"), "the nonce has %d bytes, want %d to %d", len(o.Nonce), minNonce, maxNonce)
	case o.Nonce != nil:
		return o.Nonce, false, nil
	}
}

// mayDeliver checks, before anything is signed and logged, that the answer can
// be delivered as it is wanted.
func mayDeliver(a *archive.Archive, o AskOptions) error {
	for _, file := range []string{o.BundleFile, o.DisplayFile} {
		if file == "" {
			continue
		}
		if err := archive.CheckNewFile(file); err != nil {
			return err
		}
	}
	if o.BundleFile != "" && filepath.Clean(o.BundleFile) == filepath.Clean(o.DisplayFile) {
		return archive.Problem(archive.TypeUsage, archive.Advise("choose two names"), "the bundle and the display copy are both to be %s", archive.Printable(o.BundleFile))
	}
	if !o.Auditor {
		return nil
	}
	identity, err := history.ArchivistIdentity(a)
	if err == nil && identity == nil {
		err = archive.Problem(archive.TypeNotPermitted, archive.Advise("leave --auditor out; who holds the identity sees them with muniment bundle open FILE.zip --identity FILE"),
			"this copy of the archive has no auditor identity, so artifact, snapshot and span are not shown")
	}
	return err
}

func hasTier(tiers []record.Tier, name string) bool {
	for _, t := range tiers {
		if t.Name == name {
			return true
		}
	}
	return false
}

func tierNames(tiers []record.Tier) string {
	names := make([]string, len(tiers))
	for i, t := range tiers {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// pipelineError gives an error of the pipeline its words.
func pipelineError(err error) error {
	var told *archive.Error
	if errors.As(err, &told) {
		return told
	}
	if errors.Is(err, ErrTooManyClaims) {
		return archive.Problem(archive.TypeUsage, archive.Advise("split the draft and bind its parts"), "%w", err)
	}
	if errors.Is(err, ErrAssembly) {
		return archive.Problem(archive.TypeAssemblyFailed, archive.Advise("nothing was delivered; muniment doctor checks the key, the disk and the answer log"), "%w", err)
	}
	return archive.Environment(err, "answer")
}

// NewPipeline wires the stages to this archive's newest snapshot.
func NewPipeline(a *archive.Archive, head *snapshot.Snapshot, o AskOptions) (*Pipeline, error) {
	rules, err := a.ReadPolicy(head.Tree)
	if err != nil {
		return nil, err
	}
	if len(rules.Scopes) == 0 {
		return nil, archive.Problem(archive.TypeNoAuditor, archive.Advise("muniment key new --auditor audit, then muniment snapshot -m TEXT"),
			"no auditor is enrolled, so what is not disclosed could never be checked")
	}
	trust, err := a.TrustText(head.Tree)
	if err != nil {
		return nil, err
	}
	logDir, err := a.LocalPath("log")
	if err != nil {
		return nil, err
	}
	logged, err := answerlog.Open(logDir, o.Signer, a.ID())
	if err != nil {
		return nil, archive.Environment(err, "answer log")
	}
	view, err := NewView(a, head)
	if err != nil {
		return nil, err
	}
	who := policy.Requestor{Name: o.Requestor, Tier: o.Tier}
	if view.CoversTo, err = coversTo(a, head.Tree, rules, who); err != nil {
		return nil, err
	}
	return &Pipeline{
		View:   *view,
		Policy: rules,
		Index: func(ctx context.Context) (retrieve.Index, error) {
			ix, _, err := search.Index(ctx, a, head, o.Progress)
			return ix, err
		},
		Env: bundle.Env{Rand: a.World().Rand, Now: a.World().Now(), Archive: a.ID(), Signers: []sign.Signer{o.Signer}, Log: logged,
			Scopes: rules.Scopes, PolicyDigest: rules.Digest(), TrustDigest: sha256.Sum256(trust)},
	}, nil
}

// coversTo returns the newest date among the artifacts that the requestor may
// know of: a hidden one must not show in what the archive says of its end.
func coversTo(a *archive.Archive, tree objects.Hash, rules *policy.Policy, who policy.Requestor) (string, error) {
	c, err := a.Catalog(tree)
	if err != nil {
		return "", err
	}
	if _, err := rules.Tier(who); err != nil {
		who = policy.Requestor{} // an unknown tier is reported elsewhere
	}
	type dated struct {
		date string
		art  *archive.Artifact
	}
	var all []dated
	for _, art := range c.Artifacts {
		newest := ""
		for _, h := range art.Records {
			newest = max(newest, h.Record.Date())
		}
		if newest != "" {
			all = append(all, dated{newest, art})
		}
	}
	newest := ""
	for _, h := range c.LoneRecords {
		newest = max(newest, h.Record.Date())
	}
	slices.SortFunc(all, func(x, y dated) int { return strings.Compare(y.date, x.date) })
	for _, d := range all {
		if d.date <= newest {
			break
		}
		consent, err := a.OwnConsent(tree, d.art.ID)
		if err != nil {
			return "", err
		}
		perm, err := rules.Decide(who, policy.Resource{Artifact: d.art.ID, Consent: consent})
		if err != nil {
			return "", archive.Environment(err, "policy")
		}
		if perm.Existence {
			return d.date, nil
		}
	}
	return newest, nil
}

// NewView shows one snapshot to the pipeline.
func NewView(a *archive.Archive, head *snapshot.Snapshot) (*View, error) {
	c, err := a.Catalog(head.Tree)
	if err != nil {
		return nil, err
	}
	var tree *snapshot.Tree
	return &View{
		Snapshot: head,
		Names:    []string{a.Info().Name},
		Record: func(id cid.ID) (Held, error) {
			art := c.ByID[id]
			if art == nil {
				return Held{}, fmt.Errorf("no record of %s", id)
			}
			h, ok := art.FirstRecord()
			if !ok {
				return Held{}, fmt.Errorf("no record of %s", id)
			}
			data, err := h.Record.Encode()
			return Held{ID: h.ID, Record: h.Record, JSON: data}, err
		},
		Records: func(each func(cid.ID, *record.Record) error) error {
			for _, art := range c.Artifacts {
				if h, ok := art.FirstRecord(); ok && !art.Withdrawn {
					if err := each(art.ID, h.Record); err != nil {
						return err
					}
				}
			}
			return nil
		},
		Document: func(id cid.ID) (*canon.Document, error) {
			data, err := a.Payload(head.Tree, id)
			if err != nil {
				return nil, err
			}
			return canon.NewDocument(data), nil
		},
		Consent: func(id cid.ID) (*record.Consent, error) { return a.OwnConsent(head.Tree, id) },
		Proof: func(path string) (*snapshot.Proof, error) {
			if tree == nil {
				lines, err := snapshot.Lines(a.Store(), head.Tree, a.Store())
				if err != nil {
					return nil, err
				}
				if tree, err = snapshot.NewTree(lines); err != nil {
					return nil, err
				}
			}
			return tree.Prove(path)
		},
	}, nil
}

// keep writes the bundle and describes the answer.
func keep(a *archive.Archive, res *Response, head *snapshot.Snapshot, o AskOptions) (*AnswerResult, error) {
	st := res.Bundle.Statement()
	id := answerID(&st)
	data, err := res.Bundle.Zip()
	if err != nil {
		return nil, archive.Environment(err, "bundle")
	}
	file := o.BundleFile
	if file == "" {
		if file, err = a.LocalPath("bundles", id+".zip"); err != nil {
			return nil, err
		}
	}
	if err := archive.WriteNew(file, data); err != nil {
		return nil, err
	}
	if o.DisplayFile != "" {
		shown, err := res.Bundle.WithoutSealed().Zip()
		if err != nil {
			return nil, archive.Environment(err, "bundle")
		}
		if err := archive.WriteNew(o.DisplayFile, shown); err != nil {
			return nil, err
		}
	}
	view, err := bundle.Render(res.Bundle)
	if err != nil {
		return nil, archive.Environment(err, "bundle")
	}
	out := &AnswerResult{Outcome: string(res.Outcome), Claims: []AnswerClaim{}, Removed: []RemovedTopic{}, Notices: res.Notices,
		Bundle: file, Display: o.DisplayFile, BundleID: id, Snapshot: head.ID.String(), Profile: o.Profile, Requestor: o.Requestor}
	for i, c := range view.Claims {
		out.Claims = append(out.Claims, answerClaim(a, c, res.Claims[i], head, o.Auditor))
	}
	out.Freeform = res.Freeform
	for _, r := range res.Removed {
		if r.Reason == NotFromArchive {
			continue
		}
		out.Removed = append(out.Removed, RemovedTopic(r))
	}
	if res.Refusal != nil {
		out.Refusal = &Refusal{Kind: string(res.Refusal.Kind), Category: res.Category, Message: res.Refusal.Message, Suggestions: res.Refusal.Suggestions}
	}
	return out, nil
}

// noteRefusal keeps the true kind of a refusal, never the question.
func noteRefusal(a *archive.Archive, res *Response) error {
	l, err := a.Ledger()
	if err != nil {
		return err
	}
	return archive.Environment(l.AddRefusal(ledger.Refusal{Kind: string(res.Refusal.Kind), TrueKind: string(res.TrueKind), Stage: string(res.TrueStage), Time: a.World().Now()}), "ledger")
}

// answerClaim describes one delivered claim: what the bundle shows and, for
// auditors, where its evidence is.
func answerClaim(a *archive.Archive, shown bundle.ViewClaim, c Claim, head *snapshot.Snapshot, auditor bool) AnswerClaim {
	out := AnswerClaim{Text: shown.Text, Rung: string(shown.Rung), Restricted: shown.Restricted, Citations: []AnswerCitation{}}
	if c.Rung == cite.Labeled {
		out.Label = "inference: interpreted from the excerpt, not said in it"
	}
	for i, s := range shown.Citations {
		at := c.Citation
		if len(c.Records) > 0 {
			at = c.Records[i]
		}
		one := AnswerCitation{Handle: s.Handle, Relation: string(s.Relation), Label: s.Label, Quote: s.Quote, Restricted: s.Restricted}
		if s.Restricted {
			one.Quote, one.Notice = "", gate.RestrictedNotice
		}
		if auditor {
			one.Artifact, one.Snapshot, one.Span = at.Artifact.String(), head.ID.String(), at.Place()
			if c, err := a.Catalog(head.Tree); err == nil && c.ByID[at.Artifact] != nil {
				one.Name = c.ByID[at.Artifact].Name()
			}
		}
		out.Citations = append(out.Citations, one)
	}
	return out
}
