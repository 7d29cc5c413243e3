package csvtable

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"muniment/canon"
)

// readBack reads back what csv@1 wrote, strictly: whatever it accepts is written
// again as the same bytes.
func readBack(payload []byte) ([][]string, error) {
	if len(payload) == 0 || payload[len(payload)-1] != '\n' {
		return nil, errors.New("the table does not end in a line feed")
	}
	var rows [][]string
	for line := range bytes.Lines(payload) {
		row, err := cells(string(line[:len(line)-1]))
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	if !bytes.Equal(canon.Text(encode(rows)), payload) {
		return nil, errors.New("the table is not in the form of " + Name)
	}
	return rows, nil
}

// cells reads one line.
func cells(line string) ([]string, error) {
	var row []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		default:
			return nil, fmt.Errorf("unknown escape at byte %d: %q", i, rest[:min(len(rest), 4)])
		case rest[0] == '\t':
			row = append(row, cell.String())
			cell.Reset()
		case rest[0] != '\\':
			cell.WriteByte(rest[0])
		case rest == `\`: // the end mark
		case strings.HasPrefix(rest, `\\`):
			cell.WriteByte('\\')
			i++
		case strings.HasPrefix(rest, `\011`):
			cell.WriteByte('\t')
			i += 3
		case strings.HasPrefix(rest, `\012`):
			cell.WriteByte('\n')
			i += 3
		}
	}
	return append(row, cell.String()), nil
}
