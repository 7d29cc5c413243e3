package rank

import (
	_ "embed"
	"strings"

	"muniment/text/segment"
)

//go:embed synonyms.txt
var synonymsFile string

// synonymLines are the lines below the notice, in their order.
var synonymLines = func() string {
	lines := synonymsFile
	for strings.HasPrefix(lines, "#") {
		_, lines, _ = strings.Cut(lines, "\n")
	}
	return lines
}()

// synonyms returns the keys of the synonyms of an English word's key. A binary search reads a few
// lines of the file: to build a table of all would take longer than to answer a question.
func synonyms(key string) []string {
	for from, to := 0, len(synonymLines); from < to; {
		middle := (from + to) / 2
		begin := strings.LastIndexByte(synonymLines[:middle], '\n') + 1
		end := middle + strings.IndexByte(synonymLines[middle:], '\n')
		word, rest, _ := strings.Cut(synonymLines[begin:end], " ")
		switch {
		case word == key:
			return strings.Fields(rest)
		case word < key:
			from = end + 1
		default:
			to = begin
		}
	}
	return nil
}

// kinOf maps the keys of English synonyms of a term to the indices of these terms; names and
// numbers have no synonyms.
func kinOf(terms []term) map[string][]int {
	out := map[string][]int{}
	for i, t := range terms {
		if t.named {
			continue
		}
		for _, key := range synonyms(segment.SearchKey(t.lower, "en")) {
			out[key] = append(out[key], i)
		}
	}
	return out
}

// isEnglish reports whether a BCP 47 tag is one of English.
func isEnglish(lang string) bool {
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	return primary == "en"
}
