package accession

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"muniment/accession/web"
	"muniment/text/legible"
)

// isWARC reports whether a name is that of a WARC.
func isWARC(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return strings.HasSuffix(name, ".warc")
}

// isWACZ reports whether a name is that of a WACZ.
func isWACZ(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wacz") }

// unpackWARC returns the pages of a WARC or a WACZ, each with the name that a page has which is
// fetched from its address. A damaged WARC is kept with what can be read of it, without the
// secrets that the pages lose.
func unpackWARC(ctx context.Context, in Input, keepQuery bool) (out []Input, skips []Skip, closers []io.Closer) {
	open := web.OpenWARC
	if isWACZ(in.Name) {
		open = web.OpenWACZ
	}
	o := web.CrawlOptions{KeepQuery: keepQuery}
	c, err := open(ctx, in.Path, o)
	if c != nil {
		closers = append(closers, c)
	}
	if err == nil && c.Damage != nil {
		err = c.Damage
	}
	other := errors.Is(err, web.ErrWARC) || errors.Is(err, web.ErrWACZ) // at least by its name it is one
	kept := in
	if err != nil {
		var copied io.Closer
		var refused error
		kept, copied, refused = scrub(ctx, in, o)
		if copied != nil {
			closers = append(closers, copied)
		}
		if refused != nil {
			return nil, append(skips, Skip{Path: in.Name, Reason: "not kept: " + legible.Reason(refused)}), closers
		}
	}
	if other {
		return append(out, kept), nil, closers
	}
	if err != nil {
		how := "it is kept as it is"
		if kept.Facts[factScrubbed] != "" {
			how = "it is kept as a copy, " + kept.Facts[factScrubbed]
		}
		skips = append(skips, Skip{Path: in.Name, Reason: "damaged: " + legible.Reason(err) + "; " + how + ", beside what could be read of it"})
	}
	scrubbed := kept.Facts[factScrubbed]
	whole := wholeInput(kept, 0, err)
	if scrubbed != "" {
		whole.Facts[factScrubbed] = scrubbed
	}
	if c == nil {
		return append(out, whole), skips, closers
	}
	for _, s := range c.Skipped {
		skips = append(skips, Skip{Path: in.Name + "/" + legible.Printable(s.URL), Reason: s.Reason})
	}
	for _, capture := range c.Captures {
		out = append(out, Input{Path: in.Path, Name: capture.Name(), Facts: map[string]string{"warc": in.Name}, within: whole.whole, Fetch: func(context.Context) (Body, error) {
			page, facts, err := capture.Page(maxRead)
			if err != nil {
				return Body{}, err
			}
			if len(page.Body) == 0 {
				return Body{}, errEmpty
			}
			return Body{Data: page.Body, MediaType: page.MediaType, Facts: facts, source: page.Source()}, nil
		}})
	}
	if err != nil {
		out = append(out, whole)
	}
	return out, skips, closers
}

// factScrubbed is the fact of a record that its original is a copy without secrets, which no
// other original is.
const factScrubbed = "web_scrubbed"

// scrub returns the input of a web archive as it is kept: itself where there is nothing to
// leave out, else that of a copy without secrets, which the closer removes.
func scrub(ctx context.Context, in Input, o web.CrawlOptions) (Input, io.Closer, error) {
	f, err := os.CreateTemp("", "muniment-web-")
	if err != nil {
		return in, nil, err
	}
	kept := temporary(f.Name())
	done, err := web.Scrub(ctx, in.Path, f, o)
	if err = errors.Join(err, f.Close()); err != nil || !done.Changed() {
		return in, kept, err
	}
	in.Path = f.Name()
	if done.Packed && !strings.HasSuffix(strings.ToLower(in.Name), ".gz") { // of a WACZ
		in.Name += ".warc.gz"
	}
	what := fmt.Sprintf("in which spaces are in the place of secrets in addresses and headers: %d", done.Masked)
	if done.Lost {
		what += ", without what cannot be unpacked or is in no record"
	}
	in.Facts = map[string]string{factScrubbed: what}
	return in, kept, nil
}
