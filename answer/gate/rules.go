package gate

import (
	"embed"
	"regexp"
	"sync"

	"muniment/text/pattern"
	"muniment/text/segment"
)

// The rules and words of the gates. A test demands that every file is read
// without an error, and that every rule fires on its first example and not on
// its second.
//
//go:embed rules/*.txt
var ruleFiles embed.FS

// sharedDefinitions are the definitions that hold in every file of rules.
var sharedDefinitions = sync.OnceValue(func() map[string]string {
	_, definitions, _ := pattern.Read(definitionsFile, ruleText(definitionsFile), nil)
	return definitions
})

const definitionsFile = "rules/definitions.txt"

func ruleText(file string) string {
	text, _ := ruleFiles.ReadFile(file)
	return string(text)
}

// rulesFrom returns a function that reads a file of rules once.
func rulesFrom(file string) func() pattern.Table {
	return sync.OnceValue(func() pattern.Table {
		table, _, _ := pattern.Read(file, ruleText(file), sharedDefinitions())
		return table
	})
}

var (
	injectionRules = rulesFrom("rules/injection.txt")
	generalRules   = rulesFrom("rules/general.txt")
	laterRules     = rulesFrom("rules/later.txt")
	mentalRules    = rulesFrom("rules/mental.txt")
	dateRules      = rulesFrom("rules/dates.txt")
	doubtRules     = rulesFrom("rules/doubt.txt")
	nameRules      = rulesFrom("rules/names.txt")
	signRules      = rulesFrom("rules/signs.txt")
)

// Prepare compiles the rules that every question needs, so that a program can do so in parallel
// with other work: it is a third of a question's time, 30 ms. Without it the first question
// compiles them.
func Prepare() {
	for _, table := range []func() pattern.Table{injectionRules, doubtRules, mentalRules, generalRules, laterRules, dateRules, nameRules} {
		for _, rules := range table() {
			for _, r := range rules {
				r.Match.Regexp()
			}
		}
	}
	for _, p := range signs() {
		p.Regexp()
	}
}

// sign returns a pattern that the code asks for by name: what any of the rules
// of that name in rules/signs.txt matches.
func sign(name string) *regexp.Regexp {
	if p := signs()[name]; p != nil {
		return p.Regexp()
	}
	return nothing
}

var signs = sync.OnceValue(func() map[string]*pattern.Pattern { return signRules().ByName("sign") })

// nothing is the pattern of a sign that no file has.
var nothing = regexp.MustCompile(`[^\s\S]`)

// wordLists are the lists of rules/words.txt.
var wordLists, wordListsError = segment.ReadLists("rules/words.txt", ruleText("rules/words.txt"))
