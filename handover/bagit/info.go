package bagit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseInfo returns the fields of bag-info.txt, and in bad what is wrong with the
// lines that are no fields. Bags before 1.0 may have any white space around the
// colon.
func parseInfo(text, version string) (fields []Field, bad []string) {
	lines, _ := splitLines(text)
	for i, line := range lines {
		complain := func(format string, args ...any) {
			bad = append(bad, fmt.Sprintf("line %d: "+format, append([]any{i + 1}, args...)...))
		}
		if line == "" {
			complain("empty")
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(fields) == 0 {
				complain("goes on from no line before it")
				continue
			}
			fields[len(fields)-1].Value += "\n" + strings.TrimLeft(line, " \t")
			continue
		}
		label, value, ok := strings.Cut(line, ":")
		if version != "1.0" {
			label, value = strings.TrimRight(label, " \t"), " "+strings.Trim(value, " \t")
		}
		switch {
		case !ok:
			complain("%q has no colon", clip(line))
		case label == "" || strings.HasSuffix(label, " ") || strings.HasSuffix(label, "\t"):
			complain("%q: the label is empty or ends with white space", clip(line))
		case value == "" || value[0] != ' ' && value[0] != '\t':
			complain("%q: no space after the colon", clip(line))
		default:
			fields = append(fields, Field{Label: label, Value: value[1:]})
		}
	}
	return fields, bad
}

// formatInfo returns bag-info.txt. A LF in a value begins a continuation line.
func formatInfo(fields []Field) ([]byte, error) {
	var b strings.Builder
	for _, f := range fields {
		if err := checkField(f); err != nil {
			return nil, fmt.Errorf("bag-info %q: %w", clip(f.Label), err)
		}
		b.WriteString(f.Label + ": " + strings.ReplaceAll(f.Value, "\n", "\n  ") + "\n")
	}
	return []byte(b.String()), nil
}

// checkField returns an error for a field that parseInfo would not read back.
func checkField(f Field) error {
	switch {
	case f.Label == "" || strings.ContainsAny(f.Label, ":\r\n") || strings.Trim(f.Label, " \t") != f.Label:
		return errors.New("a label is not empty, has no colon and no line end, and no white space around it")
	case strings.HasPrefix(f.Label, bom):
		return errors.New("a label begins with no byte-order mark")
	case strings.Contains(f.Value, "\r"):
		return errors.New("the value has a CR")
	}
	for i, line := range strings.Split(f.Value, "\n") {
		if i > 0 && (line == "" || line[0] == ' ' || line[0] == '\t') {
			return errors.New("a line of the value is empty or indented")
		}
	}
	return nil
}

// parseOxum returns the numbers of OCTETS.STREAMS, both without leading zeros.
func parseOxum(value string) (octets int64, streams int, err error) {
	o, s, ok := strings.Cut(value, ".")
	octets, errO := strconv.ParseInt(o, 10, 64)
	streams, errS := strconv.Atoi(s)
	if !ok || errO != nil || errS != nil || formatOxum(octets, streams) != value {
		return 0, 0, fmt.Errorf("Payload-Oxum %q is not OCTETS.STREAMS", clip(value))
	}
	return octets, streams, nil
}

func formatOxum(octets int64, streams int) string { return fmt.Sprintf("%d.%d", octets, streams) }

// readInfo reads bag-info.txt, where there is one, under the name that the
// bag's version has for it. present is false while files are to be fetched.
func (c *check) readInfo(present bool) {
	name := infoFile
	if c.report.Version < "0.96" {
		name = oldInfoFile
	}
	if _, ok := c.files[name]; !ok {
		return
	}
	text, ok := c.readText(name, maxInfo)
	if !ok {
		return
	}
	var bad []string
	c.report.Info, bad = parseInfo(text, c.report.Version)
	for _, b := range bad {
		c.fail(name, b)
	}
	c.checkInfo(name, present)
}

// checkInfo checks Payload-Oxum and Bagging-Date.
func (c *check) checkInfo(name string, present bool) {
	seen := false
	for _, f := range c.report.Info {
		switch strings.ToLower(f.Label) {
		case "payload-oxum":
			if seen {
				c.fail(name, "Payload-Oxum is there more than once")
				continue
			}
			seen = true
			value := strings.Trim(f.Value, " \t\n")
			if value != f.Value {
				c.note(name, OK, fmt.Sprintf("white space around Payload-Oxum %q", clip(value)))
			}
			octets, streams, err := parseOxum(value)
			switch {
			case err != nil:
				c.fail(name, err.Error())
			case octets == c.report.Octets && streams == len(c.report.Payload):
			case !present:
				c.note(name, NotChecked, "Payload-Oxum counts files that are still to be fetched")
			default:
				c.fail(name, fmt.Sprintf("Payload-Oxum is %s, the payload has %s", value, formatOxum(c.report.Octets, len(c.report.Payload))))
			}
		case "bagging-date":
			if _, err := time.Parse(time.DateOnly, f.Value); err != nil {
				c.note(name, OK, fmt.Sprintf("Bagging-Date %q is not YYYY-MM-DD", clip(f.Value)))
			}
		}
	}
}
