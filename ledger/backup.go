package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// BackupType names the format of Export: lines of JSON, of which the first is a
// backupHead, each further one a backupRow, and the last a backupEnd.
const BackupType = "muniment/ledger/v1"

// maxBackupLine is the longest line of a backup that Import reads, in bytes: a text
// that was checked, with its report.
const maxBackupLine = 256 << 20

// ErrNotEmpty is wrapped by the error of an import into a ledger that has rows.
var ErrNotEmpty = errors.New("the ledger has entries already")

// A backupHead says of which schema the rows are, and of which archive.
type backupHead struct {
	Type    string `json:"type"`
	Schema  int64  `json:"schema"`
	Archive string `json:"archive"`
}

// A backupRow is a row of a table; its values are in the order of its columns.
type backupRow struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns,omitempty"` // of the first row of the table
	Values  []any    `json:"values"`
}

// A backupEnd closes a backup: without it the file was cut short.
type backupEnd struct {
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"` // of all lines before, in hexadecimal
}

// Export writes every row of the ledger, with its numbers, and returns how many there
// are. archive is kept in the first line; what was registered meanwhile is not in.
func (l *Ledger) Export(w io.Writer, archive string) (rows int64, err error) {
	if !l.isOpen() {
		return 0, ErrNotOpen
	}
	g, end, err := l.view()
	if err != nil {
		return 0, l.fault(err)
	}
	defer end()
	buffered := bufio.NewWriterSize(w, 1<<16)
	sum := sha256.New()
	out := json.NewEncoder(io.MultiWriter(buffered, sum))
	out.SetEscapeHTML(false)
	var version int64
	if err := g.scalars(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`, []any{&version}); err != nil {
		return 0, l.fault(err)
	}
	if err := out.Encode(backupHead{BackupType, version, archive}); err != nil {
		return 0, err
	}
	for _, t := range tables {
		n, err := g.exportTable(out, t.name, t.key)
		if err != nil {
			return rows, l.fault(fmt.Errorf("%s: %w", t.name, err))
		}
		rows += n
	}
	last, err := json.Marshal(backupEnd{rows, hex.EncodeToString(sum.Sum(nil))})
	if err != nil {
		return rows, err
	}
	_, err = buffered.Write(append(last, '\n'))
	return rows, errors.Join(err, buffered.Flush())
}

// exportTable writes the rows of a table.
func (l *Ledger) exportTable(out *json.Encoder, name, key string) (n int64, err error) {
	rows, err := l.query(`SELECT * FROM ` + name + ` ORDER BY ` + key)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		row := backupRow{Table: name, Values: values}
		if n == 0 {
			row.Columns = columns
		}
		if err := out.Encode(row); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// Import fills an empty ledger with what Export wrote, from either database and with
// all numbers kept, in one transaction: all rows or none. It returns how many there
// are. A backup that was cut short or changed, that is of another archive, or of a
// newer schema than this program knows, is refused.
func (l *Ledger) Import(r io.Reader, archive string) (rows int64, err error) {
	begun := false
	var first error // of the only attempt: the reader is read once
	err = l.Together(func(g *Ledger) error {
		if begun && first == nil {
			return errors.New("the database went away before it confirmed the import; import again, which is refused where it was done")
		}
		if !begun {
			begun = true
			rows, first = importAll(*g.group, r, archive)
		}
		return first
	})
	if err != nil {
		return 0, err
	}
	return rows, nil
}

// importAll is Import in a transaction.
func importAll(t tx, r io.Reader, archive string) (int64, error) {
	for _, table := range tables {
		var n int64
		if err := t.one(`SELECT count(*) FROM `+table.name, nil, &n); err != nil {
			return 0, err
		}
		if n > 0 {
			return 0, fmt.Errorf("%w: %d rows of %s", ErrNotEmpty, n, table.name)
		}
	}
	return importRows(t, r, archive)
}

// importRows reads a backup and inserts its rows.
func importRows(t tx, r io.Reader, archive string) (rows int64, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), maxBackupLine)
	sum := sha256.New()
	next := func(into any) (raw []byte, err error) {
		if !lines.Scan() {
			return nil, errors.Join(lines.Err(), io.ErrUnexpectedEOF)
		}
		return lines.Bytes(), decodeStrict(lines.Bytes(), into)
	}
	var head backupHead
	raw, err := next(&head)
	if err != nil || head.Type != BackupType {
		return 0, fmt.Errorf("the first line is not that of a backup (%s)", BackupType)
	}
	sum.Write(append(raw, '\n'))
	var version int64
	if err := t.one(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`, nil, &version); err != nil {
		return 0, err
	}
	switch {
	case head.Schema > version:
		return 0, fmt.Errorf("the backup has schema %d, this program knows up to %d", head.Schema, version)
	case head.Archive != archive:
		return 0, fmt.Errorf("the backup is of archive %.80q, not of %s", head.Archive, archive)
	}
	insert, order := "", -1
	var columns []string
	for {
		if !lines.Scan() {
			return rows, fmt.Errorf("the backup ends after %d rows without its last line: it was cut short", rows)
		}
		line := lines.Bytes()
		if bytes.HasPrefix(line, []byte(`{"rows":`)) {
			var end backupEnd
			if err := decodeStrict(line, &end); err != nil {
				return rows, err
			}
			if got := hex.EncodeToString(sum.Sum(nil)); got != end.SHA256 || end.Rows != rows {
				return rows, fmt.Errorf("the backup was changed: %d rows with sha256 %s, its last line says %d with %.64s", rows, got, end.Rows, end.SHA256)
			}
			if lines.Scan() {
				return rows, errors.New("the backup goes on after its last line")
			}
			return rows, lines.Err()
		}
		sum.Write(append(bytes.Clone(line), '\n'))
		var row backupRow
		if err := decodeStrict(line, &row); err != nil {
			return rows, fmt.Errorf("line %d: %w", rows+2, err)
		}
		if len(row.Columns) > 0 {
			at := slices.IndexFunc(tables, func(t struct{ name, key string }) bool { return t.name == row.Table })
			if at <= order || slices.ContainsFunc(row.Columns, func(c string) bool { return !schemaName.MatchString(c) }) {
				return rows, fmt.Errorf("line %d: table %.40q is not known, or not in its place", rows+2, row.Table)
			}
			order, columns = at, row.Columns
			insert = `INSERT INTO ` + row.Table + ` (` + strings.Join(columns, ", ") + `) VALUES (` + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + `)`
		}
		if order < 0 || row.Table != tables[order].name || len(row.Values) != len(columns) {
			return rows, fmt.Errorf("line %d: the row is not one of the table before it", rows+2)
		}
		for i, v := range row.Values {
			if n, ok := v.(json.Number); ok {
				if row.Values[i], err = n.Int64(); err != nil {
					return rows, fmt.Errorf("line %d: %w", rows+2, err)
				}
			}
		}
		if err := t.exec(insert, row.Values...); err != nil {
			return rows, fmt.Errorf("line %d: %w", rows+2, err)
		}
		rows++
	}
}

// decodeStrict reads a JSON object without unknown members and without trailing data.
func decodeStrict(line []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON object in a line")
	}
	return nil
}
