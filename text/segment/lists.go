package segment

import (
	_ "embed"
	"fmt"
	"strings"
)

// Lists are named lists of words, read by ReadLists.
type Lists map[string][]string

// ReadLists parses a text of sections: a line "[name]", then lines of words separated by spaces. An underscore in a
// word stands for a space. Blank lines and lines that begin with "# " are skipped. A word before the first section or
// twice in a section, a section without words, and a section that is there twice are errors, with the name of the file
// and the number of the line. The lists of the sections before an error are returned with it.
func ReadLists(file, text string) (Lists, error) {
	lists := Lists{}
	name, begun := "", 0
	seen := map[string]bool{} // the words of the section
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		heading, isHeading := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line == "#" || strings.HasPrefix(line, "# "):
		case isHeading:
			if name != "" && len(lists[name]) == 0 {
				return lists, fmt.Errorf("%s:%d: section %q has no words", file, begun, name)
			}
			closed := false
			if name, closed = strings.CutSuffix(heading, "]"); !closed || name == "" {
				return lists, fmt.Errorf("%s:%d: heading %q, want [name]", file, i+1, line)
			}
			if _, twice := lists[name]; twice {
				return lists, fmt.Errorf("%s:%d: section %q is there twice", file, i+1, name)
			}
			lists[name], begun = nil, i+1
			clear(seen)
		case name == "":
			return lists, fmt.Errorf("%s:%d: words before the first section", file, i+1)
		default:
			for word := range strings.FieldsSeq(line) {
				word = strings.ReplaceAll(word, "_", " ")
				if seen[word] {
					return lists, fmt.Errorf("%s:%d: %q is twice in section %q", file, i+1, word, name)
				}
				seen[word] = true
				lists[name] = append(lists[name], word)
			}
		}
	}
	if name != "" && len(lists[name]) == 0 {
		return lists, fmt.Errorf("%s:%d: section %q has no words", file, begun, name)
	}
	return lists, nil
}

// Set returns the words of a section as a set. A section that is not there gives an empty set.
func (l Lists) Set(name string) map[string]bool {
	set := make(map[string]bool, len(l[name]))
	for _, w := range l[name] {
		set[w] = true
	}
	return set
}

var (
	//go:embed words.txt
	wordsFile string
	//go:embed languages.txt
	languagesFile string

	// A test demands that both files are read without an error.
	wordLists, wordListsError         = ReadLists("words.txt", wordsFile)
	languageLists, languageListsError = ReadLists("languages.txt", languagesFile)
)
