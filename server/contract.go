package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive/problem"
	"muniment/audit/examination"
	"muniment/bundle"
	"muniment/cite"
	"muniment/engine"
	"muniment/ledger"
)

// meanings say what each type of error means. A reply has no other type; a new one may be added.
var meanings = map[problem.Kind]string{
	problem.Usage: "the request is not as its schema says, or two of its members do not go together", problem.Ambiguous: "a name fits several things; give an id",
	problem.NotFound: "nothing of that number, id or address is there for this caller", problem.SourceNotFound: "no paper or source of that name is there for this caller",
	problem.NoSnapshot: "the archive has no signed snapshot yet", problem.InvalidLocator: "a span or locator of the wrong form, or outside the text",
	problem.Reasoning: "this archive wants the reasoning of each citation", problem.NotPermitted: "the role or tier of the caller may not, or consent withholds the words",
	problem.NoAuditor: "what was asked needs an auditor's key", problem.Busy: "other calls or programs hold the archive, or the caller is over its rate; call again after retry_after",
	problem.Database: "the database of the ledger does not answer; nothing was registered", problem.Interrupted: "the call was ended before it was done",
	problem.PartlyDone: "a part was done, which partial_result names", problem.Key: "the server has no key to sign with, or cannot use it", problem.Remote: "another host does not answer",
	problem.NotSearched: "a part of the snapshot was not searched, so that there is no verdict", problem.InvalidBundle: "the file is no bundle, or one that cannot be read",
	problem.NothingToDo: "the call was done before, or there is nothing to do", problem.VerdictNegative: "a verification found something wrong",
	problem.Verification: "the words or the claim failed; the citation is registered as failed", problem.Unverified: "the words are there, and nothing showed that the claim follows",
	problem.Timeout: "a look-up took too long; the citation is registered as pending", problem.QuoteTooLong: "a warning: the quote is longer than readers check",
	problem.Damaged: "something in the archive is damaged", problem.AssemblyFailed: "an answer could not be made; nothing was delivered", problem.AnswerRefused: "the answer is a refusal",
	problem.Environment: "the machine of the server lacks something", problem.History: "two histories of the archive disagree", problem.NoArchive: "no archive is there", problem.ArchiveExists: "an archive is there already",
	problem.Internal: "a defect of the program", overRate: "the caller is over its rate; call again after retry_after", endedLate: "the call took too long",
}

// The types of errors that are no kind of the library: a call that took too long, or above the rate of its caller.
const (
	endedLate problem.Kind = "Timeout"
	overRate  problem.Kind = "RateLimited"
)

// choices returns values of a named type as a description has them.
func choices[T ~string](all ...T) []any {
	out := make([]any, len(all))
	for i, one := range all {
		out[i] = string(one)
	}
	return out
}

// typeChoices are the values of the members with a type of their own.
var typeChoices = map[reflect.Type][]any{
	reflect.TypeFor[engine.Role]():         choices(engine.RoleAgent, engine.RoleUser, engine.RoleAuditor, engine.RoleAdmin),
	reflect.TypeFor[cite.ClaimVerdict]():   choices("", cite.ClaimFollows, cite.ClaimContradicted, cite.ClaimNotShown, cite.ClaimJudged),
	reflect.TypeFor[examination.Verdict](): choices(examination.Verdicts...),
	reflect.TypeFor[bundle.Result]():       choices(bundle.Pass, bundle.Fail, bundle.NotChecked),
}

// memberChoices are the values of the members of citations, by their names.
var memberChoices = map[string][]any{
	"verification_status": choices(ledger.Verified, ledger.Failed, ledger.Pending, ledger.Unverified),
	"claim_verdict":       typeChoices[reflect.TypeFor[cite.ClaimVerdict]()],
	"match":               choices("", cite.Exact, cite.Normalized, cite.Fuzzy, cite.Ambiguous, cite.Absent, cite.NoWords),
	"relation":            choices(cite.Relations[:]...),
	"error_type":          choices(problem.Verification, problem.Unverified, problem.Timeout, problem.QuoteTooLong),
}

// resultChoices are the values of members of one type, by type and name.
var resultChoices = map[string][]any{
	"AskReply outcome":       choices(cite.Supported, cite.Narrowed, cite.Labeled, cite.Refused),
	"AnswerResultClaim role": choices(cite.RoleAnswer, cite.RoleNearest),
	"AnswerResultClaim rung": choices("", cite.Supported, cite.Narrowed, cite.Labeled, cite.Refused),
	"Fault error_type":       choices(slices.Sorted(maps.Keys(meanings))...),
}

// typeMembers writes into the schemas of replies the allowed values of members, and null where one may be null, and
// allows more members.
func typeMembers(schemas huma.Registry) {
	enginePath := reflect.TypeFor[engine.CiteResult]().PkgPath()
	for name, s := range schemas.Map() {
		t := schemas.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct || strings.HasSuffix(name, "Request") { // which has its own
			continue
		}
		if name != "CiteBatch" && name != "AddedFile" { // of requests, which stay closed: a misspelled member is an error
			s.AdditionalProperties = nil // a later server may say more
		}
		ofCitation := t.PkgPath() == enginePath || t == reflect.TypeFor[CiteReply]()
		for _, f := range reflect.VisibleFields(t) {
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[member]
			if p != nil && p.Ref != "" && f.Type.Kind() == reflect.Pointer && !strings.Contains(f.Tag.Get("json"), ",omitempty") {
				s.Properties[member] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}}
			}
			if p == nil || p.Type != huma.TypeString || len(p.Enum) > 0 {
				continue
			}
			p.Enum = typeChoices[f.Type]
			if known := memberChoices[member]; known != nil && ofCitation {
				p.Enum = known
			}
			if known := resultChoices[name+" "+member]; known != nil {
				p.Enum = known
			}
		}
	}
}

// serveProblem serves the sentence of a type of error, at the address that problems name.
func serveProblem(w http.ResponseWriter, r *http.Request) {
	kind := problem.Kind(r.PathValue("kind"))
	meaning, ok := meanings[kind]
	if !ok {
		writeFault(w, newFault(http.StatusNotFound, string(problem.NotFound), "no error has this type", "/openapi.json lists the types"))
		return
	}
	status := ""
	if n, ok := statusOf[kind]; ok {
		status = fmt.Sprintf(" (HTTP %d)", n)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintf(w, "%s%s\n%s\n", kind, status, meaning) // the caller went away
}

// memberLines has a line for each name of a member or a parameter: the name, a tab, its description. A name has a line
// of its own after the schema or the operation, as Schema.name, where it means something else there.
//
//go:embed members.txt
var memberLines string

// readMembers returns the descriptions of members.txt by name.
func readMembers() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(memberLines) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out[name] = text
	}
	return out
}

// describe gives each member and parameter of a document without a description that of members.txt, and returns the
// names that it looked for without finding one, and the names of the lines that it used.
func describe(o *huma.OpenAPI) (missing []string, used map[string]bool) {
	lines := readMembers()
	used = map[string]bool{}
	find := func(owner, name string) string {
		for _, key := range []string{owner + "." + name, name} {
			if text := lines[key]; text != "" {
				used[key] = true
				return text
			}
		}
		missing = append(missing, owner+"."+name)
		return ""
	}
	var ofSchema func(owner string, s *huma.Schema)
	ofSchema = func(owner string, s *huma.Schema) {
		if s == nil {
			return
		}
		for name, p := range s.Properties {
			if p.Description == "" {
				p.Description = find(owner, name)
			}
			ofSchema(owner, p)
		}
		ofSchema(owner, s.Items)
		for _, one := range append(s.OneOf, s.AnyOf...) {
			ofSchema(owner, one)
		}
	}
	for name, s := range o.Components.Schemas.Map() {
		ofSchema(name, s)
	}
	tags := map[string]bool{}
	for op := range operations(o) {
		tag := strings.Split(op.Path, "/")[3] // after /api/v1/
		if op.Tags = []string{tag}; !tags[tag] {
			tags[tag] = true
			o.Tags = append(o.Tags, &huma.Tag{Name: tag, Description: find("tag", tag)})
		}
		op.Description = find("operation", op.OperationID)
		for _, p := range op.Parameters {
			if p.Description == "" {
				p.Description = find(op.OperationID, p.Name)
			}
		}
		for _, r := range op.Responses {
			for _, c := range r.Content {
				ofSchema(op.OperationID, c.Schema)
			}
		}
	}
	slices.SortFunc(o.Tags, func(a, b *huma.Tag) int { return strings.Compare(a.Name, b.Name) })
	return missing, used
}

// operations returns the operations of a document.
func operations(o *huma.OpenAPI) iter.Seq[*huma.Operation] {
	return func(yield func(*huma.Operation) bool) {
		for _, at := range o.Paths {
			for _, op := range []*huma.Operation{at.Get, at.Post, at.Put, at.Delete, at.Patch} {
				if op != nil && !yield(op) {
					return
				}
			}
		}
	}
}

// exampleCalls has the calls of a caller who tries each operation, in the order of the calls: later ones name what
// earlier ones registered.
//
//go:embed examples.json
var exampleCalls []byte

// An exampleCall is a call of an operation. The id of a resource is of the right form and no resource's.
type exampleCall struct {
	Operation  string          `json:"operation"`
	Parameters map[string]any  `json:"parameters"`
	Body       json.RawMessage `json:"body"`
}

// readExamples returns the calls of examples.json.
func readExamples() []exampleCall {
	var out []exampleCall
	if err := json.Unmarshal(exampleCalls, &out); err != nil {
		panic("server: examples.json: " + err.Error())
	}
	return out
}

// addExamples adds the values of examples to the parameters and the body of each operation.
func addExamples(o *huma.OpenAPI, examples []exampleCall) {
	of := map[string]exampleCall{}
	for _, e := range examples {
		of[e.Operation] = e
	}
	for op := range operations(o) {
		e := of[op.OperationID]
		for _, p := range op.Parameters {
			if value, ok := e.Parameters[p.Name]; ok {
				p.Example = value
			}
		}
		if op.RequestBody == nil || e.Body == nil {
			continue
		}
		if c := op.RequestBody.Content["application/json"]; c != nil {
			c.Example = e.Body
		}
	}
}
