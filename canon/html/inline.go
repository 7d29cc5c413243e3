package html

import (
	"strings"

	"golang.org/x/net/html"

	"muniment/canon/read"
)

// The positions of a run.
const (
	onLine = iota
	above
	below
)

const (
	// maxRaised is how many raised and lowered elements are read in one another;
	// what is deeper is text of the last. Each is written once more.
	maxRaised = 8
	// awaited is where a run begins whose first text is to come.
	awaited = -1
)

// riseOf returns the position of the text of an inline element.
func riseOf(n *html.Node, name string) int {
	switch styleProperty(n, "vertical-align") {
	case "super":
		return above
	case "sub":
		return below
	}
	switch name {
	case "sup":
		return above
	case "sub":
		return below
	}
	return onLine
}

// writeRun writes text that is raised or lowered.
func (w *writer) writeRun(where int, write func() error) error {
	if where == onLine || w.raised == maxRaised {
		return write()
	}
	outer := w.from
	w.from = awaited
	w.raised++
	err := write()
	w.raised--
	start := w.from
	if start != awaited {
		start = min(start, len(w.out))
		form := read.Superscript
		if where == below {
			form = read.Subscript
		}
		w.out = append(w.out[:start], form(string(w.out[start:]))...)
	}
	w.from = outer
	if outer == awaited {
		w.from = start
	}
	return err
}

// scripts are the elements of MathML that set their second and third child
// above or below the first.
var scripts = map[string][]int{
	"msup": {onLine, above}, "msub": {onLine, below}, "msubsup": {onLine, below, above},
	"mover": {onLine, above}, "munder": {onLine, below}, "munderover": {onLine, below, above},
}

// formula writes an element of MathML; done is false for one without a rule.
func (w *writer) formula(n *html.Node, depth int) (done bool, err error) {
	var parts []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			parts = append(parts, c)
		}
	}
	places := scripts[n.Data]
	switch {
	case places != nil && len(parts) == len(places):
		for i, c := range parts {
			if err := w.writeRun(places[i], func() error { return w.node(c, depth+1) }); err != nil {
				return true, err
			}
		}
	case n.Data == "mfrac" && len(parts) == 2:
		w.text("(")
		if err := w.node(parts[0], depth+1); err != nil {
			return true, err
		}
		w.text(")/(")
		if err := w.node(parts[1], depth+1); err != nil {
			return true, err
		}
		w.text(")")
	case n.Data == "mroot" && len(parts) == 2:
		if err := w.writeRun(above, func() error { return w.node(parts[1], depth+1) }); err != nil {
			return true, err
		}
		w.text("√(")
		if err := w.node(parts[0], depth+1); err != nil {
			return true, err
		}
		w.text(")")
	case n.Data == "msqrt":
		w.text("√(")
		if err := w.children(n, depth); err != nil {
			return true, err
		}
		w.text(")")
	default:
		return false, nil
	}
	return true, nil
}

// input writes the shown content of a field as it is sent: its value or its state. Fields are
// boxes, apart from the words beside them.
func (w *writer) input(n *html.Node) {
	shown := ""
	_, checked := attribute(n, "checked")
	switch kind := strings.ToLower(attr(n, "type")); kind {
	case "image":
		w.images++
		w.text(w.restore(attr(n, "alt")))
		return
	case "color", "file", "hidden", "password", "range":
		return
	case "checkbox":
		shown = map[bool]string{false: "☐", true: "☑"}[checked]
	case "radio":
		shown = map[bool]string{false: "○", true: "◉"}[checked]
	default:
		shown = w.restore(attr(n, "value"))
	}
	if strings.Trim(shown, whiteSpace) == "" {
		return
	}
	w.space = true
	w.text(shown)
	w.space = true
}

// styleProperty returns the last value of a property in an element's style, in lower
// case and without !important; "" where it has none.
func styleProperty(n *html.Node, property string) (value string) {
	for _, a := range n.Attr {
		if a.Key != "style" {
			continue
		}
		for p, v := range declarations(a.Val) {
			if p == property {
				value = v
			}
		}
	}
	return value
}

// declarations yields the declarations of a style attribute, in lower case.
func declarations(style string) func(yield func(property, value string) bool) {
	return func(yield func(property, value string) bool) {
		for decl := range strings.SplitSeq(style, ";") {
			property, value, _ := strings.Cut(decl, ":")
			value, _, _ = strings.Cut(value, "!")
			if !yield(strings.ToLower(strings.Trim(property, whiteSpace)), strings.ToLower(strings.Trim(value, whiteSpace))) {
				return
			}
		}
	}
}
