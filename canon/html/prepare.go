package html

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// isXHTML reports whether a page declares itself as XHTML, in which <p/> is an
// empty element and CDATA is text.
func isXHTML(text []byte) bool {
	const prolog = 1024
	head := text[:min(len(text), prolog)]
	return bytes.HasPrefix(bytes.TrimLeft(head, "\uFEFF \t\r\n"), []byte("<?xml")) ||
		bytes.Contains(head, []byte(`xmlns="http://www.w3.org/1999/xhtml"`)) ||
		bytes.Contains(head, []byte("//DTD XHTML"))
}

// openEmpty writes the empty elements of XHTML as HTML writes them, <p/> as
// <p></p>, and CDATA sections as plain text: the HTML parser would take the
// rest of a page for the content of its <script/>.
func openEmpty(page []byte) []byte {
	out := make([]byte, 0, len(page)+len(page)/16)
	for len(page) > 0 {
		z := html.NewTokenizer(bytes.NewReader(page))
		z.AllowCDATA(true)
		raw := false
		for !raw {
			kind := z.Next()
			token := z.Raw()
			page = page[len(token):]
			switch {
			default:
				out = append(out, token...)
			case bytes.HasPrefix(token, []byte("<![CDATA[")):
				out = append(out, html.EscapeString(string(z.Text()))...)
			case kind == html.SelfClosingTagToken:
				start := bytes.TrimSuffix(token, []byte("/>"))
				out = append(append(out, start...), '>')
				name, _ := z.TagName()
				if !void[string(name)] {
					out = append(append(append(out, "</"...), name...), '>')
				}
				raw = true // the tokenizer may now expect raw text: begin anew
			}
			if kind == html.ErrorToken {
				return append(out, page...)
			}
		}
	}
	return out
}

// void are the elements that never have content.
var void = set("area base br col embed hr img input link meta param source track wbr")

// formatting are the elements that an HTML parser reopens by itself in every
// later block until they are closed.
var formatting = set("a b big code em font i nobr s small strike strong tt u")

// set returns the set of names in a list with spaces.
func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// renameFormatting renames the formatting elements to ones of no meaning to the parser. A
// page of a few kilobytes can make a parser reopen forty elements in each of
// its paragraphs, and the memory for them is then spent before anybody counts;
// renamed, every tag makes a bounded number of nodes. An anchor that is no link,
// which pages of the nineties never close, becomes a void element.
//
// Whatever looks like such a tag is renamed, in attributes and raw text too;
// restore gives the words back.
func renameFormatting(page []byte) (tamed []byte, restore func(string) string) {
	prefix := "x-plain-"
	for n := 0; bytes.Contains(page, []byte(prefix)); n++ {
		prefix = "x-plain" + strconv.Itoa(n) + "-"
	}
	anchor := "wbr " + prefix
	out := make([]byte, 0, len(page)+len(page)/8)
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 {
			break
		}
		i++
		if i < len(page) && page[i] == '/' {
			i++
		}
		out = append(out, page[:i]...)
		page = page[i:]
		name := tagName(page)
		if !formatting[strings.ToLower(name)] {
			continue
		}
		if strings.EqualFold(name, "a") && out[len(out)-1] == '<' && !isMeaningfulAnchor(page) {
			out = append(out, anchor...)
			page = page[len(name):]
			out = append(out, name...) // the attribute's name ends as the tag's did
			continue
		}
		out = append(out, prefix...)
	}
	out = append(out, page...)
	back := strings.NewReplacer("<"+anchor, "<", "<"+prefix, "<", "</"+prefix, "</")
	return out, func(s string) string {
		if !strings.Contains(s, prefix) {
			return s
		}
		return back.Replace(s)
	}
}

// tagName returns the name at the beginning of a tag's inside, or "".
func tagName(b []byte) string {
	const longest = 6 // of formatting
	for i, c := range b[:min(len(b), longest+1)] {
		switch c {
		case ' ', '\t', '\n', '\f', '\r', '/', '>':
			return string(b[:i])
		}
	}
	return ""
}

// isMeaningfulAnchor reports whether the anchor tag that b is inside of is a link or says
// something about its content. It looks no further than an address is long.
func isMeaningfulAnchor(b []byte) bool {
	const longest = 4096
	b = b[:min(len(b), longest)]
	if end := bytes.IndexAny(b, "<>"); end >= 0 {
		b = b[:end]
	}
	b = bytes.ToLower(b)
	return slices.ContainsFunc([]string{"href", "hidden", "style", "noteref"}, func(a string) bool { return bytes.Contains(b, []byte(a)) })
}

// plainName returns an element's name as the page wrote it, in lower case.
func plainName(n *html.Node) string {
	if n.DataAtom != 0 || !strings.HasPrefix(n.Data, "x-plain") {
		return n.Data
	}
	name := n.Data[strings.LastIndexByte(n.Data, '-')+1:]
	if !formatting[name] {
		return n.Data
	}
	return name
}
