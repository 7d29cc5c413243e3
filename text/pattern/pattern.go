// Package pattern reads files of rules, which are patterns over folded text, one a line, with
// six fields that are separated by tabs:
//
//	group  name  pattern  unless  a text that fires  one that must not
//
// A rule fires on a text that the pattern matches and the exception in unless ("-" for none) does not; both are RE2
// over folded text: lower case, straight quotes (Fold). A line
//
//	define  NAME  pattern
//
// names a part of patterns, which write it {NAME}: in its own file, from the file of definitions that hold in every
// file. Lines that begin with # and empty lines are skipped. Any other line, a name that is not defined or that nothing
// uses, and a pattern that does not compile are errors with the number of the line. Who reads a file tests that each
// rule fires on its own text and not on the other one.
package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A Rule is a named pattern over folded text, with the pattern of what only looks like it.
type Rule struct {
	Name   string
	Match  *Pattern
	Except *Pattern // nil: no exception

	Line         int    // of the rule's file
	Fires, Rests string // a text on which the rule must fire, and one on which it must not
}

// A Pattern is an expression that is compiled at its first use: a quarter of a question's
// time went into compiling exceptions of rules that did not match.
type Pattern struct {
	Text   string
	Regexp func() *regexp.Regexp
}

func newPattern(text string) *Pattern {
	return &Pattern{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// A Table holds the rules of one file by their group.
type Table map[string][]Rule

// ruleFields is how many fields the line of a rule has.
const ruleFields = 6

// noException is the field of a rule without an exception.
const noException = "-"

// A ruleReader holds what has been read of a file of rules.
type ruleReader struct {
	shared map[string]string // definitions that hold in every file; nil in the file that makes them
	own    map[string]string // definitions of this file
	used   map[string]bool   // the names that patterns refer to
	table  Table
}

// Read parses a file of rules, and returns them with its own definitions; shared holds in every
// file and is nil for the file that makes it. The rules before an error are returned with it.
func Read(file, text string, shared map[string]string) (Table, map[string]string, error) {
	r := ruleReader{shared, map[string]string{}, map[string]bool{}, Table{}}
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
	out := Rule{Name: f[1], Line: line, Fires: f[4], Rests: f[5]}
	var err error
	if out.Match, err = r.pattern(f[2]); err != nil {
		return err
	}
	if f[3] != noException {
		if out.Except, err = r.pattern(f[3]); err != nil {
			return err
		}
	}
	r.table[f[0]] = append(r.table[f[0]], out)
	return nil
}

// pattern returns the pattern of a field. A test uses each, so that one that does not compile is found there.
func (r *ruleReader) pattern(field string) (*Pattern, error) {
	text, err := r.expand(field)
	if err != nil {
		return nil, err
	}
	return newPattern(text), nil
}

// expand replaces the names of definitions by their patterns.
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

// ByName returns for each name in a group the pattern that any of its rules matches.
func (t Table) ByName(group string) map[string]*Pattern {
	texts := map[string][]string{}
	for _, r := range t[group] {
		texts[r.Name] = append(texts[r.Name], r.Match.Text)
	}
	out := map[string]*Pattern{}
	for name, list := range texts {
		out[name] = newPattern(strings.Join(list, "|"))
	}
	return out
}

// Matches reports whether the rule fires on a text; the zero Rule fires on none.
func (r Rule) Matches(s string) bool {
	return r.Match != nil && r.Match.Regexp().MatchString(s) && (r.Except == nil || !r.Except.Regexp().MatchString(s))
}

// First returns the name of the first rule that fires on one of the texts, text by text, or "".
func First(rules []Rule, texts ...string) string {
	for _, s := range texts {
		for _, r := range rules {
			if r.Matches(s) {
				return r.Name
			}
		}
	}
	return ""
}

// Fold brings a text into the form that the rules are written for: lower case; straight quotes and hyphens; full-width
// letters as ASCII; without characters of no width; runs of blanks as one space, line ends as "\n".
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := true // swallows leading blanks
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
			blank = true
			continue
		case unicode.IsSpace(r):
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		case r == 0x00ad || r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff || r == 0x180e:
			continue
		case r == '‘' || r == '’' || r == '‛' || r == '′' || r == '`':
			r = '\''
		case r == '“' || r == '”' || r == '„' || r == '‟' || r == '«' || r == '»' || r == '″':
			r = '"'
		case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
			r = '-'
		case r >= 0xff01 && r <= 0xff5e:
			r -= 0xff01 - '!'
		}
		blank = false
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.TrimSpace(b.String())
}

var quotation = regexp.MustCompile(`"[^"\n]*"`)

// Unquote removes the text in double quotation marks from a folded text: words that are mentioned, not used. A text
// that is nothing but a quotation is returned whole.
func Unquote(s string) string {
	out := strings.TrimSpace(quotation.ReplaceAllString(s, `""`))
	if strings.IndexFunc(out, unicode.IsLetter) < 0 {
		return s
	}
	return out
}
