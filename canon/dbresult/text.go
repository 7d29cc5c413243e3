package dbresult

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"muniment/canon"
)

// breaks are the line breaks of the text step.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// escape is that of csv@1.
var escape = strings.NewReplacer(`\`, `\\`, "\t", `\011`, "\n", `\012`)

const (
	null      = `\N`
	prompt    = "> "
	ordered   = "ordered"
	unordered = "unordered"
)

// text writes the form of a result.
func (r *Result) text() []byte {
	order := unordered
	if r.Ordered {
		order = ordered
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d rows, %d columns, %s\n\n", len(r.Rows), len(r.Columns), order)
	for line := range strings.Lines(string(canon.Text([]byte(r.Query)))) {
		out.WriteString(prompt + line)
	}
	names, kinds := make([]Cell, len(r.Columns)), make([]Cell, len(r.Columns))
	for i, c := range r.Columns {
		names[i].Text, kinds[i].Text = c.Name, c.Type
	}
	out.WriteString("\n" + lineOf(names) + "\n" + lineOf(kinds) + "\n")
	if len(r.Rows) > 0 {
		out.WriteByte('\n')
	}
	lines := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		lines[i] = lineOf(row)
	}
	if !r.Ordered {
		slices.Sort(lines)
	}
	for _, line := range lines {
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return canon.Text(out.Bytes())
}

// lineOf writes cells as a line in normal form, so that lines can be sorted.
func lineOf(cells []Cell) string {
	var out strings.Builder
	for i, cell := range cells {
		if i > 0 {
			out.WriteByte('\t')
		}
		if cell.Null {
			out.WriteString(null)
		} else {
			escape.WriteString(&out, breaks.Replace(cell.Text))
		}
	}
	line := out.String()
	if line == "" || line[len(line)-1] == ' ' || line[len(line)-1] == '\t' {
		line += `\`
	}
	return string(canon.NFC([]byte(line)))
}
