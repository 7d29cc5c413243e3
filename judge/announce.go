package judge

import (
	"slices"
	"strings"
	"unicode"

	"muniment/text/clause"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// maxPointer is how many words a sentence has at most that only points at what follows.
const maxPointer = 14

// maxHeading is how many words without a verb announce what follows: Exercise 12.
const maxHeading = 4

// shortIntroduction is how many words a sentence has at most that only introduces the next.
const shortIntroduction = 7

// announces reports whether a sentence or heading says that what follows is somebody's word, false, refused, a fiction or an
// exercise: "The following statements are false:", "The plea runs:". near says that the words follow at once. A title
// such as Report governs nothing, nor does a sentence that only mentions a play, a story or a dream.
func announces(text string, near bool) bool {
	s := clause.Parse(text)
	if len(s.Words) == 0 {
		return false
	}
	colon := strings.HasSuffix(strings.TrimSpace(text), ":")
	if plain := colon && isPlain(strings.TrimSpace(text), true); plain || colon && near || !colon && endsScope(&s) {
		return colon && !plain
	}
	unreal := lexicon.Falsehood.In(s.Words) != "" || lexicon.Fiction.In(s.Words) != "" || colon && (lexicon.Refusal.In(s.Words) != "" || lexicon.Revocation.In(s.Words) != "")
	said := lexicon.Announcement.In(s.Words) != "" || lexicon.Report.In(s.Words) != "" || lexicon.Wish.In(s.Words) != ""
	points := slices.ContainsFunc(s.Words, lexicon.Setting.Points.Has)
	switch {
	case points && (colon || len(s.Words) <= maxPointer && strings.HasSuffix(strings.TrimSpace(text), ".")) && (unreal || lexicon.Announcement.In(s.Words) != ""):
		return true
	case setsCase(&s), tellsPlot(&s), len(s.Words) <= maxPointer && hasWord(slices.Concat(s.Words[:min(2, len(s.Words))], s.Words[max(0, len(s.Words)-2):]), "follows", "thus", "folgendes", "folgendermaßen"):
		return true
	case !near:
		return false
	case tellsDream(&s), len(s.Words) <= maxHeading && !s.HasFinite(0, len(s.Words)) && (unreal && !namesFalse(&s) || lexicon.Announcement.In(s.Words) != ""), tellsOf(&s): // a heading
		return true
	}
	return pointsForward(&s, said || unreal || lexicon.Tells.In(s.Words) != "")
}

// namesFalse reports whether a heading calls a thing false, and nothing that is said: False teeth.
func namesFalse(s *clause.Sentence) bool {
	f, found := (&match{s: s}).find(0, len(s.Words), lexicon.Falsehood)
	if !found || f.to == len(s.Words) || !s.Tokens[f.to].Content() {
		return false
	}
	next := s.Words[f.to]
	return !isSaid(next) && !lexicon.Report.Has(next) && !lexicon.Falsehood.Has(next)
}

// tellsOf reports whether a heading says whose word or dream comes: What Aunt Petra dreamed.
func tellsOf(s *clause.Sentence) bool {
	last := s.Words[len(s.Words)-1]
	return len(s.Words) <= maxHeading && hasWord(s.Words[:1], "what", "was") && !strings.Contains(s.Tail, "?") && (lexicon.Report.Has(last) || lexicon.Dream.Has(last))
}

// endsScope reports whether a sentence says that a tale, a dream or an exercise is over, or was one: So much for the legend. Damit endet die Sage. That was only a dream.
func endsScope(s *clause.Sentence) bool {
	if lexicon.Setting.Ending.At(s.Words, 0) > 0 {
		return true
	}
	first := s.Words[0]
	refers := first == "that" || first == "das"
	for i, w := range s.Words[1:min(len(s.Words), maxHeading+1)] {
		if refers && i == 0 && (w == "was" || w == "war") || lexicon.Setting.Ends.Has(w) && (lexicon.Anaphor.Has(first) || lexicon.Deictic.Has(first) || first == "damit") {
			return true
		}
	}
	return false
}

// pointsForward reports whether a sentence only introduces the next: So the Gazette told its readers. Here is the
// footman's version. The old people tell it this way. says is whether it has a word of saying or inventing.
func pointsForward(s *clause.Sentence, says bool) bool {
	n := len(s.Words)
	switch {
	case n <= shortIntroduction+1 && (s.Words[0] == "so" || s.Words[0] == "thus"):
		return says && (&backward{*s}).opensReport(1)
	case n <= maxPointer && lexicon.Setting.Points.At(s.Words, 0) > 0:
		return says && !hasComplement(s, 1)
	}
	return says && n <= maxPointer && (lexicon.Setting.Thus.At(s.Words, n-1) > 0 || n > 1 && lexicon.Setting.Thus.At(s.Words, n-2) > 0 && s.Words[n-2] != "so")
}

// setsCase reports whether a sentence sets a case that the next ones go on with: Suppose a village of forty houses. What somebody says sets none.
func setsCase(s *clause.Sentence) bool {
	n := lexicon.Setting.Supposition.At(s.Words, 0)
	return n > 0 && s.Tokens[0].Upper && n < len(s.Words) && !s.Finite(n) && lexicon.Report.In(s.Words[n:]) == ""
}

// tellsPlot reports whether a sentence begins to tell what is invented: The plot is simple. The novel opens in York.
func tellsPlot(s *clause.Sentence) bool {
	at := 0
	within := s.Words[0] == "in" || s.Words[0] == "im"
	for at < len(s.Words)-1 && (at == 0 && within || lexicon.Determiner.Has(s.Words[at])) {
		at++
	}
	if lexicon.Setting.Plot.Has(s.Words[at]) || within && (lexicon.Dream.Has(s.Words[at]) || at > 0 && lexicon.Singular.Has(s.Words[at-1]) && lexicon.Genre.Has(s.Words[at])) {
		return true
	}
	return at+1 < len(s.Words) && lexicon.Fiction.Has(s.Words[at]) && lexicon.Setting.Narrates.Has(s.Words[at+1])
}

// tellsDream reports whether a sentence tells that its writer dreamt what the next one says, and not that he woke, or how he dreamt.
func tellsDream(s *clause.Sentence) bool {
	return lexicon.Dream.In(s.Words) != "" && (slices.ContainsFunc(s.Words, lexicon.Singular.Has) || lexicon.Dream.Has(s.Words[0])) && lexicon.Setting.Waking.In(s.Words) == "" && lexicon.Negation.In(s.Words) == "" && lexicon.Manner.In(s.Words) == ""
}

// hasComplement reports whether what is said follows in the sentence itself, after a word of saying.
func hasComplement(s *clause.Sentence, at int) bool {
	for i := at; i < len(s.Words); i++ {
		switch s.Words[i] {
		case "that", "dass", "daß", "to", "how", "whether", "ob", "wie", "zu":
			return true
		}
	}
	return false
}

// disowned are the lists of words by which a heading says that what is below it is false, refused or no longer holds.
var disowned = []lexicon.List{lexicon.Falsehood, lexicon.Refusal, lexicon.Revocation, lexicon.Retraction, lexicon.Setting.Pending}

// disowns reports whether a heading or label says that the text below it is false, refused or no longer valid: Debunked, Rejected claims. A heading
// that calls a thing so, or goes on to something else, does not: Cancelled trains; Rejected proposals and why they came back.
func disowns(text string) bool {
	s := clause.Parse(text)
	if disownsParagraphs(text, lexicon.Setting.Back) || disownsParagraphs(text, lexicon.Setting.Onward) || isFalse(&s) || !strings.ContainsAny(s.Tail, ".!?") && namesUnstated(&s) {
		return true
	}
	f, found := (&match{s: &s}).find(0, len(s.Words), disowned...)
	if !found || len(s.Words) > maxPointer || strings.ContainsAny(s.Tail, ".!?") {
		return false
	}
	said := slices.ContainsFunc(s.Words[:min(2, len(s.Words))], isSaid)
	if f.from > 0 {
		return said && lexicon.Record.In(s.Words[f.to:]) == "" && !hasWord(s.Words, "corrected", "berichtigt")
	}
	if f.to+1 < len(s.Words) && lexicon.Coordinator.Has(s.Words[f.to]) {
		f.to += 2 // errors and omissions
	}
	return f.to == len(s.Words) || (said || lexicon.Preposition.Has(s.Words[f.to])) && !slices.ContainsFunc(s.Words[f.to:], lexicon.QuestionWord.Has)
}

// isFalse reports whether a heading denies, or calls what is below it an untruth: Not so; Lies told about the dam.
func isFalse(s *clause.Sentence) bool {
	for i, w := range s.Words {
		rest := s.Words[i+1:]
		switch {
		case lexicon.Untruth.Has(w) && !strings.ContainsAny(s.Tokens[i].Gap, "“„»\""): // no name
			told := len(rest) == 0 || lexicon.Preposition.Has(rest[0]) || lexicon.Report.In(rest) != ""
			return told && len(s.Words) <= maxPointer && !slices.ContainsFunc(rest, lexicon.QuestionWord.Has)
		case i > 0 && lexicon.Preposition.Has(w):
			return false
		}
	}
	return len(s.Words) > 0 && lexicon.TakenBack.Denial.At(s.Words, 0) == len(s.Words)
}

// namesUnstated reports whether a heading names a text by which its writer states nothing: one that is made up, not sent, for copying, what somebody
// is to say or another has said, or statements that are not so. From the novel that she writes; Draft, never sent; What I shall say; What the seer told us.
func namesUnstated(s *clause.Sentence) bool {
	n, made := len(s.Words), -1
	if n == 0 || n > maxPointer {
		return false
	}
	asks := hasWord(s.Words[:1], "what", "was")
	own := hasWord(s.Words[1:], "i", "we", "ich", "wir") && !hasWord(s.Words, "shall", "will", "would", "werde", "würde", "if", "wenn") // what we said there
	for i, w := range s.Words {
		before, last := s.Words[max(0, i-2):i], i+1 == n
		switch {
		case lexicon.Setting.Sending.Has(w) && (strings.HasPrefix(w, "un") || !lexicon.QuestionWord.Has(s.Words[0]) && slices.ContainsFunc(before, lexicon.Negation.Has)),
			lexicon.Setting.Copying.Has(w) && (i == 0 || last && lexicon.Preposition.Has(s.Words[i-1])),
			last && i > 0 && (lexicon.Falsehood.Has(w) && s.HasFinite(1, n) || hasWord(s.Words[i:], "true", "so", "wahr") && lexicon.Negation.Has(s.Words[i-1])),
			asks && i > 1 && (lexicon.Dream.Has(w) || lexicon.Report.Has(w) && !own):
			return true
		case made < 0 && slices.ContainsFunc([]lexicon.List{lexicon.Genre, lexicon.Dream}, func(l lexicon.List) bool { return l.Has(w) || endsIn(w, l) }):
			made = i
		}
	}
	if made < 1 {
		return false
	}
	next := s.Words[min(made+1, n-1)]
	from := hasWord(s.Words[:1], "from", "aus") && !hasWord([]string{next}, "to", "zum") && !slices.ContainsFunc(s.Words[1:made], lexicon.Preposition.Has)
	return from || hasWord(s.Words[made-1:made], "a", "an", "ein", "eine", "for", "für") && (made+1 == n || !s.Tokens[made+1].Content() || participle.MatchString(next))
}

// isSaid reports whether a word names what somebody says or decides: claims, minutes, story.
func isSaid(w string) bool {
	return lexicon.Announcement.Has(w) || lexicon.Record.Has(w) || lexicon.TakenBack.Statement.Has(w)
}

// tellsDenial reports whether words tell the error or refusal that a heading names, where it is not one of statements: Errors, above “The clerk
// made two errors.”
func tellsDenial(s *clause.Sentence, heading string) bool {
	h := clause.Parse(heading)
	f, found := (&match{s: &h}).find(0, len(h.Words), disowned...)
	return found && !isFalse(&h) && !slices.ContainsFunc(h.Words, isSaid) && stemsOf(s)[segment.Stem(h.Words[f.from])]
}

// discredits reports whether a sentence that points at others says that they are not to be believed: what comes next is copied from a lying pamphlet.
func (s *backward) discredits() bool {
	believes := hasWord(s.Words, "believe", "credit", "trust", "vouch", "glaube", "glaubt", "traue")
	return believes && lexicon.Negation.In(s.Words) != "" || s.condemns() >= 0
}

// disownsParagraphs reports whether a sentence says of the paragraphs that it points to, by a word of a list, that they are not so: All of the foregoing is a jest. What
// follows is the opposite of the truth.
func disownsParagraphs(text string, pointing lexicon.List) bool {
	if !slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), pointing.Has) {
		return false // most texts, without being parsed
	}
	s := backward{clause.Parse(text)}
	const opening = 4 // words: what comes next
	if at := slices.IndexFunc(s.Words, lexicon.Setting.Onward.Has); at >= 0 && at < opening && pointing.Has(s.Words[at]) && len(s.Words) <= maxComment && !lexicon.TimeNoun.Has(s.Words[min(at+1, len(s.Words)-1)]) && s.discredits() {
		return true
	}
	for at, w := range s.Words {
		i, to := at, at+1
		for i > 0 && (hasWord(s.Words[i-1:i], "of", "what", "word", "everything", "was", "von") || lexicon.Determiner.Has(s.Words[i-1]) || lexicon.Quantifier.Has(s.Words[i-1]) || lexicon.TakenBack.Statement.Has(s.Words[i-1]) || lexicon.TakenBack.Spoken.Has(s.Words[i-1]) || lexicon.FirstPerson.Has(s.Words[i-1])) {
			i--
		}
		for to < len(s.Words) && lexicon.TakenBack.Statement.Has(s.Words[to]) {
			to++
		}
		if pointing.Has(w) && len(s.Words) <= maxComment && (i == 0 || to > i+1) && s.ends(to) && (to == len(s.Words) || !s.Tokens[to].Content() || s.Finite(to)) && (s.judgesSubject(i, to-i, false) || s.judgesObject(i, to-i, false)) {
			return true
		}
	}
	return false
}
