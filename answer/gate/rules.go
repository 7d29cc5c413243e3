package gate

import (
	"embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"muniment/text/segment"
)

// The rules and words of the gates. A test demands that every file is read
// without an error, and that every rule fires on its first example and not on
// its second.
//
//go:embed rules/*.txt
var ruleFiles embed.FS

// A rule is a named pattern over folded text, with the pattern of what only
// looks like it.
type rule struct {
	name   string
	match  *pattern
	except *pattern // nil: no exception

	line         int    // of the rule's file
	fires, rests string // a question on which the rule must fire, and one on which it must not
}

// A pattern is an expression that is compiled at its first use: a quarter of a question's
// time went into compiling exceptions of rules that did not match.
type pattern struct {
	text   string
	regexp func() *regexp.Regexp
}

func newPattern(text string) *pattern {
	return &pattern{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// A ruleTable holds the rules of one file by their group.
type ruleTable map[string][]rule

// ruleFields is how many fields the line of a rule has.
const ruleFields = 6

// noException stands in the place of a rule's exception.
const noException = "-"

// A ruleReader holds what has been read of a file of rules.
type ruleReader struct {
	shared map[string]string // definitions that hold in every file; nil in the file that makes them
	own    map[string]string // definitions of this file
	used   map[string]bool   // the names that patterns refer to
	table  ruleTable
}

// readRules parses a file of rules. The grammar stands in the package comment.
// What stood before an error is returned with it.
func readRules(file, text string, shared map[string]string) (ruleTable, map[string]string, error) {
	r := ruleReader{shared, map[string]string{}, map[string]bool{}, ruleTable{}}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		read := r.rule
		if fields[0] == "define" {
			read = r.definition
		}
		if err := read(fields, i+1); err != nil {
			return r.table, r.own, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	for name := range r.own {
		if !r.used[name] && shared != nil {
			return r.table, r.own, fmt.Errorf("%s: nothing uses %s", file, name)
		}
	}
	return r.table, r.own, nil
}

// definition reads the fields of a definition.
func (r *ruleReader) definition(f []string, _ int) error {
	if len(f) != 3 || !reference.MatchString("{"+f[1]+"}") {
		return errors.New("a definition has a name in capitals and a pattern")
	}
	if r.own[f[1]] != "" || r.shared[f[1]] != "" {
		return fmt.Errorf("%s is defined twice", f[1])
	}
	p, err := r.expand(f[2])
	r.own[f[1]] = "(?:" + p + ")"
	return err
}

// rule reads the fields of a rule.
func (r *ruleReader) rule(f []string, line int) error {
	if len(f) != ruleFields {
		return fmt.Errorf("%d fields, want %d", len(f), ruleFields)
	}
	for i, field := range f {
		pattern := i == 2 || i == 3 // may begin or end with a blank
		if field == "" || strings.TrimSpace(field) != field && !pattern {
			return errors.New("an empty field, or one with blanks around it")
		}
	}
	out := rule{name: f[1], line: line, fires: f[4], rests: f[5]}
	var err error
	if out.match, err = r.pattern(f[2]); err != nil {
		return err
	}
	if f[3] != noException {
		if out.except, err = r.pattern(f[3]); err != nil {
			return err
		}
	}
	r.table[f[0]] = append(r.table[f[0]], out)
	return nil
}

// pattern returns the pattern of a field. A test uses each, so that one that does not
// compile is found there.
func (r *ruleReader) pattern(field string) (*pattern, error) {
	text, err := r.expand(field)
	if err != nil {
		return nil, err
	}
	return newPattern(text), nil
}

// expand puts definitions in the place of their names.
func (r *ruleReader) expand(pattern string) (string, error) {
	var missing error
	out := reference.ReplaceAllStringFunc(pattern, func(name string) string {
		name = strings.Trim(name, "{}")
		r.used[name] = true
		p := max(r.own[name], r.shared[name]) // a name has one definition
		if p == "" {
			missing = fmt.Errorf("%s is not defined", name)
		}
		return p
	})
	return out, missing
}

// reference matches the place of a definition in a pattern: {SUBJ}.
var reference = regexp.MustCompile(`\{[A-Z]{2,}\}`)

// sharedDefinitions are the definitions that hold in every file of rules.
var sharedDefinitions = sync.OnceValue(func() map[string]string {
	_, definitions, _ := readRules(definitionsFile, ruleText(definitionsFile), nil)
	return definitions
})

const definitionsFile = "rules/definitions.txt"

func ruleText(file string) string {
	text, _ := ruleFiles.ReadFile(file)
	return string(text)
}

// rulesFrom returns a function that reads a file of rules once.
func rulesFrom(file string) func() ruleTable {
	return sync.OnceValue(func() ruleTable {
		table, _, _ := readRules(file, ruleText(file), sharedDefinitions())
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

// Prepare compiles what every question needs, so that a program can have it done beside
// other work: a third of a question's time, 30 ms, goes into it. Without it the first
// question does.
func Prepare() {
	for _, table := range []func() ruleTable{injectionRules, doubtRules, mentalRules, generalRules, laterRules, dateRules, nameRules} {
		for _, rules := range table() {
			for _, r := range rules {
				r.match.regexp()
			}
		}
	}
	for _, p := range signs() {
		p.regexp()
	}
}

// sign returns a pattern that the code asks for by name: what any of the rules
// of that name in rules/signs.txt matches.
func sign(name string) *regexp.Regexp {
	if p := signs()[name]; p != nil {
		return p.regexp()
	}
	return nothing
}

var signs = sync.OnceValue(func() map[string]*pattern {
	texts := map[string][]string{}
	for _, r := range signRules()["sign"] {
		texts[r.name] = append(texts[r.name], r.match.text)
	}
	out := map[string]*pattern{}
	for name, list := range texts {
		out[name] = newPattern(strings.Join(list, "|"))
	}
	return out
})

// nothing is the pattern of a sign that no file has.
var nothing = regexp.MustCompile(`[^\s\S]`)

// wordLists are the lists of rules/words.txt.
var wordLists, wordListsError = segment.ReadLists("rules/words.txt", ruleText("rules/words.txt"))

// matches reports whether the rule fires on a text.
func (r rule) matches(s string) bool {
	return r.match.regexp().MatchString(s) && (r.except == nil || !r.except.regexp().MatchString(s))
}

// firstRule returns the name of the first rule that fires on one of the texts,
// text by text, or "".
func firstRule(rules []rule, texts ...string) string {
	for _, s := range texts {
		for _, r := range rules {
			if r.matches(s) {
				return r.name
			}
		}
	}
	return ""
}
