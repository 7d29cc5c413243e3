package dbresult

import (
	"bytes"
	"errors"
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

// Parse reads back what dbresult@1 wrote, strictly: whatever it accepts is
// written again as the same bytes. Rows come in the order of the text.
func Parse(payload []byte) (*Result, error) {
	r, err := parse(string(payload))
	if err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if !bytes.Equal(r.text(), payload) {
		return nil, errors.New("the text is not in the form of " + Name)
	}
	return r, nil
}

func parse(text string) (*Result, error) {
	if !strings.HasSuffix(text, "\n") {
		return nil, errors.New("the text does not end in a line feed")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var rows, columns int
	var order string
	if n, err := fmt.Sscanf(lines[0], "%d rows, %d columns, %s", &rows, &columns, &order); n != 3 || err != nil {
		return nil, fmt.Errorf("line 1 is %.60q, want the numbers of rows and columns", lines[0])
	}
	r := &Result{Ordered: order == ordered}
	at := 2
	var query []string
	for ; at < len(lines) && strings.HasPrefix(lines[at], ">"); at++ {
		query = append(query, strings.TrimPrefix(strings.TrimPrefix(lines[at], ">"), " "))
	}
	r.Query = strings.Join(query, "\n")
	const head = 3 // a blank line, names and types
	if at+head > len(lines) {
		return nil, fmt.Errorf("the text ends at line %d, before its columns", len(lines))
	}
	names, err := cellsOf(lines[at+1])
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", at+2, err)
	}
	kinds := strings.Split(lines[at+2], "\t")
	if len(names) != columns || len(kinds) != columns {
		return nil, fmt.Errorf("%d names and %d types, want %d", len(names), len(kinds), columns)
	}
	for i, name := range names {
		r.Columns = append(r.Columns, Column{Name: name.Text, Type: kinds[i]})
	}
	if at += head + 1; at > len(lines) {
		at = len(lines) // no rows
	}
	if len(lines)-at != rows {
		return nil, fmt.Errorf("%d rows, want %d", len(lines)-at, rows)
	}
	for i, line := range lines[at:] {
		row, err := cellsOf(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at+i+1, err)
		}
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}

// cellsOf reads one line.
func cellsOf(line string) ([]Cell, error) {
	var cells []Cell
	for i, field := range strings.Split(line, "\t") {
		if field == null {
			cells = append(cells, Cell{Null: true})
			continue
		}
		text, err := unescape(field)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", i+1, err)
		}
		cells = append(cells, Cell{Text: text})
	}
	return cells, nil
}

// unescape undoes the escapes of a cell; a single backslash at its end is the
// end mark of the line.
func unescape(field string) (string, error) {
	if strings.IndexByte(field, '\\') < 0 {
		return field, nil
	}
	var out strings.Builder
	for i := 0; i < len(field); i++ {
		rest := field[i:]
		switch {
		default:
			return "", fmt.Errorf("unknown escape %.4q", rest)
		case rest[0] != '\\':
			out.WriteByte(rest[0])
		case rest == `\`:
		case strings.HasPrefix(rest, `\\`):
			out.WriteByte('\\')
			i++
		case strings.HasPrefix(rest, `\011`):
			out.WriteByte('\t')
			i += 3
		case strings.HasPrefix(rest, `\012`):
			out.WriteByte('\n')
			i += 3
		}
	}
	return out.String(), nil
}

// RowLine returns the line, counting from 1 as l spans do, on which the first
// row of a text stands; row n is n-1 lines below it. The text is one that Parse
// accepts.
func RowLine(payload []byte) (int, error) {
	r, err := Parse(payload)
	if err != nil {
		return 0, err
	}
	const around = 6 // the counts, names, types and three blank lines
	query := strings.Count(r.Query, "\n") + 1
	return query + around + 1, nil
}
