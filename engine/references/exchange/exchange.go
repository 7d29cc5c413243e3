// Package exchange reads the citations that language models' programming
// interfaces attach to their answers, and writes citations in the forms of
// other systems.
//
//	list, err := exchange.Parse(exchange.Anthropic, data)
//	for _, c := range list {
//		// c.Claim is to be supported by c.Quote in c.Document
//	}
//
// The citations are only claims of the answer: each is looked up in the archive
// before it counts.
//
// # Formats
//
//	anthropic   message content with citations: char_location, page_location,
//	            content_block_location, search_result_location,
//	            web_search_result_location
//	openai      annotations of responses, chat completions and assistants:
//	            file_citation, container_file_citation, url_citation, file_path
//	cohere      citations of chat, versions 1 and 2
//
// Offsets into a source (anthropic) are code points of the text that the caller
// sent; offsets into the answer (openai, cohere) are code points of the answer.
// Neither is believed: the words decide, and offsets only choose among equal
// words. Unknown members are passed over, as these formats grow; an unknown kind
// of citation is a citation without a place.
package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"muniment/text/segment"
)

// A Format is the form of an answer with citations.
type Format string

// The formats.
const (
	Anthropic Format = "anthropic"
	OpenAI    Format = "openai"
	Cohere    Format = "cohere"
)

// Limits of an import.
const (
	MaxFile      = 16 << 20 // bytes of an answer: a long one has a hundredth
	MaxCitations = 10_000
)

// A Citation is a citation as an answer states it.
type Citation struct {
	Claim    string // the words of the answer that it stands for
	Quote    string // the words of the source, "" where the format does not give them
	Document Document
	Kind     string // the format's own name: char_location, url_citation

	// From and To are where the format puts the quote in the source: code
	// points, pages or blocks by Unit, half-open; Unit is "" when it gives none.
	From, To int
	Unit     string // char, page, block

	Line int // of the file where the citation begins, from 1
	raw  []byte
}

// A Document is a source as an answer names it. Any member may be empty.
type Document struct {
	Index int    // place among the documents of the request, from 0; -1 for none
	ID    string // file or document id
	Title string // or file name
	URL   string
}

// Names returns the possible keys of the document in a map of names, the most exact first.
func (d Document) Names() []string {
	var out []string
	for _, s := range []string{d.ID, d.URL, d.Title} {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if d.Index >= 0 {
		out = append(out, strconv.Itoa(d.Index))
	}
	return out
}

var errLarge = fmt.Errorf("larger than %d bytes, or more than %d citations", MaxFile, MaxCitations)

// Parse reads an answer: one message, a whole response, or a list of either.
func Parse(f Format, data []byte) ([]Citation, error) {
	if len(data) > MaxFile {
		return nil, errLarge
	}
	var read func(json.RawMessage) ([]Citation, error)
	switch f {
	case Anthropic:
		read = readAnthropic
	case OpenAI:
		read = readOpenAI
	case Cohere:
		read = readCohere
	default:
		return nil, fmt.Errorf("unknown format %q: want anthropic, openai or cohere", f)
	}
	whole := data
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("\uFEFF"))
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil {
		if !json.Valid(data) {
			return nil, errors.New("not JSON")
		}
		list = []json.RawMessage{data}
	}
	if f == Anthropic && len(list) > 0 && isBlock(list[0]) { // a bare list of content blocks
		list = []json.RawMessage{data}
	}
	var out []Citation
	for i, one := range list {
		cited, err := read(one)
		if err != nil {
			return nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
		if out = append(out, cited...); len(out) > MaxCitations {
			return nil, errLarge
		}
	}
	numberLines(whole, out)
	return out, nil
}

// numberLines gives each citation the line on which it begins: that of its bytes in the file, after
// those of the citation before. Several citations may have the same bytes.
func numberLines(data []byte, all []Citation) {
	at, line, last := 0, 1, -1
	for i := range all {
		found := bytes.Index(data[at:], all[i].raw)
		if i > 0 && last >= 0 && bytes.Equal(all[i].raw, all[i-1].raw) && len(all[i].raw) > 0 && &all[i].raw[0] == &all[i-1].raw[0] {
			all[i].Line = all[i-1].Line
			continue
		}
		if found < 0 { // the members stand in another order than they are read
			all[i].Line = 1 + bytes.Count(data[:max(0, bytes.Index(data, all[i].raw))], []byte("\n"))
			continue
		}
		line += bytes.Count(data[at:at+found], []byte("\n"))
		all[i].Line, last = line, at+found
		line += bytes.Count(all[i].raw, []byte("\n"))
		at += found + len(all[i].raw)
	}
}

// isBlock reports whether a value is a content block and not a message.
func isBlock(raw json.RawMessage) bool {
	var b struct {
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
	}
	return json.Unmarshal(raw, &b) == nil && b.Type != "" && b.Type != "message" && b.Content == nil
}

// sentenceAt returns the sentence of an answer around the code points from to to.
func sentenceAt(answer string, from, to int) string {
	runes := []rune(answer)
	from, to = min(max(from, 0), len(runes)), min(max(to, 0), len(runes))
	if to < from {
		to = from
	}
	at, end := len(string(runes[:from])), len(string(runes[:to]))
	best := ""
	for _, s := range segment.Sentences(answer, segment.Detect(answer)) {
		if s.Start > at && best != "" {
			break
		}
		best = answer[s.Start:s.End]
		if s.Start <= at && end <= s.End {
			return best
		}
	}
	return best
}

// sliceRunes returns the code points from to to of s, "" when there are none.
func sliceRunes(s string, from, to int) string {
	runes := []rune(s)
	if from < 0 || to > len(runes) || from >= to {
		return ""
	}
	return string(runes[from:to])
}
