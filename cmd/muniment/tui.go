package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"muniment/bundle/display"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/text/legible"
)

// This file is the program's voice: everything it says about itself goes to
// stderr from here. Data goes to stdout through out and document.

// fail reports an error in two lines, and as a document with --json when
// nothing else was printed, and returns the exit code.
func (p *program) fail(e *problem.Error) int {
	hint := hintOf(e.Next)
	if call := p.again(e.Next.Args); e.Next.Do == problem.DoGive && call != "" {
		hint = join(e.Next.Advice, ": ", call)
	}
	code, hint := exitCode(e), p.here(hint)
	state := "error"
	if e.Kind == problem.Unverified {
		state = "unverified" // the call was right, and its claim is not shown
	}
	fmt.Fprintf(p.stderr, "muniment: %s: %s\nmuniment: hint: %s\n", state, oneLine(e.Message), oneLine(hint))
	if p.json && !p.printed {
		p.encode(errorMessage{schemaName("error"), string(e.Kind), e.Message, hint, e.Partial, code})
	}
	return code
}

// oneLine keeps a message on its line and free of control characters.
func oneLine(s string) string {
	return legible.RevealInvisible(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0):
			return '\ufffd'
		}
		return r
	}, strings.TrimRight(s, " \t\n")))
}

// unseen writes the invisible characters and the control characters of a JSON
// document as JSON escapes: the same document, and nothing in it is hidden on a
// terminal or commands one.
func unseen(doc []byte) []byte {
	return display.EscapeJSON(doc, func(r rune) bool { return legible.IsInvisible(r) || r >= 0x7f && r < 0xa0 })
}

// document prints v as one JSON document whose first member is its schema.
func (p *program) document(name string, v any) {
	p.printed = true
	schema := schemaName(name)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // "Name <email>" stays readable
	if err := enc.Encode(v); err != nil {
		panic("a result does not encode: " + err.Error())
	}
	data := bytes.TrimSpace(b.Bytes())
	switch {
	case len(data) > 2 && data[0] == '{':
		data = append([]byte(`{"schema":"`+schema+`",`), data[1:]...)
	case string(data) == "{}":
		data = []byte(`{"schema":"` + schema + `"}`)
	default:
		data = append(append([]byte(`{"schema":"`+schema+`","items":`), data...), '}')
	}
	p.encode(json.RawMessage(data))
}

func (p *program) encode(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		p.wrote(err)
		return
	}
	_, err := p.stdout.Write(unseen(b.Bytes()))
	p.wrote(err)
}

// wrote notes the first failure to print a result; execute then fails.
func (p *program) wrote(err error) {
	if p.unprinted == nil {
		p.unprinted = err
	}
}

// show prints a result: the document with --json, else what text writes.
func (p *program) show(name string, v any, text func()) {
	if p.json {
		p.document(name, v)
		return
	}
	text()
}

// conclude shows the result of a command that did not fail, and returns its error.
func (p *program) conclude(err error, name string, v any, text func()) error {
	if err == nil {
		p.show(name, v, text)
	}
	return err
}

// withoutPartial returns an error without the partial result, which was printed.
func withoutPartial(err error) error {
	var failure *problem.Error
	if errors.As(err, &failure) {
		failure.Partial = nil
	}
	return err
}

// paints are the colours of verdicts, results and rungs at the beginning of a line. The
// words say the same without them.
var paints = map[string]string{
	"VALID": "32", "PASS": "32", "SUPPORTED": "32",
	"INVALID": "31", "FAIL": "31", "REFUSED": "31",
	"INCOMPLETE": "33", "NOT-CHECKED": "33", "NARROWED": "33", "LABELED": "33",
}

// paint returns a text with the first word of a line in its colour, where it has one.
func paint(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		word := line
		if end := strings.IndexAny(line, " ,"); end >= 0 {
			word = line[:end]
		}
		if colour := paints[word]; colour != "" {
			lines[i] = "\x1b[1;" + colour + "m" + word + "\x1b[0m" + line[len(word):]
		}
	}
	return strings.Join(lines, "\n")
}

// fold returns a text for people with lines of at most width characters, but for words
// that are longer. A line that is cut goes on below its last column, or below the text
// of its item, so that what follows cannot be taken for a line of its own. The commands
// below bundle.RedoHeading stay whole, to be pasted.
func fold(text string, width int) string {
	var out []string
	commands := false
	for line := range strings.SplitSeq(text, "\n") {
		commands = commands || line == bundle.RedoHeading
		if commands {
			out = append(out, line)
			continue
		}
		hang := hangOf(line)
		if hang > width/2 {
			hang = wideHang
		}
		for utf8.RuneCountInString(line) > width {
			at, shown := 0, 0
			for i, r := range line {
				if shown++; r == ' ' && i > hang && (shown <= width+1 || at == 0) {
					at = i
				} else if shown > width && at > 0 {
					break
				}
			}
			rest := strings.TrimLeft(line[at:], " ")
			if at == 0 || rest == "" {
				break
			}
			out = append(out, strings.TrimRight(line[:at], " "))
			line = strings.Repeat(" ", hang) + rest
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// maxColumn is how far to the right the last column of a report begins; two blanks
// further on are those of the text.
const maxColumn = 40

// hangOf returns the column where a wrapped line continues: its last column, else the text after an
// item's mark, else two characters more than its indent.
func hangOf(line string) int {
	begin := indentOf(line)
	text := line[begin:]
	if gap := strings.LastIndex(line[:min(len(line), maxColumn)], "  "); gap > begin {
		return gap + 2
	}
	if mark, _, ok := strings.Cut(text, " "); ok && (mark == "-" || strings.HasSuffix(mark, ".") && strings.Trim(mark, "0123456789.") == "") {
		return begin + len(mark) + 1
	}
	return min(begin, 1)*2 + begin
}

// prose prints a line for people, which a terminal shows folded.
func (p *program) prose(format string, args ...any) {
	p.report(fmt.Sprintf(format, clean(args)...) + "\n")
}

// report prints a text of several lines, which a terminal shows folded to its width, and
// with verdicts in colour unless NO_COLOR is set.
func (p *program) report(text string) {
	p.printed = true
	if width := p.columns(); width > 0 {
		text = fold(text, readable(width))
	}
	if term.IsTerminal(int(p.stdout.Fd())) && p.env("NO_COLOR") == "" && p.env("TERM") != "dumb" {
		text = paint(text)
	}
	_, err := p.stdout.WriteString(text)
	p.wrote(err)
}

// out prints a line of data.
func (p *program) out(format string, args ...any) {
	p.printed = true
	_, err := fmt.Fprintf(p.stdout, format+"\n", clean(args)...)
	p.wrote(err)
}

// Widths of a table on a terminal: no column becomes narrower than leastColumn to make
// the table fit, and idShown characters of an id are enough to name it.
const (
	leastColumn = 8
	idShown     = 16
)

// table prints rows under the names of their columns, which are aligned. On a terminal
// the widest columns are cut until a row fits; elsewhere nothing is cut.
func (p *program) table(columns []string, rows [][]string) {
	for _, line := range tableLines(columns, rows, p.columns()) {
		p.out("%s", line)
	}
}

// tableLines returns the lines of a table, of at most width characters where width is
// not 0.
func tableLines(columns []string, rows [][]string, width int) []string {
	all := append([][]string{columns}, rows...)
	widths := make([]int, len(columns))
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(oneLine(cell)))
		}
	}
	for width > 0 {
		total, widest := 2*(len(widths)-1), 0
		for i, w := range widths {
			if total += w; columns[i] == "id" && w > idShown {
				widest = i
				break
			} else if w > widths[widest] {
				widest = i
			}
		}
		if columns[widest] == "id" && widths[widest] > idShown {
			widths[widest] = idShown
			continue
		}
		if total <= width || widths[widest] <= leastColumn {
			break
		}
		widths[widest]--
	}
	lines := make([]string, len(all))
	for i, row := range all {
		var b strings.Builder
		for j, cell := range row {
			runes := []rune(oneLine(cell))
			if len(runes) > widths[j] {
				runes = append(runes[:widths[j]-1], '…')
			}
			b.WriteString(string(runes))
			b.WriteString(strings.Repeat(" ", widths[j]-len(runes)+2))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// raw prints JSON byte for byte, as what is signed must stay; a terminal gets it
// as unseen writes it.
func (p *program) raw(data []byte) {
	p.printed = true
	if term.IsTerminal(int(p.stdout.Fd())) {
		data = unseen(data)
	}
	_, err := p.stdout.Write(data)
	p.wrote(err)
}

// say prints a line of talk.
func (p *program) say(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintln(p.stderr, p.here(fmt.Sprintf(format, clean(args)...)))
	}
}

// warn prints a line of talk that -q does not silence: what was not done.
func (p *program) warn(format string, args ...any) {
	fmt.Fprintln(p.stderr, p.here(fmt.Sprintf(format, clean(args)...)))
}

// clean makes every string and error among the arguments safe for a terminal.
func clean(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
		if err, ok := a.(error); ok {
			out[i] = oneLine(err.Error())
		} else if v := reflect.ValueOf(a); v.IsValid() && v.Kind() == reflect.String {
			out[i] = oneLine(v.String())
		}
	}
	return out
}

// Intervals of progress: short enough to show life, long enough not to flood
// a log file.
const (
	progressTerminal = 100 * time.Millisecond
	progressLog      = 30 * time.Second
)

// progress returns a function to be told how far a long command is, and one to
// call at its end. On a terminal it draws a bar with rate and time left;
// elsewhere it prints a line every 30 seconds and one at the end.
func (p *program) progress(what string) (update func(done, total int), end func()) {
	if p.quiet || p.json {
		return func(int, int) {}, func() {}
	}
	start := p.world.Now()
	if term.IsTerminal(int(p.stderr.Fd())) && p.env("TERM") != "dumb" {
		var bar *progressbar.ProgressBar
		return func(done, total int) {
				if bar == nil {
					bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription(what),
						progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionThrottle(progressTerminal), progressbar.OptionClearOnFinish())
				}
				_ = bar.Set(done)
			}, func() {
				if bar != nil {
					_ = bar.Finish()
				}
			}
	}
	last, said := start, false
	return func(done, total int) {
			now := p.world.Now()
			if now.Sub(last) < progressLog {
				return
			}
			last, said = now, true
			p.say("%s: %d of %d after %s", what, done, total, now.Sub(start).Round(time.Second))
		}, func() {
			if took := p.world.Now().Sub(start); said {
				p.say("%s: done in %s", what, took.Round(time.Millisecond))
			}
		}
}

// interactive reports whether a person can be asked.
func (p *program) interactive() bool {
	return term.IsTerminal(int(p.stdin.Fd())) && term.IsTerminal(int(p.stderr.Fd()))
}

// agrees asks a question on the terminal, and reports whether the answer is yes.
func (p *program) agrees(format string, args ...any) (bool, error) {
	if !p.interactive() {
		return false, misuse("no terminal to ask whether to go on", "give --yes to go on without a question")
	}
	fmt.Fprintf(p.stderr, format, clean(args)...)
	var answer string
	if _, err := fmt.Fscanln(p.stdin, &answer); err != nil {
		return false, nil // an empty line, or the end of the input
	}
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), nil
}

// askSecret reads a passphrase from the terminal.
func (p *program) askSecret(prompt string) ([]byte, error) {
	fd := int(p.stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprint(p.stderr, prompt)
	defer fmt.Fprintln(p.stderr)
	type answer struct {
		secret []byte
		err    error
	}
	read := make(chan answer, 1)
	go func() {
		secret, err := term.ReadPassword(fd)
		read <- answer{secret, err}
	}()
	select {
	case a := <-read:
		return a.secret, a.err
	case <-p.interrupted: // the terminal must show again what is typed
		_ = term.Restore(fd, before)
		return nil, interruptedError()
	}
}

func splitLines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
