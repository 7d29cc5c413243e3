package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	bundledisplay "muniment/bundle/display"
	"muniment/cite"
	"muniment/search/catalogue"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
	persons "muniment/text/names"
	"muniment/text/segment"
)

// describeHolding returns the sentence that answers a question about the holdings, and the papers that it rests on; none where no paper
// gives an answer.
func describeHolding(h catalogue.Holding, all []heldPaper) (text string, cited []heldPaper) {
	dated := slices.DeleteFunc(slices.Clone(all), func(x heldPaper) bool { return x.date == "" })
	one := func(words string, x heldPaper) (string, []heldPaper) {
		return fmt.Sprintf("%s is %s.", words, nameOf(x)), []heldPaper{x}
	}
	kind := cmp.Or(h.Kind, "paper")
	switch h.Want {
	case catalogue.WantOldest, catalogue.WantFirst:
		if len(dated) == 0 {
			return "", nil
		}
		if h.Want == catalogue.WantOldest {
			return one("The oldest "+kind+conditionsOf(h)+" with a date", dated[0])
		}
		return one("The first "+kind+" with a date"+conditionsOf(h), dated[0])
	case catalogue.WantNewest, catalogue.WantLast:
		if len(dated) == 0 {
			return "", nil
		}
		return one("The newest "+kind+conditionsOf(h)+" with a date", dated[len(dated)-1])
	case catalogue.WantMostNamed:
		return describeMostNamed(h, all)
	case catalogue.WantAddressees:
		return describeAddressees(h, all)
	}
	if len(all) == 0 {
		return "", nil
	}
	text = "The archive holds " + bundledisplay.Count(len(all), kind) + conditionsOf(h)
	if h.Want == catalogue.WantMentions {
		times := 0
		for _, x := range all {
			times += x.times
		}
		text = fmt.Sprintf("“%s” is named %s in %s", h.Mention, bundledisplay.Count(times, "time"), bundledisplay.Count(len(all), kind))
	}
	if h.Want == catalogue.WantCount && len(all) > mostShown {
		return text + ".", all
	}
	return text + ": " + listOf(all) + ".", all
}

// nameOf returns the name of a paper with its date.
func nameOf(x heldPaper) string {
	if x.date == "" {
		return "“" + x.name + "” (no date)"
	}
	return "“" + x.name + "” (" + x.date + ")"
}

// listOf returns the names of papers, at most mostListed.
func listOf(all []heldPaper) string {
	var out []string
	for _, x := range all[:min(len(all), mostListed)] {
		name := nameOf(x)
		if x.times > 1 {
			name += fmt.Sprintf(" %d times", x.times)
		}
		out = append(out, name)
	}
	if n := len(all) - mostListed; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, "; ")
}

// conditionsOf returns the conditions of a question in words.
func conditionsOf(h catalogue.Holding) string {
	var b strings.Builder
	if h.Undated {
		b.WriteString(" without a date")
	}
	if h.Writer != "" {
		b.WriteString(" by " + h.Writer)
	}
	if h.Addressee != "" {
		b.WriteString(" to " + h.Addressee)
	}
	if h.Origin != "" {
		b.WriteString(" from " + h.Origin)
	}
	if h.Place != "" {
		b.WriteString(" written in " + h.Place)
	}
	switch {
	case h.From == "":
	case h.From == h.To:
		b.WriteString(" dated " + h.From)
	case h.From[5:] == "01-01" && h.To == h.From[:4]+"-12-31":
		b.WriteString(" dated " + h.From[:4])
	default:
		b.WriteString(" dated from " + h.From + " to " + h.To)
	}
	if h.Mention != "" {
		b.WriteString(" with the words “" + h.Mention + "”")
	}
	return b.String()
}

// describeAddressees returns the salutations of papers, each once, with how many papers have it.
func describeAddressees(h catalogue.Holding, all []heldPaper) (string, []heldPaper) {
	var order []string
	times := map[string]int{}
	var cited []heldPaper
	for _, x := range all {
		to := x.head.Salutation
		if to == "" {
			continue
		}
		if times[to] == 0 {
			order = append(order, to)
		}
		times[to]++
		cited = append(cited, x)
	}
	for i, to := range order {
		order[i] = fmt.Sprintf("“%s” (%d)", to, times[to])
	}
	return fmt.Sprintf("The %s%s begin with %s.", bundledisplay.Count(len(cited), cmp.Or(h.Kind, "letter")), conditionsOf(h), strings.Join(order, ", ")), cited
}

// mostNames is how many persons are listed as named most.
const mostNames = 8

// describeMostNamed returns in how many papers each of some persons is named, or of all persons whom the papers name, the most first.
func describeMostNamed(h catalogue.Holding, all []heldPaper) (string, []heldPaper) {
	papers := map[string][]heldPaper{}
	for _, x := range all {
		seen := map[string]bool{}
		if len(h.Names) > 0 {
			for _, name := range h.Names {
				seen[name] = len(catalogue.Holds(x.text, name, "")) > 0
			}
		} else {
			for _, n := range persons.Find(x.text) {
				seen[x.text[n.Start:n.End]] = true
			}
		}
		for name, there := range seen {
			if there {
				papers[name] = append(papers[name], x)
			}
		}
	}
	order := make([]string, 0, len(papers))
	for name := range papers {
		order = append(order, name)
	}
	if len(order) == 0 {
		return "", nil
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(papers[b]), len(papers[a])), cmp.Compare(a, b))
	})
	cited := papers[order[0]]
	var parts []string
	for _, name := range order[:min(len(order), mostNames)] {
		parts = append(parts, fmt.Sprintf("“%s” in %d", name, len(papers[name])))
	}
	return fmt.Sprintf("Of %s, most name “%s”: %s.", bundledisplay.Count(len(all), cmp.Or(h.Kind, "paper")), order[0], strings.Join(parts, ", ")), cited
}

// firstWords returns the first sentence below the salutation of a paper as a quote; ok is false where there is none.
func (v *viewer) firstWords(part string, x heldPaper) (c candidate, ok bool, err error) {
	doc, err := v.document(x.artifact.String())
	if err != nil {
		return candidate{}, false, err
	}
	below := x.head.Salutation == ""
	for i, u := range doc.Units(cite.Paragraphs) {
		text := string(doc.Payload()[u.Start:u.End])
		if !below {
			below = strings.Contains(text, x.head.Salutation)
			text = text[min(len(text), max(0, strings.Index(text, x.head.Salutation)+len(x.head.Salutation))):]
			if !below || len(segment.Words(text)) < dayWords {
				continue
			}
			text = string(doc.Payload()[u.Start:u.End])
		}
		p := retrieve.Passage{Artifact: x.artifact.String(), Text: text, Span: cite.Span{Kind: cite.Paragraphs}}
		p.Span.From.Unit, p.Span.To.Unit, p.Span.To.Offset = i+1, i+1, len([]rune(text))
		for _, s := range segment.Sentences(text, languageOf(x.record)) {
			if len(segment.Words(text[s.Start:s.End])) >= dayWords {
				return quoteRange(segment.Part{Text: part}, &p, s), true, nil
			}
		}
	}
	return candidate{}, false, nil
}

// languageOf returns the language that a record states, "" for none.
func languageOf(rec *record.Record) string {
	if rec.Source == nil {
		return ""
	}
	return rec.Source.Language
}
