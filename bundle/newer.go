package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"muniment/cid/jcs"
	"muniment/cite"
)

// statementKeys are the keys of the lines of a statement. Every version has all of them,
// in the same order and form.
var statementKeys = []string{"archive", "id", "issued", "request", "outcome", "leaves", "root", "sums", "display", "sealed", "policy", "trust", "after"}

// knownLines returns a newer statement as the version that this program reads: without
// the lines whose keys it does not know.
func knownLines(data []byte) ([]byte, error) {
	text, ok := strings.CutSuffix(string(data), "\n")
	lines := strings.Split(text, "\n")
	known := []string{StatementHead}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case value == "" || !isScope(key) || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }):
			return nil, fmt.Errorf("line %q of a newer statement, want a key and a value in ASCII", clip(line))
		case slices.Contains(statementKeys, key):
			known = append(known, line)
		}
	}
	if !ok {
		return nil, fmt.Errorf("the statement does not end in a line feed")
	}
	return []byte(strings.Join(known, "\n") + "\n"), nil
}

// readStatement is ParseStatement, and reads of a newer statement what every version has.
func readStatement(data []byte) (*Statement, *jcs.NewerError, error) {
	head, _, _ := strings.Cut(string(data[:min(len(data), MaxStatement)]), "\n")
	newer := jcs.Newer(head, StatementHead)
	if newer != nil && len(data) <= MaxStatement {
		var err error
		if data, err = knownLines(data); err != nil {
			return nil, nil, err
		}
	}
	s, err := ParseStatement(data)
	return s, newer, err
}

// newerTable returns the first of the tables that are not known here which is newer than
// those that are; nil where none is.
func (g *gateJudge) newerTable() *jcs.NewerError {
	for _, table := range slices.Sorted(maps.Keys(g.tables)) {
		if newer := cmp.Or(jcs.Newer(table, cite.GateTableVersion), jcs.Newer(table, cite.RankTables()...)); newer != nil {
			return newer
		}
	}
	return nil
}

// addNewer adds an axis that is NOT-CHECKED because something is newer, and without which
// no verdict is VALID.
func (v *Verdict) addNewer(axis string, newer *jcs.NewerError) {
	v.newer = true
	v.add(axis, NotChecked, newer.Error())
}
