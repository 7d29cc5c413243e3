package locator

import (
	"fmt"
	"strings"
)

// PDFFragment returns the fragment identifier of RFC 3778 for one page or one
// box: page=24, or page=24&viewrect=72,90.5,200,14.
func PDFFragment(l Locator) (string, error) {
	if err := l.Check(); err != nil {
		return "", err
	}
	switch l := l.(type) {
	case Pages:
		if l.From == l.To && !l.Exact {
			return fmt.Sprintf("page=%d", l.From), nil
		}
	case Boxes:
		if b := l[0]; len(l) == 1 {
			return fmt.Sprintf("page=%d&viewrect=%v,%v,%v,%v", b.Page, b.Left, b.Top, b.Width, b.Height), nil
		}
	}
	return "", fmt.Errorf("%v is not one page or one box", l)
}

// ParsePDFFragment reads the page of such a fragment, and its box if it has
// one. Other parameters say how to show the page and pass.
func ParsePDFFragment(s string) (Locator, error) {
	page, rect := 0, ""
	for pair := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '&' || r == '#' }) {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "page":
			n, err := digits(value)
			if err != nil {
				return nil, fmt.Errorf("PDF fragment %q: page: %w", clip(s), err)
			}
			page = n
		case "viewrect":
			rect = value
		}
	}
	var l Locator = Pages{From: page, To: page}
	if rect != "" {
		b, err := parseBox(page, rect)
		if err != nil {
			return nil, fmt.Errorf("PDF fragment %q: viewrect: %w", clip(s), err)
		}
		l = Boxes{b}
	}
	if err := l.Check(); err != nil {
		return nil, fmt.Errorf("PDF fragment %q: %w", clip(s), err)
	}
	return l, nil
}
