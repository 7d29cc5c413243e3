package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/answer"
	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/draft"
	"muniment/engine"
)

// Answers, reports and examinations are resources: a POST makes one, and its id, which is an address of
// decision 98, is what reads it later, by whoever may.

// A ReportRequest is a draft to be sealed.
type ReportRequest struct {
	Draft   string `json:"draft" doc:"markdown or plain text; each sentence that the archive supports is delivered with its evidence, the others are removed"`
	Profile string `json:"profile,omitempty" doc:"the profile of rules, persona-archive by default"`
	Nonce   string `json:"request_nonce,omitempty" doc:"16 to 64 bytes in hexadecimal that bind the report to the draft; derived for you when left out"`
}

// A BundleRequest names an answer or a report.
type BundleRequest struct {
	ID string `json:"id" doc:"the id that ask or seal_report gave"`
}

// An ExamineReply is a report on a finished text.
type ExamineReply struct {
	examination.Report
	ID     string `json:"id,omitempty"` // by which the report is read again; "" where it is too long to be kept
	Own    bool   `json:"-"`            // the client asked for it
	Shared bool   `json:"-"`            // whoever has the address may read it
}

// A MarkedText is somebody's text, whose marks [1], [2] name citations by their numbers.
type MarkedText struct {
	Text      string                `json:"text,omitempty"`
	Marks     []MarkVerdict         `json:"marks,omitempty"`     // in the order of the text
	Citations []engine.CitationInfo `json:"citations,omitempty"` // that the marks name, each once
	Own       bool                  `json:"-"`                   // the client kept it
	Shared    bool                  `json:"-"`                   // whoever has the address may read it
}

// A MarkVerdict is what a mark of a text is worth today.
type MarkVerdict struct {
	Mark    string `json:"mark"`    // the number between the brackets
	Verdict string `json:"verdict"` // verified, failed, unverified; other: its citation is for other words; none: no citation that the client may read
}

// CitationMark is a mark of a text, which names a citation by its number, the first group.
var CitationMark = regexp.MustCompile(`\[([1-9][0-9]{0,17})\]`)

// maxMarks is the most marks of one text: each citation is a read of the ledger whenever the text is read.
const maxMarks = 500

// KeepText keeps a text with marks under a new address, which it returns. What the marks name is looked up when
// the text is read.
func (c *Client) KeepText(ctx context.Context, text string) (string, error) {
	n, marks := len(text), len(CitationMark.FindAllString(text, maxMarks+1))
	switch {
	case marks > maxMarks:
		return "", problem.New(problem.Usage, problem.Advise("keep it in parts"), "a text of more than %d marks", maxMarks)
	case marks == 0:
		return "", problem.New(problem.Usage, problem.Advise("paste a text whose marks [1], [2] are numbers of citations"), "there is no mark in the text")
	case n > c.options().Limits.Draft:
		return "", problem.New(problem.Usage, problem.Advise("keep it in parts"), "a text of %d bytes, at most %d", n, c.options().Limits.Draft)
	}
	return call(ctx, c, func(h *handle) (string, error) {
		n := c.note()
		n.Text = text
		return c.keepNote(h, n)
	})
}

// KeptText returns the text at an address that the client kept or that is shared, each mark with its verdict today.
func (c *Client) KeptText(ctx context.Context, address string) (*MarkedText, error) {
	out, err := call(ctx, c, func(h *handle) (*MarkedText, error) {
		n, err := readNote(h.archive, address)
		if err != nil {
			return nil, err
		}
		own := n.Account == c.cred.account()
		if n.Text == "" || !own && !n.Shared && !c.cred.seesAll() {
			return nil, errNoAnswer(address)
		}
		return &MarkedText{Text: n.Text, Own: own, Shared: n.Shared}, nil
	})
	if err != nil {
		return nil, err
	}
	parts, err := draft.Segment([]byte(out.Text), "")
	if err != nil {
		return nil, err
	}
	claims := map[int]string{} // by the code point at which their marks begin
	for _, one := range parts.Claims {
		for _, mark := range one.Markers {
			claims[mark.Start] = one.Text
		}
	}
	found := map[string]*engine.CitationInfo{} // nil where the client may read none
	for _, m := range CitationMark.FindAllStringSubmatchIndex(out.Text, -1) {
		mark := out.Text[m[2]:m[3]]
		one, known := found[mark]
		if !known {
			if one, err = c.Citation(ctx, CitationRequest{Citation: mark}); err != nil && FaultOf(err).Status != http.StatusNotFound {
				return nil, err
			}
			if found[mark] = one; one != nil {
				out.Citations = append(out.Citations, *one)
			}
		}
		out.Marks = append(out.Marks, MarkVerdict{mark, verdictOfMark(one, claims[utf8.RuneCountInString(out.Text[:m[0]])])})
	}
	return out, nil
}

// verdictOfMark returns the verdict of a mark of a claim: the citation counts for the claim with which it was
// registered, and for no other words.
func verdictOfMark(one *engine.CitationInfo, claim string) string {
	bare := func(s string) string { return strings.TrimRight(strings.Join(strings.Fields(s), " "), " .!?") }
	switch {
	case one == nil:
		return "none"
	case bare(one.Claim) != bare(claim):
		return "other"
	case one.SupersededBy != 0 || one.VerificationStatus == "pending":
		return "unverified"
	}
	return one.VerificationStatus
}

// Seal has a draft delivered as a bundle: what the archive supports of it, signed.
func (c *Client) Seal(ctx context.Context, r ReportRequest) (*AskReply, error) {
	if n := len(r.Draft); n > c.options().Limits.Draft {
		return nil, problem.New(problem.Usage, problem.Advise("seal it in parts, or with muniment bind"), "a draft of %d bytes, at most %d", n, c.options().Limits.Draft)
	}
	sum := sha256.Sum256([]byte(r.Profile + "\x00" + r.Draft))
	kept, err := c.deliver(ctx, delivery{request: "bind " + hex.EncodeToString(sum[:]), profile: r.Profile, nonce: r.Nonce}, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		return answer.Bind(ctx, h.archive, r.Draft, o)
	})
	if err != nil {
		return nil, err
	}
	return &kept.AskReply, nil
}

// Bundle returns the shown part of the bundle with an id, as Answer does; of an examination, that of its bundle.
func (c *Client) Bundle(ctx context.Context, r BundleRequest) (*AskReply, error) {
	read := c.Answer
	if n, err := c.readNote(ctx, r.ID); err == nil && n.Examination != nil {
		read = c.sealExamination
	}
	kept, err := read(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	return &kept.AskReply, nil
}

// ExamineAndKeep is Examine, whose report is kept for whoever may read it later.
func (c *Client) ExamineAndKeep(ctx context.Context, r ExamineRequest) (*ExamineReply, error) {
	report, err := c.Examine(ctx, r)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(report)
	if err != nil {
		return nil, problem.Wrap(err, "examination")
	}
	page, err := report.Page()
	if err != nil {
		return nil, problem.Wrap(err, "examination")
	}
	out := &ExamineReply{Report: *report}
	if len(text)+len(page) > maxKeptExamination {
		return out, nil
	}
	return call(ctx, c, func(h *handle) (*ExamineReply, error) {
		n := c.note()
		n.Examination, n.Page = text, page
		out.ID, err = c.keepNote(h, n)
		return out, err
	})
}

// Examination returns the report with an id and its page, if the client asked for it or it is shared, and
// the words that it shows of papers may be shown to the client today.
func (c *Client) Examination(ctx context.Context, id string) (*ExamineReply, []byte, error) {
	var page []byte
	out, err := call(ctx, c, func(h *handle) (*ExamineReply, error) {
		n, err := readNote(h.archive, id)
		if err != nil {
			return nil, err
		}
		if n.Examination == nil {
			return nil, errNoAnswer(id)
		}
		out := &ExamineReply{ID: id, Own: n.Account == c.cred.account(), Shared: n.Shared}
		if err := json.Unmarshal(n.Examination, &out.Report); err != nil {
			return nil, problem.Wrap(err, "examination")
		}
		v, err := h.view(c)
		if err != nil {
			return nil, err
		}
		page = n.Page
		return out, v.checkExamination(c, id, n, &out.Report)
	})
	return out, page, err
}

// sealExamination returns the bundle of an examination. The first call seals it, for whoever calls; what it shows is charged as that of any bundle.
func (c *Client) sealExamination(ctx context.Context, id string) (*KeptAnswer, error) {
	report, _, err := c.Examination(ctx, id)
	if err != nil {
		return nil, err
	}
	n, err := c.readNote(ctx, id)
	if err != nil {
		return nil, err
	}
	if n.Sealed != "" {
		return c.Answer(ctx, n.Sealed)
	}
	kept, err := c.deliver(ctx, delivery{request: "examine " + id}, func(h *handle, o answer.AskOptions) (*answer.Result, error) {
		return examination.Seal(ctx, h.archive, &report.Report, o)
	})
	if err != nil || n.Account != c.cred.account() {
		return kept, err
	}
	n.Sealed = kept.Address
	return kept, c.server.with(ctx, func(h *handle) error {
		_, err := writeNote(h.archive, id, *n)
		return err
	})
}

// readNote returns the note of an address.
func (c *Client) readNote(ctx context.Context, id string) (*addressNote, error) {
	return call(ctx, c, func(h *handle) (*addressNote, error) { return readNote(h.archive, id) })
}

// checkExamination returns an error unless the client may read a report at an address, as checkReader does
// of an answer.
func (v *view) checkExamination(c *Client, id string, n *addressNote, r *examination.Report) error {
	if own := n.Account == c.cred.account(); !own && !c.cred.seesAll() && (!n.Shared || !v.reaches(n.Tier)) {
		return errNoAnswer(id)
	}
	if c.cred.seesAll() {
		return nil
	}
	for _, item := range r.Items {
		for _, found := range []*examination.Found{item.Found, item.Nearest} {
			if found == nil {
				continue
			}
			papers := []string{found.Artifact}
			if found.SecondIn != "" {
				papers = append(papers, found.SecondIn)
			}
			for _, paper := range papers {
				if err := v.checkShown(paper, found.Text+"\n"+found.Sentence); err != nil {
					return err
				}
			}
		}
		if item.Named != nil && item.Named.Artifact != "" {
			if _, err := v.resolve(item.Named.Artifact); err != nil {
				return withheldOr(err)
			}
		}
	}
	return nil
}

// A File is one form of a resource.
type File struct {
	MediaType string
	Data      []byte
}

// forms are the ends of the name of a resource, with the media types of its forms.
var forms = map[string]string{"": "application/json", ".zip": "application/zip", ".html": "text/html; charset=utf-8"}

// bundleFile returns a form of a bundle.
func (c *Client) bundleFile(ctx context.Context, id, form string) (*File, error) {
	kept, err := c.Answer(ctx, id)
	if err != nil {
		return nil, err
	}
	return kept.File(form)
}

// File returns a form of an answer: "" for what it shows as JSON, .zip or .html.
func (kept *KeptAnswer) File(form string) (_ *File, err error) {
	if form != "" && !kept.ForOthers() {
		return nil, ErrArchivistsOwn()
	}
	out := &File{MediaType: forms[form]}
	switch form {
	case ".zip":
		out.Data = kept.Zip
	case ".html":
		out.Data = kept.Page
	default:
		out.Data, err = json.Marshal(&kept.AskReply)
	}
	return out, problem.Wrap(err, "answer")
}

// ErrArchivistsOwn returns the error of a call for the file of what an archivist looks at.
func ErrArchivistsOwn() error {
	return problem.New(problem.NotPermitted, problem.Advise("muniment ask QUESTION -o answer.zip --for TIER writes one for a tier"), "what an archivist looks at is not written into a file")
}

// examinationFile returns a form of an examination.
func (c *Client) examinationFile(ctx context.Context, id, form string) (*File, error) {
	if form == ".zip" {
		kept, err := c.sealExamination(ctx, id)
		if err != nil {
			return nil, err
		}
		return kept.File(form)
	}
	out, page, err := c.Examination(ctx, id)
	if err == nil && form == "" {
		page, err = json.Marshal(out)
	}
	return &File{forms[form], page}, problem.Wrap(err, "examination")
}

// A resourceParam names a resource, with the end that chooses its form.
type resourceParam struct {
	ID    string `path:"id" doc:"the id of the resource; with the end .zip or .html another form of it"`
	Known string `header:"If-None-Match" doc:"ETags that the caller has; one of the reply gives 304"`
}

// addResource adds the call that reads a resource in the forms with these ends.
func addResource[O any](api huma.API, at, id, summary string, ends []string, read func(c *Client, ctx context.Context, id, form string) (*File, error)) {
	content := map[string]*huma.MediaType{}
	for _, end := range ends {
		media, _, _ := strings.Cut(forms[end], ";")
		content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	content[forms[""]] = &huma.MediaType{Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[O](), true, id)}
	etag := map[string]*huma.Param{"ETag": {Description: "a hash of these bytes", Schema: &huma.Schema{Type: huma.TypeString}}}
	op := huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/api/v1" + at + "/{id}", Summary: summary, Errors: faults,
		Responses: map[string]*huma.Response{"200": {Description: "the resource in the form that its name ends in", Content: content, Headers: etag}, "304": {Description: "the caller has these bytes"}}}
	huma.Register(api, op, func(ctx context.Context, in *resourceParam) (*huma.StreamResponse, error) {
		name, form := in.ID, ""
		for end := range forms {
			if rest, ok := strings.CutSuffix(name, end); ok && end != "" {
				name, form = rest, end
			}
		}
		f, err := read(clientOf(ctx), ctx, name, form)
		if err != nil {
			return nil, faultOf(err)
		}
		return &huma.StreamResponse{Body: func(w huma.Context) { f.send(w, in.Known, strings.TrimPrefix(at, "/")+"-"+in.ID) }}, nil
	})
}

// send answers with a file, or with 304 where the caller has it.
func (f *File) send(w huma.Context, known, name string) {
	sum := sha256.Sum256(f.Data)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	w.SetHeader("ETag", tag)
	w.SetHeader("Cache-Control", "private, no-cache")
	if hasTag(known, tag) {
		w.SetStatus(http.StatusNotModified)
		return
	}
	w.SetHeader("Content-Type", f.MediaType)
	if f.MediaType != forms[""] { // a file to be kept, and no page of this server
		w.SetHeader("Content-Disposition", `attachment; filename="`+name+`"`)
	}
	_, _ = w.BodyWriter().Write(f.Data) // the caller went away
}

// hasTag reports whether the header If-None-Match names a tag: it is a list, or * for any.
func hasTag(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// addResources adds the calls that make and read bundles and examinations.
func (s *Server) addResources(api huma.API) {
	bundle := []string{"", ".zip", ".html"}
	addPost(api, "/answers", "create_answer", "Ask the archive, and keep the answer to be read by its id", (*Client).Ask)
	addResource[AskReply](api, "/answers", "get_answer", "Read an answer: what it shows, its bundle, or its page", bundle, (*Client).bundleFile)
	addPost(api, "/reports", "seal_report", "Seal a draft: what the archive supports of it becomes a signed bundle", (*Client).Seal)
	addResource[AskReply](api, "/reports", "get_report", "Read a sealed report: what it shows, its bundle, or its page", bundle, (*Client).bundleFile)
	addPost(api, "/examinations", "examine", "Say what each quotation of a text is worth", (*Client).ExamineAndKeep)
	addResource[ExamineReply](api, "/examinations", "get_examination", "Read an examination: its items, its bundle, or its page", bundle, (*Client).examinationFile)
}

// bundleURI returns the address at which MCP serves a form of a bundle.
func bundleURI(id, form string) string { return resourceScheme + "bundle/" + id + form }

// linkBundle returns the links to the forms of the bundle with an id; none for "".
func linkBundle(id string) []mcp.Content {
	if id == "" {
		return nil
	}
	return []mcp.Content{&mcp.ResourceLink{URI: bundleURI(id, ".zip"), Name: id + ".zip", Title: "the signed bundle", MIMEType: "application/zip", Description: "verified offline by muniment-verify"},
		&mcp.ResourceLink{URI: bundleURI(id, ".html"), Name: id + ".html", Title: "the bundle as a page", MIMEType: "text/html"}}
}

// links returns the links of a reply of a tool.
func links(reply any) []mcp.Content {
	switch r := reply.(type) {
	case *AskReply:
		return linkBundle(r.ID)
	case *ExamineReply:
		if r.ID != "" {
			at := resourceScheme + "examination/" + r.ID
			return []mcp.Content{&mcp.ResourceLink{URI: at + ".html", Name: r.ID + ".html", Title: "the examination as a page", MIMEType: "text/html"},
				&mcp.ResourceLink{URI: at + ".zip", Name: r.ID + ".zip", Title: "the examination as a signed bundle", MIMEType: "application/zip", Description: "sealed when it is first read; verified offline by muniment-verify"}}
		}
	}
	return nil
}

// readFile returns a form of a bundle or an examination as a resource of MCP.
func (c *Client) readFile(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	kind, name, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, resourceScheme), "/")
	id, end, _ := strings.Cut(name, ".")
	read := c.bundleFile
	if kind == "examination" {
		read = c.examinationFile
	}
	if end = "." + end; forms[end] == "" {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	f, err := read(ctx, id, end)
	if known := faultOf(err); err != nil && known.Status == http.StatusNotFound {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	} else if err != nil {
		return nil, faultError{known}
	}
	out := &mcp.ResourceContents{URI: r.Params.URI, MIMEType: f.MediaType, Blob: f.Data}
	if end == ".html" {
		out.Blob, out.Text = nil, string(f.Data)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{out}}, nil
}
