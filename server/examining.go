package server

import (
	"context"
	"crypto/rand"

	"muniment/answer"
	"muniment/archive/problem"
	"muniment/audit/examination"
)

// An ExamineRequest is a document whose quotations are to be looked up.
type ExamineRequest struct {
	Text     string   `json:"text,omitempty" doc:"the document, as plain text or markdown"`
	Data     []byte   `json:"data,omitempty" doc:"the document in another form, in base64: a page, DOCX, ODT, RTF, EPUB or PDF"`
	Name     string   `json:"name,omitempty" doc:"the name of its file, whose extension tells the form"`
	Complete []string `json:"complete,omitempty" doc:"what the archive has whole: creators, series, kinds, or all"`
}

// maxExaminedUpload is the most bytes of a document that a client sends.
const maxExaminedUpload = 8 << 20

// Examine returns the worth of each quotation of a document, by the papers that the client may read.
func (c *Client) Examine(ctx context.Context, r ExamineRequest) (*examination.Report, error) {
	in := examination.Input{Name: r.Name, Data: r.Data}
	switch {
	case r.Text != "" && len(r.Data) > 0:
		return nil, problem.New(problem.Usage, problem.Advise("give text, or data"), "both text and data were given")
	case r.Text != "":
		in.Data = []byte(r.Text)
	case len(r.Data) == 0:
		return nil, problem.New(problem.Usage, problem.Advise("give the text of a document"), "there is no document")
	}
	if len(in.Data) > maxExaminedUpload {
		return nil, problem.New(problem.Usage, problem.Advise("examine it in parts, or with muniment examine"), "a document of %d bytes, at most %d", len(in.Data), maxExaminedUpload)
	}
	if in.Name == "" {
		in.Name = "document.md"
	}
	return withView(ctx, c, func(v *view) (*examination.Report, error) {
		reader, err := v.reader()
		if err != nil {
			return nil, err
		}
		report, err := examination.Examine(ctx, in, examination.Options{Places: []examination.Place{{Archive: v.handle.archive, Reader: reader}}, Complete: r.Complete})
		if err != nil || c.cred.seesAll() {
			return report, err
		}
		who := c.cred.requestor()
		return report, report.Charge(func(id string, all []answer.Excerpt) ([]bool, error) {
			return answer.ShowExcerpts(v.handle.archive, answer.BudgetOptions{Requestor: who.Name, Tier: who.Tier, Account: c.cred.account()}, id, all)
		}, "examination "+rand.Text())
	})
}
