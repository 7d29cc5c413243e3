package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"muniment/canon/read"
)

// A poppler is the programs as they were found.
type poppler struct {
	pdftotext, pdfinfo string // paths; pdfinfo may be ""
	shell              string // of POSIX, or "" where there is none
	version            string // as recorded: "pdftotext 22.12.0 (poppler)"
	time               time.Duration
}

const missingReason = "pdftotext is not installed: install the package poppler-utils (Debian, Ubuntu, Fedora) or poppler (Homebrew, Arch), then add the PDF again"

// installedPoppler finds the programs, once in a process.
var installedPoppler = sync.OnceValues(func() (poppler, error) { return findPrograms(exec.LookPath) })

var versionLine = regexp.MustCompile(`pdftotext version ([0-9][0-9A-Za-z.+~-]{0,30})`)

// findPrograms looks for pdftotext, which must be there, and pdfinfo.
func findPrograms(look func(string) (string, error)) (poppler, error) {
	path, err := look("pdftotext")
	if err != nil {
		return poppler{}, errors.New(missingReason)
	}
	tool := poppler{pdftotext: path, time: MaxTime}
	tool.pdfinfo, _ = look("pdfinfo") // without it the record says less
	tool.shell, _ = look("sh")
	out, err := tool.run(path, nil, "-v")
	if err != nil {
		return poppler{}, fmt.Errorf("pdftotext -v: %w", err)
	}
	m := versionLine.FindSubmatch(append(out.stdout, out.stderr...))
	if m == nil {
		return poppler{}, errors.New("the pdftotext that is installed does not tell its version: install that of poppler-utils")
	}
	tool.version = fmt.Sprintf("pdftotext %s (poppler)", m[1])
	return tool, nil
}

// An output is what a program wrote, and the status it ended with.
type output struct {
	stdout, stderr []byte
	complaints     int // lines on standard error
	status         int
}

// maxErrors is how much of a program's complaints is kept.
const maxErrors = 64 << 10

// run runs a program with data on its standard input, within the limits. A
// status other than 0 is no error; being stopped is one.
func (p poppler) run(path string, data []byte, args ...string) (output, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.time)
	defer cancel()
	if p.shell != "" {
		// The limits outlive the shell, which becomes the program. A system
		// that knows one of them not, or allows less, goes on without it.
		const limited = `ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2; exec "$@"`
		memory, seconds := fmt.Sprint(MaxMemory>>10), fmt.Sprint(int(p.time/time.Second)+1)
		args = append([]string{"-c", limited, "sh", memory, seconds, path}, args...)
		path = p.shell
	}
	var stdout, stderr = boundedBuffer{max: MaxOutput}, boundedBuffer{max: maxErrors, drop: true}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &stdout, &stderr
	cmd.Env = []string{"LC_ALL=C.UTF-8"} // nothing of the archivist's environment
	cmd.Dir = "/"
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	out := output{stdout: stdout.buf.Bytes(), stderr: stderr.buf.Bytes(), complaints: stderr.lines}
	var exit *exec.ExitError
	switch {
	case stdout.full:
		return output{}, fmt.Errorf("the text is longer than %d bytes", MaxOutput)
	case ctx.Err() != nil:
		return output{}, fmt.Errorf("pdftotext was stopped after %v", p.time)
	case errors.As(err, &exit) && exit.Exited():
		out.status = exit.ExitCode()
	case errors.As(err, &exit):
		return output{}, fmt.Errorf("pdftotext broke down (%v) on this PDF: it is damaged, or takes more than %d MB", exit, MaxMemory>>20)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return output{}, err
	}
	return out, nil
}

// A boundedBuffer keeps the first bytes of a stream. It then fails the stream,
// or with drop discards the rest.
type boundedBuffer struct {
	buf   bytes.Buffer
	max   int
	drop  bool
	full  bool
	lines int
}

// Write keeps the bytes that fit. It fails when the buffer is full, unless the rest is dropped.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.lines += bytes.Count(p, []byte{'\n'})
	room := b.max - b.buf.Len()
	if len(p) <= room {
		return b.buf.Write(p)
	}
	b.buf.Write(p[:room])
	if b.full = true; b.drop {
		return len(p), nil
	}
	return room, errors.New("the output is too long")
}

// text runs pdftotext.
func (p poppler) text(data []byte) (output, error) {
	out, err := p.run(p.pdftotext, data, "-enc", "UTF-8", "-eol", "unix", "-", "-")
	if err != nil {
		return output{}, err
	}
	const forbidden = 3 // by the exit codes of its manual
	said := string(out.stderr)
	switch {
	default:
		return output{}, fmt.Errorf("the PDF cannot be read: %s", firstLine(said))
	case out.status == 0:
		return out, nil
	case strings.Contains(said, "Incorrect password"), strings.Contains(said, "ncrypt"):
		return output{}, errors.New("the PDF is encrypted and opens only with a password")
	case out.status == forbidden:
		return output{}, errors.New("the PDF forbids that its text is copied")
	}
}

// firstLine returns the first complaint, short enough for a reason.
func firstLine(said string) string {
	const maxReason = 200
	line, _, _ := strings.Cut(said, "\n")
	if line = read.Cut(read.SafeLine(line), read.MaxField); line == "" {
		return "pdftotext does not say why"
	}
	points := []rune(line)
	return string(points[:min(len(points), maxReason)])
}

// describe takes the metadata of the PDF from pdfinfo. Without that program, or if it fails, the
// record has less.
func (p poppler) describe(data []byte, form *read.Form) {
	if p.pdfinfo == "" {
		return
	}
	out, err := p.run(p.pdfinfo, data, "-enc", "UTF-8", "-rawdates", "-")
	if err != nil || out.status != 0 {
		return
	}
	for line := range strings.Lines(string(out.stdout)) {
		key, value, _ := strings.Cut(line, ":")
		if value = read.Cut(read.SafeLine(value), read.MaxField); value == "" {
			continue
		}
		switch key {
		case "Title":
			form.Source.Title = value
		case "Author":
			form.Source.Creators = []string{value}
		case "Producer":
			form.Facts["producer"] = value
		case "CreationDate":
			if at := parsePDFDate(value); at != "" {
				form.Facts["created"] = at
			}
		}
	}
}

// pdfDate is a date by ISO 32000-1, section 7.9.4, at least to the day. Dates
// that poppler has read itself are in the machine's zone, and old ones wrong.
var pdfDate = regexp.MustCompile(`^D:([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2})(?:(Z)|([+-][0-9]{2})'?([0-9]{2})?)?)?`)

// parsePDFDate returns a date as RFC 3339 where it gives time and zone, else its day,
// or "".
func parsePDFDate(v string) string {
	m := pdfDate.FindStringSubmatch(v)
	if m == nil {
		return ""
	}
	day := m[1] + "-" + m[2] + "-" + m[3]
	if m[7]+m[8] != "" {
		at := day + "T" + m[4] + ":" + m[5] + ":" + m[6] + m[7]
		if m[8] != "" {
			at += m[8] + ":" + (m[9] + "00")[:2]
		}
		if _, err := time.Parse(time.RFC3339, at); err == nil {
			return at
		}
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}
