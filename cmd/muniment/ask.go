package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle/display"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/text/legible"
)

// askFlags are shared by ask and bind.
type askFlags struct {
	o      answer.AskOptions
	key    string
	refuse bool

	contract         string // of ask: the view of the answer contract
	require, primary bool

	as, forTier string // who looks at the answer, and for whom a bundle is written

	nonceFile, requestFile string
}

func (f *askFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.o.Profile, "profile", "persona-archive", "the profile of rules")
	fs.StringVar(&f.o.Requestor, "requestor", "", "who asks; the unnamed share the lowest tier")
	fs.StringVar(&f.o.Tier, "tier", "", "the requestor's tier: public, researcher or family")
	fs.StringVarP(&f.o.BundleFile, "out", "o", "", "write the complete, sealed bundle to `FILE.zip`")
	alias(cmd, "bundle", "out") // --bundle is a bundle to read
	f.registerArchivist(cmd)
	fs.StringVar(&f.o.DisplayFile, "display", "", "write the requestor's copy to `FILE.zip`")
	fs.BoolVar(&f.o.Auditor, "auditor", false, "show artifact, snapshot and span; needs this archive's auditor identity")
	fs.StringVar(&f.key, "key", "", "the private key `FILE` to sign with")
	fs.StringVar(&f.nonceFile, "nonce-file", "", "bind the answer with the nonce in this `FILE`; made when it does not exist")
	fs.StringVar(&f.requestFile, "request", "", "bind the answer with the HMAC in this `FILE`, made where the nonce is")
	fs.BoolVar(&f.refuse, "fail-on-refusal", false, "exit 5 when the answer is a refusal")
}

// registerArchivist adds the flags of whoever may see everything.
func (f *askFlags) registerArchivist(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.as, "as", "", "archivist: withhold nothing; the key must have the right to loosen. On a terminal that is so without it")
	cmd.Flags().StringVar(&f.forTier, "for", "", "the `TIER` for which a bundle of an archivist's question is written, the lowest without it")
}

func newAskCommand(p *program) *cobra.Command {
	var f askFlags
	var noLog bool
	cmd := command("answers", "ask QUESTION", "Ask the archive",
		`The question passes the category filter before anything is read, is split at its
conjunctions, and every part is answered with quotes from the newest snapshot or listed
as removed. The answer is signed, logged and kept as a bundle. Without a model the words
are the archive's own. With one (CITATION_LLM_URL) the model drafts, from passages that
the requestor may read; every sentence of its draft is checked like a draft of bind, and
if none passes the answer is in the archive's own words.

Whoever has a copy may ask. Without a key one of the reader's own is made in the data
folder; the answer and its bundle say that it is not a key of this archive, until its
custodian enrols it: key trust FILE.pub --role answer --enrol.

The answer is bound to the question by a nonce, with which its requestor can show later
what was asked: verify --question TEXT --nonce-file FILE. --json prints the nonce; with
--nonce-file it stays in that file, and with --request the archive never sees it: the file
holds HMAC-SHA256 of the question under the nonce, in hex.

A profile sets how many sources are needed, and how similar, before anything is drafted:
educator, researcher, creator, builder and others (profile list). --contract prints the
answer contract, muniment.answer.v1, instead of the ordinary output; --contract kwanzaa
prints it as kwanzaa.answer.v1.`,
		`muniment -C letters ask "What did she write about the mill wheel?"
muniment -C letters ask "Who repaired the mill?" -o answer.zip --display shown.zip
muniment -C letters ask "Who repaired the mill?" --profile educator --contract`,
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, args []string) error {
			if noLog {
				return misuse("an answer without the log is refused: its place in the log is what shows later that no answer was changed or left out", "muniment search WORDS finds passages and logs nothing; without --no-log the question is answered")
			}
			if cmd.Flags().Changed("require-citations") {
				f.o.CitationsRequired = &f.require
			}
			if cmd.Flags().Changed("primary-only") {
				f.o.PrimaryOnly = &f.primary
			}
			if last := len(args) - 1; f.contract == contractViews[0] && last > 0 && slices.Contains(contractViews, args[last]) {
				f.contract, args = args[last], args[:last] // --contract kwanzaa, with a space
			}
			if f.contract != "" && !slices.Contains(contractViews, f.contract) {
				return misuse("no view of the contract is named "+legible.Printable(f.contract), "--contract, or --contract kwanzaa")
			}
			return deliver(p, cmd, &f, func(a *archive.Archive) (*answer.Result, error) {
				return answer.Ask(cmd.Context(), a, strings.Join(args, " "), f.o)
			})
		})
	f.register(cmd)
	fs := cmd.Flags()
	fs.BoolVar(&f.o.Private, "private", false, "leave the question out of what the bundle shows, and let only you read the file")
	fs.BoolVar(&f.o.NoModel, "no-model", false, "answer in the archive's own words, even where there is a model")
	fs.StringVar(&f.contract, "contract", "", "print the answer contract (JSON) instead, as `VIEW` muniment or kwanzaa")
	fs.Lookup("contract").NoOptDefVal = contractViews[0]
	fs.BoolVar(&f.require, "require-citations", false, "require citations, or with =false do not, whatever the profile says")
	fs.BoolVar(&noLog, "no-log", false, "refused: every answer is logged")
	_ = fs.MarkHidden("no-log")
	fs.BoolVar(&f.primary, "primary-only", false, "require primary sources, or with =false do not")
	return cmd
}

// contractViews are the names of the views of the answer contract, the own one first.
var contractViews = []string{"muniment", "kwanzaa"}

func newBindCommand(p *program) *cobra.Command {
	var f askFlags
	cmd := command("answers", "bind DRAFT.md", "Run a draft through the pipeline and seal it",
		`Splits a draft, a file or - for standard input, into claims and gives every claim
the same treatment as an answer: evidence is sought, the claim is supported,
narrowed to what can be shown, labeled as an inference, or removed. Nothing
uncited is delivered.`,
		`muniment -C letters bind draft.md -o answer.zip`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			draft, err := p.readText(args[0], maxDraft)
			if err != nil {
				return err
			}
			return deliver(p, cmd, &f, func(a *archive.Archive) (*answer.Result, error) {
				return answer.Bind(cmd.Context(), a, draft, f.o)
			})
		})
	f.register(cmd)
	return cmd
}

// maxDraft is the largest draft that bind reads: a long report, not a book.
const maxDraft = 4 << 20

// readText reads a file, or standard input for "-", of at most limit bytes.
func (p *program) readText(name string, limit int) (string, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(p.stdin, int64(limit)+1))
	} else {
		data, err = disk.ReadPlain(name, int64(limit))
	}
	if err != nil && !errors.Is(err, disk.ErrTooLarge) {
		return "", problem.New(problem.Usage, problem.Advise("give a readable text file, or - for standard input"), "%w", err)
	}
	if err != nil || len(data) > limit {
		return "", misuse(name+": more than "+itoa(limit)+" bytes", "split it and give the parts")
	}
	return string(data), nil
}

// deliver runs ask or bind and prints the result.
func deliver(p *program, cmd *cobra.Command, f *askFlags, run func(*archive.Archive) (*answer.Result, error)) error {
	collectAt(gcPercentAnswer)
	go answer.Prepare()
	a, err := p.open()
	if err != nil {
		return err
	}
	defer a.Close()
	if f.o.Signer, err = p.answerSigner(f.key); err != nil {
		return err
	}
	if err := readBinding(p, f); err != nil {
		return err
	}
	if err := p.chooseView(a, f); err != nil {
		return err
	}
	update, end := p.progress("index")
	f.o.Progress = update
	r, err := f.runViews(a, run)
	end()
	if err != nil {
		return err
	}
	if f.contract != "" {
		view := r.Contract
		if f.contract != contractViews[0] {
			view = view.Kwanzaa()
		}
		data, err := view.Encode()
		if err != nil {
			return err
		}
		p.raw(data)
		p.say("bundle %s", r.Bundle)
	} else {
		p.show(cmd.Name(), r, func() { printAnswer(p, r) })
		p.noteIndex(r.Searched, r.IndexNotice)
	}
	switch {
	case f.refuse && r.Refusal != nil:
		return &problem.Error{Kind: problem.AnswerRefused, Message: "the answer is a refusal: " + r.Refusal.Kind, Next: problem.Advise(strings.Join(suggestions(r.Refusal), "; "))}
	case f.refuse && r.Unanswered:
		return &problem.Error{Kind: problem.AnswerRefused, Message: "nothing that is shown answers the question", Next: problem.Advise("read the nearest passages, or ask with a name, a place or a date that the archive may hold")}
	}
	return nil
}

// archivistView is the value of --as.
const archivistView = "archivist"

// asksAsArchivist reports whether --as has its one value.
func asksAsArchivist(as string) (bool, error) {
	if as != "" && as != archivistView {
		return false, misuse("nobody is asked as "+legible.Printable(as), "--as archivist, or --tier TIER")
	}
	return as != "", nil
}

// chooseView decides who looks at the answer: on a terminal, where nothing else is said, an archivist
// whose key may loosen what others see.
func (p *program) chooseView(a *archive.Archive, f *askFlags) error {
	var err error
	f.o.Archivist, err = asksAsArchivist(f.as)
	switch {
	case err != nil || f.o.Archivist:
		return err
	case p.json || f.contract != "" || f.o.Auditor || f.o.Requestor+f.o.Tier != "" || !term.IsTerminal(int(p.stdout.Fd())):
		return nil
	}
	head, _, err := a.Head()
	if err != nil || head == nil {
		return err
	}
	f.o.Archivist, err = history.IsArchivist(a, head, f.o.Signer.Key())
	return err
}

// runViews runs a request. What an archivist looks at is not written: a bundle in a file is made for a
// tier by a second run.
func (f *askFlags) runViews(a *archive.Archive, run func(*archive.Archive) (*answer.Result, error)) (*answer.Result, error) {
	if f.forTier != "" && f.o.Tier == "" && !f.o.Archivist {
		f.o.Tier = f.forTier
	}
	if !f.o.Archivist || f.o.BundleFile+f.o.DisplayFile == "" {
		return run(a)
	}
	looked, written := f.o, f.o
	looked.BundleFile, looked.DisplayFile = "", ""
	written.Archivist, written.Tier = false, f.forTier
	f.o = written
	w, err := run(a)
	if err != nil {
		return nil, err
	}
	f.o = looked
	r, err := run(a)
	if err != nil {
		return nil, err
	}
	r.Bundle, r.Display = w.Bundle, w.Display
	r.Notices = append(r.Notices, "The bundle written is for the tier "+w.Tier+": "+w.Outcome+".")
	return r, nil
}

// mostListed is how many citations of one claim are listed one by one; a claim
// that counts records has more, which --json gives.
const mostListed = 12

// suggestions returns the next steps of a refusal as commands of this program.
func suggestions(r *answer.Refusal) []string {
	var out []string
	for _, s := range r.Suggestions {
		step := answer.NextStep(s)
		if step.Do == problem.DoDescribe && len(r.Incomplete) > 0 {
			step = problem.Next(step.Do, append([]string{r.Incomplete[0].Name}, r.Incomplete[0].Missing...)...)
		}
		out = append(out, hintOf(step))
	}
	return out
}

// printAnswer shows an answer to people: the rung in words, every claim with
// its evidence, what was removed, and the next step of a refusal.
func printAnswer(p *program, r *answer.Result) {
	if r.Tier == archivistView {
		p.prose("Archivist's view: nothing is withheld here.")
	}
	p.report(strings.ToUpper(r.Outcome) + "\n")
	if r.Question != "" {
		p.prose("  question: %s", r.Question)
	}
	for _, n := range r.Notices {
		p.prose("  %s", n)
	}
	headed := false
	for i, c := range r.Claims {
		p.prose("")
		if c.Role == "nearest" && !headed {
			p.prose("%s", display.NearestHeading)
			headed = true
		}
		printClaim(p, i+1, c)
	}
	if len(r.Freeform) > 0 {
		p.prose("")
		p.prose("Not from the archive, cited by nothing:")
		for _, text := range r.Freeform {
			p.prose("  - %s [not from the archive]", text)
		}
	}
	if len(r.Removed) > 0 {
		p.prose("")
		p.prose("%s:", r.RemovedHeading())
		for _, x := range r.Removed {
			p.prose("  - %s (%s)", x.Topic, x.Reason)
		}
	}
	if r.Counts != nil {
		p.say("claims: %s", r.Counts)
	}
	if r.Refusal != nil {
		p.prose("%s refusal: %s", r.Refusal.Kind, r.Refusal.Message)
		if f := r.Refusal.Figures; f != nil && f.Threshold > 0 {
			p.prose("  %s: similarity %.2f of %.2f wanted, %s of %d wanted, %d of them primary", f.Reason, f.Actual, f.Threshold, count(f.SourcesFound, "source"), f.SourcesRequired, f.PrimaryFound)
		}
		for _, x := range r.Refusal.Incomplete {
			p.prose("  %s has no %s", x.Name, strings.Join(x.Missing, ", no "))
		}
		for _, s := range suggestions(r.Refusal) {
			p.out("%s", p.here("  next: "+s))
		}
	}
	if r.Stranger != "" {
		p.prose("")
		p.prose("Signed with %s, which is not a key of this archive.", r.Stranger)
		p.say("for answers that count, send the key's .pub file to the custodian of the archive, who enrols it with key trust FILE.pub --role answer --enrol")
	}
	p.say("bundle %s", r.Bundle)
	p.say("next: muniment verify %s --trust allowed_signers", r.Bundle)
}

// printClaim shows one claim with its evidence. A quote that is the claim itself is
// printed once.
func printClaim(p *program, n int, c answer.ResultClaim) {
	p.prose("%d. %s", n, c.Text)
	if c.Label != "" {
		p.prose("   [%s]", c.Label)
	}
	for _, n := range c.Notes {
		p.prose("   %s", n)
	}
	if n := len(c.Citations); n > mostListed {
		p.prose("   counted from %d records, each cited", n)
		return
	}
	for _, e := range c.Citations {
		line := fmt.Sprintf("   %s (%s)", e.Handle, e.Label)
		if e.Source != "" {
			line += ", " + e.Source
		}
		switch {
		case e.Restricted && e.Notice == c.Text:
		case e.Restricted:
			line += ": " + e.Notice
		case e.Quote != "" && !display.Repeats(c.Text, e.Quote):
			line += ": “" + e.Quote + "”"
		}
		p.prose("%s", line)
		if e.Artifact != "" {
			p.out("      %s %s in %s", e.Name, e.Span, e.Artifact)
		}
	}
}

// readBinding reads the nonce and the other values that bind an answer to its question from the
// files named by flags.
func readBinding(p *program, f *askFlags) error {
	var err error
	if f.nonceFile != "" {
		if f.o.Nonce, err = readHex(f.nonceFile, "openssl rand -hex 32 makes a nonce"); errors.Is(err, fs.ErrNotExist) {
			f.o.Nonce, err = makeNonce(p, f.nonceFile)
		}
		if err != nil {
			return err
		}
	}
	if f.requestFile == "" {
		return nil
	}
	const hint = "openssl dgst -sha256 -mac HMAC -macopt hexkey:NONCE QUESTION-FILE makes it"
	mac, err := readHex(f.requestFile, hint)
	if err != nil {
		return err
	}
	if len(mac) != sha256.Size {
		return misuse(f.requestFile+" holds "+itoa(len(mac))+" bytes, want the 32 of an HMAC-SHA256", hint)
	}
	f.o.RequestMAC = (*[sha256.Size]byte)(mac)
	return nil
}

// maxHexFile is more than any nonce or HMAC needs.
const maxHexFile = 4096

// readHex reads a file of hexadecimal digits, blanks around them aside.
func readHex(file, hint string) ([]byte, error) {
	text, err := disk.ReadPlain(file, maxHexFile)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise(hint), "%w", err)
	}
	data, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(data) == 0 {
		return nil, misuse(file+" does not hold hexadecimal digits", hint)
	}
	return data, nil
}

// makeNonce draws a nonce and writes it into a new file that only its owner
// reads.
func makeNonce(p *program, file string) ([]byte, error) {
	nonce := make([]byte, sha256.Size)
	if _, err := io.ReadFull(p.surroundings().Rand, nonce); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(hex.EncodeToString(nonce) + "\n")
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return nil, &problem.Error{Kind: problem.Environment, Message: "nonce: " + err.Error(), Next: problem.Advise("name a file that can be written"), Err: err}
	}
	return nonce, nil
}

func newMoreCommand(p *program) *cobra.Command {
	var f askFlags
	var file string
	cmd := command("answers", "more HANDLE", "Show more of the text around a citation",
		`Takes a handle of an answer, such as "Source A" or A, or the number printed before a
claim, and shows the sentences around the quotation, in the same paragraph, at most
three excerpts long. It is an answer like any other: gated by consent and tier, signed,
logged, and charged to the requestor's budget of the day. The last answer to the same
requestor is meant; --bundle names another; the requestor's copy of it suffices. Whoever
can open the bundle may name a citation by its ID.`,
		`muniment -C letters more A
muniment -C letters more 2 --bundle answer.zip
muniment -C letters more "Source B" --bundle shown.zip --requestor Ann --tier researcher`,
		cobra.RangeArgs(1, 2), func(cmd *cobra.Command, args []string) error {
			return deliver(p, cmd, &f, func(a *archive.Archive) (*answer.Result, error) {
				return answer.More(cmd.Context(), a, strings.Join(args, " "), file, f.o)
			})
		})
	fs := cmd.Flags()
	fs.StringVar(&file, "bundle", "", "the bundle `FILE.zip` of the answer, complete or as displayed")
	fs.StringVar(&f.o.Requestor, "requestor", "", "who asks: the name that the answer was given to")
	fs.StringVar(&f.o.Tier, "tier", "", "the requestor's tier: public, researcher or family")
	f.registerArchivist(cmd)
	fs.StringVarP(&f.o.BundleFile, "out", "o", "", "write the complete, sealed bundle of this answer to `FILE.zip`")
	fs.StringVar(&f.o.DisplayFile, "display", "", "write the requestor's copy of this answer to `FILE.zip`")
	fs.BoolVar(&f.o.Auditor, "auditor", false, "show artifact, snapshot and span; needs this archive's auditor identity")
	fs.StringVar(&f.key, "key", "", "the private key `FILE` to sign with")
	fs.StringVar(&f.nonceFile, "nonce-file", "", "bind the answer with the nonce in this `FILE`; made when it does not exist")
	fs.StringVar(&f.requestFile, "request", "", "bind the answer with the HMAC in this `FILE`, made where the nonce is")
	fs.BoolVar(&f.refuse, "fail-on-refusal", false, "exit 5 when the answer is a refusal")
	return cmd
}
