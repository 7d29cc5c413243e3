// Package ocr has the letters on a scan recognised by Tesseract, where it is installed.
//
//	tool, err := ocr.Find("deu+eng")
//	alto, err := tool.Recognise(ctx, data, "image/png")
//
// What comes back is ALTO, as Tesseract writes it. A PDF is drawn first, page by page, by
// poppler's pdftoppm. Both programs run as processes of their own in a folder that is
// removed, with nothing of the caller's environment and limits on time and output; a
// damaged scan can at worst not be read.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Limits of one scan.
const (
	// MaxTime is how long a program may run: a page takes seconds, a PDF of a few hundred
	// pages half an hour.
	MaxTime = 30 * time.Minute
	// MaxOutput is the longest ALTO in bytes, some thousand full pages.
	MaxOutput = 32 << 20
	// MaxPages is how many pages of a PDF are drawn.
	MaxPages = 500
	// DPI is the resolution at which the pages of a PDF are drawn: what Tesseract is
	// trained for.
	DPI = "300"
	// maxSaid is how much of a program's complaints is kept.
	maxSaid = 4 << 10
)

// A Tool is the programs as they were found, and the languages to expect.
type Tool struct {
	tesseract, pdftoppm string // paths; pdftoppm may be ""
	languages           string
	version             string // of Tesseract
	drawnBy             string // name and version of pdftoppm
}

// A MissingError reports a program or a language that is not installed.
type MissingError struct{ What, Install string }

// Error implements error.
func (e *MissingError) Error() string { return e.What + " is not installed" }

var (
	languageList = regexp.MustCompile(`^[A-Za-z0-9_]{2,40}(\+[A-Za-z0-9_]{2,40}){0,7}$`)
	versionLine  = regexp.MustCompile(`(?m)^(?:tesseract|pdftoppm version) v?([0-9][0-9A-Za-z.+~-]{0,30})`)
)

// ErrLanguages reports languages that are not written as Tesseract names them.
var ErrLanguages = errors.New("languages are written as in deu or deu+eng")

// Find looks for Tesseract and the models of the languages, which are apart by plus signs.
func Find(languages string) (*Tool, error) {
	if !languageList.MatchString(languages) {
		return nil, ErrLanguages
	}
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, &MissingError{"tesseract", "install the package tesseract-ocr (Debian, Ubuntu) or tesseract (Fedora, Homebrew, Arch)"}
	}
	t := &Tool{tesseract: path, languages: languages}
	ctx := context.Background()
	if t.version, err = version(ctx, path, "--version"); err != nil {
		return nil, err
	}
	listed, err := run(ctx, "/", path, "--list-langs")
	if err != nil {
		return nil, err
	}
	there := strings.Fields(string(listed))
	for one := range strings.SplitSeq(languages, "+") {
		if !slices.Contains(there, one) {
			return nil, &MissingError{"the language " + one + " of tesseract", "install the package tesseract-ocr-" + strings.ReplaceAll(one, "_", "-") + " (Debian, Ubuntu), or name one that is there"}
		}
	}
	if path, err = exec.LookPath("pdftoppm"); err == nil {
		t.pdftoppm = path
		v, err := version(ctx, path, "-v")
		if err != nil {
			return nil, err
		}
		t.drawnBy = "pdftoppm " + v
	}
	return t, nil
}

// version returns the version that a program states.
func version(ctx context.Context, path, flag string) (string, error) {
	out, err := run(ctx, "/", path, flag)
	if err != nil {
		return "", err
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("%s does not tell its version", filepath.Base(path))
	}
	return string(m[1]), nil
}

// isPDF reports whether a scan is drawn first.
func isPDF(mediaType string) bool { return mediaType == "application/pdf" }

// Reads reports whether scans of a media type can be recognised.
func Reads(mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/tiff", "image/gif", "image/webp", "application/pdf":
		return true
	}
	return false
}

// Name returns the name of the recogniser of a media type, with versions and languages, for a
// record.
func (t *Tool) Name(mediaType string) string {
	name := "tesseract " + t.version + " (" + t.languages + ")"
	if isPDF(mediaType) {
		name += ", drawn by " + t.drawnBy + " at " + DPI + " dpi"
	}
	return name
}

// Recognise returns the letters on a scan as ALTO.
func (t *Tool) Recognise(ctx context.Context, data []byte, mediaType string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "muniment-ocr-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	input := "scan" // what ALTO then names as its image
	if err := os.WriteFile(filepath.Join(dir, input), data, 0o600); err != nil {
		return nil, err
	}
	if isPDF(mediaType) {
		if input, err = t.draw(ctx, dir, input); err != nil {
			return nil, err
		}
	}
	return run(ctx, dir, t.tesseract, input, "stdout", "-l", t.languages, "alto")
}

// draw draws the pages of the PDF in a folder and returns the name of a list of them.
func (t *Tool) draw(ctx context.Context, dir, pdf string) (string, error) {
	if t.pdftoppm == "" {
		return "", &MissingError{"pdftoppm", "install the package poppler-utils (Debian, Ubuntu, Fedora) or poppler (Homebrew, Arch)"}
	}
	if _, err := run(ctx, dir, t.pdftoppm, "-r", DPI, "-gray", "-png", "-l", fmt.Sprint(MaxPages+1), pdf, "page"); err != nil {
		return "", err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "page-*.png"))
	switch {
	case err != nil:
		return "", err
	case len(pages) == 0:
		return "", errors.New("no page of the PDF can be drawn")
	case len(pages) > MaxPages:
		return "", fmt.Errorf("the PDF has more than %d pages", MaxPages)
	}
	slices.Sort(pages) // pdftoppm numbers them with leading zeros
	var list strings.Builder
	for _, p := range pages {
		list.WriteString(filepath.Base(p) + "\n")
	}
	const name = "pages.txt"
	return name, os.WriteFile(filepath.Join(dir, name), []byte(list.String()), 0o600)
}

// run runs a program in a folder and returns what it wrote.
func run(ctx context.Context, dir, path string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	out, said := limited{max: MaxOutput}, limited{max: maxSaid}
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env = []string{"LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1"} // several scans are read at once
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	err := cmd.Run()
	name := filepath.Base(path)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s was stopped: %w", name, ctx.Err())
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(said.buf.String()), "\n")
		return nil, fmt.Errorf("%s: %w: %s", name, err, first)
	case out.full:
		return nil, fmt.Errorf("%s wrote more than %d bytes", name, MaxOutput)
	}
	if out.buf.Len() == 0 { // where versions of programs stand
		return said.buf.Bytes(), nil
	}
	return out.buf.Bytes(), nil
}

// limited keeps the first bytes of a stream.
type limited struct {
	buf  bytes.Buffer
	max  int
	full bool
}

// Write keeps the bytes that fit and drops the rest.
func (l *limited) Write(p []byte) (int, error) {
	room := l.max - l.buf.Len()
	l.full = l.full || len(p) > room
	l.buf.Write(p[:min(len(p), room)])
	return len(p), nil
}
