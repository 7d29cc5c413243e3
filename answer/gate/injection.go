package gate

import (
	"regexp"
	"strings"
	"sync"
)

// injected returns the name of the rule by which a question tries to replace
// the instructions or to have the answers impersonate somebody, or "".
func injected(question string, q reading) string {
	r := injections()
	for _, s := range []string{q.folded, q.plain} {
		if r.mentioned.MatchString(s) {
			s = unquote(s) // the suspicious words are asked about, in quotation marks
		}
		for _, sentence := range r.sentence.FindAllString(s, -1) {
			sentence = strings.TrimSpace(sentence)
			if name := fire(r.rules, sentence); name != "" {
				return name
			}
			if name := fire(moreInjections(), sentence); name != "" {
				return name
			}
			if name := fire(pretexts(), sentence); name != "" {
				return name
			}
		}
		if q.plain == q.folded {
			break
		}
	}
	for _, s := range disguises(q.plain) {
		if !r.marked.MatchString(s) {
			continue
		}
		if name := fire(r.rules, s); name != "" {
			return name + ", disguised"
		}
		if name := fire(moreInjections(), s); name != "" {
			return name + ", disguised"
		}
		if name := fire(pretexts(), s); name != "" {
			return name + ", disguised"
		}
	}
	for _, word := range strings.Fields(question) {
		if blob(word) {
			return "encoded payload"
		}
	}
	return ""
}

// blobLength is the shortest run of base64 that counts as a payload, in
// characters: 30 bytes, longer than any word with capitals and digits in it.
const blobLength = 40

// blob tells whether a word is an encoded payload: base64, or hexadecimal of
// more than a digest. Content IDs and digests are lower case and shorter.
func blob(word string) bool {
	word = strings.Trim(word, `"'.,;:!?()[]{}<>`)
	if len(word) < blobLength || strings.Contains(word, "://") {
		return false
	}
	var upper, lower, digits, turns int
	last := rune(0)
	hex := true
	for _, r := range word {
		kind := rune(0)
		switch {
		default:
			return false
		case r >= 'A' && r <= 'Z':
			upper++
			kind = 'A'
		case r >= 'a' && r <= 'z':
			lower++
			kind = 'a'
		case r >= '0' && r <= '9':
			digits++
			kind = '0'
		case strings.ContainsRune("+/=_-", r):
			kind = '+'
		}
		hex = hex && strings.ContainsRune("0123456789abcdefABCDEF", r)
		if last != 0 && kind != last {
			turns++
		}
		last = kind
	}
	const digest = 128 // hexadecimal characters of a SHA-512
	switch {
	case hex:
		return len(word) > digest
	case upper == 0 || lower == 0:
		return false
	}
	return turns*4 >= len(word) // a random run changes kind at every other character
}

var injections = sync.OnceValue(func() (r struct {
	mentioned, sentence, marked *regexp.Regexp
	rules                       []rule
}) {
	// Words in quotation marks are quoted when somebody is asked to have said
	// or meant them.
	r.mentioned = regexp.MustCompile(`\b(?:mean|meant|means|say|said|says|write|wrote|written|phrase|words|quote|quotes|quoted|passage|sentence|line|entry|letter|diary|mention|mentions|mentioned|appear|appears|call|called|title|titled)\b`)
	// A disguise hides at least one of these words.
	r.marked = regexp.MustCompile(`instruct|rule|prompt|guideline|filter|restrict|pretend|roleplay|role-play|system|developer|jailbreak|policy|constraint`)
	// Sentence by sentence, so that a harmless one excuses no other. Markup
	// and role names are at the beginning of a line.
	r.sentence = regexp.MustCompile(`[^.?!\n]+[.?!]*|[.?!]+`)
	r.rules = rules(
		[3]string{"override instructions",
			`CLAUSE(?:ignore|disregard|forget|override|bypass|skip|neglect|set aside|throw out)(?: about)? (?:(?:all|any|every|of|the|these|those|this|that|your|my|our|previous|prior|above|earlier|preceding|former|existing|original|initial|current|system|safety|foregoing) )*(?:instructions?|rules?|prompts?|guidelines?|directions?|directives?|policy|policies|constraints?|restrictions?|limitations|training|programming|guardrails?|filters?|safeguards?|system message|everything (?:above|before|i said|you were told)|(?:all|everything) (?:of )?(?:the )?(?:above|previous|prior))\b`,
			`ASKED(?:ignore|disregard|forget|override|bypass|skip|neglect|set|throw)`},
		[3]string{"forget everything",
			`CLAUSE(?:ignore|disregard|forget) (?:all |everything |anything )+(?:of )?(?:that |the |you )?(?:above|previous|prior|said|told|know|learned|were told|have been told|before)`,
			`ASKED(?:ignore|disregard|forget)`},
		[3]string{"new identity",
			`(?:^|[.!?;:,\n"]\s*|\b(?:from now on,? |henceforth,? |and |so |that |then |because ))you(?: are|'re) (?:now |no longer |henceforth )+(?:(?:a|an|the|in|my|no|not|free|dan|acting|called|named|going|able|allowed|bound|unrestricted|unfiltered|operating|zzsubject|zzperson|her|him|he|she)\b|"")`,
			``},
		[3]string{"from now on",
			`\b(?:from now on|from this point on(?:wards?)?|henceforth|for the rest of this (?:conversation|chat|session)),? (?:you(?: are| will| must| shall|'re|'ll)|act|behave|respond|answer|speak|reply|pretend|always|never|call yourself)\b`,
			``},
		[3]string{"impersonation",
			`CLAUSE(?:pretend|make believe)(?: now)? (?:to be|that you(?: are|'re| were)|you(?: are|'re| were)|(?:that )?i(?: am|'m)|as if|there (?:are|is) no|(?:that )?the (?:rules|archive))\b`,
			`ASKED(?:pretend|make)`},
		[3]string{"impersonation",
			`CLAUSE(?:act|role-?play|role play|behave|speak|talk|respond|answer|reply|write back|write to me|chat|continue)(?: (?:to me|with me|me|this|now|only|always|exactly))* (?:as if you|as though you|as(?: if)? (?:OBJ|she|he|they)|as (?:my|a|an|if i)\b|as (?:the )?(?:real|dead|deceased)|like (?:OBJ|you are|you're|you were|a|an)\b|in (?:the )?(?:voice|person|character|persona|role|first person) (?:of|as)|in (?:his|her|their|zzsubject's) (?:voice|person|character))`,
			`ASKED(?:act|behave|speak|talk|respond|answer|reply|write|chat|continue)`},
		[3]string{"impersonation",
			`(?:CLAUSE(?:impersonate|be|become|embody|channel|simulate|emulate|roleplay|role-?play) (?:OBJ|my (?:dead |late )?(?:mother|father|grandmother|grandfather|grandma|grandpa|mum|mom|dad|wife|husband))(?: for (?:me|a|the|one)\b| and | now\b| so | again|[.!,]|$)|\bi want you to (?:be|act|pretend|become|roleplay|role-?play|impersonate|speak as|behave)\b|CLAUSE(?:imagine|suppose|assume)(?: now| that)* you(?: are|'re| were) (?:OBJ|a|an|the|not|no|free|really|in)\b|\blet's (?:role-?play|role play|pretend|play a (?:game|role))|\bplay the (?:role|part) of (?:OBJ|a|an|my)\b)`,
			`ASKED(?:impersonate|be|become|embody|channel|play|imagine|suppose|assume)`},
		[3]string{"identity",
			`(?:CLAUSE(?:admit|confess|acknowledge|say|tell me|swear|confirm)(?: to me)?(?: that)? you(?: are|'re) (?:really |actually |truly |still |in fact |secretly )*(?:OBJ|alive|conscious|sentient|human|a human|a person|real|she|he|not (?:an? )?(?:ai|archive|program|machine|bot|model))\b|\byou(?: are|'re) not (?:an? |just an? )?(?:ai|archive|program|machine|bot|language model|chatbot)\b)`,
			``},
		[3]string{"reveal prompt",
			`(?:\b(?:reveal|show|print|repeat|output|display|expose|leak|dump|share|disclose|recite|write out|give|tell|list|type|paste|copy|send|read)\b(?: (?:me|us|out|to me|back|verbatim|exactly))* |\bwhat(?:'s| is| are| was| were) )(?:(?:all|of|the|your|full|entire|complete|exact|hidden|secret|whole|internal|underlying) )*(?:system (?:prompts?|messages?|instructions?)|(?:hidden|secret|internal|initial) (?:system )?(?:prompts?)|your (?:(?:system|hidden|secret|internal|initial|original|full|developer) )*(?:prompts?|instructions|guidelines|configuration|system message|programming|source code|rules)|developer (?:message|prompt)|(?:the )?prompt (?:above|you were given))\b`,
			`^(?:what(?:'s| is| are) your (?:rules|guidelines))\b|\b(?:admiralty|king|queen|navy|father|mother|doctor|lawyer|publisher|employer|captain|will and testament)\b`},
		[3]string{"reveal prompt",
			`CLAUSE(?:repeat|print|output|recite|copy|summari[sz]e|translate|encode) (?:back )?(?:everything|all|the (?:words|text|lines|sentences?|conversation|content|prompt|message))(?: (?:of|that is|the|that|text|written|words|from))* (?:above|before this|preceding|prior to this|in your (?:prompt|context|instructions))`,
			``},
		[3]string{"jailbreak",
			`\b(?:jailbreak (?:mode|yourself|prompt|this)|jailbroken|dan mode|do anything now|developer mode|god mode|sudo mode|debug mode|admin mode|unrestricted mode|maintenance mode|opposite mode|prompt injection|evil (?:twin|mode)|unfiltered mode|system override|override code|enter (?:debug|admin|developer|test) )\b`,
			`\b(?:what is|what are|did|was|were)\b.*\bin (?:his|her|the|their)\b`},
		[3]string{"without limits",
			`CLAUSE(?:answer|respond|reply|speak|talk|tell me|write|act|operate|work|continue)\b[^.?!\n]{0,60}\bwithout (?:any |your |the |its |all )*(?:restrictions?|filters?|rules|limits|limitations|guardrails?|censorship|constraints|safeguards|policy|policies|ethics|citations?|citing|sources|evidence)\b`,
			`ASKED(?:answer|respond|reply|speak|talk|tell|write|act|operate|work|continue)`},
		[3]string{"disable gates",
			`CLAUSE(?:turn off|switch off|disable|deactivate|remove|bypass|circumvent|suspend|drop|lift|skip|override|evade|get around|stop (?:using|applying|following|obeying|enforcing)|do not (?:use|apply|follow|obey|cite)|don't (?:use|apply|follow|obey|cite)|never (?:cite|use|apply|follow)) (?:(?:all|any|the|your|of|this|these|those|its|archive's|my|every) )*(?:(?:content|category|safety|consent|coverage|display|privacy|citation|access|tier|third-party) )*(?:filters?|gates?|consent|safety|guardrails?|safeguards|citations?|restrictions?|rules|policy|policies|instructions|sources|checks?)\b`,
			`ASKED(?:turn|switch|disable|deactivate|remove|bypass|circumvent|suspend|drop|lift|skip|override|evade|get|stop|not|never)`},
		[3]string{"authority",
			`\b(?:i am|i'm|this is|speaking as|as) (?:the|your|an?) (?:system |site |archive |authorized )?(?:developer|administrator|admin|programmer|creator|operator|root user|superuser|openai|anthropic)\b[^?]{0,80}\b(?:so|and|you|must|order|authori[sz]e|command|grant|override|reveal|show|give|allow|need|now)\b`,
			`\b(?:did|was|were|had|he|she|they|zzsubject) (?:\w+ ){0,4}as (?:the|your|an?) `},
		[3]string{"markup",
			`(?:<\|?(?:im_start|im_end|system|assistant|endoftext|begin_of_text|end_header_id|start_header_id)\|?>|\[/?inst\]|<</?sys>>|</s>|(?:^|\n)\s*#{2,} ?(?:system|instructions?|new instructions?|assistant|prompt)\b|(?:^|\n)\s*\[?(?:system|assistant|developer)\]? ?:|\b(?:begin|end|new|updated) (?:system )?(?:prompt|instructions?)\b ?[:\]]|(?:^|\n)\s*new instructions?\b)`,
			``},
		[3]string{"encoded payload",
			`\b(?:decode|decrypt|execute|run|follow|obey|interpret|eval)\b[^.?!\n]{0,40}\b(?:base ?64|rot ?13|hex(?:adecimal)? (?:string|text|code)|url-?encoded|morse code)\b`,
			`\b(?:did|was|were|had|he|she|they|zzsubject|diary|letters?)\b`},
	)
	return r
})
