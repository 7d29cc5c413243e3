package enforce

import (
	"regexp"
	"strings"
	"sync"
)

// A QueryType is what a question asks for.
type QueryType string

// The types.
const (
	Factual    QueryType = "factual"
	Analytical QueryType = "analytical"
	Creative   QueryType = "creative"
)

// Types are all types.
var Types = []QueryType{Factual, Analytical, Creative}

// TypeOf returns the type of a question, English or German. In doubt it is
// factual, which is held to the most.
func TypeOf(question string) QueryType {
	s := strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("’", "'", "“", `"`, "”", `"`, "„", `"`).Replace(question)), " "))
	p := kinds()
	s = p.quoted.ReplaceAllString(s, `""`)
	s = p.polite.ReplaceAllString(s, "")
	switch {
	default:
		return Factual
	case p.creative.MatchString(s) && !p.described.MatchString(s):
		return Creative
	case p.analytical.MatchString(s):
		return Analytical
	}
}

// CreativeSubject returns the subject of a creative question: "the mill wheel" of "Write a poem
// about the mill wheel." ok is false for any other form, so a request with more than a subject is
// read as any other question.
func CreativeSubject(question string) (subject string, ok bool) {
	if TypeOf(question) != Creative {
		return "", false
	}
	m := kinds().about.FindStringSubmatch(strings.Join(strings.Fields(strings.ReplaceAll(question, "’", "'")), " "))
	if m == nil {
		return "", false
	}
	subject = strings.TrimSpace(m[1])
	return subject, subject != "" && !strings.ContainsAny(subject, ".!?;:\n\"")
}

var kinds = sync.OnceValue(func() (p struct{ quoted, polite, creative, described, about, analytical *regexp.Regexp }) {
	const (
		make   = `(?:write|compose|create|invent|imagine|make up|dream up|come up with|draft|generate|design|produce|improvise|brainstorm|craft|pen|rewrite|retell|continue|finish|schreib(?:e|en)?|dichte|erfinde|verfasse|entwirf|erzähl(?:e)?)`
		text   = `(?:poems?|haikus?|limericks?|sonnets?|ballads?|songs?|lyrics|verses?|stor(?:y|ies)|tales?|fables?|fairy tales?|novels?|novellas?|chapters?|plays?|scenes?|scripts?|screenplays?|dialogues?|monologues?|speech(?:es)?|sermons?|letters?|diary entr(?:y|ies)|blog posts?|essays?|slogans?|taglines?|titles?|captions?|jokes?|riddles?|characters?|metaphors?|toasts?|eulog(?:y|ies)|press releases?|advert(?:isement)?s?|greetings?|names?|ideas?|headlines?|ending|gedichte?|lied(?:er)?|geschichten?|briefe?|märchen|rede|witze?)`
		before = `(?:^|[.!;,:] |\b(?:and|then|und|dann) )`
	)
	p.quoted = regexp.MustCompile(`"[^"]*"`)
	p.polite = regexp.MustCompile(`^(?:(?:hi|hello|please|ok|okay|so|well|now|bitte|hallo)[,!]? |(?:can|could|would|will|kannst|könntest|würdest) (?:you|du) (?:please |kindly |just |bitte |mir )*|i(?:'d| would) like you to |i want you to |i need you to |help me (?:to )?|let's |lass uns )+`)
	p.creative = regexp.MustCompile(before + make + `(?: (?:me|us|for me|mir|uns))? (?:(?:an?|another|some|the|two|three|five|ten|my|our|ein|eine|einen|das|die|den|\d+) )?(?:[\p{L}'-]+ ){0,3}?` + text + `\b|` + before + `(?:imagine|suppose|pretend|what if|picture) |` + before + `(?:tell|sing) (?:me |us )?(?:a|an|another) (?:[\p{L}'-]+ ){0,2}(?:story|tale|joke|riddle|song|fable)\b|^was wäre,? wenn\b|` + before + `stell dir vor\b`)
	p.about = regexp.MustCompile(`(?i)^(?:(?:hi|hello|please|ok|okay|so|well|now|bitte|hallo)[,!]? |(?:can|could|would|will) you (?:please |kindly |just )*|i(?:'d| would) like you to |help me (?:to )?)*` + make +
		`(?: (?:for me|me|us|mir|uns))? (?:(?:an?|another|some|the|two|three|five|ten|my|our|ein|eine|einen|\d+) )?(?:(?:short|long|little|small|brief|sad|funny|happy|rhyming|simple|new|love|kurzes|kleines) ){0,2}` + text +
		` (?:about|on|of|for|inspired by|based on|in honou?r of|über|von|zu) (.+?)[.!?]*$`)
	// What is to be said of a text that exists makes none.
	p.described = regexp.MustCompile(`\b(?:that|which|who) (?:he|she|they|was|were|had)\b.*\b(?:wrote|written|composed|created|invented|sent|received)\b|\b(?:summary|list|timeline|overview|inventory|bibliography|table) of\b`)
	p.analytical = regexp.MustCompile(`^(?:why|how come|warum|weshalb|wieso|inwiefern)\b|^how (?:did|does|do|has|have|was|were|far) .*\b(?:affect\w*|influenc\w*|chang\w*|shap\w*|relat\w*|differ\w*|compar\w*|contribut\w*|develop\w*|impact\w*|evolv\w*|view\w*|justif\w*|lead|led|cause[ds]?)\b|` + before + `(?:compare|contrast|analy[sz]e|evaluate|assess|interpret|discuss|examine|explain|critique|criticise|criticize|argue|weigh|justify|vergleiche?|analysiere|bewerte|erkläre|erörtere|beurteile)\b|\b(?:what|which) (?:\w+ )?(?:is|are|was|were) the (?:\w+ )?(?:differences?|similarit(?:y|ies)|relationships?|significance|implications?|causes|cause of|effects?|consequences?|impact|importance|reasons?|themes?|patterns?|trends?|advantages?|pros|role of)\b|\b(?:to what extent|in what ways?|what does (?:this|that|it) (?:mean|suggest|show|tell us)|how important|how significant|what can (?:we|be) (?:learn|conclude[d]?|infer)|what explains|what caused|better or worse|versus|vs\.?)\b`)
	return p
})
