package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// separateOpinion matches what opens the opinion of a judge who does not speak for the court: BRANDEIS, J., dissenting.
// Dissenting opinion of … Abweichende Meinung.
var separateOpinion = regexp.MustCompile(`(?m)(?:^|[.!?]\s+|\n)\s*((?:(?:Mr\.? |Mrs\.? |Ms\.? |Chief )?J(?:ustice|udge|USTICE|UDGE) )?[A-ZÄÖÜ][\p{L}' .-]{1,40},? (?:(?:C\. ?)?J(?:J|ustice|udge)?\.?,? )?\(?(?:dissenting|concurring)(?: in (?:part|the (?:judgment|result)))?|(?:D(?:issenting|ISSENTING)|C(?:oncurring|ONCURRING)) [Oo](?:pinion|PINION)[^.\n]{0,60}|(?:Judge|Justice) [A-Z][\p{L}'-]+ would (?:affirm|reverse|grant|deny|dismiss|reinstate)|Abweichende Meinung[^.\n]{0,60}|Sondervotum[^.\n]{0,60})`)

// majority matches what returns to the opinion of the court.
var majority = regexp.MustCompile(`(?m)^\s*(?:OPINION OF THE COURT|Opinion of the Court|PER CURIAM|Per curiam|Syllabus|Appendix)`)

// SeparateOpinion returns the words that open the separate opinion of a judge that a place of a paper is in, "" where
// it is in none, or the sentence that quotes from there says whose it is.
func SeparateOpinion(text string, at int, u Use) string {
	all := separateOpinion.FindAllStringSubmatchIndex(text[:at], -1)
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	if majority.MatchString(text[last[1]:at]) {
		return ""
	}
	opens := text[last[2]:last[3]]
	said := clause.Parse(u.Said)
	if slices.ContainsFunc(said.Words, lexicon.ThirdPerson.Has) {
		before, _, _ := strings.Cut(u.Around, " … ")
		said = clause.Parse(before + " " + u.Said) // Judge Roake dissented. He would “…”
	}
	for _, w := range clause.Parse(opens).Words {
		if len(w) > 2 && !hasWord([]string{w}, "the", "judge", "justice", "opinion", "would") && saysName(said.Words, w) {
			return ""
		}
	}
	if strings.Contains(strings.Join(said.Words, " "), "dissent") || hasWord(said.Words, "minority", "concurrence", "sondervotum", "minderheit") {
		return ""
	}
	return opens
}
