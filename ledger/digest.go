package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"muniment/cid"
	"muniment/cite"
)

// A DamagedRowError reports a row that is not what was written.
type DamagedRowError struct {
	Table string
	Row   int64 // its ordinal
	What  string
}

func (e *DamagedRowError) Error() string {
	if e.Table == "citations" {
		return fmt.Sprintf("citation %d is not as it was registered: %s", e.Row, e.What)
	}
	return fmt.Sprintf("%s %d is not as it was written: %s", e.Table, e.Row, e.What)
}

// digest returns the sha256 of a row's columns, in the order in which they are
// inserted: that of the JSON array of their values.
func digest(values ...any) string {
	data, err := json.Marshal(values)
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkDigest returns an error where a row has a digest and it is another one.
func checkDigest(table string, row int64, kept string, values ...any) error {
	if kept != "" && kept != digest(values...) {
		return errDigest(table, row)
	}
	return nil
}

// errDigest returns the error of a row whose columns do not have its digest.
func errDigest(table string, row int64) error {
	return &DamagedRowError{table, row, "its columns do not have the digest that is kept with them"}
}

// checkBinding compares the citation object of an entry with the columns that it was
// made of.
func (c *Citation) checkBinding() error {
	damaged := func(format string, args ...any) error {
		return &DamagedRowError{"citations", c.Ordinal, fmt.Sprintf(format, args...)}
	}
	if got := cid.OfJSON(c.JSON); got != c.ID {
		return damaged("the object kept has id %s, the ledger says %s", got, c.ID)
	}
	o, err := cite.ParseCitation(c.JSON)
	if err != nil {
		return damaged("%v", err)
	}
	for _, f := range []struct{ name, column, object string }{
		{"artifact", c.Artifact, o.Artifact}, {"record", c.Record, o.Record}, {"span", c.Span, o.Span},
		{"relation", string(c.Relation), string(o.Relation)}, {"claim", c.Claim, o.Claim},
		{"reasoning", c.Reasoning, o.Reasoning}, {"context", c.Context, o.Context},
		{"quote_sha256", c.Anchor.SHA256, o.QuoteSHA256}, {"prefix", c.Anchor.Prefix, o.Prefix}, {"suffix", c.Anchor.Suffix, o.Suffix},
		{"match", string(c.Match), string(o.Match)}, {"edits", fmt.Sprint(c.Edits), fmt.Sprint(o.Edits)}, {"length", fmt.Sprint(c.Length), fmt.Sprint(o.Length)},
	} {
		if f.column != f.object {
			return damaged("its %s is %.80q, in its object %.80q", f.name, f.column, f.object)
		}
	}
	return nil
}
