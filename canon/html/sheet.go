package html

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// maxRules is the number of rules of a page's own style sheets that are kept. Pages
// carry some hundreds of them that hide, strike or reverse.
const maxRules = 20_000

// evaluated are the properties of which rules are kept.
var evaluated = set("display visibility text-decoration text-decoration-line unicode-bidi direction")

// A rule is the value that a rule of a style sheet gives to a property, with its place
// among all rules: the last one counts.
type rule struct {
	value string
	order int
}

// A sheet is the rules of the page's style elements whose selector is one element,
// one class, one id, or an element with a class or an id, by selector and property.
type sheet map[string]map[string]rule

// readSheet returns the rules of the style elements below a node.
func readSheet(root *html.Node) (sheet, error) {
	s, order := sheet{}, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "style" {
			continue
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if err := s.add(withoutComments(c.Data), &order); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// withoutComments returns a style sheet without its comments.
func withoutComments(css string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(css, "/*")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, css, _ = strings.Cut(rest, "*/")
	}
}

// add reads the rules of a style sheet. Of the blocks of an @media those for every
// screen count; other rules with an @ do not.
func (s sheet) add(css string, order *int) error {
	for {
		prelude, rest, found := strings.Cut(css, "{")
		if !found {
			return nil
		}
		if i := strings.LastIndexByte(prelude, ';'); i >= 0 { // behind an @import
			prelude = prelude[i+1:]
		}
		prelude = strings.ToLower(strings.Trim(prelude, whiteSpace+"}"))
		if media, ok := strings.CutPrefix(prelude, "@media"); ok {
			if media = strings.Trim(media, whiteSpace); media == "screen" || media == "all" || media == "only screen" {
				css = rest // the block's own end is trimmed from the next selector
				continue
			}
		}
		if strings.HasPrefix(prelude, "@") {
			css = behindBlock(rest)
			continue
		}
		block, after, _ := strings.Cut(rest, "}")
		css = after
		if err := s.keep(prelude, block, order); err != nil {
			return err
		}
	}
}

// behindBlock returns the text after the block that css is inside of.
func behindBlock(css string) string {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[i+1:]
			}
		}
	}
	return ""
}

// keep adds the evaluated declarations of one rule.
func (s sheet) keep(selectors, block string, order *int) error {
	for property, value := range declarations(block) {
		if !evaluated[property] {
			continue
		}
		for selector := range strings.SplitSeq(selectors, ",") {
			if selector = strings.Trim(selector, whiteSpace); !isSimple(selector) {
				continue
			}
			if *order++; *order > maxRules {
				return fmt.Errorf("the page's style sheets have more than %d rules that hide or mark", maxRules)
			}
			if s[selector] == nil {
				s[selector] = map[string]rule{}
			}
			s[selector][property] = rule{value, *order}
		}
	}
	return nil
}

// isSimple reports whether a selector is an element, a class or an id, or an element
// with one of these.
func isSimple(selector string) bool {
	name := strings.Replace(strings.Replace(selector, ".", "", 1), "#", "", 1)
	return name != "" && strings.Count(selector, ".")+strings.Count(selector, "#") <= 1 && !strings.ContainsAny(name, " \t\n\f\r>+~*:[]()\\\"'=|&")
}

// property returns the value of a property of an element in lower case: that of its
// own style, else that of the rules, of which an id is above classes and these above
// element names; "" where nothing states one.
func (s sheet) property(n *html.Node, name, property string) string {
	if own := styleProperty(n, property); own != "" || len(s) == 0 {
		return own
	}
	var best rule
	look := func(selector string) {
		for _, full := range []string{selector, name + selector} {
			if r, ok := s[full][property]; ok && r.order > best.order {
				best = r
			}
		}
	}
	if id := attr(n, "id"); id != "" {
		look("#" + strings.ToLower(id))
	}
	if best.order == 0 {
		for class := range strings.FieldsSeq(attr(n, "class")) {
			look("." + strings.ToLower(class))
		}
	}
	if best.order == 0 {
		return s[name][property].value
	}
	return best.value
}
