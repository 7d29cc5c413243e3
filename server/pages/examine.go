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
	Keep     Keep                `json:"keep"`
	Failed   string              `json:"error,omitempty"`
	Advice   string              `json:"suggestion,omitempty"`
	Fragment template.HTML       `json:"-"`
}

// A Keep says who may read what has an address that stays.
type Keep struct {
	Address string `json:"address,omitempty"` // "" for what is not kept
	Own     bool   `json:"own"`
	Shared  bool   `json:"shared"`
	Path    string `json:"-"` // of the page
}

// postExamine examines the document that was pasted or chosen, and leads to the page of its report.
func postExamine(w http.ResponseWriter, r *http.Request) {
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		e := &Examine{}
		in, err := readDocument(r)
		e.Text = in.Text
		var reply *server.ExamineReply
		if err == nil {
			reply, err = s.client.ExamineAndKeep(ctx, in)
		}
		if err == nil && reply.ID != "" {
			return "/examinations/" + reply.ID, nil, nil
		}
		if err == nil {
			e.Report = &reply.Report
			e.Fragment, err = e.Report.Fragment()
		}
		if err == nil {
			e.Fragment, err = s.linkPapers(ctx, e.Fragment)
		}
		f, framed := s.frame(ctx, "examine", s.say("examine.title"), e)
		if err != nil && framed == nil {
			fault := server.FaultOf(err)
			e.Failed, e.Advice, f.failed = fault.Detail, fault.Suggestion, fault.Status
		}
		return "", f, framed
	})
}

// examination is the page of a report that is kept.
func (s *source) examination(ctx context.Context, id string) (*frame, error) {
	reply, page, err := s.client.Examination(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &Examine{Report: &reply.Report, Keep: Keep{id, reply.Own, reply.Shared, "/examinations/" + id}}
	if e.Fragment, err = s.linkPapers(ctx, examination.FragmentOf(page)); err != nil {
		return nil, err
	}
	return s.frame(ctx, "examine", reply.Document.Name, e)
}

// linkPapers returns a report with a link and the reader's label at each paper that the reader may see.
func (s *source) linkPapers(ctx context.Context, report template.HTML) (template.HTML, error) {
	of, err := s.client.HoldingsOf(ctx, examination.PapersOf(report))
	return examination.Link(report, func(artifact, span string) (string, string) {
		h, ok := of[artifact]
		if !ok {
			return "", ""
		}
		return s.words().label(h), s.links.Paper(artifact, span)
	}), err
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
