package office

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"muniment/canon/office/docpack"
	"muniment/canon/read"
)

// Limits of numbering.
const (
	// levels is how many levels a list has.
	levels = 9
	// maxNumbers is the number of lists and of their definitions, each of which
	// is kept in memory.
	maxNumbers = 20_000
	// maxNumberText is the longest text of a number in bytes; it is written for
	// each paragraph.
	maxNumberText = 256
)

// A numLevel is how one level of a list is numbered.
type numLevel struct {
	start                       int
	format, text, suffix, style string
	restart                     int // the level that begins it anew, from 1; 0 none, -1 any above
	legal, hidden               bool
}

// noLevel is a level that nothing defines.
var noLevel = &numLevel{format: "none", restart: -1}

// A numDefinition is what lists have in common that are counted together.
type numDefinition struct {
	level           [levels]*numLevel
	link, styleLink string
	count           [levels]int
	counting        [levels]bool
}

// A numList is a list.
type numList struct {
	*numDefinition
	level [levels]*numLevel // nil where the definition has the word
	start [levels]*int
	begun [levels]bool
}

// numbering is the lists of a document, by their number.
type numbering map[string]*numList

// levelAt returns how a level is numbered.
func (l *numList) levelAt(level int) *numLevel {
	if own := l.level[level]; own != nil {
		return own
	}
	if d := l.numDefinition.level[level]; d != nil {
		return d
	}
	return noLevel
}

// first returns the number that a level begins with.
func (l *numList) first(level int) int {
	if l.start[level] != nil {
		return *l.start[level]
	}
	return l.levelAt(level).start
}

// next counts a paragraph at a level and returns its number, with the separator before the text.
func (l *numList) next(level int) string {
	switch {
	case l.start[level] != nil && !l.begun[level], !l.counting[level]:
		l.count[level] = l.first(level)
	default:
		l.count[level]++
	}
	l.begun[level], l.counting[level] = true, true
	for k := range level {
		if !l.counting[k] { // it is shown as if it had begun
			l.count[k], l.begun[k], l.counting[k] = l.first(k), true, true
		}
	}
	for k := level + 1; k < levels; k++ {
		if r := l.levelAt(k).restart; r < 0 || level < r {
			l.counting[k] = false
		}
	}
	at := l.levelAt(level)
	if at.format == "bullet" || at.hidden {
		return ""
	}
	var b strings.Builder
	for s := at.text; s != ""; s = s[1:] {
		if len(s) > 1 && s[0] == '%' && s[1] >= '1' && s[1] <= '9' {
			b.WriteString(l.formatCount(int(s[1]-'1'), at.legal))
			s = s[1:]
			continue
		}
		b.WriteByte(s[0])
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	if text != "" && at.suffix != "nothing" {
		text += " "
	}
	return text
}

// formatCount writes the count of a level.
func (l *numList) formatCount(level int, legal bool) string {
	n := l.count[level]
	if !l.counting[level] {
		n = l.first(level)
	}
	format := l.levelAt(level).format
	if legal && format != "none" && format != "bullet" {
		format = "decimal"
	}
	switch format {
	case "none", "bullet":
		return ""
	case "decimalZero":
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "lowerLetter":
		return repeatedLetters(n)
	case "upperLetter":
		return strings.ToUpper(repeatedLetters(n))
	case "lowerRoman":
		return read.Roman(n)
	case "upperRoman":
		return strings.ToUpper(read.Roman(n))
	}
	return strconv.Itoa(n)
}

// repeatedLetters counts a to z, aa, bb to zz, and so on, up to 30 letters.
func repeatedLetters(n int) string {
	const alphabet, most = 26, 26 * 30
	if n < 1 || n > most {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%alphabet)), (n-1)/alphabet+1)
}

// number returns the number of a paragraph, which counts by being shown.
func (x *docx) number(p paragraph) string {
	list := x.numbers[p.number]
	if !p.list || list == nil {
		return ""
	}
	level, ok := p.numLevel, p.numLevel >= 0
	if !ok {
		level = list.levelOfStyle(x.styles, p.style)
	}
	if level < 0 {
		level = max(p.styleLevel, 0)
	}
	if level >= levels {
		return ""
	}
	return list.next(level)
}

// levelOfStyle returns the level that belongs to a style or one that it inherits
// from, or -1.
func (l *numList) levelOfStyle(s styles, id string) int {
	for range maxInherit {
		for k := range levels {
			if id != "" && l.levelAt(k).style == id {
				return k
			}
		}
		st, ok := s.byID[styleKey{"paragraph", id}]
		if !ok {
			break
		}
		id = st.base
	}
	return -1
}

// readNumbering reads the part that defines the lists.
func readNumbering(c *docpack.Pack, name string) (numbering, error) {
	lists := numbering{}
	if name == "" || !c.Has(name) {
		return lists, nil
	}
	d, err := c.XML(name)
	if err != nil {
		return nil, err
	}
	x := docx{Decoder: d}
	definitions, linked := map[string]*numDefinition{}, map[string]*numDefinition{}
	named := map[string]string{}
	err = x.eachWord(func(root xml.StartElement) error {
		return x.eachWord(func(e xml.StartElement) error {
			if len(definitions) == maxNumbers || len(lists) == maxNumbers {
				return fmt.Errorf("%s: more than %d lists", name, maxNumbers)
			}
			switch e.Name.Local {
			case "abstractNum":
				def, err := x.definition()
				definitions[docpack.Attr(e, "abstractNumId")] = def
				if def.styleLink != "" {
					linked[def.styleLink] = def
				}
				return err
			case "num":
				id := docpack.Attr(e, "numId")
				list, of, err := x.list()
				lists[id], named[id] = list, of
				return err
			}
			return x.Skip()
		})
	})
	for id, list := range lists {
		def := definitions[named[id]]
		if def != nil && def.link != "" && linked[def.link] != nil {
			def = linked[def.link]
		}
		if def == nil {
			delete(lists, id)
			continue
		}
		list.numDefinition = def
	}
	return lists, err
}

// definition reads the common properties of lists.
func (x *docx) definition() (*numDefinition, error) {
	def := &numDefinition{}
	err := x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "numStyleLink":
			def.link = docpack.Attr(e, "val")
		case "styleLink":
			def.styleLink = docpack.Attr(e, "val")
		case "lvl":
			return x.numLevel(e, &def.level)
		}
		return x.Skip()
	})
	return def, err
}

// list reads a list and the name of its definition.
func (x *docx) list() (list *numList, definition string, err error) {
	list = &numList{}
	err = x.eachWord(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "abstractNumId":
			definition = docpack.Attr(e, "val")
		case "lvlOverride":
			at := docpack.Attr(e, "ilvl")
			return x.eachWord(func(e xml.StartElement) error {
				switch k := levelOf(at); {
				case k < 0:
				case e.Name.Local == "startOverride":
					n := wholeNumber(docpack.Attr(e, "val"), 0)
					list.start[k] = &n
				case e.Name.Local == "lvl":
					return x.numLevel(e, &list.level)
				}
				return x.Skip()
			})
		}
		return x.Skip()
	})
	return list, definition, err
}

// numLevel reads how a level is numbered.
func (x *docx) numLevel(lvl xml.StartElement, to *[levels]*numLevel) error {
	l := &numLevel{format: "decimal", restart: -1}
	err := x.eachWord(func(e xml.StartElement) error {
		val := docpack.Attr(e, "val")
		switch e.Name.Local {
		case "start":
			l.start = wholeNumber(val, 0)
		case "numFmt":
			l.format = val
		case "lvlText":
			if len(val) > maxNumberText {
				return fmt.Errorf("the text of a number has %d bytes, at most %d are read", len(val), maxNumberText)
			}
			l.text = val
		case "lvlRestart":
			l.restart = wholeNumber(val, -1)
		case "suff":
			l.suffix = val
		case "pStyle":
			l.style = val
		case "isLgl":
			l.legal = readToggle(e) == yes
		case "rPr":
			return x.eachWord(func(e xml.StartElement) error {
				if e.Name.Local == "vanish" {
					l.hidden = readToggle(e) == yes
				}
				return x.Skip()
			})
		}
		return x.Skip()
	})
	if k := levelOf(docpack.Attr(lvl, "ilvl")); k >= 0 {
		to[k] = l
	}
	return err
}

// levelOf returns a level from 0, or -1.
func levelOf(val string) int {
	if len(val) != 1 || val[0] < '0' || val[0] >= '0'+levels {
		return -1
	}
	return int(val[0] - '0')
}

// wholeNumber returns a whole number of 32 bits, else another one.
func wholeNumber(val string, other int) int {
	n, err := strconv.ParseInt(val, 10, 32)
	if err != nil {
		return other
	}
	return int(n)
}
