package pages

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
)

// frame returns a page with the data that all pages share.
func (s *source) frame(ctx context.Context, name, title string, page any) (*frame, error) {
	status, err := s.client.Status(ctx)
	if err != nil {
		return nil, err
	}
	f := &frame{Links: s.links, Name: name, Title: title, Status: *status, Static: s.links.static, Page: page, language: s.words()}
	if slices.Contains(deskPages, name) {
		f.language = languages()[0]
	}
	if f.Static {
		f.Policy = policyOfFiles
	}
	return f, nil
}

func (s *source) home(ctx context.Context) (*frame, error) {
	list, err := s.client.Holdings(ctx, server.HoldingsRequest{})
	if err != nil {
		return nil, err
	}
	kept, err := s.client.Snapshots(ctx, history.LogOptions{Limit: 1})
	if err != nil {
		return nil, err
	}
	h := &Home{Artifacts: list.All, Years: list.Years, Kinds: list.Kinds, Named: len(list.Creators)+len(list.Places)+len(list.Tags)+len(list.To) > 0}
	h.Chart, h.Undated = timeline(list.Years, s.links.Years)
	if err := s.introduce(ctx, h); err != nil {
		return nil, err
	}
	if len(kept.Snapshots) > 0 {
		h.Newest = &kept.Snapshots[0]
		h.Age = s.daysSince(h.Newest.Time)
		if name, address, _ := strings.Cut(h.Newest.Author, " <"); address != nobodyAddress {
			h.About.Keeper = name
		}
	}
	if h.Fixity, err = s.client.LastFixity(ctx); err != nil {
		return nil, err
	}
	f, err := s.frame(ctx, "home", "", h)
	if err == nil {
		h.Status, f.Title = f.Status, f.Status.Name
	}
	return f, err
}

// nobodyAddress is the address, with its bracket, of a signer who has named nobody as the archivist.
const nobodyAddress = "archivist@archive.invalid>"

// daysSince returns the whole days since a time of RFC 3339, 0 for none.
func (s *source) daysSince(at string) int {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0
	}
	return max(0, int(s.client.Now().Sub(t).Hours()/24))
}

func (s *source) inventory(ctx context.Context, ask Filter) (*frame, error) {
	list, err := s.client.Holdings(ctx, server.HoldingsRequest{Filter: ask.Filter, Facets: !s.links.static, Offset: (ask.Page - 1) * pageSize, Limit: pageSize})
	if err != nil {
		return nil, err
	}
	p := &Inventory{HoldingList: *list, Ask: ask, First: (ask.Page-1)*pageSize + 1, Last: (ask.Page-1)*pageSize + len(list.Holdings)}
	p.Chart, p.Undated = timeline(list.Years, s.links.Years)
	p.Facets = facetsOf(list, ask, s.links, func(f Filter) string { return s.links.Page(allPapers) + f.query(1) })
	p.Creators, p.Tags, p.Places = nil, nil, nil // the page of names has them
	at := func(page int) string { return s.links.Page(allPapers) + ask.query(page) }
	if s.links.static {
		at = func(page int) string { return s.links.Page(partName(ask.name, page)) }
	}
	if ask.Page > 1 {
		p.Prev = at(ask.Page - 1)
	}
	if p.Last < p.Total {
		p.Next = at(ask.Page + 1)
	}
	title := s.say("browse.title.all")
	switch ask.Year {
	case "":
	case "none":
		title = s.say("browse.title.none")
	default:
		title = s.say("browse.title.year", ask.Year)
	}
	return s.frame(ctx, "inventory", title, p)
}

func (s *source) names(ctx context.Context) (*frame, error) {
	list, err := s.client.Holdings(ctx, server.HoldingsRequest{})
	if err != nil {
		return nil, err
	}
	return s.frame(ctx, "names", s.say("names.title"), &Names{list.Creators, list.Places, list.Tags, list.To})
}

// maxSuggested is how many names, and how many papers, are suggested at once.
const maxSuggested = 8

// suggest returns the page of suggestions for a typed text: names and titles that begin
// with the text, of papers whose existence the reader may know.
func (s *source) suggest(ctx context.Context, typed string) (*frame, error) {
	p := &Suggest{Query: strings.TrimSpace(typed), Names: []string{}, Papers: []Suggestion{}}
	if p.Query != "" {
		list, err := s.client.Holdings(ctx, server.HoldingsRequest{Filter: server.Filter{Words: p.Query}, Limit: maxSuggested})
		if err != nil {
			return nil, err
		}
		for _, n := range slices.Concat(list.Creators, list.To, list.Places, list.Tags) {
			if len(p.Names) < maxSuggested && beginsLike(n.Name, p.Query) && !slices.Contains(p.Names, n.Name) {
				p.Names = append(p.Names, n.Name)
			}
		}
		for _, h := range list.Holdings {
			p.Papers = append(p.Papers, Suggestion{h.ID, s.words().label(h), h.Date})
		}
	}
	return s.frame(ctx, "suggest", s.say("suggest.title"), p)
}

// beginsLike reports whether a word of a name begins like what was typed.
func beginsLike(name, typed string) bool {
	name, typed = strings.ToLower(name), strings.ToLower(typed)
	return strings.HasPrefix(name, typed) || slices.ContainsFunc(strings.FieldsFunc(name, isGap), func(w string) bool { return strings.HasPrefix(w, typed) })
}

func (s *source) paper(ctx context.Context, r server.PaperRequest, at place) (*frame, error) {
	r.Host = at.host
	if wholeParagraph.MatchString(at.span) {
		at.span += ":0-" + itoa(maxParagraph)
	}
	got, err := s.client.Paper(ctx, r)
	first := got
	if asked, bad := cite.ParseSpan(at.span); err == nil && bad == nil && r.From == 0 && asked.Kind == cite.Paragraphs && got.Next != 0 && asked.From.Unit >= got.Next {
		r.From = asked.From.Unit                                                     // the words are further on
		if got, err = s.client.Paper(ctx, r); err == nil && len(got.Passages) == 0 { // there are no such words
			got = first
		}
	}
	if err != nil {
		return nil, err
	}
	p := &Paper{Paper: *got, Span: at.span, Text: blocksOf(got, at.span)}
	if p.Missing = missingPlace(got, p.Text, at.span); p.Missing != "" {
		for i := range p.Text {
			p.Text[i].At = false
		}
	}
	if len(p.Text) > 1 && p.Text[0].isTitle(s.words().label(p.Holding)) {
		p.Text[0].Form += " same"
	}
	if p.Cards, err = s.cards(ctx, got.Citations); err != nil {
		return nil, err
	}
	s.arrange(p, at)
	f, err := s.frame(ctx, "paper", s.words().label(p.Holding), p)
	if err == nil {
		p.Share = shareOf(p, at.host, f.Status.Name)
	}
	if p.Media != "" {
		p.Played = s.played(&p.Holding)
		if from, to, ok := parseTime(at.time); ok {
			p.Played += "#" + fragmentOfTime(from, to)
		}
		if p.Media == "image" {
			p.Picture = pictureOf(got, at.region)
		} else {
			p.Moments = momentsOf(got, func(fragment string) string { return s.links.Moment(p.ID, fragment) })
		}
		p.Cited = mediaCiteOf(got, at)
	}
	return f, err
}

// wholeParagraph matches an address of a paragraph or a line without offsets; it is read as that of its first maxParagraph characters.
var wholeParagraph = regexp.MustCompile(`^[pl][1-9]\d{0,8}$`)

const maxParagraph = 1 << 24 // more than a page shows

// missingPlace returns a span that is no place of the part of a paper that a page shows;
// "" where it is one or words are withheld that may be those.
func missingPlace(p *server.Paper, blocks []Block, span string) string {
	if span == "" || cite.IsMediaSpan(span) || !p.Shown {
		return ""
	}
	at, err := cite.ParseSpan(span)
	if err != nil {
		return span
	}
	withheld := false
	for i, b := range blocks {
		if at.Kind != cite.Paragraphs {
			if slices.ContainsFunc(b.Lines, func(l Line) bool { return l.Number == at.From.Unit }) {
				return ""
			}
			continue
		}
		if b.Number == at.From.Unit && !b.At {
			return ""
		}
		one := p.Passages[i]
		withheld = withheld || b.Number == at.From.Unit && (one.Withheld != "" || one.Cut || len(one.Names) > 0)
	}
	if withheld || at.From.Unit < p.From || p.Next > 0 && at.From.Unit >= p.Next {
		return "" // on another page, or withheld
	}
	return span
}

// cards returns the cards of some citations, with the labels of their papers. One of a fact leads to the artifact of
// the record that states it.
func (s *source) cards(ctx context.Context, list []engine.CitationInfo) ([]Card, error) {
	out, ids := make([]Card, len(list)), make([]string, len(list))
	for i, c := range list {
		if id, err := cid.ParseAs(cid.JSON, c.Artifact); err == nil {
			if art, err := s.client.Artifact(ctx, id.String()); err == nil {
				c.Artifact = art.ID
			}
		}
		out[i], ids[i] = cardOf(c), c.Artifact
	}
	papers, err := s.client.HoldingsOf(ctx, ids)
	for i := range out {
		out[i].Paper = cmp.Or(out[i].SourceName, out[i].Name)
		if h, ok := papers[out[i].Artifact]; ok && (out[i].SourceName == "" || out[i].SourceName == out[i].Name) {
			out[i].Paper = s.words().label(h)
		}
	}
	return out, err
}

// cite returns the page of words that are ready to be cited.
func (s *source) cite(ctx context.Context, artifact, span, quote, host string) (*frame, error) {
	p := &Cite{Artifact: artifact, Quote: quote, Span: span}
	if span == "" && strings.TrimSpace(quote) == "" {
		return nil, problem.New(problem.Usage, problem.Advise("mark words in a text, or copy them into the field beside it"), "nothing is marked")
	}
	at, err := s.client.Locate(ctx, artifact, span, quote)
	if err != nil {
		fault := server.FaultOf(err)
		p.Failed, p.Advice = fault.Detail, fault.Suggestion
		return s.frame(ctx, "cite", s.say("cite.this"), p)
	}
	paper, err := s.client.Paper(ctx, server.PaperRequest{Artifact: at.Artifact, Host: host, Span: at.Span})
	if err != nil {
		return nil, err
	}
	p.Artifact, p.Given = at.Artifact, CiteAs{Located: *at, Label: s.words().label(paper.Holding), Link: host + server.LastingAddress(paper.Lasting, at.Span)}
	if p.Given.References = paper.References; paper.FullKind() != "letter" {
		p.Given.References = referencesAt(paper, languages()[0].place(at.Span))
	}
	p.Given.Annotation = annotationOf(at, host+server.LastingAddress(paper.Lasting, ""))
	return s.frame(ctx, "cite", s.say("cite.this"), p)
}

// referencesAt returns the references of a paper, those for people with the place in words.
func referencesAt(p *server.Paper, words string) []server.StyledReference {
	out := slices.Clone(p.References)
	for i, r := range out {
		if !strings.ContainsAny(r.Text, "{\n") {
			out[i].Text += " (" + words + ")"
		}
	}
	return out
}

// shareOf returns how other sites show a link to a paper: nil for what the public may not know of.
func shareOf(p *Paper, host, archive string) *Share {
	if host == "" || p.Lasting == p.ID {
		return nil
	}
	out := &Share{Link: host + server.LastingAddress(p.Lasting, ""), Words: openingOf(&p.Paper)}
	out.Linked = map[string]any{"@context": "https://schema.org", "@type": "ArchiveComponent", "url": out.Link, "name": languages()[0].label(p.Holding), "genre": p.FullKind()}
	for _, one := range [][3]string{{"holdingArchive", "ArchiveOrganization", archive}, {"author", "Person", strings.Join(p.Writers(), "; ")}, {"recipient", "Person", p.To}, {"locationCreated", "Place", p.Place}, {"isPartOf", "Collection", p.Series}} {
		if one[2] != "" {
			out.Linked[one[0]] = map[string]any{"@type": one[1], "name": one[2]}
		}
	}
	if first, last := p.Dated.Interval(); !p.Dated.IsZero() && first == last { // of a day: schema.org has no others
		out.Linked["dateCreated"] = p.Dated.String()
	}
	if p.To != "" { // only a message has a recipient
		out.Linked["@type"] = []any{"ArchiveComponent", "Message"}
	}
	if p.Language != "" {
		out.Linked["inLanguage"] = p.Language
	}
	return out
}

// annotationOf returns a quotation as a W3C Web Annotation.
func annotationOf(at *server.Located, address string) map[string]any {
	prefix, suffix := "", ""
	if i := strings.Index(at.Context, at.Quote); i >= 0 {
		before, after := []rune(at.Context[:i]), []rune(at.Context[i+len(at.Quote):])
		prefix, suffix = string(before[max(0, len(before)-32):]), string(after[:min(32, len(after))])
	}
	return map[string]any{"@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "motivation": "highlighting",
		"target": map[string]any{"source": address, "selector": []any{
			map[string]any{"type": "TextQuoteSelector", "exact": at.Quote, "prefix": prefix, "suffix": suffix},
			map[string]any{"type": "FragmentSelector", "value": at.Span},
		}}}
}

func (s *source) citations(ctx context.Context, status string, after, claim int64) (*frame, error) {
	list, err := s.client.Citations(ctx, server.CitationsRequest{Status: status, After: after, Claim: claim, Limit: pageSize / 2})
	if err != nil {
		return nil, err
	}
	p := &Citations{CitationList: *list, Status: status, After: after}
	if list.Next != 0 {
		p.More = s.links.List("citations", list.Next, "&status="+url.QueryEscape(status)+"&claim="+strconv.FormatInt(claim, 10))
	}
	if p.Cards, err = s.cards(ctx, list.Citations); err != nil {
		return nil, err
	}
	return s.frame(ctx, "citations", "Citations", p)
}

func (s *source) citation(ctx context.Context, ref string) (*frame, error) {
	why, err := s.client.Why(ctx, server.CitationRequest{Citation: ref})
	if err != nil {
		return nil, err
	}
	card, err := s.cards(ctx, []engine.CitationInfo{why.CitationInfo})
	if err != nil {
		return nil, err
	}
	p := &Citation{WhyResult: *why, Card: card[0], Medium: s.citedMedium(ctx, why.CitationInfo), Links: []Linked{}}
	for _, k := range why.Links {
		one := Linked{Type: k.Type, From: k.From, To: k.To, Other: k.From + k.To - why.CitationID}
		other, err := s.client.Citation(ctx, server.CitationRequest{Citation: strconv.FormatInt(one.Other, 10)})
		if err != nil {
			continue
		}
		one.Claim, one.Status = other.Claim, other.VerificationStatus
		p.Links = append(p.Links, one)
	}
	return s.frame(ctx, "citation", "Citation "+strconv.FormatInt(why.CitationID, 10), p)
}

func (s *source) claims(ctx context.Context, after int64) (*frame, error) {
	list, err := s.client.Claims(ctx, "", after, pageSize)
	if err != nil {
		return nil, err
	}
	p := &Claims{ClaimList: *list, After: after}
	if list.Next != 0 {
		p.More = s.links.List("claims", list.Next, "")
	}
	return s.frame(ctx, "claims", "Claims", p)
}

func (s *source) custody(ctx context.Context) (*frame, error) {
	k, err := s.client.Keeping(ctx)
	if err != nil {
		return nil, err
	}
	p := &Custody{Keeping: *k}
	for _, r := range k.Remotes {
		one := CustodianAge{Name: r.Name, URL: r.URL, Seq: r.Seq, Seen: r.Seen, Days: -1}
		if r.Seen != "" {
			one.Days = s.daysSince(r.Seen)
		}
		if len(k.Snapshots) > 0 {
			one.Back = k.Snapshots[0].Seq - r.Seq
		}
		p.Custodians = append(p.Custodians, one)
	}
	if k.Refusals != nil {
		var bars []Bar
		for _, d := range k.Refusals.Days {
			bar := Bar{Name: d.Day[5:], Count: d.Questions}
			bar.Layers = layersOf(d.Rungs)
			bars = append(bars, bar)
			p.Days = append(p.Days, RungDay{d.Day, d.Questions, bar.Layers})
		}
		p.Rungs = layersOf(k.Refusals.Metrics.Rungs)
		p.Refused = newChart("questions by day: how each was answered, or that it was refused", bars[max(0, len(bars)-maxTimeline):], 0)
	}
	p.Fixed = fixityChart(k.Fixity)
	return s.frame(ctx, "custody", "Custody", p)
}

// layersOf returns counts by rung in one order, the best first.
func layersOf(counts []answer.RefusalCount) []Layer {
	var out []Layer
	for _, rung := range []string{"supported", "narrowed", "labeled", "refused"} {
		k := Layer{Name: rung}
		for _, c := range counts {
			if c.Name == rung {
				k.Count = c.Count
			}
		}
		out = append(out, k)
	}
	return out
}

// fixityChart returns the chart of the checks of stored bytes: how many items each
// looked at, and how many of these failed or were absent.
func fixityChart(events []archive.FixityEvent) Chart {
	var bars []Bar
	for _, e := range events[max(0, len(events)-maxTimeline):] {
		last := archive.FixityCounts(e)
		bars = append(bars, Bar{Name: day(e.DateTime), Count: last.Checked + last.Absent, Part: last.Failed + last.Absent})
	}
	return newChart("checks of the stored bytes, and what failed in them", bars, 0)
}

func (s *source) snapshot(ctx context.Context, seq int64) (*frame, error) {
	list, err := s.client.Snapshots(ctx, history.LogOptions{Before: seq + 1, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(list.Snapshots) == 0 || list.Snapshots[0].Seq != seq {
		return nil, problem.New(problem.NotFound, problem.Advise("the page of custody lists them"), "there is no snapshot %d", seq)
	}
	changes, err := s.client.Changes(ctx, seq)
	if err != nil {
		return nil, err
	}
	p := &Snapshot{SnapshotResult: list.Snapshots[0], Changes: *changes, First: seq == 1}
	if len(p.Changes.Changes) > maxChanges {
		p.Changes.Changes = p.Changes.Changes[:maxChanges]
	}
	ids := make([]string, len(p.Changes.Changes))
	for i, c := range p.Changes.Changes {
		ids[i] = c.Artifact
	}
	if p.Papers, err = s.client.HoldingsOf(ctx, ids); err != nil {
		return nil, err
	}
	return s.frame(ctx, "snapshot", "Snapshot "+strconv.FormatInt(seq, 10), p)
}

// maxChanges is how many changes of a snapshot its page lists.
const maxChanges = 300
