// Package layers has only tests of the source: which package may import which, with a
// reason for each rule, and what a return statement may read. A package without a line in
// the table fails the first.
package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

// A layer says what a package of ours may import, and why.
type layer struct {
	path   string // below the module; a trailing /... takes the packages beneath
	may    []string
	reason string
}

// The leaves: everything may stand on them.
var leaves = []string{"cid", "cid/jcs", "cid/merkle", "objects/chunk", "objects/disk"}

// layers is the contract between the packages. A package that is not listed
// fails the test.
var layers = []layer{
	{"cid", nil, "identifiers depend on nothing"},
	{"cid/jcs", nil, "canonical JSON depends on nothing"},
	{"cid/merkle", nil, "hash trees depend on nothing"},
	{"objects/chunk", nil, "where bytes are cut depends on the bytes alone"},
	{"objects/object", nil, "what a git object is called depends on its bytes alone"},
	{"objects/disk", nil, "operations on files, those that somebody else may have put in place among them; it knows nothing of what they hold"},
	{"objects/flate", []string{"objects/object"}, "compressed bytes; it shares the store's errors and knows no pack"},
	{"objects/pack", []string{"objects/object", "objects/disk", "objects/flate"}, "files of many objects; a pack knows no repository"},
	{"objects", append([]string{"objects/object", "objects/disk", "objects/flate", "objects/pack"}, leaves...), "a store of bytes knows nothing of what they mean"},
	{"objects/powercut", []string{"objects/disk"}, "replays a crash for tests; it knows only operations on files"},
	{"canon", leaves, "a text's form must not depend on who stores or cites it"},
	{"canon/read", []string{"canon"}, "what a verifier never does: types, charsets and the choice of a reader stand above the text step"},
	{"canon/html", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/csvtable", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/jsontext", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/dbresult", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/mail", []string{"canon", "canon/read", "canon/html", "canon/rtf", "canon/office/compound", "cid"}, "a reader gives a form to package read; a mailbox names its mails"},
	{"canon/office/docpack", []string{"canon", "canon/read"}, "opens a document's zip within limits; knows no form"},
	{"canon/office/compound", []string{"canon/read"}, "opens the container of documents before 2007; knows no form"},
	{"canon/office", []string{"canon", "canon/read", "canon/html", "canon/rtf", "canon/office/docpack", "canon/office/compound"}, "a document may import pages and rich text"},
	{"canon/sheet", []string{"canon", "canon/read", "canon/office/docpack", "canon/office/compound"}, "a reader gives a form to package read"},
	{"canon/slide", []string{"canon", "canon/read", "canon/office/docpack", "canon/office/compound"}, "a reader gives a form to package read"},
	{"canon/xmltext", []string{"canon", "canon/read", "canon/office/docpack"}, "a reader gives a form to package read"},
	{"canon/rtf", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/epub", []string{"canon", "canon/read", "canon/html", "canon/office/docpack"}, "a book's chapters are web pages in a container"},
	{"canon/pdf", []string{"canon", "canon/read"}, "a reader gives a form to package read, through a program of its own"},
	{"canon/transcript", []string{"canon", "canon/read"}, "a reader gives a form to package read"},
	{"canon/layout", []string{"canon", "canon/read", "canon/office/docpack"}, "a reader gives a form to package read"},
	{"canon/media", []string{"canon", "canon/read"}, "a reader gives facts to package read"},
	{"canon/forms", []string{"canon/read", "canon/rtf", "canon/xmltext", "canon/sheet", "canon/slide", "canon/html", "canon/csvtable", "canon/jsontext", "canon/dbresult", "canon/mail", "canon/office", "canon/epub", "canon/pdf", "canon/transcript", "canon/layout", "canon/media"}, "the one list of readers; it knows no text and no archive"},
	{"canon/formstest", []string{"canon", "canon/read", "cid", "testvectors"}, "the vectors that the readers' tests share; no program links it"},
	{"testvectors", nil, "the harness of the test vectors knows the form of a file, not what is in it"},
	{"testvectors/kit", []string{"testvectors"}, "asks any program about the vectors; what they mean is told by tests alone"},
	{"accession/container", []string{"canon", "text/legible"}, "packed folders are lists of files; names are compared in the frozen normal form"},
	{"custody/remote", []string{"objects"}, "moves packs and refs between machines; it judges neither"},
	{"archive/payloads", nil, "objects in a bucket, by their hash; it knows no archive and no pointer"},
	{"archive/payloads/gateway", nil, "an S3 server for tests; no program links it"},
	{"snapshot/dispute", append([]string{"snapshot"}, leaves...), "two signed snapshots in a file; it knows no archive"},
	{"handover/bagit", []string{"accession/container"}, "a bag is files and their sums; it knows no archive"},
	{"handover/ocfl", nil, "a storage root is files, digests and an inventory; it knows no archive"},
	{"accession/pst", nil, "runs a program over a file of Outlook; it knows no archive"},
	{"accession/ocr", nil, "runs a program over a scan; it knows no archive"},
	{"accession/web", []string{"text/weburl", "canon/read", "snapshot/record"}, "a page comes with what is known of its source, its addresses judged as those that people give; it knows no archive"},
	{"accession/sourcemeta", []string{"snapshot/edtf", "snapshot/record", "text/weburl", "cid", "text/calendar"}, "what people say about sources, checked as records are"},
	{"snapshot/edtf", nil, "what a date says depends on its text alone"},
	{"snapshot/member", []string{"cid", "cid/jcs", "snapshot/edtf"}, "how the members of an object are checked depends on no object"},
	{"snapshot/layout", append([]string{"snapshot/member"}, leaves...), "where an object lies depends on its id and its kind, and on no object"},
	{"snapshot/access", []string{"cid/jcs", "snapshot/edtf", "snapshot/member"}, "who may see what is plain data; package policy decides by it"},
	{"snapshot/record", append([]string{"snapshot/edtf", "snapshot/layout", "snapshot/member"}, leaves...), "the archive's JSON objects are plain data"},
	{"sign", leaves, "what is signed is bytes; sign must not learn what they mean"},
	{"sign/sshkey", []string{"sign", "objects/disk"}, "keys and agents bring in the network; the verifier does not link them"},
	{"sign/timestamp", nil, "tokens of authorities need X.509, which brings in the network: the small verifier does not link it"},
	{"sign/spare", []string{"sign"}, "a key on paper or in an envelope; what a key is, it does not know"},
	{"sign/quorum", []string{"cid/merkle", "sign"}, "which witnesses are enough; it knows no archive and no root"},
	{"sign/trust", append([]string{"sign", "sign/quorum"}, leaves...), "whose signature counts is asked of one text, by everything that verifies"},
	{"cite", append([]string{"canon"}, leaves...), "spans count in canonical texts and know no archive"},
	{"cite/locator", []string{"canon/read", "cite", "canon"}, "places and offsets beside the span; it knows no archive and no reader"},
	{"cite/people", append([]string{"cite"}, leaves...), "reviews are weighed by their words alone; it knows no key, no trust and no text"},
	{"cite/review", append([]string{"sign"}, leaves...), "a person's signed word on a claim and its words; it knows no trust, no text and no archive"},
	{"snapshot", append([]string{"objects", "sign", "sign/trust", "snapshot/access", "snapshot/layout", "snapshot/record", "canon", "cite", "cite/review"}, leaves...), "a snapshot is a signed tree of records, texts, and citations of earlier ones"},
	{"bundle/display", append([]string{"cite", "snapshot/record"}, leaves...), "what people see depends on no signature; it shows what bundle renders"},
	{"bundle/leaf", append([]string{"cite/people", "cite/review", "snapshot", "cite", "snapshot/layout", "snapshot/record", "canon"}, leaves...), "what a leaf holds depends on no other leaf, no signature and no log"},
	{"bundle", append([]string{"cite/people", "cite/review", "bundle/display", "bundle/leaf", "snapshot", "sign", "sign/quorum", "sign/trust", "cite", "snapshot/access", "snapshot/layout", "snapshot/record", "canon", "objects", "snapshot/dispute"}, leaves...), "a bundle proves citations against snapshots; its page carries the text of an independent verifier"},
	{"bundle/evidence", append([]string{"bundle", "bundle/display", "snapshot/dispute", "sign", "sign/trust"}, leaves...), "what two signed things that disagree prove; it opens no files"},
	{"bundle/bundlefile", []string{"bundle", "bundle/display", "bundle/evidence"}, "one reader of bundle files for both programs; it alone of the two opens files"},
	{"archive/answerlog", append([]string{"archive/journal", "sign"}, leaves...), "statements' hashes in files, without archive or answers; below archive/logref and custody, which compare and merge its copies"},
	{"ledger", append([]string{"archive", "archive/problem", "cite", "objects/disk"}, leaves...), "the ledger registers citations and asks nobody"},
	{"ledger/cluster", nil, "a database server for tests; it knows no ledger"},
	{"engine/references/bib", append([]string{"canon"}, leaves...), "references are made of what is known of a work; it knows no archive"},
	{"engine/references/exchange", []string{"text/segment", "cite/locator"}, "other systems' citations are only what somebody said; it knows no archive"},
	{"text/segment", nil, "text in, ranges out"},
	{"answer/budget", nil, "counts code points; it knows no text and no clock"},
	{"judge/model", nil, "a question goes out, a verdict or a draft comes back; it knows no archive"},
	{"judge/model/entail", []string{"bundle", "bundle/leaf", "cite", "judge", "judge/model"}, "what no model overrules goes before what a model says; the models of an archive know no rules"},
	{"search/retrieve", append([]string{"snapshot/edtf", "cite", "canon", "text/names", "text/segment"}, leaves...), "search sees texts and spans, no policy"},
	{"search/rank", []string{"text/clause", "text/lexicon", "text/segment", "search/catalogue", "search/retrieve"}, "a score is made of a question, texts and numbers; it knows no archive and no policy"},
	{"search/catalogue", []string{"text/calendar", "text/clause", "text/lexicon", "text/segment", "search/retrieve"}, "questions about records are read without any record"},
	{"text/calendar", []string{"snapshot/edtf"}, "dates as people write them, from their words alone"},
	{"text/lexicon", nil, "words and what they do in a sentence, as data"},
	{"text/names", []string{"text/lexicon"}, "where a text names persons, from words alone; it knows nobody"},
	{"text/pattern", nil, "rules as data over folded text; it knows none of them"},
	{"text/clause", []string{"text/lexicon", "text/segment"}, "the one reader of a clause; it decides nothing about truth"},
	{"judge", append([]string{"text/clause", "text/lexicon", "text/segment", "canon", "cite"}, leaves...), "whether a claim follows, from a claim, a text and what is said of its paper; it knows no archive and no model"},
	{"judge/hedge", []string{"cite", "judge", "text/pattern", "text/segment"}, "how sure a sentence says it is, from its words alone"},
	{"judge/assign", append([]string{"text/lexicon", "judge", "cite", "canon", "text/segment", "search/retrieve"}, leaves...), "alignment sees passages, no policy"},
	{"draft/pack", append([]string{"cite", "canon", "text/segment", "search/retrieve"}, leaves...), "evidence is chosen by what is known of it, without the archive"},
	{"draft/contract", []string{"judge", "text/calendar", "text/lexicon", "text/segment", "judge/assign", "draft/pack", "cite"}, "a draft is judged by what is on file of its citations; it knows no archive"},
	{"draft/profile", append([]string{"policy", "draft/pack", "draft/contract", "draft/enforce"}, leaves...), "rules as data, of the packages that go by them"},
	{"draft/enforce", nil, "counts and scores decide, by thresholds; it knows no profile and no archive"},
	{"draft/examine", []string{"cite", "search/retrieve", "text/clause", "text/lexicon", "text/segment"}, "what a text quotes and where a paper has it, from texts alone; it knows no archive"},
	{"draft/repair", []string{"text/segment", "judge", "judge/hedge", "draft/contract"}, "repair moves marks and asks the gate; it knows no archive"},
	{"policy", append([]string{"snapshot/access", "snapshot/layout", "snapshot/record", "text/lexicon", "text/names"}, leaves...), "policy decides on consent, and on the persons whom words name; it opens no text"},
	{"answer/gate", append([]string{"snapshot/edtf", "snapshot/access", "snapshot/record", "cite", "policy", "text/pattern", "text/segment", "answer/budget"}, leaves...), "gates only reduce; they cannot reach the archive"},
	{"clients", nil, "clients in other languages; it has only tests"},
	{"verifiers", nil, "an independent verifier shares no code with the program"},
	{"verifiers/js", nil, "an independent verifier shares no code with the program"},
	{"archive/mark", []string{"objects/disk"}, "names and sizes of the files in a folder; it knows no archive"},
	{"archive/journal", []string{"archive/mark", "objects/disk"}, "entries in a file of lines; it knows no archive, and what an entry says is known to whoever writes it"},
	{"archive/keyfile", []string{"objects/disk"}, "sorted byte strings in files; it knows no archive"},
	{"text/weburl", []string{"snapshot/record"}, "addresses of pages and the secrets in them, in the characters of a record's names; it fetches nothing"},
	{"text/typo", nil, "words are compared by their letters alone"},
	{"text/legible", []string{"snapshot/record"}, "names and errors as a person reads them; it knows no archive"},
	{"archive/problem", []string{"objects", "objects/disk"}, "what is wrong and what to do next; it knows no archive"},
	{"archive/holdings", append([]string{"text/weburl", "archive/keyfile", "archive/problem", "objects", "search/catalogue", "snapshot", "snapshot/edtf", "snapshot/access", "snapshot/layout", "snapshot/record", "text/legible", "text/segment"}, leaves...), "proposes where a name, a date or an id lies and asks the tree; it knows no archive that is open, what it needs of one is handed to it"},
	{"archive", append([]string{"archive/journal", "archive/mark", "archive/holdings", "archive/problem", "text/legible", "archive/payloads", "archive/keyfile", "snapshot/edtf", "objects", "sign", "sign/quorum", "sign/trust", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "canon", "canon/read", "accession/container", "policy", "judge/model", "search/retrieve"}, leaves...), "the open copy: it reads what is there and knows nobody who changes it"},
	{"archive/search", append([]string{"policy", "archive/holdings", "archive/problem", "objects", "canon/csvtable", "canon/dbresult", "canon/mail", "canon/pdf", "canon/transcript", "canon/layout", "cite/locator", "canon/forms", "canon/read", "archive", "snapshot", "snapshot/record", "cite", "canon", "judge/model", "search/catalogue", "search/retrieve"}, leaves...), "an index of the archive's texts; who asks it stands above"},
	{"archive/inventory", append([]string{"archive/holdings", "archive/problem", "text/legible", "snapshot/edtf", "archive", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "objects", "cite", "canon"}, leaves...), "lists and shows what the archive holds; changes nothing"},
	{"archive/logref", append([]string{"archive/problem", "text/legible", "archive", "archive/answerlog", "objects", "sign", "sign/trust", "snapshot/layout", "snapshot/record"}, leaves...), "answer logs on their refs; who signs and who fetches both stand above"},
	{"archive/archivetest", append([]string{"archive", "accession", "history", "engine", "ledger", "objects", "objects/pack", "sign", "sign/sshkey", "snapshot", "snapshot/layout", "snapshot/record"}, leaves...), "makes small archives for the tests of the services; no program links it"},
	{"accession", append([]string{"archive/holdings", "archive/problem", "text/legible", "text/weburl", "archive/payloads", "canon/forms", "canon/read", "archive", "ledger", "objects", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "canon", "canon/mail", "canon/pdf", "canon/layout", "canon/transcript", "accession/ocr", "accession/pst", "accession/container", "accession/sourcemeta", "accession/web", "search/catalogue"}, leaves...), "taking in stages files; it does not sign them and cites nothing"},
	{"history", append([]string{"cite", "archive/holdings", "archive/problem", "text/legible", "archive", "policy", "objects", "sign", "sign/trust", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "text/names"}, leaves...), "signing does not know the ledger: what others want sealed is handed to it"},
	{"engine", append([]string{"cite/people", "cite/review", "sign", "sign/trust", "policy", "archive/holdings", "archive/problem", "text/legible", "judge", "accession/sourcemeta", "archive", "archive/inventory", "archive/logref", "archive/search", "accession", "history", "ledger", "judge/assign", "judge/model", "search/retrieve", "text/segment", "canon", "canon/dbresult", "cite", "cite/locator", "engine/references/bib", "engine/references/exchange", "objects", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record"}, leaves...), "citations stand on what was taken in and signed; they know no answers and no remotes"},
	{"engine/events", append([]string{"archive", "archive/holdings", "ledger", "objects", "snapshot"}, leaves...), "what happened is read from the ledger and the history, and decides nothing"},
	{"server/webhook", append([]string{"archive/journal", "engine/events"}, leaves...), "events go out to an address; what they say is decided before"},
	{"custody", append([]string{"archive/journal", "archive/mark", "archive/problem", "text/legible", "archive/payloads", "archive", "archive/logref", "history", "archive/answerlog", "bundle", "bundle/display", "custody/remote", "objects", "sign", "sign/trust", "snapshot", "snapshot/layout", "snapshot/record", "snapshot/dispute"}, leaves...), "copies move between machines; what citations and answers say is nothing to them"},
	{"draft", append([]string{"text/clause", "archive/holdings", "archive/problem", "text/legible", "archive", "archive/search", "accession/sourcemeta", "canon/read", "engine", "ledger", "bundle", "bundle/display", "snapshot", "snapshot/layout", "snapshot/record", "cite", "canon", "objects", "judge", "judge/assign", "judge/hedge", "draft/contract", "draft/enforce", "draft/pack", "draft/profile", "draft/repair", "judge/model", "judge/model/entail", "policy", "search/retrieve", "text/segment"}, leaves...), "a draft is held against the citations on file; it seals nothing and knows no answers"},
	{"answer", append([]string{"text/clause", "archive/mark", "cite/people", "cite/review", "engine", "archive/holdings", "archive/problem", "text/legible", "text/lexicon", "judge", "archive/logref", "sign/trust", "bundle/bundlefile", "archive", "archive/search", "history", "ledger", "bundle", "bundle/display", "bundle/leaf", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "sign", "cite", "canon", "objects", "judge/assign", "judge/hedge", "answer/budget", "answer/gate", "search/catalogue", "archive/answerlog", "draft", "draft/enforce", "draft/profile", "draft/repair", "judge/model", "judge/model/entail", "policy", "search/rank", "search/retrieve", "text/names", "text/segment", "snapshot/edtf"}, leaves...), "the pipeline stands on the archive and its stages, not on who fetches or audits"},
	{"audit/examination", append([]string{"answer", "archive", "archive/holdings", "archive/problem", "archive/search", "canon", "canon/forms", "canon/read", "cite", "draft/examine", "judge", "policy", "search/retrieve", "snapshot", "text/clause", "text/lexicon", "text/segment"}, leaves...), "a finished text is held against all that a caller may see; it writes nothing, and its bundle is an answer's"},
	{"audit/certificate", append([]string{"archive", "archive/holdings", "archive/problem", "audit", "bundle", "bundle/bundlefile", "bundle/display", "custody", "handover/bagit", "history", "internal/release", "objects", "objects/disk", "policy", "sign", "sign/timestamp", "snapshot", "snapshot/layout", "text/legible", "verifiers"}, leaves...), "a certificate repeats what the archive and its verification say; it signs and decides nothing"},
	{"handover", append([]string{"policy", "archive/holdings", "archive/problem", "text/legible", "archive", "accession", "accession/container", "accession/sourcemeta", "accession/web", "bundle", "bundle/display", "handover/bagit", "handover/ocfl", "snapshot", "snapshot/layout", "snapshot/record"}, leaves...), "an archive in the forms of other programs; it signs nothing and knows no remote"},
	{"audit", append([]string{"archive/journal", "archive/mark", "engine", "internal/release", "ledger", "archive/holdings", "archive/problem", "text/legible", "archive/payloads", "bundle/bundlefile", "bundle/evidence", "archive", "archive/inventory", "archive/logref", "history", "custody", "answer/gate", "archive/answerlog", "policy", "bundle", "bundle/display", "bundle/leaf", "snapshot", "snapshot/access", "snapshot/layout", "snapshot/record", "sign", "sign/quorum", "sign/trust", "cite", "canon", "objects"}, leaves...), "verification of a whole archive looks at everything and is used by nobody below"},
	{"", []string{"archive/holdings", "archive/problem", "archive", "archive/inventory", "archive/search", "accession", "history", "engine", "custody", "answer", "audit", "bundle", "sign"}, "the front door: each method is a line into a service"},
	{"server", append([]string{"engine/references/bib", "server/fair", "ledger", "canon/pdf", "snapshot/edtf", "text/calendar", "search/catalogue", "cite/review", "audit/examination", "archive/holdings", "archive/problem", "text/legible", "archive", "archive/inventory", "archive/search", "accession", "answer", "draft", "policy", "audit", "cite", "server/webhook", "engine/events", "engine", "history", "objects", "sign", "snapshot/access", "snapshot/layout", "snapshot/record", "bundle", "bundle/bundlefile", "canon", "custody"}, leaves...), "each call is a line into a service, for a credential; it knows no flags and no terminal"},
	{"internal/release", nil, "which build a program is and its table of formats; the small verifier links it"},
	{"internal/casecount", nil, "how many cases tests draw; no program links it"},
	{"internal/layers", nil, "has only a test, which reads what packages import"},
	{"internal/npm", nil, "installs packages of npm for tests; no program links it"},
	{"internal/zerovalue", nil, "has only a test, which calls what packages export"},
	{"internal/modpath", nil, "changes the source; it is no part of a program"},
	{"cmd/muniment/background", nil, "starts this program again in the way of each system; it knows nothing of what that run does"},
	{"cmd/muniment", append([]string{"audit/certificate", "cite/review", "sign/spare", "audit/examination", "archive/holdings", "archive/problem", "text/legible", "text/typo", "policy", "archive/payloads", "cmd/muniment/background", "internal/release", "server", "bundle/bundlefile", "bundle/evidence", "", "archive", "archive/inventory", "archive/logref", "archive/search", "accession", "accession/sourcemeta", "history", "engine", "custody", "handover", "answer", "draft", "draft/profile", "audit", "sign", "sign/sshkey", "sign/quorum", "sign/trust", "bundle", "bundle/display", "server/pages", "server/setting"}, leaves...), "a command calls a service; it only brings keys, hints and prints"},
	{"server/fair", nil, "divides values among names; it knows no archive and no request"},
	{"server/setting", append([]string{"server"}, leaves...), "what an operator sets is a server's options and limits"},
	{"internal/bench/million", []string{"accession", "archive", "engine", "history", "sign/sshkey", "objects", "snapshot/layout", "snapshot/record", "canon", "cid"}, "fills a store through the packages that add uses, and signs as snapshot does"},
	{"server/pages", append([]string{"snapshot/edtf", "audit/examination", "archive/problem", "text/legible", "text/segment", "text/typo", "server", "answer", "archive", "archive/search", "audit", "bundle", "bundle/display", "bundle/leaf", "cite", "engine", "history", "sign", "sign/trust", "verifiers"}, leaves...), "pages show what the calls of a client return, and so nothing that a client may not see"},
	{"internal/bench/house", nil, "counts files, names and imports; knows no archive"},
	{"internal/bench/figures", nil, "writes tables of pages from their data file; knows no archive"},
	{"internal/bench/answers", []string{"accession", "answer", "archive", "archive/search", "engine", "history", "sign/sshkey"}, "asks an archive through the services that ask uses"},
	{"internal/bench/rank", []string{"search/rank", "search/retrieve", "text/segment", "canon"}, "fits and measures over a folder of questions and papers"},
	{"internal/bench/judge", []string{"judge"}, "fits the weights of a score; no program links it"},
	{"internal/bench/load", []string{"ledger/cluster"}, "asks a server as any program would; it starts a database for it"},
	{"internal/bench/letters", nil, "writes letters to measure with; knows no archive"},
	{"internal/bench/passages", []string{"search/retrieve", "canon", "cid"}, "asks an index of letters and measures the answers"},
	{"cmd/muniment-verify", append([]string{"internal/release", "bundle", "bundle/display", "bundle/bundlefile", "bundle/evidence", "sign", "sign/quorum", "sign/trust"}, leaves...), "the small verifier links the core and nothing else"},
}

// core is what cmd/muniment-verify links.
var core = []string{"bundle/display", "bundle/leaf", "internal/release", "cid", "cid/jcs", "cid/merkle", "objects/chunk", "objects", "canon", "snapshot/record", "snapshot/member", "snapshot/layout", "snapshot/access", "sign", "sign/quorum", "sign/trust", "cite", "cite/review", "snapshot", "snapshot/dispute", "snapshot/edtf", "bundle", "bundle/evidence", "bundle/bundlefile", "objects/object", "objects/disk", "objects/flate", "objects/pack"}

// coreMayNot lists the parts of the standard library that the core stays away
// from, each with its reason. os itself is allowed in objects and
// bundlefile alone.
var coreMayNot = map[string]string{
	"net":          "verification works offline",
	"net/http":     "verification works offline",
	"os/exec":      "a verifier runs no other program",
	"database/sql": "a bundle needs no database",
}

// modulePath is the path of the module, in which this package lies.
var modulePath = strings.TrimSuffix(reflect.TypeFor[layer]().PkgPath(), "/internal/layers")

// beneath returns the path of a package below the module, and reports whether it
// belongs to the module.
func beneath(path string) (short string, ours bool) {
	if path == modulePath {
		return "", true
	}
	return strings.CutPrefix(path, modulePath+"/")
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
	GoFiles    []string
	Dir        string
}

func listPackages(t *testing.T) map[string]goPackage {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps,GoFiles,Dir", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	packages := map[string]goPackage{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		if short, ours := beneath(p.ImportPath); ours {
			packages[short] = p
		}
	}
}

func TestLayers(t *testing.T) {
	packages := listPackages(t)
	checked := 0
	for name, p := range packages {
		var rule *layer
		for i := range layers {
			if layers[i].path == name {
				rule = &layers[i]
			}
		}
		if rule == nil {
			t.Errorf("package %q is in no layer: add it to the table with its reason", name)
			continue
		}
		checked++
		for _, imp := range p.Imports {
			short, ours := beneath(imp)
			if ours && !allowed(rule.may, short) {
				t.Errorf("%s imports %s: %s", name, short, rule.reason)
			}
		}
	}
	if checked != len(layers) {
		t.Errorf("%d packages checked, the table has %d", checked, len(layers))
	}
	for _, name := range core {
		for _, dep := range packages[name].Deps {
			if reason, bad := coreMayNot[dep]; bad {
				t.Errorf("core package %s depends on %s: %s", name, dep, reason)
			}
		}
	}
}

func allowed(may []string, name string) bool {
	for _, m := range may {
		if m == "*" || m == name {
			return true
		}
	}
	return false
}
