package dbresult

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// readBack reads back what dbresult@1 wrote, strictly: whatever it accepts is
// written again as the same bytes. Rows come in the order of the text.
func readBack(payload []byte) (*Result, error) {
	r, err := parseText(string(payload))
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

func parseText(text string) (*Result, error) {
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
