package pages

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"muniment/audit"
	"muniment/bundle"
	"muniment/server"
)

// verify returns the page of a verdict, or of none, with the keys that the verifier in the browser
// needs to say the same.
func (s *source) verify(ctx context.Context, v *Verify) (*frame, error) {
	var err error
	if v.Keys, v.Archive, err = s.client.OwnKeys(ctx); err != nil {
		return nil, err
	}
	return s.frame(ctx, "verify", s.say("verify.title"), v)
}

// postVerify verifies the file that a form brings.
func postVerify(ctx context.Context, s *source, r *http.Request) (*frame, error) {
	v := &Verify{}
	data, err := readUpload(r)
	switch {
	case err != nil:
	case bundle.IsProof(data):
		if v.Proof, err = s.client.VerifyProof(data); err == nil {
			v.Sentence = proofSentence(v.Proof)
		}
	default:
		var c *server.CheckedFile
		if c, err = s.client.CheckBundle(ctx, data); err == nil {
			v.Bundle, v.Own, v.Sentence = c.BundleVerdict, c.Own, c.Sentence
			for _, one := range c.Changes {
				w := ChangedWords{ChangedWords: one}
				w.Now, w.Was = differences(one.Change.Now, one.Change.Was), differences(one.Change.Was, one.Change.Now)
				v.Changed = append(v.Changed, w)
			}
		}
	}
	if err != nil {
		fault := server.FaultOf(err)
		v.Failed, v.Advice = fault.Detail, fault.Suggestion
	}
	return s.verify(ctx, v)
}

// proofSentence returns the verdict on a proof in one sentence.
func proofSentence(p *audit.ProofVerdict) string {
	on := ""
	if p.Newest != nil {
		on = " on " + languages()[0].day(p.Newest.Time)
	}
	switch {
	case bundle.IsValid(p.Verdict):
		return "These words are in the archive as it was signed" + on + "."
	case p.Verdict == bundle.Invalid:
		return "This proof does not hold. Do not rely on it."
	}
	return "These words are in an archive as it was signed" + on + ". Whose key that is, compare with what the archive publishes."
}

// parted matches the words of a text and what lies between them.
var parted = regexp.MustCompile(`\s+|[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*|.`)

// differences returns the words of a, those marked that b does not have in the same order.
func differences(a, b string) []Piece {
	x, y := parted.FindAllString(a, -1), parted.FindAllString(b, -1)
	blank := func(w string) bool { return strings.TrimSpace(w) == "" }
	like := func(v, w string) bool { return v == w || blank(v) && blank(w) }
	longest := make([][]uint16, len(x)+1) // common words from a place in each on
	longest[len(x)] = make([]uint16, len(y)+1)
	for i := len(x) - 1; i >= 0; i-- {
		longest[i] = make([]uint16, len(y)+1)
		for j := len(y) - 1; j >= 0; j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); like(x[i], y[j]) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	var out []Piece
	add := func(text string, marked bool) {
		if n := len(out); n > 0 && out[n-1].Marked == marked {
			out[n-1].Text += text
		} else {
			out = append(out, Piece{Text: text, Marked: marked})
		}
	}
	for i, j := 0, 0; i < len(x); {
		switch {
		case j < len(y) && like(x[i], y[j]):
			add(x[i], false)
			i, j = i+1, j+1
		case j < len(y) && longest[i][j+1] >= longest[i+1][j]:
			j++
		default:
			add(x[i], len(y) > 0 && !blank(x[i]))
			i++
		}
	}
	return out
}
