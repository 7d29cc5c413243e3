package engine_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"muniment/archive"
	"muniment/engine"
)

// newReview returns the engine of a new archive for the session of an agent.
func newReview() (e *engine.Engine, remove func()) {
	dir, err := os.MkdirTemp("", "muniment-example-")
	if err != nil {
		panic(err)
	}
	w := archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "example", Author: "Example <example@archive.invalid>"}
	a, err := archive.Init(filepath.Join(dir, "review"), archive.InitOptions{}, w)
	if err != nil {
		panic(err)
	}
	e, err = engine.New(a, engine.Caller{Session: "review-3", Agent: "reader"})
	if err != nil {
		panic(err)
	}
	return e, func() { a.Close(); os.RemoveAll(dir) }
}

// A claim with words of a source is registered and judged in one call. Where the
// words are others the result has them.
func Example() {
	ctx := context.Background()
	e, remove := newReview()
	defer remove()
	s, err := e.Sources().AddCustom(ctx, engine.CustomSourceOptions{Name: "notes.txt", Content: "The mill wheel has stopped. There is flour for nine days.\n"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, quote := range []string{"There is flour for nine days.", "There is flour for ten days."} {
		r, err := e.CiteCustom(ctx, s.SourceID, engine.CiteOptions{Quote: quote, Claim: "There is flour for nine days."})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("[%d] %s: %s match\n", r.CitationID, r.VerificationStatus, r.Match)
		if r.Nearest != nil {
			fmt.Printf("the source says: %s\n", r.Nearest.Text)
		}
	}
	// Output:
	// [1] verified: exact match
	// [2] failed: fuzzy match
	// the source says: There is flour for nine days.
}

// A citation is found by its number, its session and its source, and is written in
// the style of a list of references.
func ExampleEngine_Citations() {
	ctx := context.Background()
	e, remove := newReview()
	defer remove()
	s, err := e.Sources().AddDB(ctx, engine.DBSourceOptions{Identifier: "papers", Query: "SELECT count(*) FROM papers", ResultDescription: "42 of 60 papers match."})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := e.CiteDB(ctx, s.SourceID, engine.CiteOptions{Context: "42 of 60 papers match.", Claim: "99% of the papers match."}); err != nil {
		fmt.Println(err)
		return
	}
	ofSource, err := e.Citations().ForSource(s.SourceID)
	if err != nil {
		fmt.Println(err)
		return
	}
	ofSession, err := e.Citations().BySession("review-3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(ofSource), len(ofSession))
	c, err := e.Citations().Get("1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.VerificationStatus, c.ClaimVerdict)
	fmt.Println(c.VerificationNotes)
	// Output:
	// 1 1
	// failed contradicted
	// the words are there, and contradict the claim: the words say “70%”, the claim says “99%”; added by the claimant: no archivist has accepted the source
}
