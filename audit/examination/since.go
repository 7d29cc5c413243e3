package examination

import "strings"

// A Since lists the changes of a report against an earlier one of the same document.
type Since struct {
	New     []int  `json:"new"`     // numbers of items
	Changed []Turn `json:"changed"` // items with another verdict than before
	Gone    []Item `json:"gone"`    // items of the earlier report
}

// A Turn is an item whose verdict is another.
type Turn struct {
	Item int     `json:"item"`
	Was  Verdict `json:"was"`
	Is   Verdict `json:"is"`
}

// Compare returns the differences from an earlier report. Items are the same where their words are, in their order.
func (r *Report) Compare(earlier *Report) Since {
	out := Since{New: []int{}, Changed: []Turn{}, Gone: []Item{}}
	left := map[string][]Item{}
	for _, i := range earlier.Items {
		left[key(i.Text)] = append(left[key(i.Text)], i)
	}
	for _, i := range r.Items {
		old := left[key(i.Text)]
		if len(old) == 0 {
			out.New = append(out.New, i.Item)
			continue
		}
		if old[0].Verdict != i.Verdict {
			out.Changed = append(out.Changed, Turn{i.Item, old[0].Verdict, i.Verdict})
		}
		left[key(i.Text)] = old[1:]
	}
	for _, i := range earlier.Items {
		if rest := left[key(i.Text)]; len(rest) > 0 {
			out.Gone = append(out.Gone, rest[0])
			left[key(i.Text)] = rest[1:]
		}
	}
	return out
}

// key returns the words of a quotation without the white space between them.
func key(text string) string { return strings.Join(strings.Fields(text), " ") }
