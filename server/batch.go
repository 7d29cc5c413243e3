package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"muniment/archive"
	"muniment/engine"
)

// maxLine is the longest line of a batch, in bytes: a long quote with its context.
const maxLine = 4 << 20

// A Batch registers the citations of lines of JSON for one caller. Engine and Words
// are required.
type Batch struct {
	Engine            *engine.Engine
	ReasoningRequired string
	Words             func(archive.Step) string // of suggestions
}

// BatchDone counts what became of the lines of a batch.
type BatchDone struct{ Lines, Verified, Failed, Unverified, Errors int }

// Cite reads a CiteRequest from each line of in and writes a CiteLine for each to
// out, in their order. A hundred lines are one transaction, whose replies are written
// when it is on disk. A line that cannot be registered is an error of that line.
// Empty lines are counted and have no reply.
func (b *Batch) Cite(ctx context.Context, in io.Reader, out io.Writer) (BatchDone, error) {
	var done BatchDone
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
		if len(waiting) == maxTogether || ended && len(waiting) > 0 {
			if err := b.citeLines(ctx, waiting, out, &done); err != nil {
				return done, err
			}
			waiting = waiting[:0]
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return done, archive.Problem(archive.TypeUsage, archive.Advise("give the lines before it again where their replies are missing; none is doubled"), "line %d is longer than %d bytes", number+1, maxLine)
	}
	return done, archive.Environment(lines.Err(), "batch")
}

type batchLine struct {
	number int
	text   []byte
}

// citeLines registers lines in one transaction and writes their replies.
func (b *Batch) citeLines(ctx context.Context, all []batchLine, out io.Writer, done *BatchDone) error {
	replies := make([]CiteLine, len(all))
	err := engine.Together(b.Engine.Archive(), func() error {
		for i, l := range all {
			if ctx.Err() != nil {
				return archive.InterruptedError()
			}
			replies[i] = b.citeLine(ctx, l)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for i := range replies {
		done.count(&replies[i])
		if err := enc.Encode(&replies[i]); err != nil {
			return err
		}
	}
	if _, err := out.Write(text.Bytes()); err != nil {
		return archive.Environment(err, "writing the replies")
	}
	return nil
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

// citeLine registers the citation of one line.
func (b *Batch) citeLine(ctx context.Context, l batchLine) CiteLine {
	reply := CiteLine{Line: l.number}
	r, err := b.call(ctx, l.text)
	var known *archive.Error
	switch {
	case errors.As(err, &known):
		reply.Error = faultOf(err)
		reply.Error.Suggestion = b.Words(known.Next)
	case err != nil:
		reply.Error = faultOf(err)
	default:
		reply.Citation = r
		if r.VerificationStatus != "verified" {
			r.NextCall, r.Suggestion = callOf(r.Next), b.Words(r.Next)
		}
		for i := range r.Warnings {
			r.Warnings[i].Suggestion = b.Words(r.Warnings[i].Next)
		}
	}
	return reply
}

// call reads a request strictly, so that a misspelled field is told, and registers
// its citation.
func (b *Batch) call(ctx context.Context, text []byte) (*CiteReply, error) {
	var r CiteRequest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(&r)
	if err == nil && dec.More() {
		err = errors.New("more than one JSON object")
	}
	if err != nil {
		return nil, newFault(http.StatusUnprocessableEntity, string(archive.TypeUsage), "the line is no citation: "+archive.Printable(err.Error()), `a line is a JSON object such as {"artifact":"letter-07.txt","quote":"the mill wheel has stopped","claim":"The mill wheel had stopped."}`)
	}
	if r.Session != "" && r.Session != b.Engine.Caller().Session {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("give the session with the batch"), "a batch is of one session")
	}
	o, err := r.options()
	if err != nil {
		return nil, err
	}
	o.ReasoningRequired = b.ReasoningRequired
	result, err := b.Engine.Cite(ctx, o)
	if err != nil {
		return nil, err
	}
	return &CiteReply{CiteResult: *result}, nil
}
