// Package release says which build a program is, and which formats it writes and
// reads.
//
//	fmt.Print(release.Current("muniment").Text())
//	release.Formats()
//
// The formats are the lines of formats.txt; docs/formats.md shows the same table
// with what is promised of it. A test requires a line for each format that a
// package of the module names.
//
// Limits: a program that was built outside a clone, or with -buildvcs=false, knows
// no commit.
package release

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

//go:embed formats.txt
var formats string

// A Format is a form of bytes that the programs write and read.
type Format struct {
	Name    string
	Written string   // the version that is written
	Read    []string // the older versions that are read as well
	Promise string   // always, files or copies: see docs/formats.md
	Since   []string // days since which the bytes of Written, then of each of Read, are what they are
	Readers []string // of the four verifiers, those that read it: go, python, node, browser
}

// Formats returns the formats, in the order of formats.txt.
func Formats() []Format {
	var list []Format
	for line := range strings.Lines(formats) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(fields) != 6 {
			continue
		}
		list = append(list, Format{Name: fields[0], Written: fields[1], Read: strings.Fields(fields[2]), Promise: fields[3], Since: strings.Fields(fields[4]), Readers: strings.Fields(fields[5])})
	}
	return list
}

// A Build says which build a program is.
type Build struct {
	Program  string              `json:"program"`
	Version  string              `json:"version"` // a tag, a pseudo-version, or devel
	Revision string              `json:"revision,omitempty"`
	Time     string              `json:"time,omitempty"` // of the commit, in RFC 3339
	Modified bool                `json:"modified"`       // the clone differed from the commit
	Go       string              `json:"go"`
	System   string              `json:"system"`
	Formats  map[string]string   `json:"formats"` // the version that is written, by name
	Reads    map[string][]string `json:"reads"`   // the versions that are read, by name
}

// Current returns the build of the running program, which is called by the given name.
func Current(program string) Build {
	info, _ := debug.ReadBuildInfo()
	return describe(program, info)
}

// describe returns the build of a program with this build information, which may
// be nil.
func describe(program string, info *debug.BuildInfo) Build {
	b := Build{Program: program, Version: "devel", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Formats: map[string]string{}, Reads: map[string][]string{}}
	for _, f := range Formats() {
		b.Formats[f.Name] = f.Written
		b.Reads[f.Name] = append([]string{f.Written}, f.Read...)
	}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Text returns the build and its formats as lines for people.
func (b Build) Text() string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s %s %s %s\n", b.Program, b.Version, b.Go, b.System)
	switch {
	case b.Revision == "":
		t.WriteString("  built without a commit\n")
	case b.Modified:
		fmt.Fprintf(&t, "  commit %s of %s, with changes since\n", b.Revision, b.Time)
	default:
		fmt.Fprintf(&t, "  commit %s of %s\n", b.Revision, b.Time)
	}
	for _, f := range Formats() {
		fmt.Fprintf(&t, "  %s %s", f.Name, f.Written)
		if len(f.Read) > 0 {
			t.WriteString(", and reads " + strings.Join(f.Read, ", "))
		}
		t.WriteString("\n")
	}
	return t.String()
}
