package pages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/server"
	"muniment/text/legible"
	"muniment/verifiers"
)

const (
	pageSize     = 100     // lines of a list on one page: below 100 kB with long titles
	searchHits   = 20      // passages of one search
	uploadMemory = 8 << 20 // of an upload that is held in memory
	maxQuestion  = 4000    // characters
)

// A source makes pages of what one client may see.
type source struct {
	client   *server.Client
	links    links
	language *language // nil is English
}

// say returns the words of a key in the language of the pages.
func (s *source) say(key string, args ...any) string { return s.words().say(key, args...) }

// words returns the language of the pages.
func (s *source) words() *language {
	if s.language == nil {
		return languages()[0]
	}
	return s.language
}

// New returns the handler of a server's pages: every path that is no call.
func New() http.Handler {
	m := &routes{mux: http.NewServeMux()}
	m.addPages()
	m.addForms()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policyOfPages)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache")
		m.mux.ServeHTTP(w, asPage(r))
	})
}

// The routes of the pages are a mux and its patterns.
type routes struct {
	mux      *http.ServeMux
	patterns []string
}

// HandleFunc adds the handler of a pattern.
func (m *routes) HandleFunc(pattern string, answer http.HandlerFunc) {
	m.mux.HandleFunc(pattern, answer)
	m.patterns = append(m.patterns, pattern)
}

// addPages adds every page.
func (m *routes) addPages() {
	get := func(pattern string, page func(context.Context, *source, *http.Request) (*frame, error)) {
		m.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) { serve(w, r, page) })
	}
	get("/{$}", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) { return s.home(ctx) })
	get("/index", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) { return s.home(ctx) })
	get("/inventory", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.inventory(ctx, filterOf(r.URL.Query()))
	})
	get("/names", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) { return s.names(ctx) })
	get("/search", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.search(ctx, searchAsk{r.FormValue("q"), r.FormValue("order") == "date", filterOf(r.URL.Query())})
	})
	get("/suggest", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.suggest(ctx, r.FormValue("q"))
	})
	get("/a/{artifact}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) { return s.paperOf(ctx, r, "0") })
	get("/p/{lasting}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		id, err := s.client.Expand(ctx, r.PathValue("lasting"))
		if err != nil {
			return nil, err
		}
		r.SetPathValue("artifact", id)
		return s.paperOf(ctx, r, "0")
	})
	get("/s/{snapshot}/a/{artifact}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.paperOf(ctx, r, r.PathValue("snapshot"))
	})
	get("/cite", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.cite(ctx, r.FormValue("artifact"), r.FormValue("span"), r.FormValue("quote"), originOf(r))
	})
	get("/ask", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.ask(ctx, r.FormValue("question"), nil)
	})
	get("/answers/{id}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.answer(ctx, r.PathValue("id"))
	})
	get("/citations", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.citations(ctx, r.FormValue("status"), number(r.FormValue("after")), number(r.FormValue("claim")))
	})
	get("/citations/{citation}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.citation(ctx, r.PathValue("citation"))
	})
	get("/claims", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.claims(ctx, number(r.FormValue("after")))
	})
	get("/verify", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) { return s.verify(ctx, &Verify{}) })
	get("/examine", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) {
		return s.frame(ctx, "examine", s.say("examine.title"), &Examine{})
	})
	get("/examinations/{id}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.examination(ctx, r.PathValue("id"))
	})
	get("/reports", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) {
		return s.frame(ctx, "report", s.say("report.title"), &Report{})
	})
	get("/reports/{id}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.report(ctx, r.PathValue("id"), r.FormValue("show"))
	})
	m.HandleFunc("GET "+server.AtEnter+"{code}", enter)
	get("/review", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.review(ctx, r.URL.Query(), nil)
	})
	get("/custody", func(ctx context.Context, s *source, _ *http.Request) (*frame, error) { return s.custody(ctx) })
	get("/snapshots/{snapshot}", func(ctx context.Context, s *source, r *http.Request) (*frame, error) {
		return s.snapshot(ctx, number(r.PathValue("snapshot")))
	})
	m.HandleFunc("GET /o/{artifact}", original)
	m.HandleFunc("GET /thumbs/{artifact}", picture(server.ThumbSize))
	m.HandleFunc("GET /sheets/{artifact}/{page}", picture(server.SheetSize))
	m.HandleFunc("GET /answers/{id}/{file}", answerFile)
	m.HandleFunc("GET /language/{code}", chooseLanguage)
	m.HandleFunc("GET /assets/{name}", asset)
	get("/", func(_ context.Context, _ *source, r *http.Request) (*frame, error) {
		return nil, problem.New(problem.NotFound, problem.Advise("the links above lead to every page"), "there is no page %s", legible.Printable(r.URL.Path))
	})
}

// addForms adds the routes of forms.
func (m *routes) addForms() {
	m.HandleFunc("POST /ask", postAsk)
	m.HandleFunc("POST /answers/{id}/more", postMore)
	m.HandleFunc("POST /answers/{id}/share", postShare("/answers/"))
	m.HandleFunc("POST /review", postReview)
	m.HandleFunc("POST /verify", func(w http.ResponseWriter, r *http.Request) { serve(w, r, postVerify) })
	m.HandleFunc("POST /examine", postExamine)
	m.HandleFunc("POST /examinations/{id}/share", postShare("/examinations/"))
	m.HandleFunc("POST /reports", postReport)
	m.HandleFunc("POST /reports/{id}/share", postShare("/reports/"))
}

// enter makes the browser of a link the archivist's. It answers with a page and leads nowhere by
// itself: where another site opened the link, the browser sends the cookie from the next click on.
func enter(w http.ResponseWriter, r *http.Request) {
	cookie, err := server.ClientOf(r).Enter(r.PathValue("code"))
	if err == nil {
		http.SetCookie(w, cookie)
		w.Header().Set("Cache-Control", "no-store")
	}
	serve(w, r, func(ctx context.Context, s *source, _ *http.Request) (*frame, error) {
		if err != nil {
			return nil, err
		}
		return s.frame(ctx, "enter", s.say("enter.title"), &Enter{"This browser sees everything in the archive, until it is closed or the server stops."})
	})
}

type twinKey struct{}

// asPage returns the request for the page of which r asks for the JSON twin, else r.
func asPage(r *http.Request) *http.Request {
	name, isTwin := strings.CutSuffix(r.URL.Path, ".json")
	if !isTwin || strings.HasPrefix(name, "/assets/") || strings.HasPrefix(name, "/o/") {
		return r
	}
	out := r.WithContext(context.WithValue(r.Context(), twinKey{}, true))
	u := *r.URL
	u.Path, u.RawPath = name, ""
	out.URL = &u
	return out
}

// serve answers with a page or its twin.
func serve(w http.ResponseWriter, r *http.Request, page func(context.Context, *source, *http.Request) (*frame, error)) {
	s := &source{client: server.ClientOf(r), links: links{root: "/"}, language: languageOf(r)}
	f, err := page(r.Context(), s, r)
	status := http.StatusOK
	if err == nil && f.failed != 0 {
		status = f.failed
	}
	if err != nil {
		if f, status, err = s.failure(r.Context(), err); err != nil {
			http.Error(w, "the archive cannot be read", http.StatusServiceUnavailable)
			return
		}
	}
	name := strings.TrimSuffix(r.URL.Path, "/")
	if name == "" {
		name = "/index"
	}
	f.Twin = name + ".json"
	if r.URL.RawQuery != "" {
		f.Twin += "?" + r.URL.RawQuery
	}
	if !slices.Contains(deskPages, f.Name) {
		to := "/" // an address at which nothing is shown is not repeated
		if status == http.StatusOK {
			to = r.URL.RequestURI()
			f.Here = originOf(r) + to
		}
		f.Other = "/language/" + f.language.say("other") + "?to=" + strings.NewReplacer("%2F", "/", "%3F", "?", "%3D", "=").Replace(url.QueryEscape(to))
	}
	w.Header().Add("Vary", "Accept-Language, Cookie")
	write(w, r, f, status)
}

// write sends a page or its twin.
func write(w http.ResponseWriter, r *http.Request, f *frame, status int) {
	data, err := f.html()
	kind := "text/html; charset=utf-8"
	if r.Context().Value(twinKey{}) != nil {
		kind = "application/json"
		data, err = f.json()
	}
	if err != nil {
		http.Error(w, "the page cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(data) // the reader went away
}

// failure returns the page of an error.
func (s *source) failure(ctx context.Context, err error) (*frame, int, error) {
	fault := server.FaultOf(err)
	f, err := s.frame(ctx, "failure", s.say("failure."+itoa(failureKey(fault.Status))), &Failure{fault.Status, fault.Title, fault.Detail, fault.Suggestion})
	return f, fault.Status, err
}

// number returns a number of an address, 0 for what is none.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// filterOf returns the filter that an address asks for.
func filterOf(q url.Values) Filter {
	f := Filter{Page: max(1, int(number(q.Get("page"))))}
	for name, to := range f.Fields() {
		*to = q.Get(name)
	}
	return f
}

// Values returns the fields of a filter that are set, for the form of a search.
func (f Filter) Values() url.Values { return f.values(1) }

// query returns a filter as the query of an address.
func (f Filter) query(page int) string { return "?" + f.values(page).Encode() }

// values returns the fields of a filter that are set.
func (f Filter) values(page int) url.Values {
	q := url.Values{}
	for name, value := range f.Fields() {
		if *value != "" {
			q.Set(name, *value)
		}
	}
	if page > 1 {
		q.Set("page", itoa(page))
	}
	return q
}

func (s *source) paperOf(ctx context.Context, r *http.Request, snapshot string) (*frame, error) {
	return s.paper(ctx, server.PaperRequest{Artifact: r.PathValue("artifact"), Snapshot: number(snapshot), From: int(number(r.FormValue("from")))}, place{cmp.Or(r.FormValue("at"), r.FormValue("span")), r.FormValue("t"), r.FormValue("xywh"), originOf(r)})
}

// originOf returns the origin of the server's addresses, as the reader's browser has it.
func originOf(r *http.Request) string {
	if r.TLS != nil || r.URL.Scheme == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// original sends an original: a medium to the page that shows it, the rest to be saved.
func original(w http.ResponseWriter, r *http.Request) {
	err := server.ClientOf(r).Original(r.Context(), r.PathValue("artifact"), func(o *server.Original) (io.Writer, error) {
		h := w.Header()
		h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
		if o.Data != nil && r.FormValue("save") == "" {
			h.Set("Content-Type", o.MediaType)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(o.Data))
			return nil, nil
		}
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": saveName(o.Name)}))
		return w, nil
	})
	if err != nil {
		serve(w, r, func(context.Context, *source, *http.Request) (*frame, error) { return nil, err })
	}
}

// saveName returns the name under which an original is saved.
func saveName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`"\/:*?<>|`, r) || legible.IsInvisible(r) {
			return '_'
		}
		return r
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	return strings.TrimLeft(name, ".")
}

// answerFile sends the bundle of an answer, or its page.
func answerFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	kept, err := server.ClientOf(r).Answer(r.Context(), r.PathValue("id"))
	var file *server.File
	if err == nil && (name == "answer.zip" || name == "answer.html") {
		file, err = kept.File(path.Ext(name))
	}
	switch {
	case err != nil:
		serve(w, r, func(context.Context, *source, *http.Request) (*frame, error) { return nil, err })
	case file == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", file.MediaType)
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		_, _ = w.Write(file.Data) // the reader went away
	}
}

// postAsk answers a question and leads to the answer's page.
func postAsk(w http.ResponseWriter, r *http.Request) {
	question := strings.TrimSpace(r.FormValue("question"))
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		if question == "" || len([]rune(question)) > maxQuestion {
			f, err := s.ask(ctx, "", problem.New(problem.Usage, problem.Advise("write a question of at most "+itoa(maxQuestion)+" characters"), "there is no question"))
			return "", f, err
		}
		kept, err := s.client.AskAndKeep(ctx, question)
		if err != nil {
			f, err := s.ask(ctx, question, err)
			return "", f, err
		}
		return "/answers/" + kept.Address, nil, nil
	})
}

// postMore shows more of the text around a citation of an answer.
func postMore(w http.ResponseWriter, r *http.Request) {
	serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
		kept, err := s.client.More(ctx, r.PathValue("id"), r.FormValue("handle"))
		if err != nil {
			return "", nil, err
		}
		return "/answers/" + kept.Address, nil, nil
	})
}

// postShare returns the handler that lets whoever has the address of a page below root read it.
func postShare(root string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		serve2(w, r, func(ctx context.Context, s *source) (string, *frame, error) {
			return root + url.PathEscape(r.PathValue("id")), nil, s.client.Share(ctx, r.PathValue("id"))
		})
	}
}

// serve2 leads to an address, or shows a page where there is none.
func serve2(w http.ResponseWriter, r *http.Request, do func(context.Context, *source) (string, *frame, error)) {
	s := &source{client: server.ClientOf(r), links: links{root: "/"}, language: languageOf(r)}
	to, f, err := do(r.Context(), s)
	if err == nil && to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	serve(w, r, func(context.Context, *source, *http.Request) (*frame, error) { return f, err })
}

// readUpload returns the file of a form.
func readUpload(r *http.Request) ([]byte, error) {
	if err := r.ParseMultipartForm(uploadMemory); err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("a bundle has at most 16 MiB here; the command verifies larger ones"), "the file could not be taken")
	}
	defer r.MultipartForm.RemoveAll()
	f, _, err := r.FormFile("bundle")
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("choose the .zip, .html or .json that you were given"), "no file was chosen")
	}
	defer f.Close()
	data, err := io.ReadAll(f) // the server bounds the body
	if err == nil && len(data) == 0 {
		err = problem.New(problem.Usage, problem.Advise("choose the .zip, .html or .json that you were given"), "the file is empty")
	}
	return data, err
}

// asset sends a style, a script, or the verifier.
func asset(w http.ResponseWriter, r *http.Request) {
	data, kind, err := assetOf(r.PathValue("name"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data) // the reader went away
}

// assetOf returns an asset and its media type.
func assetOf(name string) ([]byte, string, error) {
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
	kind, known := kinds[path.Ext(name)]
	switch name {
	case "verify.js":
		return verifiers.Script, kind, nil
	case "sentence.js":
		return verifiers.Sentence, kind, nil
	}
	if name == "verify.html" { // to be saved: its script is within it, which no page of the server may have
		return verifiers.Page, "application/octet-stream", nil
	}
	if name == "examine.css" {
		return []byte(examination.Style), kind, nil
	}
	if !known {
		return nil, "", errors.New("no asset")
	}
	data, err := fs.ReadFile(files, "assets/"+name)
	return data, kind, err
}
