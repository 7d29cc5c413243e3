package certificate

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"muniment/archive/problem"
	"muniment/bundle/display"
	"muniment/objects/disk"
	"muniment/sign/timestamp"
	"muniment/text/legible"
)

// writeTimes verifies the tokens, each over the checkpoint of one of the answers, and writes them
// with the checkpoint and the roots.
func (f *folder) writeTimes() error {
	if len(f.o.Tokens) == 0 {
		return nil
	}
	pem, err := readGiven(f.o.TSA, timestamp.MaxRoots)
	if err != nil {
		return err
	}
	roots, err := timestamp.ParseRoots(pem)
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("give the root certificate of the authority in PEM"), "%s: %w", legible.Printable(f.o.TSA), err)
	}
	for i, from := range f.o.Tokens {
		der, err := readGiven(from, timestamp.MaxToken)
		if err != nil {
			return err
		}
		token, at, err := f.openToken(der, roots)
		if err != nil {
			return problem.New(problem.Verification, problem.Advise("muniment log keep writes the checkpoint of an answer, over which a token has to be"), "%s: %w", legible.Printable(from), err)
		}
		t := Time{fmt.Sprintf("time/%d.token", i+1), fmt.Sprintf("time/%d.checkpoint", i+1), f.c.Answers[at].File, display.SafeLine(token.Name), token.Time.Format(time.RFC3339)}
		f.c.Times = append(f.c.Times, t)
		if err := f.put(t.File, bytes.NewReader(token.DER)); err != nil {
			return err
		}
		if err := f.put(t.Checkpoint, bytes.NewReader(f.notes[at])); err != nil {
			return err
		}
	}
	return f.put("time/roots.pem", bytes.NewReader(pem))
}

// openToken verifies a token and returns the place of the answer whose checkpoint it is over.
func (f *folder) openToken(der []byte, roots []*x509.Certificate) (*timestamp.Token, int, error) {
	err := errors.New("no answer is given, whose checkpoint it could be over")
	for i, note := range f.notes {
		var token *timestamp.Token
		if token, err = timestamp.Open(der, note, roots, f.o.Now); err == nil {
			return token, i, nil
		}
	}
	return nil, 0, err
}

// readGiven reads a small file that a person named.
func readGiven(name string, limit int64) ([]byte, error) {
	data, err := disk.ReadPlain(name, limit)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give the file of a token with --token, and roots in PEM with --tsa-cert"), "%s: %s", legible.Printable(name), legible.Reason(err))
	}
	return data, nil
}
