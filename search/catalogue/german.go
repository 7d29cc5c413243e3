package catalogue

import (
	"regexp"
	"sync"
)

const (
	nounsDE = `(?P<kind>briefen?|briefe?s?|berichte?n?|postkarten?|papieren?|papiere|dokumenten?|dokumente|schreiben|unterlagen|texten?|texte|einträgen?|stücken?|fotografien?|fotos)`
	areDE   = `(?: (?:sind(?: es)?|gibt es|haben wir|besitzen wir|hat das archiv|liegen vor|liegen|stammen|wurden|gingen|kamen|kommen|tragen|haben|existieren))?`
	saidDE  = `(?:erwähnt|genannt|erwähnen|nennen)`
	tailDE  = `(?P<tail> .+?)?`
	doneDE  = `(?: (?:geschrieben|verfasst|verfaßt|datiert|gerichtet|adressiert|geschickt|gesandt|gesendet|erhalten|vorhanden))?`
)

// generalDE are German words for any paper.
var generalDE = regexp.MustCompile(`^(?:papieren?|papiere|dokumente?n?|schreiben|unterlagen|texte?n?)$`)

// germanShapes returns the questions about the holdings in German, compiled at the first use.
var germanShapes = sync.OnceValue(func() (out []shape) {
	for _, s := range []struct {
		want    Want
		pattern string
	}{
		{WantMostNamed, `(?:wer|welche person|wessen name) (?:wird|ist|kommt) (?:in den ` + nounsDE + ` |in den briefen )?am (?:häufigsten|meisten|öftesten) (?:` + saidDE + `|vor)`},
		{WantMentions, `wie (?:oft|häufig) (?:wird|werden|ist) (?P<what>.+?) ` + saidDE},
		{WantMentions, `wie (?:oft|häufig) (?:erwähnt|nennt) (?P<who>\S+(?: (?-i:\p{Lu}\S+))*) (?P<what>.+)`},
		{WantFirst, `wann (?:wird|werden) (?P<what>.+?) (?:zum ersten mal|zuerst|erstmals) ` + saidDE},
		{WantFirst, `wann (?:erwähnt|nennt|erwähnte|nannte) (?P<who>\S+(?: \p{Lu}\S+)*?) (?:zum ersten mal|zuerst|erstmals) (?P<what>.+)`},
		{WantFirst, `wann (?:erwähnt|nennt|erwähnte|nannte) (?P<who>\S+) (?P<what>.+?) (?:zum ersten mal|zuerst|erstmals)`},
		{WantLast, `wann (?:wird|werden) (?P<what>.+?) (?:zum letzten mal|zuletzt) ` + saidDE},
		{WantWriting, `was (?:schrieb|schreibt|hat) (?P<who>.+?) (?P<when>(?:im|in|am) .+?)(?: geschrieben)?`},
		{WantWriters, `von wem (?:sind|stammen|kommen) die ` + nounsDE + tailDE},
		{WantOldest, `(?:welche[rs]?|was|wie lautet) ` + nounsDE + `? ?ist (?:der|das|die) (?:älteste|früheste|erste)(?: ` + nounsDE + `)?` + tailDE},
		{WantList, `(?:welche|was) (?:` + nounsDE + ` )?(?:gibt es|haben wir|hat das archiv|steht(?: in den ` + nounsDE + `)?|handel[nt]|ist da) (?:über|zu|zum thema|von) (?P<what>.+)`},
		{WantList, `(?:welche|in welchen) ` + nounsDE + ` (?:erwähnen|nennen|wird|werden) (?P<what>.+?)(?: ` + saidDE + `)?`},
		{WantCount, `(?:in )?wie ?viele[nr]? ` + nounsDE + ` (?:erwähnen|nennen|wird|werden) (?P<what>.+?)(?: ` + saidDE + `)?`},
		{WantCount, `wie ?viele ` + nounsDE + ` (?:schrieb|schickte|sandte|hat) (?P<who>.+?)(?P<tail> (?:an|im|in|aus|nach|vor|seit|bis|\d).*?)?` + doneDE},
		{WantList, `welche ` + nounsDE + ` (?:schrieb|schickte|sandte|hat) (?P<who>.+?)(?P<tail> (?:an|im|in|aus|nach|vor|seit|bis|\d).*?)?` + doneDE},
		{WantList, `(?:welche|zeige?(?: mir)?(?: alle)?(?: die)?|nenne?(?: mir)?(?: alle)?(?: die)?|alle|gibt es) ` + nounsDE + areDE + tailDE + doneDE},
	} {
		out = append(out, shape{s.want, regexp.MustCompile(`(?i)^` + s.pattern + `$`)})
	}
	return out
})

// germanConditions returns the condition words of German, compiled at the first use.
var germanConditions = sync.OnceValue(func() *conditionWords {
	return newConditionWords(map[string]string{
		roleTo:      "an",
		roleBy:      "geschrieben von, verfasst von, verfaßt von",
		roleFrom:    "von, vom, aus, aus dem jahr, aus dem jahre",
		roleAt:      "im jahr, im jahre, im, in, am",
		roleMention: "über, zum thema, zu, erwähnen, nennen, die von, in denen, in welchen, worin",
		roleAfter:   "nach",
		roleSince:   "seit, ab",
		roleBefore:  "vor",
		roleUntil:   "bis",
		roleBetween: "zwischen",
		roleUndated: "ohne datum, kein datum, undatiert, ohne jahr",
		roleNothing: "vorhanden, erhalten",
	}, `(?i)(?:^| )(?:in diesem archiv|im archiv|hier|insgesamt|es gibt|gibt es|sind es)(?: |$)`, `(?i)(?: (?:geschrieben|verfasst|verfaßt|datiert|gerichtet|adressiert|geschickt|und|sind|erwähnt|genannt|wird|werden|ist|handeln|sprechen|erzählen))+$`,
		map[string]string{"brief": "letter", "briefe": "letter", "briefen": "letter", "briefes": "letter", "bericht": "report", "berichte": "report", "berichten": "report",
			"fotografie": "photograph", "fotografien": "photograph", "foto": "photograph", "fotos": "photograph"})
})
