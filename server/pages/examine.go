package pages

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"io"
	"net/http"
	"strings"

	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/server"
)

// An Examine is the page on which a document is handed in, and its report.
type Examine struct {
	Text     string              `json:"-"`
	Report   *examination.Report `json:"report,omitempty"`
	Failed   string              `json:"error,omitempty"`
	Advice   string              `json:"suggestion,omitempty"`
	Fragment template.HTML       `json:"-"`
}

// postExamine examines the document that was pasted or chosen.
func postExamine(ctx context.Context, s *source, r *http.Request) (*frame, error) {
	e := &Examine{}
	in, err := readDocument(r)
	e.Text = in.Text
	if err == nil {
		e.Report, err = s.client.Examine(ctx, in)
	}
	if err == nil {
		e.Fragment, err = e.Report.Fragment()
	}
	if err != nil {
		fault := server.FaultOf(err)
		e.Failed, e.Advice = fault.Detail, fault.Suggestion
	}
	return s.frame(ctx, "examine", s.say("examine.title"), e)
}

// readDocument returns the document of a form: the text that was pasted, else the file.
func readDocument(r *http.Request) (server.ExamineRequest, error) {
	var in server.ExamineRequest
	err := r.ParseMultipartForm(uploadMemory)
	if errors.Is(err, http.ErrNotMultipart) { // a text alone
		err = r.ParseForm()
	}
	if err != nil {
		return in, problem.New(problem.Usage, problem.Advise("a document has at most 8 MiB here; the command examines larger ones"), "the document could not be taken")
	}
	if r.MultipartForm != nil {
		defer r.MultipartForm.RemoveAll()
	}
	if in.Text = r.FormValue("text"); strings.TrimSpace(in.Text) != "" {
		return in, nil
	}
	in.Text = ""
	f, head, err := r.FormFile("document")
	if err != nil {
		return in, problem.New(problem.Usage, problem.Advise("paste a text, or choose a file"), "there is no document")
	}
	defer f.Close()
	in.Name = head.Filename
	var data bytes.Buffer
	_, err = io.Copy(&data, f) // the server bounds the body
	in.Data = data.Bytes()
	return in, err
}
