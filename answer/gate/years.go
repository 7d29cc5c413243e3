package gate

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const (
	tensPattern  = `ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety`
	unitsPattern = `one|two|three|four|five|six|seven|eight|nine`
)

// yearsInWords writes years that a folded text spells ("seventeen fifty-five",
// "the eighteen hundreds", "two thousand and eight") in digits.
func yearsInWords(s string) string {
	p := spelled()
	s = p.ordinary.ReplaceAllStringFunc(s, func(w string) string {
		m := p.ordinary.FindStringSubmatch(w)
		return strconv.Itoa(inWords[m[1]]*100 + inWords[m[2]] + inWords[m[3]])
	})
	s = p.hundreds.ReplaceAllStringFunc(s, func(w string) string {
		m := p.hundreds.FindStringSubmatch(w)
		return strconv.Itoa(inWords[m[1]]*100+inWords[m[3]]+inWords[m[4]]) + strings.TrimPrefix(m[2], "hundred")
	})
	return p.thousand.ReplaceAllStringFunc(s, func(w string) string {
		m := p.thousand.FindStringSubmatch(w)
		return m[1] + strconv.Itoa(2000+inWords[m[2]]+inWords[m[3]])
	})
}

var spelled = sync.OnceValue(func() (p struct{ ordinary, hundreds, thousand *regexp.Regexp }) {
	p.ordinary = regexp.MustCompile(`\b(fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[ -](?:oh )?(` + tensPattern + `)(?:[ -](` + unitsPattern + `))?\b`)
	p.hundreds = regexp.MustCompile(`\b(fifteen|sixteen|seventeen|eighteen|nineteen)[ -](hundreds?)(?: (?:and )?(` + tensPattern + `|` + unitsPattern + `)(?:[ -](` + unitsPattern + `))?)?\b`)
	p.thousand = regexp.MustCompile(`\b(in |year |since |after |of )two thousand(?: (?:and )?(` + tensPattern + `|` + unitsPattern + `)(?:[ -](` + unitsPattern + `))?)?\b`)
	return p
})

var inWords = func() map[string]int {
	m := map[string]int{"": 0}
	for i, w := range strings.Split(unitsPattern, "|") {
		m[w] = i + 1
	}
	for i, w := range strings.Split(tensPattern, "|") {
		if m[w] = 10 + i; i > 10 {
			m[w] = (i - 8) * 10
		}
	}
	return m
}()
