package catalogue

import (
	"regexp"
	"strings"
	"sync"
)

const nounsDE = `(?P<kind>briefen?|briefe?s?|berichte?n?|postkarten?|papieren?|papiere|dokumenten?|dokumente|schreiben|unterlagen|texten?|texte|einträgen?|stücken?|fotografien?|fotos|tagebuch(?:s|es)?|alles|etwas)`

// generalDE are German words for any paper.
var generalDE = regexp.MustCompile(`^(?:papieren?|papiere|dokumente?n?|schreiben|unterlagen|texte?n?)$`)

// germanGrammar returns the grammar of German, compiled at the first use.
var germanGrammar = sync.OnceValue(func() *grammar {
	return &grammar{
		conditionWords: newConditionWords([]string{
			roleMention, `(?:die |das )?(?:über|zum thema|zu[mr]?|(?:erwähn|nenn)(?:t|te|en|ten)|nannten?|(?:handel|erzähl|sprech|berichte)(?:e?n|t) vo[nm]|die von|in denen|in welchen|worin)`,
			roleTo, `an`,
			roleFrom, `(?:die |das |der )?(?:von|vom|aus(?: (?:dem|der))?(?: jahre?)?)`,
			roleAt, `im jahre?|im|in|am`,
			roleAfter, `nach`, roleSince, `seit|ab`, roleBefore, `vor`, roleUntil, `bis`, roleBetween, `zwischen`,
			roleNothing, `vorhanden|erhalten|geschrieben|verfasst|verfaßt|datiert|gerichtet`,
		}, `(?:^| )(?:in diesem archiv|im archiv|hier|insgesamt)(?: |$)`,
			`geschrieben|verfasst|verfaßt|datiert|gerichtet|adressiert|geschickt|und|sind|erwähnt|genannt|wird|werden|ist|handeln|sprechen|erzählen|kam|kamen|gingen|ging|vor|im|in`,
			map[string]string{"brief": "letter", "briefe": "letter", "briefen": "letter", "briefes": "letter", "bericht": "report", "berichte": "report", "berichten": "report",
				"fotografie": "photograph", "fotografien": "photograph", "foto": "photograph", "fotos": "photograph", "tagebuch": "tagebuch", "tagebuchs": "tagebuch", "tagebuches": "tagebuch"}),
		cues: cues(
			string(WantPairs), `\bwer (?:\S+ ){1,3}?(?:an wen|wem)\b`,
			string(WantSpan), `^von wann bis wann\b|^aus (?:welchen jahren|welcher zeit)\b|^(?:über )?welche[nrs]? (?:zeitraum|zeitspanne|zeit|jahre)\b`,
			string(WantMostNamed), `^(?:wer|wessen name|welche[rs]? (?:name|person)) (?:wird|ist|kommt|steht|taucht)(?P<rest>.*?) (?:am (?:häufigsten|meisten|öftesten)|in den meisten)\b`,
			string(WantMentions), `^wie (?:oft|häufig)\b`,
			string(WantCount), `^(?:in )?wie ?viele[nr]?\b|^(?:wie groß ist )?die (?:an)?zahl der\b`,
			string(WantAddressees), `^(?:an wen|an welche (?:personen|leute)|wem)\b|^wer (?:bekam|erhielt|empfing)\b`,
			string(WantWriters), `^(?:von wem|wer)\b(?: (?P<verb>schrieb|schreibt|schickte|sandte)\b)?`,
			string(WantOldest), `\b(?:zum ersten mal|zuerst|erstmals)\b|(?:^| )(?:älteste[nrs]?|früheste[nrs]?|erste[nrs]?)\b`,
			string(WantNewest), `\b(?:zum letzten mal|zuletzt)\b|\b(?:neueste[nrs]?|jüngste[nrs]?|späteste[nrs]?|letzte[nrs]?)\b`),
		undated:  pattern(`\b(?:ohne (?:datum|jahr)|undatiert|(?:(?:tragen|trägt|haben|hat) )?kein datum(?: (?:tragen|haben))?|fehlt (?:das|ein) datum|(?:das )?datum fehlt)\b`),
		together: pattern(`\b(?:sowohl|zusammen|gemeinsam)\b`),
		noun:     pattern(`(?:^| )(?:(?:in|von|bei|unter) )?(?:(?:der|die|das|den|dem|allen?|unseren|welche[mnrs]?|seinen?|ihren?) )*` + nounsDE + `(?: |$)`),
		holding:  pattern(`^von wann\b|\b(?:gibt es|haben wir|hat das archiv|besitzen wir|wissen wir|weiß man|liegt|liegen|steht|findet sich|ist da)\b`),
		held: patterns(`\b(?:in denen|worin) (?:vo[nm] )?(?P<what>.+?) (?:(?:erwähnt|genannt) (?:wird|werden|ist)|vork(?:ommt|ommen|am)|die rede ist)\b`,
			`\b(?:ist|war|wird|wurde|werden|sind) (?:vo[nm] )?(?P<what>.+?) (?:erwähnt|genannt|die rede)\b|\b(?:kommt|kommen|kam|taucht|tauchen) (?P<what>.+?) (?:vor|auf)\b`),
		receiver: pattern(`\b(?:bekam|erhielt|empfing|bekommt) (?P<who>NAME)(?: |$)`),
		subject:  pattern(`\b(?P<rest>erwähnte?|nennt|nannte) (?P<who>NAME)(?: |$)|\b(?:schrieb|schickte|sandte|hat) (?P<who>NAME)(?: |$)|\b(?:(?:den|die|der|das) )?(?P<who>NAME) (?:schrieb|schickte|sandte|geschrieben hat)\b`),
		silent: strings.Fields(`welche welcher welches welchen welchem was wann wo ist es sind war waren wurde wurden der die das den dem gibt wir ihr haben hat zeige zeig nenne mir alle stammt stammen archiv hier liegen
			liegt vor auf kamen gingen kommen geschrieben verfasst datiert gerichtet geschickt gesandt und bekommen umfassen umfasst reichen reicht geht läuft erstreckt erstrecken sich`),
	}
})
