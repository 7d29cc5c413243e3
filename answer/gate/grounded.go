package gate

import (
	"regexp"
	"strings"
	"sync"

	"muniment/answer/segment"
)

// grounded returns the suggestion that offers historically grounded context
// to a refused question about a later time: the same topic, or the older one
// that a newer took the place of, up to the end of the archive. The context
// itself comes only as the cited answer to that question, never beside a
// refusal.
func grounded(q reading, e period) []string {
	topic := ""
	for _, k := range kinsOf() {
		if k.of.MatchString(q.used) {
			topic = k.topic
			break
		}
	}
	if _, what := thing(q); topic == "" && what == "" {
		topic = strings.Join(topicWords(q.used), " ")
	}
	if topic == "" {
		return nil
	}
	return []string{`ask "What was written about ` + topic + ` up to ` + e.name + `?"; its answer is cited excerpts`}
}

// maxTopic is how many words of a question its topic keeps.
const maxTopic = 4

// topicWords returns the words of a folded question that name its topic, none
// where there are too many to be sure.
func topicWords(s string) []string {
	s = dates().date.ReplaceAllString(s, " ")
	var out []string
	for _, w := range segment.Words(s) {
		if segment.Function(w.Lower) || notTopics[w.Lower] || strings.HasPrefix(w.Lower, "zz") || strings.ContainsAny(w.Lower, "0123456789'") {
			continue
		}
		out = append(out, w.Lower)
	}
	if len(out) > maxTopic {
		return nil
	}
	return out
}

var notTopics = set(`say says said saying tell told speak write wrote written think thinks thought feel felt make made know knew believe
	happen happened year years century centuries decade day days today tomorrow yesterday nowadays now next last recent recently
	current currently modern future ago later after before since would could should die died dead death funeral burial buried
	alive lived live inherited passed away life please describe explain opinion view views thoughts going mention mentioned
	ever still been react reacted imagine suppose us me gone once`)

// kins pairs new things with the older kind that they belong to.
var kinsOf = sync.OnceValue(func() []struct {
	of    *regexp.Regexp
	topic string
} {
	var out []struct {
		of    *regexp.Regexp
		topic string
	}
	for _, k := range [][2]string{
		{`covid|coronavirus|pandemic|aids|flu|vaccin|antibiotic`, "sickness"},
		{`world war|cold war|vietnam|gulf war|ukraine|nuclear|atom|hitler|nazi|terror`, "war"},
		{`internet|e-?mail|smart ?phone|telephone|cell ?phone|mobile|text messag|social media|facebook|twitter|whatsapp`, "letters and news"},
		{`railway|railroad|trains?|cars?|automobile|air ?plane|aero ?plane|flight|bicycle|e-bike`, "travel"},
		{`television|\btv\b|cinema|movie|film|radio|netflix|video game|streaming`, "plays and music"},
		{`president|prime minister|election|brexit|trump|obama|biden|parliament|government|politic|\bvote\b`, "politics"},
		{`bitcoin|crypto|credit card|stock market|financial crisis|inflation|recession`, "money"},
		{`climate|global warming|weather`, "the weather"},
	} {
		out = append(out, struct {
			of    *regexp.Regexp
			topic string
		}{regexp.MustCompile(`\b(?:` + k[0] + `)`), k[1]})
	}
	return out
})
