package bundle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"

	"muniment/bundle/display"
	"muniment/cid/jcs"
	"muniment/cite"
)

// MaxPage is the most bytes of a page. It is for people: a bundle whose display
// does not fit into a page travels as a zip.
const MaxPage = 8 << 20

// A page names the version of its form in its second line. What a version
// writes never changes, or the pages that are out there could not be written
// again and compared: a change of a word, of the style or of a script is a new
// version, and the old one stays.
const (
	pageBegin  = "<!doctype html>\n<html lang=\"en\" data-muniment=\"" // tells a page from a zip
	firstPage  = "muniment/page/v1"                                    // without question, roles and names of sources
	secondPage = "muniment/page/v2"                                    // with the words of programs for rungs and outcomes
	pageForm   = "muniment/page/v3"
)

// The bundle is in an element that no browser runs or shows.
const (
	pageData    = "<script type=\"application/zip;base64\" id=\"bundle\">\n"
	pageDataEnd = "</script>\n"
	pageColumns = 100 // of base64, so that mail does not break the lines
)

// The scripts of forms that are no longer written are kept compressed: nothing in them is to be read
// or changed, and TestPageFormIsFrozen has the digests of their pages.
//
//go:embed page.css page.js.gz page.verify.js.gz page2.js.gz page2.verify.js.gz page3.css page3.js page3.verify.js
var pageFiles embed.FS

// A pageParts is what the pages of a form carry: the style, the script that compares
// the page with its bundle, and verifiers/verify.js as it was when the form was made.
// The verifier goes on; what a form carries does not change.
type pageParts struct{ style, script, verifier string }

// pageForms are the forms that are read.
var pageForms = map[string]pageParts{
	firstPage:  {pageFile("page.css"), pageFile("page.js.gz"), pageFile("page.verify.js.gz")},
	secondPage: {pageFile("page.css"), pageFile("page2.js.gz"), pageFile("page2.verify.js.gz")},
	pageForm:   {pageFile("page3.css"), pageFile("page3.js"), pageFile("page3.verify.js")},
}

// pageFile returns an embedded file, decompressed.
func pageFile(name string) string {
	data, err := pageFiles.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Page returns the display of a bundle as one HTML page that asks for nothing
// from outside, can be printed, can be read without JavaScript and, with it,
// checks itself. The bundle without its sealed layer stands in the page, which
// is a function of it and of nothing else.
func (b *Bundle) Page() ([]byte, error) { return b.pageOf(pageForm) }

// pageOf is Page in a form.
func (b *Bundle) pageOf(form string) ([]byte, error) {
	if b == nil || b.statement == nil {
		return nil, errors.New("there is no bundle to show")
	}
	p := page{form: form}
	if err := p.write(b); err != nil {
		return nil, err
	}
	if p.n > MaxPage {
		return nil, fmt.Errorf("page of %d bytes, at most %d are allowed", p.n, MaxPage)
	}
	return p.b.Bytes(), nil
}

// IsPage reports whether data begins like a page.
func IsPage(data []byte) bool { return bytes.HasPrefix(data, []byte(pageBegin)) }

// ReadPage reads the bundle in a page. The page must be, byte for byte, the one
// that Page makes of it: what a reader saw is then what was verified. The error
// is an *InvalidError.
func ReadPage(data []byte) (*Bundle, error) {
	const where = "page"
	if len(data) > MaxPage {
		return nil, invalid(where, fmt.Errorf("%d bytes, at most %d are allowed", len(data), MaxPage))
	}
	form, _, _ := strings.Cut(string(data[min(len(data), len(pageBegin)):min(len(data), len(pageBegin)+64)]), "\"")
	if newer := jcs.Newer(form, pageForm); IsPage(data) && newer != nil {
		return nil, invalid(where, fmt.Errorf("its form is %q, %w; nobody signs the words of a page, so ask for the zip", form, newer))
	}
	if _, known := pageForms[form]; IsPage(data) && !known {
		return nil, invalid(where, fmt.Errorf("its form is %q, this program knows %s", form, strings.Join(slices.Sorted(maps.Keys(pageForms)), ", ")))
	}
	_, rest, ok1 := bytes.Cut(data, []byte(pageData))
	text, _, ok2 := bytes.Cut(rest, []byte(pageDataEnd))
	if !IsPage(data) || !ok1 || !ok2 {
		return nil, invalid(where, errors.New("no bundle stands in it"))
	}
	zip := &zipInput{r: bufio.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))}
	b, err := read(zip, true)
	var broken base64.CorruptInputError
	switch {
	case errors.As(err, &broken), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, invalid(where, fmt.Errorf("the bundle in it: %w", err))
	case err != nil:
		return nil, err
	}
	if b.newer != nil { // no program writes this form for it
		return nil, invalid(where, fmt.Errorf("the form %s has no words for what is in it: %w", form, b.newer))
	}
	p := page{form: form, want: data, compare: true}
	if err := p.write(b); err != nil {
		return nil, invalid(where, err)
	}
	if p.n != len(data) || p.differs {
		return nil, invalid(where, fmt.Errorf("it is not the page of the bundle in it: it differs from byte %d on", p.n))
	}
	return b, nil
}

// A page is written from front to back, or compared with one that is there.
type page struct {
	b       bytes.Buffer
	n       int // bytes written, or found to be the same
	compare bool
	want    []byte
	differs bool
	view    display.View
	form    string
}

// isFirst reports whether the page is of the first form.
func (p *page) isFirst() bool { return p.form == firstPage }

// isPlain reports whether the page is in plain words: of the third form.
func (p *page) isPlain() bool { return p.form == pageForm }

// What the third form says of outcomes and rungs.
var (
	outcomeWords = map[Outcome]string{OutcomeAnswer: "Answered", OutcomePartial: "Answered in part", OutcomeRefusal: "Not answered"}
	rungWords    = map[string]string{
		string(cite.Supported): "Supported: the evidence says it", string(cite.Narrowed): "Narrowed: said as far as the evidence goes",
		string(cite.Labeled): "Labelled: inferred from the evidence", string(cite.RoleNearest): "Nearest: nobody has checked that it answers"}
)

// writeRaw writes s, or compares it with the bytes that follow in want.
func (p *page) writeRaw(s string) {
	switch {
	case p.differs:
	case !p.compare && p.n+len(s) <= MaxPage:
		p.b.WriteString(s)
		p.n += len(s)
	case !p.compare:
		p.n += len(s) // too large: it only counts on
	case len(p.want)-p.n < len(s) || string(p.want[p.n:p.n+len(s)]) != s:
		p.n += firstDifference(p.want[p.n:], []byte(s))
		p.differs = true
	default:
		p.n += len(s)
	}
}

// write writes the page of a bundle.
func (p *page) write(b *Bundle) error {
	plain := b.WithoutSealed().withoutReviews().withoutForeign()
	zip, err := plain.Zip()
	if err != nil {
		return err
	}
	if p.view, err = Render(plain); err != nil {
		return err
	}
	p.writeHead()
	p.writeAnswer()
	p.writeProof(plain)
	p.writeRaw(pageData)
	const line = pageColumns / 4 * 3
	for ; len(zip) > 0; zip = zip[min(len(zip), line):] {
		p.writeRaw(base64.StdEncoding.EncodeToString(zip[:min(len(zip), line)]) + "\n")
	}
	p.writeRaw(pageDataEnd + "<script>" + pageForms[p.form].verifier + "</script>\n<script>" + pageForms[p.form].script + "</script>\n</body>\n</html>\n")
	return nil
}

// writeText writes a format in which every value is text, made safe and escaped.
func (p *page) writeText(format string, values ...string) {
	escaped := make([]any, len(values))
	for i, v := range values {
		escaped[i] = html.EscapeString(display.Safe(v))
	}
	p.writeRaw(fmt.Sprintf(format, escaped...))
}

// writeHead writes the page up to its title.
func (p *page) writeHead() {
	source := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	parts := pageForms[p.form]
	p.writeRaw(pageBegin + p.form + "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src " + source(parts.verifier) + " " + source(parts.script) +
		"; style-src " + source(parts.style) + "; base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
	p.writeText("<title>Answer %s</title>\n", p.view.Answer)
	p.writeRaw("<style>" + parts.style + "</style>\n</head>\n<body>\n<header>\n<h1>Answer from an archive</h1>\n")
	if p.isPlain() {
		day, clock, _ := strings.Cut(strings.TrimSuffix(p.view.Issued, "Z"), "T")
		p.writeText("<p class=\"dim\">%s; made for the tier %s. It says it was made on %s at %s UTC.</p>\n</header>\n<main>\n", outcomeWords[Outcome(p.view.Outcome)], p.view.Tier, day, clock)
	} else {
		p.writeText("<p class=\"dim\">%s, %s, for the tier %s. It says it was issued %s.</p>\n</header>\n<main>\n", p.view.Outcome, string(p.view.Rung), p.view.Tier, p.view.Issued)
	}
	p.writeRaw("<p id=\"check\" class=\"box\" role=\"status\">Not checked by this page: its script did not run. It can be read and printed all the same; see below how to check it.</p>\n")
}

// writeAnswer writes the claims, removed topics and refusals. Whatever page.js
// compares with the leaves is marked data-said.
func (p *page) writeAnswer() {
	p.writeRaw("<section id=\"answer\" aria-label=\"Answer\">\n")
	if p.view.Missing > 0 {
		p.writeRaw(fmt.Sprintf("<p><span class=\"gap\">reduced copy</span> %d parts of the answer as shown are left out.</p>\n", p.view.Missing))
	}
	p.writeQuestion()
	headed := p.isFirst()
	for _, c := range p.view.Claims {
		if c.Role == cite.RoleNearest && !headed {
			p.writeRaw("<h2>" + display.NearestHeading + "</h2>\n")
			headed = true
		}
		p.writeClaim(c)
	}
	for i, r := range p.view.Removed {
		if i == 0 {
			p.writeRaw("<h2>Removed topics</h2>\n")
		}
		p.writeText("<article><p class=\"said\" data-said>%s</p><p class=\"label\" data-said>%s</p></article>\n", r.Topic, r.Reason)
	}
	for i, r := range p.view.Refused {
		if i == 0 {
			p.writeRaw("<h2>Refused</h2>\n")
		}
		p.writeText("<article><p><span class=\"rung\" data-said>%s</span></p><p class=\"said\" data-said>%s</p>\n", r.Kind, r.Message)
		if len(r.Suggestions) > 0 {
			p.writeRaw("<p class=\"label\">What may help:</p><ul>")
			for _, s := range r.Suggestions {
				p.writeText("<li class=\"said\" data-said>%s</li>", s)
			}
			p.writeRaw("</ul>\n")
		}
		if r.Topic != "" {
			p.writeText("<p class=\"label\">About: <span class=\"said\" data-said>%s</span></p>\n", r.Topic)
		}
		p.writeRaw("</article>\n")
	}
	p.writeRaw("</section>\n")
}

// writeQuestion writes the question, if it is disclosed.
func (p *page) writeQuestion() {
	switch {
	case p.isFirst():
	case p.isPlain() && p.view.Asked == "":
		p.writeRaw("<p class=\"label\">The question is not disclosed in this copy.</p>\n")
	case p.isPlain():
		p.writeText("<h2>The question</h2>\n<p class=\"said\" data-said>%s</p>\n", p.view.Asked)
	case p.view.Asked != "":
		p.writeText("<p class=\"label\">Asked: <span class=\"said\" data-said>%s</span></p>\n", p.view.Asked)
	}
}

// writeClaim writes a claim with its citations.
func (p *page) writeClaim(c display.Claim) {
	p.writeRaw(fmt.Sprintf("<article aria-labelledby=\"claim%d\"><h2 id=\"claim%d\">Claim %d</h2>\n", c.Number, c.Number, c.Number))
	rung := string(c.Rung)
	if c.Role == cite.RoleNearest && !p.isFirst() {
		rung = string(c.Role)
	}
	if words, ok := rungWords[rung]; ok && p.isPlain() {
		rung = words
	}
	p.writeText("<p class=\"said\" data-said>%s</p><p><span class=\"rung\" data-said>%s</span></p>\n", c.Text, rung)
	if c.Rung == cite.Labeled {
		p.writeRaw("<p class=\"label\">This is an inference, not something the archive says.</p>\n")
	}
	if c.Restricted {
		p.writeRaw("<p class=\"label\">Some of its evidence may not be shown.</p>\n")
	}
	for _, t := range c.Citations {
		p.writeCitation(c, t)
	}
	if c.Missing > 0 {
		p.writeRaw(fmt.Sprintf("<p><span class=\"gap\">%d citations of this claim are not in this copy</span></p>\n", c.Missing))
	}
	p.writeRaw("</article>\n")
}

// writeCitation writes a citation of a claim. A quote that is the claim itself is not
// written again.
func (p *page) writeCitation(c display.Claim, t display.Cite) {
	label, class := t.Label, "label"
	if t.Contradicts {
		label, class = label+", speaks against the claim", "label against"
	}
	p.writeRaw("<figure><figcaption>")
	p.writeText("<strong data-said>%s</strong>, <span class=\""+class+"\" data-said>%s</span>", t.Handle, label)
	for _, name := range []string{t.Title, t.Date} {
		if name != "" && !p.isFirst() {
			p.writeText(", <span data-said>%s</span>", name)
		}
	}
	if !p.isFirst() && display.Repeats(c.Text, t.Quote) {
		p.writeRaw("</figcaption></figure>\n")
		return
	}
	p.writeRaw("</figcaption>\n<blockquote>")
	if t.Restricted {
		p.writeText("<span class=\"gap\">%s</span>", display.RestrictedText)
	}
	for _, k := range t.Excerpt {
		if k.Gap {
			p.writeRaw(" <span class=\"gap\">words withheld</span> ")
		} else {
			p.writeText("<span data-said>%s</span>", k.Text)
		}
	}
	p.writeRaw("</blockquote></figure>\n")
}

// writeProof writes who signed the bundle, and what that proves and does not.
func (p *page) writeProof(b *Bundle) {
	var signers []string
	for _, k := range b.Signers() {
		signers = append(signers, k.Fingerprint())
	}
	st := b.statement
	id := ""
	if p.isPlain() {
		id = " id=\"signers\""
	}
	p.writeRaw("<h2>Who signed it</h2>\n<dl>\n")
	p.writeText("<dt>Signatures by the keys</dt><dd"+id+"><code>%s</code></dd>\n", strings.Join(signers, ", "))
	p.writeText("<dt>Archive</dt><dd><code>%s</code></dd>\n<dt>Answer log</dt><dd><code>%s</code></dd>\n", st.Archive.String(), st.After.Origin)
	p.writeText("<dt>Parts disclosed here</dt><dd>%s of %s; the others are sealed or left out</dd>\n</dl>\n", fmt.Sprint(len(b.Leaves())), fmt.Sprint(st.Leaves))
	if p.isPlain() {
		p.writeRaw(plainProof + pageFoot)
	} else {
		p.writeRaw(firstProof + pageFoot)
	}
}

// What pages say of checking them, and of what that proves.
const (
	firstProof = `<p>Compare the fingerprint with the one in your trust root, on paper if you can. A page cannot vouch for its own signer.</p>
<h2>What this proves, and what it does not</h2>
<ul>
<li>A script in this page checks the bundle in it: that its parts are those that were signed, that the rungs follow from what the gates saw, that nothing the answer may not lose was left out, and that the page shows what the bundle says. Whoever changes the page can change the script too. Print what you see, but check the file with a program of your own.</li>
<li>It does not show that a claim is true, when the answer was made, that nothing was withdrawn since, or that the signer is who you think.</li>
<li>To check it with your own trust file, on a computer without a network: <code>muniment-verify FILE.html --trust FILE</code>. The page is read strictly: one changed byte is INVALID.</li>
</ul>
`
	plainProof = `<h2>How to check it</h2>
<ol>
<li>Compare the fingerprint above with the one that the archive publishes, on paper or by telephone. A page cannot vouch for its own signer.</li>
<li>Check this file with a program that did not come with it; no network is needed: <code>muniment verify FILE.html --trust allowed_signers</code>. Or drop it on <code>verify.html</code>, or give it to <code>verify.py</code> or <code>verify.js</code>, which share no code with that program.</li>
<li>VALID says that nothing was changed since that key signed it. One changed byte gives INVALID.</li>
</ol>
<h2>What this proves, and what it does not</h2>
<ul>
<li>It proves what the archive answered: the claims, the words they rest on, and how far the words carry each claim.</li>
<li>It does not show that a claim is true, when the answer was made, that nothing was withdrawn since, or that the signer is who you think.</li>
<li>Claims wear badges only after the script in this page found that the page shows what was signed. Whoever changes the page can change the script too.</li>
</ul>
`
	pageFoot = `</main>
<footer><p>Muniment, one answer in one file. It asks nothing from the network.</p></footer>
`
)
