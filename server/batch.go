package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"

	"muniment/archive/problem"
	"muniment/draft"
	"muniment/engine"
	"muniment/text/legible"
)

// maxLine is the longest line of a batch, in bytes: a long quote with its context.
const maxLine = 4 << 20

// A Batch answers lines of JSON for one caller. Engine and Words are required.
type Batch struct {
	Engine            *engine.Engine
	ReasoningRequired string
	Check             draft.CheckOptions        // of drafts: what a line does not say
	Words             func(problem.Step) string // of suggestions
}

// BatchDone counts the outcomes of the lines of a batch. Verified are citations, drafts to deliver
// and sources; Failed are citations, and drafts that do not suffice.
type BatchDone struct{ Lines, Verified, Failed, Unverified, Errors int }

// Cite reads a CiteRequest from each line of in and writes a CiteLine for each to out, in their order. A hundred lines
// are one transaction, whose replies are written when it is on disk. A line that cannot be registered is an error of
// that line. Empty lines are counted and have no reply.
func (b *Batch) Cite(ctx context.Context, in io.Reader, out io.Writer) (BatchDone, error) {
	var done BatchDone
	err := readLines(in, maxTogether, func(all []batchLine) error { return b.citeLines(ctx, all, out, &done) })
	return done, err
}

// CheckDrafts reads a CheckRequest from each line of in and writes a CheckLine for each
// to out as soon as the draft is kept. Each draft is one transaction.
func (b *Batch) CheckDrafts(ctx context.Context, in io.Reader, out io.Writer) (BatchDone, error) {
	return answerLines(ctx, b, in, out, b.checkLine, func(n int, r *draft.CheckResult, f *Fault) (CheckLine, bool) {
		return CheckLine{Line: n, Check: r, Error: f}, f == nil && r.Decision == "deliver" && len(r.Unverified) == 0
	})
}

// AddSources reads a SourceRequest from each line of in and writes a SourceLine for each to out as soon as the source
// is registered. Each source is one transaction, so that none waits for a page that is fetched.
func (b *Batch) AddSources(ctx context.Context, in io.Reader, out io.Writer) (BatchDone, error) {
	return answerLines(ctx, b, in, out, b.sourceLine, func(n int, r *engine.RegisteredSource, f *Fault) (SourceLine, bool) {
		return SourceLine{Line: n, Source: r, Error: f}, f == nil
	})
}

// answerLines makes the call of each line and writes its reply as soon as it is there. reply
// returns it, and whether the verdict is good, for the number of a line and what the call gave.
func answerLines[R, L any](ctx context.Context, b *Batch, in io.Reader, out io.Writer, call func(context.Context, []byte) (R, error), reply func(int, R, *Fault) (L, bool)) (BatchDone, error) {
	var done BatchDone
	err := readLines(in, 1, func(all []batchLine) error {
		r, err := call(ctx, all[0].text)
		if ctx.Err() != nil {
			return problem.InterruptedError()
		}
		var fault *Fault
		if err != nil {
			fault = b.fault(err)
		}
		line, good := reply(all[0].number, r, fault)
		switch {
		case fault != nil:
			done.Errors++
		case good:
			done.Verified++
		default:
			done.Failed++
		}
		done.Lines++
		return writeLines(out, []L{line})
	})
	return done, err
}

// readLines gives the lines of in to do, at most together at a time.
func readLines(in io.Reader, together int, do func([]batchLine) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	var waiting []batchLine
	number := 0
	for ended := false; !ended; {
		if ended = !lines.Scan(); !ended {
			number++
			if text := bytes.TrimSpace(lines.Bytes()); len(text) > 0 {
				waiting = append(waiting, batchLine{number, bytes.Clone(text)})
			}
		}
		if len(waiting) == together || ended && len(waiting) > 0 {
			if err := do(waiting); err != nil {
				return err
			}
			waiting = waiting[:0]
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return problem.New(problem.Usage, problem.Advise("give the lines again whose replies are missing, the long one in parts"), "line %d is longer than %d bytes", number+1, maxLine)
	}
	return problem.Wrap(lines.Err(), "batch")
}

// writeLines writes each reply as a line of JSON.
func writeLines[T any](out io.Writer, replies []T) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for i := range replies {
		if err := enc.Encode(&replies[i]); err != nil {
			return err
		}
	}
	_, err := out.Write(text.Bytes())
	return problem.Wrap(err, "writing the replies")
}

type batchLine struct {
	number int
	text   []byte
}

// citeLines registers lines in one transaction and writes their replies. The lines are
// looked up before, several at once.
func (b *Batch) citeLines(ctx context.Context, all []batchLine, out io.Writer, done *BatchDone) error {
	replies := make([]CiteLine, len(all))
	found := b.examineLines(ctx, all)
	err := engine.Together(b.Engine.Archive(), func(g *engine.Group) error {
		var run []int
		var candidates []*engine.Candidate
		flush := func() {
			for k, got := range engine.RegisterAll(ctx, g, candidates) {
				b.answer(&replies[run[k]], got)
			}
			run, candidates = nil, nil
		}
		for i, l := range all {
			if ctx.Err() != nil {
				return problem.InterruptedError()
			}
			replies[i] = CiteLine{Line: l.number}
			if candidate := found[i].Candidate; candidate != nil {
				run, candidates = append(run, i), append(candidates, candidate)
				continue
			}
			if !isMissing(found[i].err) {
				replies[i].Error = b.fault(found[i].err)
				continue
			}
			flush() // a line before may have registered the source; else a file or a page is taken in
			result, err := b.Engine.In(g).Cite(ctx, found[i].options)
			b.answer(&replies[i], engine.Outcome{Result: result, Err: err})
		}
		flush()
		return nil
	})
	if err != nil {
		return err
	}
	for i := range replies {
		done.count(&replies[i])
	}
	return writeLines(out, replies)
}

// An examinedLine is a line whose citation was looked up: a candidate, or err.
type examinedLine struct {
	*engine.Candidate
	options engine.CiteOptions
	err     error
}

// examineLines looks up the citations of lines and takes nothing in.
func (b *Batch) examineLines(ctx context.Context, all []batchLine) []examinedLine {
	out := make([]examinedLine, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(all), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				x := &out[i]
				if x.options, x.err = b.call(all[i].text); x.err == nil {
					o := x.options
					o.NoIntake = true
					x.Candidate, x.err = b.Engine.Examine(ctx, o)
				}
			}
		})
	}
	workers.Wait()
	return out
}

// answer fills in the reply to a line.
func (b *Batch) answer(reply *CiteLine, got engine.Outcome) {
	if got.Err != nil {
		reply.Error = b.fault(got.Err)
		return
	}
	r := &CiteReply{CiteResult: *got.Result}
	if r.VerificationStatus != "verified" {
		r.NextCall, r.Suggestion = callOf(r.Next), b.Words(r.Next)
	}
	for i := range r.Warnings {
		r.Warnings[i].Suggestion = b.Words(r.Warnings[i].Next)
	}
	reply.Citation = r
}

// count enters one reply.
func (d *BatchDone) count(l *CiteLine) {
	d.Lines++
	switch {
	case l.Error != nil:
		d.Errors++
	case l.Citation.VerificationStatus == "verified":
		d.Verified++
	case l.Citation.VerificationStatus == "failed":
		d.Failed++
	default:
		d.Unverified++
	}
}

// fault returns the error of a line with its suggestion in the caller's words.
func (b *Batch) fault(err error) *Fault {
	f := faultOf(err)
	var known *problem.Error
	if errors.As(err, &known) {
		f.Detail, f.Suggestion = known.Message, b.Words(known.Next) // its caller is the owner
	}
	return f.bound()
}

// decodeLine reads a request of the batch's session strictly, so that a misspelled field is an error.
func decodeLine[T any](b *Batch, text []byte, what, example string) (r T, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err = dec.Decode(&r)
	if err == nil && dec.More() {
		err = errors.New("more than one JSON object")
	}
	if err != nil {
		return r, newFault(http.StatusUnprocessableEntity, string(problem.Usage), "the line is no "+what+": "+legible.Printable(err.Error()), "a line is a JSON object such as "+example)
	}
	var of struct{ Session string }
	if err := json.Unmarshal(text, &of); err != nil || of.Session != "" && of.Session != b.Engine.Caller().Session {
		return r, problem.New(problem.Usage, problem.Advise("give the session with the batch"), "a batch is of one session")
	}
	return r, nil
}

// call returns the citation that a line asks for.
func (b *Batch) call(text []byte) (engine.CiteOptions, error) {
	r, err := decodeLine[CiteRequest](b, text, "citation", `{"artifact":"letter-07.txt","quote":"the mill wheel has stopped","claim":"The mill wheel had stopped."}`)
	if err != nil {
		return engine.CiteOptions{}, err
	}
	o, err := r.options()
	o.ReasoningRequired = b.ReasoningRequired
	return o, err
}

// checkLine checks the draft of a line.
func (b *Batch) checkLine(ctx context.Context, text []byte) (*draft.CheckResult, error) {
	r, err := decodeLine[CheckRequest](b, text, "draft", `{"draft":"# Mill\n\n- The wheel stopped [1].","profile":"analyst-note"}`)
	if err != nil {
		return nil, err
	}
	o := b.Check
	o.Profile, o.Query, o.On = cmp.Or(r.Profile, o.Profile), cmp.Or(r.Query, o.Query), cmp.Or(r.On, o.On)
	o.Second, o.NoRepair = r.Second, r.NoRepair || o.NoRepair
	return draft.Check(ctx, b.Engine, r.Draft, o)
}

// sourceLine registers the source of a line.
func (b *Batch) sourceLine(ctx context.Context, text []byte) (*engine.RegisteredSource, error) {
	r, err := decodeLine[SourceRequest](b, text, "source", `{"type":"custom","name":"matrix","content":"a, b","derived_from":["paper-1.pdf"]}`)
	if err != nil {
		return nil, err
	}
	if r.Type == "document" {
		return b.Engine.Sources().AddArtifact(r.Artifact, engine.SourceOptions{Name: r.Name, Version: r.Version, Metadata: r.Metadata})
	}
	return r.register(ctx, b.Engine)
}
