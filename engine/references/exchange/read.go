package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// A verbatim is a citation of another system with its bytes.
type verbatim[T any] struct {
	of  T
	raw []byte
}

// UnmarshalJSON reads a citation and keeps its bytes.
func (k *verbatim[T]) UnmarshalJSON(data []byte) error {
	k.raw = bytes.Clone(data)
	return json.Unmarshal(data, &k.of)
}

type anthropicCitation struct {
	Type          string `json:"type"`
	CitedText     string `json:"cited_text"`
	DocumentIndex *int   `json:"document_index"`
	DocumentTitle string `json:"document_title"`
	FileID        string `json:"file_id"`
	StartChar     int    `json:"start_char_index"`
	EndChar       int    `json:"end_char_index"`
	StartPage     int    `json:"start_page_number"`
	EndPage       int    `json:"end_page_number"`
	StartBlock    int    `json:"start_block_index"`
	EndBlock      int    `json:"end_block_index"`
	Source        string `json:"source"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	ResultIndex   *int   `json:"search_result_index"`
}

type anthropicBlock struct {
	Type      string                        `json:"type"`
	Text      string                        `json:"text"`
	Citations []verbatim[anthropicCitation] `json:"citations"`
}

// readAnthropic reads a message, or a list of content blocks.
func readAnthropic(raw json.RawMessage) ([]Citation, error) {
	var blocks []anthropicBlock
	if json.Unmarshal(raw, &blocks) != nil {
		var message struct {
			Content []anthropicBlock `json:"content"`
		}
		if err := json.Unmarshal(raw, &message); err != nil {
			return nil, errors.New("no message: content is to be a list of blocks")
		}
		blocks = message.Content
	}
	var out []Citation
	for _, b := range blocks {
		for _, k := range b.Citations {
			c := k.of
			one := Citation{Claim: strings.TrimSpace(b.Text), Quote: c.CitedText, Kind: c.Type, raw: k.raw, Document: Document{Index: -1, ID: c.FileID, Title: c.DocumentTitle}}
			if c.DocumentIndex != nil {
				one.Document.Index = *c.DocumentIndex
			}
			switch c.Type {
			case "char_location":
				one.Unit, one.From, one.To = "char", c.StartChar, c.EndChar
			case "page_location":
				one.Unit, one.From, one.To = "page", c.StartPage, c.EndPage
			case "content_block_location":
				one.Unit, one.From, one.To = "block", c.StartBlock, c.EndBlock
			case "search_result_location":
				one.Unit, one.From, one.To = "block", c.StartBlock, c.EndBlock
				one.Document.Title, one.Document.URL = c.Title, c.Source
				if c.ResultIndex != nil {
					one.Document.Index = *c.ResultIndex
				}
			case "web_search_result_location":
				one.Document.Title, one.Document.URL = c.Title, c.URL
			}
			out = append(out, one)
		}
	}
	return out, nil
}

// An openAIAnnotation has its members itself or, in chat completions and assistants, in an object named like its type.
type openAIAnnotation struct {
	Type         string     `json:"type"`
	Text         string     `json:"text"`
	Start        *int       `json:"start_index"`
	End          *int       `json:"end_index"`
	Index        *int       `json:"index"`
	URL          string     `json:"url"`
	Title        string     `json:"title"`
	FileID       string     `json:"file_id"`
	Filename     string     `json:"filename"`
	Quote        string     `json:"quote"`
	URLCitation  *openAIURL `json:"url_citation"`
	FileCitation *struct {
		FileID string `json:"file_id"`
		Quote  string `json:"quote"`
	} `json:"file_citation"`
}

type openAIURL struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Start *int   `json:"start_index"`
	End   *int   `json:"end_index"`
}

type openAIText struct {
	Type        string                       `json:"type"`
	Text        json.RawMessage              `json:"text"`
	Annotations []verbatim[openAIAnnotation] `json:"annotations"`
}

// readOpenAI reads a response, a chat completion or an assistant's message.
func readOpenAI(raw json.RawMessage) ([]Citation, error) {
	var r struct {
		Output []struct {
			Content []openAIText `json:"content"`
		} `json:"output"`
		Choices []struct {
			Message struct {
				Content     string                       `json:"content"`
				Annotations []verbatim[openAIAnnotation] `json:"annotations"`
			} `json:"message"`
		} `json:"choices"`
		Content     json.RawMessage              `json:"content"`
		Annotations []verbatim[openAIAnnotation] `json:"annotations"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, errors.New("neither a response nor a completion nor a message")
	}
	var out []Citation
	texts := func(list []openAIText) {
		for _, t := range list {
			var text string
			var nested struct {
				Value       string                       `json:"value"`
				Annotations []verbatim[openAIAnnotation] `json:"annotations"`
			}
			if json.Unmarshal(t.Text, &text) != nil && json.Unmarshal(t.Text, &nested) == nil {
				text, t.Annotations = nested.Value, append(t.Annotations, nested.Annotations...)
			}
			out = append(out, annotatedClaims(text, t.Annotations)...)
		}
	}
	for _, o := range r.Output {
		texts(o.Content)
	}
	for _, c := range r.Choices {
		out = append(out, annotatedClaims(c.Message.Content, c.Message.Annotations)...)
	}
	var text string
	var list []openAIText
	switch {
	case len(r.Content) == 0:
	case json.Unmarshal(r.Content, &text) == nil:
		out = append(out, annotatedClaims(text, r.Annotations)...)
	case json.Unmarshal(r.Content, &list) == nil:
		texts(list)
	}
	return out, nil
}

// annotatedClaims returns the citations of an answer in OpenAI's form.
func annotatedClaims(answer string, list []verbatim[openAIAnnotation]) []Citation {
	var out []Citation
	for _, k := range list {
		a := k.of
		one := Citation{raw: k.raw, Kind: a.Type, Quote: a.Quote, Document: Document{Index: -1, ID: a.FileID, Title: a.Filename, URL: a.URL}}
		one.Document.Title = cmp.Or(one.Document.Title, a.Title)
		start, end := a.Start, a.End
		if u := a.URLCitation; u != nil {
			one.Document.URL, one.Document.Title, start, end = u.URL, u.Title, u.Start, u.End
		}
		if c := a.FileCitation; c != nil {
			one.Document.ID, one.Quote = c.FileID, c.Quote
		}
		switch {
		case start != nil && end != nil:
			one.Claim = sentenceAt(answer, *start, *end)
		case a.Index != nil:
			one.Claim = sentenceAt(answer, *a.Index, *a.Index)
		}
		one.Claim = strings.TrimSpace(strings.ReplaceAll(one.Claim, a.Text+" ", " "))
		if a.Text != "" {
			one.Claim = strings.TrimSpace(strings.ReplaceAll(one.Claim, a.Text, ""))
		}
		out = append(out, one)
	}
	return out
}

type cohereDocument struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
	Text    string `json:"text"`
}

type cohereCitation struct {
	Start       int      `json:"start"`
	End         int      `json:"end"`
	Text        string   `json:"text"`
	DocumentIDs []string `json:"document_ids"`
	Sources     []struct {
		Type     string         `json:"type"`
		ID       string         `json:"id"`
		Document cohereDocument `json:"document"`
	} `json:"sources"`
}

// readCohere reads a chat response of version 1 or 2.
func readCohere(raw json.RawMessage) ([]Citation, error) {
	var r struct {
		Text      string                     `json:"text"`
		Citations []verbatim[cohereCitation] `json:"citations"`
		Documents []cohereDocument           `json:"documents"`
		Message   struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			Citations []verbatim[cohereCitation] `json:"citations"`
		} `json:"message"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, errors.New("no chat response")
	}
	answer := r.Text
	for _, c := range r.Message.Content {
		answer += c.Text
	}
	documents := map[string]cohereDocument{}
	for _, d := range r.Documents {
		documents[d.ID] = d
	}
	var out []Citation
	for _, k := range append(r.Citations, r.Message.Citations...) {
		c := k.of
		claim := sentenceAt(answer, c.Start, c.End)
		if words := sliceRunes(answer, c.Start, c.End); c.Text != "" && words != c.Text {
			claim = c.Text // the offsets are of something else; the words are not
		}
		var docs []cohereDocument
		for _, id := range c.DocumentIDs {
			d := documents[id]
			d.ID = id
			docs = append(docs, d)
		}
		for _, s := range c.Sources {
			d := s.Document
			d.ID = cmp.Or(d.ID, s.ID)
			docs = append(docs, d)
		}
		for _, d := range docs {
			quote := cmp.Or(d.Snippet, d.Text)
			out = append(out, Citation{Claim: claim, Quote: quote, Kind: "citation", raw: k.raw, Document: Document{Index: -1, ID: d.ID, Title: d.Title, URL: d.URL}})
		}
	}
	return out, nil
}
