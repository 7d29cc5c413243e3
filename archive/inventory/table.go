package inventory

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/snapshot/edtf"
	"muniment/text/legible"
)

// The columns of a table that are not fields of a description, and those of a long
// list.
var (
	ownColumns  = []string{"name", "id", "date", "added", "agent", "size", "paragraphs", "records"}
	LongColumns = []string{"date", "name", "title", "creators", "size", "added", "id"}
	fieldNames  = []string{"title", "creators", "publisher", "url", "published_at", "fetched_at", "tier", "paywall_policy", "tags", "language", "csl_type",
		"identifier", "description", "extent", "rights", "place", "box", "folder", "level", "subjects", "related", "source_id", "media_type", "canonicalizer", "charset", "artifact"}
)

// TableOptions choose what Table returns. The zero value has the long columns, by
// name.
type TableOptions struct {
	Part    string   // keeps the names that contain it
	Columns []string // LongColumns where there are none
	Sort    string   // a column; name where it is ""
	Reverse bool
}

// A TableResult is a list of artifacts as a table of texts.
type TableResult struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Table lists artifacts with the columns that are asked for: name, id, date, added (when
// it was taken in), agent, size, paragraphs, records, every field of a description, and
// other_NAME. Dates are sorted as intervals, sizes as numbers, and what has no value
// comes last.
func Table(a *archive.Archive, o TableOptions) (*TableResult, error) {
	r := &TableResult{Columns: o.Columns, Rows: [][]string{}}
	if len(r.Columns) == 0 {
		r.Columns = LongColumns
	}
	by := cmp.Or(o.Sort, "name")
	for _, column := range append(slices.Clone(r.Columns), by) {
		if !slices.Contains(ownColumns, column) && !slices.Contains(fieldNames, column) && !strings.HasPrefix(column, "other_") {
			return nil, problem.New(problem.Usage, problem.Advise("columns are "+strings.Join(ownColumns, ", ")+", "+strings.Join(fieldNames, ", ")+" and other_NAME"), "there is no column %s", legible.Printable(column))
		}
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		return nil, err
	}
	type row struct{ key, name, cells []string }
	var rows []row
	for _, art := range all.Artifacts {
		h, ok := art.FirstRecord()
		if !ok || o.Part != "" && !strings.Contains(strings.Join(art.Info().Names, "\n"), o.Part) {
			continue
		}
		values := holdings.DescribedValues(h.Record)
		one := row{key: []string{cell(art, h, values, by)}, name: art.Info().Names}
		for _, column := range r.Columns {
			one.cells = append(one.cells, cell(art, h, values, column))
		}
		rows = append(rows, one)
	}
	slices.SortStableFunc(rows, func(x, y row) int {
		order := compareCells(by, x.key[0], y.key[0])
		if o.Reverse && x.key[0] != "" && y.key[0] != "" {
			order = -order
		}
		return cmp.Or(order, slices.Compare(x.name, y.name))
	})
	for _, one := range rows {
		r.Rows = append(r.Rows, one.cells)
	}
	return r, nil
}

// cell returns the text of an artifact in a column.
func cell(art *holdings.Artifact, h holdings.StoredRecord, values map[string]string, column string) string {
	switch column {
	default:
		return values[column]
	case "name":
		return h.Label()
	case "id":
		return art.ID.String()
	case "date":
		return h.Record.Date()
	case "added":
		if older := art.Older(h); len(older) > 0 {
			return older[len(older)-1].Record.Time
		}
		return h.Record.Time
	case "agent":
		return h.Record.Agent
	case "size":
		return strconv.FormatInt(h.Record.Size, 10)
	case "paragraphs":
		return strconv.FormatInt(h.Record.PCount, 10)
	case "records":
		return strconv.Itoa(len(art.Records))
	}
}

// compareCells orders two texts of a column.
func compareCells(column, x, y string) int {
	switch {
	case x == "" || y == "":
		return cmp.Compare(len(y), len(x)) // what has no value comes last
	case column == "date" || column == "published_at":
		return compareDates(x, y)
	case column == "size" || column == "paragraphs" || column == "records" || column == "tier":
		m, err1 := strconv.ParseInt(x, 10, 64)
		n, err2 := strconv.ParseInt(y, 10, 64)
		if err1 == nil && err2 == nil {
			return cmp.Compare(m, n)
		}
	}
	return strings.Compare(x, y)
}

// compareDates orders two dates by their first days, then by their last.
func compareDates(x, y string) int {
	day := func(s string) (first, last edtf.Day) {
		s, _, _ = strings.Cut(s, "T")
		d, err := edtf.Parse(s)
		if err != nil {
			return edtf.Latest, edtf.Latest
		}
		return d.Interval()
	}
	f1, l1 := day(x)
	f2, l2 := day(y)
	return cmp.Or(f1.Compare(f2), l1.Compare(l2), strings.Compare(x, y))
}
