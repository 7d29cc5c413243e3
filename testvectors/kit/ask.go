package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/testvectors"
)

// maxLine is how much of what a verifier prints is read, in bytes: the longest
// value that is compared has a tenth.
const maxLine = 1 << 16

// An outcome says how an answer compares with the vector.
type outcome int

const (
	agrees outcome = iota
	disagrees
	broke   // no answer: another exit code, or none in time
	unknown // the verifier does not know the kind
)

// An answer is what a verifier said about one vector.
type answer struct {
	area    string
	kind    *kind
	name    string
	outcome outcome
	why     string // where it does not agree
}

// A kind is a line of kinds.tsv.
type kind struct {
	area, name             string
	inputs, accepts, print []string
}

//go:embed kinds.tsv
var kindsTable string

// readKinds reads the table of kinds.
func readKinds(table string) ([]*kind, error) {
	var out []*kind
	head := false
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("kinds.tsv: %q has %d fields, want 5", line, len(f))
		}
		if !head {
			head = true
			continue
		}
		out = append(out, &kind{f[0], f[1], list(f[2]), list(f[3]), list(f[4])})
	}
	return out, nil
}

// list reads a field of values with commas between them, of which - has none.
func list(field string) []string {
	if field == "-" {
		return nil
	}
	return strings.Split(field, ",")
}

// accepted reports whether a verifier accepts a vector with the given expect.
func (k *kind) accepted(expect string) bool {
	if word, not := strings.CutPrefix(k.accepts[0], "!"); not {
		return expect != word
	}
	return k.accepts[0] == "*" || slices.Contains(k.accepts, expect)
}

// An asking is one run of the kit.
type asking struct {
	program  []string
	dir      string   // of the vectors
	areas    []string // none: all
	patience time.Duration
}

// ask asks the verifier about every vector of the areas, in the order of the kinds.
func (o *asking) ask() ([]answer, error) {
	kinds, err := readKinds(kindsTable)
	if err != nil {
		return nil, err
	}
	for _, area := range o.areas {
		if !slices.ContainsFunc(kinds, func(k *kind) bool { return k.area == area }) {
			return nil, fmt.Errorf("no area %q", area)
		}
	}
	temp, err := os.MkdirTemp("", "kit")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	var out []answer
	for _, k := range kinds {
		if len(o.areas) > 0 && !slices.Contains(o.areas, k.area) {
			continue
		}
		vectors, err := o.read(k)
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			a, err := o.askOne(temp, k, v)
			if err != nil {
				return nil, err
			}
			out = append(out, a)
		}
	}
	return out, nil
}

// read returns the vectors of a kind; there must be one.
func (o *asking) read(k *kind) ([]testvectors.Vector, error) {
	entries, err := os.ReadDir(filepath.Join(o.dir, k.area))
	if err != nil {
		return nil, err
	}
	var out []testvectors.Vector
	for _, e := range entries {
		if e.Name() == testvectors.Readme {
			continue
		}
		v, err := o.open(k.area, e.Name())
		if err != nil {
			return nil, err
		}
		if kindOf(v) == k.name {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no vector of kind %s in %s", k.name, k.area)
	}
	return out, nil
}

// open reads one vector.
func (o *asking) open(area, name string) (testvectors.Vector, error) {
	data, err := os.ReadFile(filepath.Join(o.dir, area, name))
	if err != nil {
		return testvectors.Vector{}, err
	}
	return testvectors.Parse(name, data)
}

// kindOf returns the kind of a vector: its kind or type, or -.
func kindOf(v testvectors.Vector) string {
	for _, key := range []string{"kind", "type"} {
		if s := v.Get(key); s != "" {
			return s
		}
	}
	return "-"
}

// arguments returns the arguments of the verifier after area and kind. Bodies are written to dir.
func (o *asking) arguments(dir string, k *kind, v testvectors.Vector) ([]string, error) {
	file := filepath.Join(dir, "body")
	body := v.Body
	if slices.Contains(k.print, sumOfBody) {
		body = nil
	}
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return nil, err
	}
	args := []string{file}
	for _, key := range k.inputs {
		if key, other, ok := strings.Cut(key, "@"); ok {
			w, err := o.open(k.area, other)
			if err != nil {
				return nil, err
			}
			file := filepath.Join(dir, key)
			if err := os.WriteFile(file, w.Body, 0o600); err != nil {
				return nil, err
			}
			args = append(args, key+"="+file)
			continue
		}
		for _, l := range v.Header {
			if l.Key == key {
				args = append(args, key+"="+l.Value)
			}
		}
	}
	return args, nil
}

// askOne asks about one vector. The error is one of the kit's own.
func (o *asking) askOne(dir string, k *kind, v testvectors.Vector) (answer, error) {
	a := answer{area: k.area, kind: k, name: v.Name}
	args, err := o.arguments(dir, k, v)
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.program[0], slices.Concat(o.program[1:], []string{k.area, k.name}, args)...)
	cmd.WaitDelay = time.Second
	var said limited
	cmd.Stdout = &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return a, err
	}
	a.outcome, a.why = compare(k, v, cmd.ProcessState.ExitCode(), said.line())
	if ctx.Err() != nil {
		a.outcome, a.why = broke, fmt.Sprintf("no answer in %s", o.patience)
	}
	return a, nil
}

// compare compares an exit code and a printed line with a vector.
func compare(k *kind, v testvectors.Vector, code int, line string) (outcome, string) {
	expect := v.Get("expect")
	accepted := k.accepted(expect)
	switch {
	case code == 2:
		return unknown, ""
	case code != 0 && code != 1:
		return broke, fmt.Sprintf("exit code %d", code)
	case accepted != (code == 0):
		return disagrees, fmt.Sprintf("exit code %d, and the vector is %s", code, expect)
	case !accepted || len(k.print) == 0:
		return agrees, ""
	}
	if all := strings.Join(k.expectedValues(v), " "); all != line {
		return disagrees, fmt.Sprintf("it prints %q, want %q", line, all)
	}
	return agrees, ""
}

// sumOfBody is printed by a kind instead of the expected body itself.
const sumOfBody = "sha256@body"

// expectedValues returns the values that a verifier prints of a vector it accepts: of those
// keys that the vector has, each once unless the key ends in *.
func (k *kind) expectedValues(v testvectors.Vector) (out []string) {
	for _, key := range k.print {
		if key == sumOfBody {
			out = append(out, fmt.Sprintf("%x", sha256.Sum256(v.Body)))
			continue
		}
		prefix, many := strings.CutSuffix(key, "*")
		for _, l := range v.Header {
			if l.Value != "" && many && strings.HasPrefix(l.Key, prefix) {
				out = append(out, l.Value)
			}
		}
		if value := v.Get(key); value != "" {
			out = append(out, value)
		}
	}
	return out
}

// A limited keeps the first bytes that are written to it.
type limited struct{ bytes.Buffer }

// Write takes in p, of which it keeps what fits.
func (l *limited) Write(p []byte) (int, error) {
	l.Buffer.Write(p[:min(len(p), max(0, maxLine-l.Len()))])
	return len(p), nil
}

// line returns the first line that was written.
func (l *limited) line() string {
	first, _, _ := strings.Cut(l.String(), "\n")
	return strings.TrimSuffix(first, "\r")
}
