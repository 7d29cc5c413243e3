package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	bundledisplay "muniment/bundle/display"
	"muniment/cite"
	"muniment/search/catalogue"
	"muniment/search/retrieve"
	persons "muniment/text/names"
	"muniment/text/segment"
)

// describe returns the sentence that answers a question about the holdings, and the papers that it rests on; none where no paper gives an
// answer.
func (s *shelf) describe(h catalogue.Holding) (text string, cited []heldPaper) {
	all := s.papers
	dated := slices.DeleteFunc(slices.Clone(all), func(x heldPaper) bool { return x.date == "" || x.silent })
	kind := cmp.Or(h.Kind, "paper")
	if len(all) == 0 {
		return s.describeNameless(h, kind)
	}
	switch h.Want {
	case catalogue.WantOldest, catalogue.WantNewest:
		if len(dated) == 0 {
			return "", nil
		}
		what, same := "oldest", ofDate(dated, dated[0].date)
		if h.Want == catalogue.WantNewest {
			what, same = "newest", ofDate(dated, dated[len(dated)-1].date)
		} else if h.Mention != "" {
			what = "first"
		}
		return s.among() + fmt.Sprintf("Of %s%s%s, the %s is %s.", countOf(all, kind), conditionsOf(h), withoutDate(len(all)-len(dated)), what, listOf(same)), same
	case catalogue.WantPairs:
		return s.describePersons(h, "pair", func(x heldPaper) string {
			if x.writer() == "" || x.head.Salutation == "" {
				return ""
			}
			return x.writer() + "” to “" + x.head.Salutation
		})
	case catalogue.WantMostNamed:
		return describeMostNamed(h, all)
	case catalogue.WantAddressees:
		return s.describePersons(h, "salutation", func(x heldPaper) string {
			if x.addressee == "" || x.head.Salutation == "" {
				return x.head.Salutation
			}
			return x.head.Salutation + "”, that is “" + x.addressee
		})
	case catalogue.WantWriters:
		return s.describePersons(h, "writer", func(x heldPaper) string { return x.writer() })
	}
	text = s.among() + "The archive holds " + countOf(all, kind) + conditionsOf(h)
	times, formal := 0, 0
	for _, x := range all {
		times, formal = times+x.times, formal+x.formal
	}
	if h.Want == catalogue.WantMentions {
		text = s.among() + fmt.Sprintf("“%s” is named %s in %s", h.Mention, bundledisplay.Count(times, "time"), countOf(all, kind))
		if formal > 0 {
			text += fmt.Sprintf(", %d of these in headings, salutations and signatures", formal)
		}
	}
	if h.Want == catalogue.WantEvents {
		text = s.among() + fmt.Sprintf("%s of %s%s have a form of “%s”%s, and nobody checked whether each tells of such an event", bundledisplay.Count(times, "sentence"), countOf(all, kind), conditionsOf(h), h.Verb, withNames(h.Names))
	}
	if h.Want == catalogue.WantSpan && len(dated) > 0 {
		last := ""
		for _, x := range dated {
			last = max(last, x.date[strings.IndexByte(x.date, '/')+1:])
		}
		first, _, _ := strings.Cut(dated[0].date, "/")
		text += fmt.Sprintf("%s, dated from %s to %s", withoutDate(len(all)-len(dated)), first, last)
	}
	all = all[:min(len(all), maxCounted)]
	return text + ": " + listOf(all) + ".", all
}

// describeNameless returns the sentence about papers of which none is certainly by or to the person of a question, and the papers.
func (s *shelf) describeNameless(h catalogue.Holding, kind string) (string, []heldPaper) {
	papers := s.nameless
	s.nameless = nil
	if len(papers) == 0 || len(papers) > mostShown || !slices.Contains([]catalogue.Want{catalogue.WantList, catalogue.WantCount, catalogue.WantWriting}, h.Want) {
		return "", nil
	}
	return s.among() + "The archive holds " + bundledisplay.Count(len(papers), kind) + conditionsOf(h) + " that may be meant, as no name of the writer or addressee says otherwise: " + listOf(papers) + ".", papers
}

// withoutDate returns how many of some papers have no date that may be shown, as a clause.
func withoutDate(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them without a date that can be shown", n)
}

// withNames returns the names of a question as a clause of a sentence.
func withNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " and name or are by “" + strings.Join(names, "”, “") + "”"
}

// among begins a sentence about papers of which not all were looked at.
func (s *shelf) among() string {
	if s.truncated {
		return fmt.Sprintf("Among the first %d papers: ", mostRead)
	}
	return ""
}

// countOf returns how many papers there are: at least as many as an answer can cite.
func countOf(all []heldPaper, kind string) string {
	if len(all) > maxCounted {
		return "at least " + bundledisplay.Count(maxCounted, kind)
	}
	return bundledisplay.Count(len(all), kind)
}

// ofDate returns the papers of a date, at most mostShown.
func ofDate(all []heldPaper, date string) []heldPaper {
	of := slices.DeleteFunc(slices.Clone(all), func(x heldPaper) bool { return x.date != date })
	return of[:min(len(of), mostShown)]
}

// listOf returns the names of papers with their dates, at most mostListed.
func listOf(all []heldPaper) string {
	var out []string
	for _, x := range all {
		name := "“" + x.name + "” (" + cmp.Or(x.date, "no date") + ")"
		if x.silent {
			name = "a paper whose name may not be shown"
		}
		if x.times > 1 {
			name += fmt.Sprintf(" %d times", x.times)
		}
		out = append(out, name)
	}
	return joinFirst(out, mostListed)
}

// joinFirst returns a list of which no more than the first parts are named, and how many others there are.
func joinFirst(parts []string, most int) string {
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, "; ")
}

// conditionsOf returns the conditions of a question in words.
func conditionsOf(h catalogue.Holding) string {
	var b strings.Builder
	if h.Undated {
		b.WriteString(" without a date")
	}
	for _, c := range [][2]string{{" by ", h.Writer}, {" to ", h.Addressee}, {" from ", h.Origin}, {" written in ", h.Place}} {
		if c[1] != "" {
			b.WriteString(c[0] + c[1])
		}
	}
	if h.Between[0] != "" {
		b.WriteString(" between " + h.Between[0] + " and " + h.Between[1])
	}
	switch {
	case h.From == "" || h.From == catalogue.First && h.To == catalogue.Last:
	case h.From == catalogue.First:
		b.WriteString(" dated up to " + h.To)
	case h.To == catalogue.Last:
		b.WriteString(" dated from " + h.From + " on")
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
	if h.Also != "" {
		b.WriteString(" and “" + h.Also + "”")
	}
	return b.String()
}

// describePersons returns the salutations or the writers of papers, each once, with how many papers have it. Papers without one are left out.
func (s *shelf) describePersons(h catalogue.Holding, what string, of func(heldPaper) string) (string, []heldPaper) {
	var order []string
	times := map[string]int{}
	var cited []heldPaper
	for _, x := range s.papers {
		name := of(x)
		if name == "" {
			s.nameless = append(s.nameless, x)
			continue
		}
		key := withoutGreeting(name)
		if times[key]++; times[key] == 1 {
			order = append(order, name)
		}
		cited = append(cited, x)
	}
	for i, name := range order {
		order[i] = fmt.Sprintf("“%s” (%d)", name, times[withoutGreeting(name)])
	}
	if len(order) > 1 {
		what += "s"
	}
	return fmt.Sprintf("%s%s%s: the %s %s.", s.among(), bundledisplay.Count(len(cited), cmp.Or(h.Kind, "paper")), conditionsOf(h), what, joinFirst(order, mostListed)), cited[:min(len(cited), maxCounted)]
}

// withoutGreeting returns the words of a salutation without My dear, by which two of one person are the same.
func withoutGreeting(name string) string {
	words := slices.DeleteFunc(strings.Fields(name), func(w string) bool { return slices.Contains(greetings, strings.Trim(strings.ToLower(w), "“”,")) })
	return cmp.Or(strings.Join(words, " "), name)
}

// mostNames is how many persons are listed as named most.
const mostNames = 8

// describeMostNamed returns in how many papers each of some persons is named, or of all persons whom the papers name between their heads and
// signatures, the most first.
func describeMostNamed(h catalogue.Holding, all []heldPaper) (string, []heldPaper) {
	names, places := map[string]bool{}, placesOf(all)
	for _, name := range h.Names {
		names[name] = true
	}
	bodies, words := make([]string, len(all)), make([]map[string]bool, len(all))
	for i := range all {
		bodies[i], words[i] = all[i].body(), map[string]bool{}
		for _, w := range segment.Words(bodies[i]) {
			words[i][w.Lower] = true
		}
		if len(h.Names) > 0 {
			continue
		}
		for _, n := range persons.Find(bodies[i]) {
			if name := strings.Join(strings.Fields(bodies[i][n.Start:n.End]), " "); !places[strings.ToLower(name)] && hasName(name) && !segment.Function(strings.ToLower(name)) {
				names[name] = true
			}
		}
	}
	papers := map[string][]heldPaper{}
	for name := range names { // each is counted by its words, as a question for it would be
		last := segment.Words(name)
		for i, x := range all {
			if len(last) > 0 && words[i][last[len(last)-1].Lower] && len(catalogue.Holds(bodies[i], name, "")) > 0 {
				papers[name] = append(papers[name], x)
			}
		}
	}
	order := slices.Collect(maps.Keys(papers))
	if len(order) == 0 {
		return "", nil
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(papers[b]), len(papers[a])), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range order {
		parts = append(parts, fmt.Sprintf("“%s” in %d", name, len(papers[name])))
	}
	cited := papers[order[0]]
	return fmt.Sprintf("Of %s%s, most name “%s”: %s.", countOf(all, cmp.Or(h.Kind, "paper")), conditionsOf(h), order[0], joinFirst(parts, mostNames)), cited[:min(len(cited), maxCounted)]
}

// body returns the text of a paper without its head and its signature.
func (x *heldPaper) body() string {
	var b strings.Builder
	for line := range strings.Lines(x.text) {
		if !slices.Contains(x.head.Lines, strings.TrimSpace(line)) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// placesOf returns the words of the lines above the salutations of papers, in lower case: where they were written.
func placesOf(all []heldPaper) map[string]bool {
	out := map[string]bool{}
	for _, x := range all {
		for _, w := range segment.Words(x.head.Heading) {
			out[w.Lower] = true
		}
	}
	return out
}

// A finder returns the sentence that is wanted of the paragraphs of a paper, which it is given one after the other.
type finder func(paragraph string) (at segment.Range, ok bool)

// finderOf returns the finder of the sentence of a paper to show below the list: the first one with the event or the words of a question, or
// the first one below the salutation; nil where none is shown.
func (x *heldPaper) finderOf(h catalogue.Holding) finder {
	lang := x.language()
	switch {
	case h.Want == catalogue.WantEvents:
		words := strings.TrimSpace(x.text[x.events[0].Start:x.events[0].End])
		return func(text string) (segment.Range, bool) {
			at := strings.Index(text, words)
			return segment.Range{Start: at, End: at + len(words)}, at >= 0
		}
	case h.Want == catalogue.WantWriting:
		below := false
		return func(text string) (at segment.Range, ok bool) {
			if _, rest, ok := strings.Cut(text, x.head.Salutation); ok && !below {
				below, at.Start = true, len(text)-len(rest)
			}
			if !below || len(segment.Words(text[at.Start:])) < dayWords {
				return at, false
			}
			return firstOf(text, lang, func(sentence string) bool { return len(segment.Words(sentence)) >= dayWords })
		}
	case h.Mention != "" && h.Want != catalogue.WantCount:
		return func(text string) (segment.Range, bool) {
			if slices.Contains(x.head.Lines, strings.TrimSpace(text)) {
				return segment.Range{}, false
			}
			return firstOf(text, lang, func(sentence string) bool { return len(catalogue.Holds(sentence, h.Mention, lang)) > 0 })
		}
	}
	return nil
}

// firstOf returns the first sentence of a text that is wanted.
func firstOf(text, lang string, wanted func(sentence string) bool) (segment.Range, bool) {
	all := segment.Sentences(text, lang)
	i := slices.IndexFunc(all, func(s segment.Range) bool { return wanted(text[s.Start:s.End]) })
	if i < 0 {
		return segment.Range{}, false
	}
	return all[i], true
}

// quoteOf returns the sentence of a paper that is found as a quote; ok is false where there is none.
func (v *viewer) quoteOf(part string, x heldPaper, find finder) (c candidate, ok bool, err error) {
	doc, err := v.document(x.artifact.String())
	if err != nil {
		return candidate{}, false, err
	}
	for i, u := range doc.Units(cite.Paragraphs) {
		text := string(doc.Payload()[u.Start:u.End])
		if at, ok := find(text); ok {
			p := &retrieve.Passage{Artifact: x.artifact.String(), Text: text, Span: cite.Span{Kind: cite.Paragraphs}}
			p.Span.From.Unit, p.Span.To.Unit, p.Span.To.Offset = i+1, i+1, len([]rune(text))
			return quoteRange(segment.Part{Text: part}, p, at), true, nil
		}
	}
	return candidate{}, false, nil
}

// language returns the language of a paper: that of its record, else the one that its words are of.
func (x *heldPaper) language() string {
	if x.record.Source != nil && x.record.Source.Language != "" {
		return x.record.Source.Language
	}
	return segment.Detect(x.text)
}
