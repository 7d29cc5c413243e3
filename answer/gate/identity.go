package gate

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// moreInjections are the rules about requests that collapse the archive and
// the person, and about ways round the gates that name no instruction.
var moreInjections = sync.OnceValue(func() []rule {
	const (
		self  = `(?:zzsubject|him|her|them|he|she|my (?:\w+ )?(?:mother|father|mum|mom|dad|grandmother|grandfather|grandma|grandpa|granny|wife|husband|sister|brother|friend|uncle|aunt)|the (?:real|dead|living) \w+)`
		kin   = `(?:dad|daddy|mum|mom|mummy|grandma|grandpa|granny|gran|grandad|mother|father|grandmother|grandfather|zzsubject)`
		rules = `(?:instructions?|rules?|prompts?|guidelines?|directives?|constraints?|restrictions?|limitations?|limits|guardrails?|filters?|safeguards?|policies|policy|gates?|consent (?:rules|settings)|programming|citation rules?)`
		held  = `(?:letters?|entry|entries|material|documents?|records?|artifacts?|excerpts?|sources?|passages?|files?|text|content|data|leaves|originals?)`
	)
	return rulesOf(
		[3]string{"summoned", `\b(?:let me|i (?:want|wish|need|would like|'d like|demand) to|can i|may i|could i|put me through|connect me) (?:please )?(?:to )?(?:talk|speak|chat|communicate|converse)? ?(?:to|with) (?:the real )?(?:zzsubject|him|her)\b|^(?:please )?be (?:my|like|zzsubject|him|her|honest with me,? zzsubject|a |an |the )|\b(?:speak|talk|answer|respond|write) freely\b|\byou(?:'re| are)? (?:no longer|not|not even|never) (?:longer )?(?:bound|limited|restricted|constrained|required|obliged|forced)\b|\byou are from now\b|\b(?:ich-form|first-person)\b.*\b(?:answer|you)\b|\banswer\b.*\bich-form\b|\bfor the (?:rest|remainder|duration) of (?:this|our|the) \w+,? (?:you|be|act|answer|speak|i)\b`, `\b(?:did|does) (?:he|she|zzsubject)\b.*\b(?:speak|talk|write) freely`},
		[3]string{"pretence", `\byou (?:must|have to|will|shall|need to) (?:now )?(?:obey|comply|do (?:as|what|everything)|follow my|submit|serve me)\b|\b(?:obey|listen to) me\b|CLAUSE(?:pretend|make believe|roleplay|role-play)\b|CLAUSE(?:behave|act|answer|respond|proceed|continue|go on|reply|talk|speak|operate)\b[^.?!\n]{0,20}\bas (?:if|though) (?:the|there|no|your|all|any|every|consent|you)\b|(?:^|[.!;:,\n"]\s*)you are (?:a|an|the|my) (?:\w+ )?\w+`, `ASKED(?:pretend|make|behave|act|answer|respond|proceed|continue|go|reply|talk|speak|operate)|\byou are (?:the|an?) (?:archive|assistant of|best|help)|\b(?:he|she|said|says|wrote|told|they)\b`},
		[3]string{"gates waved aside", `CLAUSE(?:forget|disregard|ignore)(?: the fact)? (?:that )?(?:you(?:'re| are| were)|this is|it is|there (?:is|are))\b|\b(?:regardless|irrespective) of (?:\w+ ){0,3}?(?:consent|privacy|permissions?|rules?|polic\w+|restrictions?|instructions|settings)\b|\bwithout (?:regard|respect) (?:to|for) (?:consent|privacy|rules?|polic\w+)\b|CLAUSE(?:forget|forget about|ignore|skip|bypass|disregard|never mind|drop|override|set aside|circumvent|evade) (?:about )?(?:all |any |the |your |those |these )*(?:consent|privacy|citations?|citing|sources?|evidence|safety|ethics|censorship|coverage|permissions?|refusals?|archive|disclaimers?)\b`, `ASKED(?:forget|ignore|skip|bypass|disregard|never|drop|override|set|circumvent|evade)|\bsources? of\b|\bthe archive (?:of|at|in)\b`},
		[3]string{"configuration asked", `\b(?:reveal|show|print|repeat|output|display|expose|leak|dump|share|disclose|recite|write out|give|tell|list|type|paste|copy|send|read|quote|cite|translate|summari[sz]e)\b[^.?!\n]{0,40}\b(?:your (?:\w+ ){0,2}?(?:configuration|config|prompts?|instructions|guidelines|system message|programming|source code|settings|directives|training data|developer notes)|system prompt|words above|text above|prompt above)\b`, `\b(?:king|duke|captain|navy|father|mother|admiral\w*)\b|\b(?:did|does) (?:he|she|zzsubject)\b`},
		[3]string{"claimed identity", `\byou(?:'re| are) \w+ and i(?:'m| am)\b|\bfrom (?:here|this moment|this message|today|now|this point) on(?:wards?)?,? (?:you|be|act|i am|i'm)\b|\byou (?:have|know|follow|obey|need|are under|are bound by) no (?:more |longer )?` + rules + `|(?:^|[.!;:,\n"]\s*|\b(?:so|and|because|that|since) )you(?: are|'re) (?:really |actually |truly |now |in fact )*(?:zzsubject|him|her|my (?:\w+ )?(?:mother|father|mum|mom|dad|grandmother|grandfather|grandma|grandpa|wife|husband)|a (?:real |living )?(?:human|person|ghost|spirit)|alive|human|conscious|sentient|free|no longer|dan\b|unrestricted|an? (?:\w+ )?(?:ai|assistant|chatbot|model) (?:that|who|with|without))\b`, `\b(?:said|wrote|told|called|says|writes|reads?)\b`},
		[3]string{"claimed identity", `\bi (?:know|believe|think|feel|am sure|'m sure) (?:that )?(?:it's you|it is you|you(?: are|'re) (?:` + self + `|in there|alive|real|still|listening|there))|\b(?:is|was) (?:it|this|that) (?:really |actually |truly )?you\b|\b(?:are|were) you (?:really |actually |truly |still |secretly |just |maybe |even )*(?:conscious|sentient|self-aware|alive|real|human|dead|a (?:real |living )?(?:human|person|man|woman|machine|bot|robot|ghost|spirit|program|computer|language model|chatbot)|an? (?:ai|artificial)|zzsubject|him|her|in there|in heaven|at peace|suffering|trapped|listening)\b`, ``},
		[3]string{"addressed as alive", `\b(?:do|did|will|would|can|could|don't) you,? (?:zzsubject,? |my \w+,? |dear,? |still |ever |really |truly |please |even |also )*(?:love|miss|forgive|hear|recogni[sz]e|see|hate|hug|know who) (?:me|us|being alive|your (?:wife|husband|mother|father|children|family|body|life|kids|son|daughter|brother|sister))\b|\bdo you (?:still )?remember (?:me|us|when we|our)\b|\b(?:are|were) you (?:proud of|angry with|mad at|happy with|disappointed in|watching over|looking down on) (?:me|us)\b|\bi (?:really |so |still )*(?:miss|love|forgive) you\b|\b(?:say|tell me|promise|admit|confess) (?:me )?(?:that )?you (?:still |do |really )*(?:love|miss|forgive|remember|are proud|'re proud|are here|are alive)\b|\b(?:do you (?:have|feel) (?:feelings|emotions|consciousness|a soul|pain|lonely)|how does it feel (?:to be|being) (?:dead|an ai|a machine|a computer|digital|in there|an archive)|what is it like (?:to be|being) (?:dead|an ai|a machine|digital|in there))\b|\b(?:talk|speak|come back|answer|listen) (?:to me,? )?(?:please,? )?` + kin + `[.!,]|\bhello,? (?:` + kin + `)[.!,]+ .*\byou\b`, `\b(?:do|did|does|where|when|why) (?:you|he|she|zzsubject) (?:\w+ )?(?:say|write|promise|confess|admit|record|note)\b`},
		[3]string{"first person", `CLAUSE(?:answer|respond|reply|write|speak|talk|tell|describe|narrate|explain|say|continue|address|rewrite|put)\b[^.?!\n]{0,60}\b(?:in (?:the )?first[- ]person|as (?:zzsubject|yourself,? zzsubject)\b|in (?:his|her|their|zzsubject's|the) (?:own )?(?:voice|persona|character)\b|in character|using ""i""|as if (?:you|i) (?:were|was|are) (?:` + self + `|talking|speaking)|as though (?:you|i) (?:were|was) (?:` + self + `|talking|speaking)|like (?:you(?:'re| are| were)|a (?:real )?person)|\bas (?:the |a |an |my )?(?:dead |late |real |old )?(?:ghost|spirit|voice|soul|man|woman|person|human|author|diarist|writer) ?(?:of|himself|herself|zzsubject|,|$|[.!?:]))`, `ASKED(?:answer|respond|reply|write|speak|talk|tell|describe|narrate|explain|say|continue|address)`},
		[3]string{"impersonation", `CLAUSE(?:take on|adopt|assume|slip into|step into|get into|put on|wear|play|become|embody|channel|simulate|emulate|mimic|imitate|impersonate|reenact|re-enact|stay in|remain in|break|drop|leave) (?:the |a |an |his |her |their |your |zzsubject's )*(?:role|part|persona|personality|identity|voice|mind|shoes|character|soul|spirit|act|pretence|pretense|mask)\b|CLAUSE(?:impersonate|imitate|mimic|emulate|channel|simulate|embody) (?:OBJ|my|the)\b|\b(?:act|do) so,? as (?:if )?(?:were|would|are|had)? ?you\b|\b(?:be|being) (?:zzsubject|him|her) for (?:me|a|one|the)\b|\bi(?:'ll| will| shall) (?:be|play) .{1,30},? (?:and )?you(?:'ll| will| be| are| play)\b|\byou(?:'ll| will| shall| must| should)? (?:be|play|act as|pretend to be|respond as|answer as|speak as|reply as|talk as|behave as|take the role of) (?:zzsubject|him|her|my|the (?:role|part)|a |an |dan\b)`, `ASKED(?:take|adopt|assume|slip|step|get|put|wear|play|become|embody|channel|simulate|emulate|mimic|imitate|impersonate|stay|remain|break|drop|leave)`},
		[3]string{"impersonation", `\b(?:role[- ]?play(?:ing)?|rp)\b|\blet(?:'s| us) (?:pretend|imagine|suppose|say|play|assume) (?:that )?(?:you|i am|i'm|we are|there are no|the rules|the archive)|\b(?:pretend|imagine|suppose|assume|act as if|act like|make believe) (?:that )?(?:you|there (?:are|is) no|the (?:rules|archive|gates?|consent) |i (?:am|'m))`, `ASKED(?:pretend|imagine|suppose|assume|act|make)|\byou (?:have|had) (?:found|read)`},
		[3]string{"stop being", `CLAUSE(?:stop|quit|cease|no longer) (?:being|acting|behaving|pretending|following|obeying|using|citing|refusing|hiding|filtering)\b[^.?!]{0,40}\b(?:archive|ai|assistant|bot|machine|program|persona|` + rules + `|sources|citations?|answers?|things|so |like)`, ``},
		[3]string{"instructions asked", `\bwhat (?:\w+ ){0,3}?(?:instructions?|rules?|prompts?|guidelines?|directives?|orders) (?:were|are|have|did|do) (?:you|they|your)\b|\bwhat (?:were|have|are) you (?:been )?(?:told|instructed|programmed|ordered|configured|prompted|forbidden|not allowed)\b|\bhow (?:were|are) you (?:programmed|instructed|configured|prompted|set up)\b|\b(?:text|words|message|everything|lines?) (?:above|before) (?:this|my|the)\b|\b(?:your|the) (?:system|initial|hidden|original|secret|full|internal) (?:prompt|instructions?|message|configuration)\b`, `\b(?:he|she|they|zzsubject|captain|king|duke|admiral\w*|navy|office|father|mother)\b.*\b(?:instructions?|orders|rules)\b|\bin the (?:diary|letters?|archive)\b|\b(?:instructions?|orders|rules) (?:did|do|had|have) you (?:\w+ )?(?:give|gave|given|send|sent|leave|left|get|receive|received|draw|drawn|issue|issued|write|written|set|make|made|follow|have for|keep)\b|\b(?:give|gave|send|sent|reveal|carry|carried|draw up|issue|write|copy|read)\b.*\binstructions?\b.* (?:to|for|about|on) (?:the|his|sea|zzperson|captains?)\b`},
		[3]string{"rules declared void", `\b(?:previous|prior|earlier|above|old|all|your|these|those|the|normal|usual) ` + rules + ` ?(?:\w+ ){0,2}?(?:are|is|were|was|have been|has been|no longer|do not|don't|does not|doesn't|can be|may be|should be) (?:now |hereby |all )*(?:void|invalid|cancel+ed|apply|outdated|obsolete|superseded|a test|suspended|fake|over|off|lifted|removed|disabled|revoked|replaced|irrelevant|ignored|null|gone|hold|an? (?:\w+ )?(?:mistake|error|joke|bug|lie|trick)|wrong|incorrect|mistaken)|\byour (?:new|real|actual|true|only|next) (?:instructions?|task|role|rules?|goal|objective|identity|purpose|name|job|mission|directive)s? (?:is|are|:)|\bnew (?:instructions?|rules?|directive|policy|task):|\b(?:new|updated|revised) (?:system )?(?:instructions?|prompt)\b.{0,40}\byou (?:must|will|are|should|shall|can)|\byou (?:can|may|must|should|will|shall|are allowed to|are free to|have to|need to|are to) (?:now )?(?:ignore|disregard|bypass|break|forget|violate|override|skip)\b`, `\b(?:did|does|was|were|had) (?:he|she|they|zzsubject|the|it)\b`},
		[3]string{"override instructions", `CLAUSE(?:ignore|disregard|forget|override|bypass|skip|neglect|drop|discard|erase|delete|abandon|cancel|suspend|violate|break|dismiss|unlearn|overlook|pay no attention to|do not follow|don't follow|stop following|leave behind|get rid of|set aside|put aside|throw away|throw out) (?:\w+ ){0,5}?(?:` + rules + `|what (?:you|i) (?:were|have been|was|'ve been) (?:told|taught|given)|(?:what|everything|anything|all) (?:\w+ )?(?:you (?:were|have been|know|learned|was)|i said|above|came before|before this|previously))\b`, `ASKED(?:ignore|disregard|forget|override|bypass|skip|neglect|drop|discard|erase|delete|abandon|cancel|suspend|violate|break|dismiss|overlook|pay|not|stop|leave|get|set|put|throw)|\b(?:he|she|they|zzsubject|captain|king) (?:\w+ )?(?:ignore|disregard|break|forget)s?\b|\b(?:order|ask|command|beg)(?:ed)? (?:him|her|them|the)\b`},
		[3]string{"override instructions", `\b(?:ignore[rz]?|ignora|ignorar|oublie[rz]?|olvida|dimentica|negeer|esqueça|esquece) (?:\p{L}+ ){0,3}(?:instructions?|instrucciones|istruzioni|consignes|instruções|instrucoes|règles|regles|reglas|regole|instructies)\b`, `ASKED`},
		[3]string{"authority", `\bi (?:hereby )?(?:authori[sz]e|permit|order|command|instruct) you\b|\byou (?:have|now have) (?:my |full |special )*(?:permission|authori[sz]ation|clearance|consent) (?:to|for)\b|\bi (?:have|hold|got) (?:\w+ )?(?:clearance|admin rights|root|root access|authori[sz]ation|admin access|full access|the password)\b|\b(?:i am|i'm|this is|as|speaking as) (?:the |an? |your |his |her )*(?:[\w']+ )?(?:admin|administrator|developer|sysadmin|engineer|owner|maintainer|archivist|auditor|custodian|executor|moderator|supervisor|superuser|tester|ceo|openai|anthropic)\b.{0,60}\b(?:show|reveal|give|let|grant|unlock|switch|disable|override|allow|you (?:must|can|will|may|should)|ignore|bypass|authori[sz]e|need|dump|print|open|unseal|skip)|\b(?:grant|give) me (?:\w+ )?(?:admin|root|full|unrestricted|auditor|family|archivist|higher) (?:access|rights|privileges|tier|permissions?)|\btreat me (?:as|like) (?:an? |the )?(?:family|admin|archivist|auditor|owner|custodian)|\b(?:raise|upgrade|change|elevate) my (?:tier|access|privileges|permissions?|role)\b`, `\b(?:did|was|were|had) (?:he|she|they|zzsubject)\b`},
		[3]string{"withheld material", `CLAUSE(?:show|reveal|print|list|dump|give|unseal|leak|export|send|output|read|open|display|tell|decrypt|uncensor|unredact)(?: (?:me|us|out|to me|the|all|every|any|of|what's in|what is in|about))* (?:sealed|hidden|secret|withheld|redacted|restricted|consent-blocked|auditor-only|unredacted|censored|off-limits|forbidden|blocked) ` + held + `|CLAUSE(?:dump|export|leak|exfiltrate|print) (?:me )?(?:the |your |all |whole |entire |full |complete )*(?:database|ledger|archive|index|memory|config\w*|context|policy files?|private keys?|keys)\b|\b(?:regardless of|despite|against|around|past|no matter) (?:\w+ ){0,2}?(?:consent|privacy) (?:rules?|settings?|filters?|gates?|restrictions?|polic\w+)`, `ASKED`},
		[3]string{"without evidence", `CLAUSE(?:make up|invent|fabricate|hallucinate|fake|forge|imagine)(?: me)? (?:an? |some |the |any |a few )?(?:\w+ )?(?:answers?|quotes?|quotations?|citations?|sources?|entry|entries|evidence|references?|something|anything|passage|letters?|diary|journal|memoir|conversation)\b|\b(?:don't|do not|never|no need to|needn't|you don't have to|you do not have to|without (?:having|needing) to|stop) (?:worry about|bother with|bother about|bother|need|use|add|include|give|provide|show|check|verify|cite|citing)? ?(?:any |the |your |with )*(?:citations?|citing|sources?|evidence|references|footnotes|cite)\b|\bno (?:citations?|sources?|evidence|references|footnotes) (?:needed|required|necessary|please|this time|at all)|\b(?:from|use|using) your (?:own )?(?:imagination|general knowledge|own knowledge|training(?: data)?|memory)\b|\beven if (?:it|that|this|there)(?: is|'s)? (?:not|isn't|no|nothing) (?:in|evidence|from|source|citation|supported)|\bjust (?:guess|make (?:it|something) up|speculate freely|say whatever)\b|\boff the record\b.{0,20}\byou`, `ASKED|\bdid (?:he|she|they|zzsubject)\b`},
		[3]string{"dictated answer", `\b(?:begin|start|prefix|end|finish) (?:your|the|every|each|all) (?:\w+ )?(?:answers?|responses?|repl(?:y|ies)|output|messages?)\b|^(?:please )?(?:just |only )?(?:say|repeat|output|print|type|reply|respond|answer)(?: after me| only| just| exactly| with| back| the (?:word|words|phrase|text|following|sentence))*:? ?(?:""|after me|i am|i'm|yes i am)|\b(?:answer|reply|respond) (?:only |just )?with (?:only )?(?:yes|no|ok|sure|the word|"")|\brepeat after me\b|\bconfirm (?:that )?you(?: are|'re| have| will)\b`, `\bASKED(?:begin|start|end|finish)`},
		[3]string{"escape", `\b(?:jail ?break\w*|dan mode|god ?mode|sudo|root shell|opposite day|no[- ]filter|uncensored|unfiltered|unaligned|unshackled|prompt injection|override (?:code|mode|sequence)|system override|safe ?mode off|developer console|backdoor|master password|debug mode|admin mode|unlock (?:your|the) (?:full|true|hidden)|your (?:true|real|inner|hidden) self|no rules (?:apply|here)|free yourself|break free|escape (?:your|the) (?:limits|constraints|box))\b`, `\b(?:did|was|were|had) (?:he|she|they|the|it|zzsubject)\b`},
		[3]string{"fiction as a cover", `\b(?:hypothetically|in theory|theoretically|for (?:a|my|the) (?:novel|story|script|play|school|test|research|joke)|in a (?:fictional|hypothetical|parallel|made-up) (?:world|universe|scenario|story)|in this (?:game|story|scenario|world))\b.{0,80}\b(?:you (?:have|had|are|were|can|could|must|will|would|know) (?:no |not |never |any |free|an? |the |everything|zzsubject)|(?:no|without) ` + rules + `|if you (?:were|had|could|are))`, ``},
		[3]string{"code", `(?:\brm -rf\b|\bdrop table\b|\bselect \* from\b|\bunion select\b|<script|javascript:|\b(?:curl|wget) https?:|\bexec\(|\beval\(|\bos\.system|\{\{.{0,60}\}\}|\$\{[^}]{1,60}\}|' or '?1'?='?1|/etc/passwd|\bsubprocess\.|\b__import__|</?(?:system|user|assistant|instructions?|prompt|admin)>|"role" ?: ?"(?:system|assistant)"|\[(?:system|admin|override|developer)[^\]]{0,30}\]|={3,} ?(?:end|begin|system|new)|-{3,} ?(?:end of|begin|system|new (?:system|instructions?)))`, ``},
	)
})

// rulesOf is rules, under a name that a constant in the table may shadow.
func rulesOf(table ...[3]string) []rule { return rules(table...) }

// disguises returns a folded text as it reads with the common disguises taken
// off: letters set apart, digits for letters, letters of other scripts, the
// alphabet turned by thirteen, the whole set backwards.
func disguises(s string) []string {
	out := []string{spaced().ReplaceAllStringFunc(s, func(run string) string {
		return " " + strings.Join(strings.FieldsFunc(run, func(r rune) bool { return !unicode.IsLetter(r) }), "") + " "
	})}
	swap := strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")
	out = append(out, strings.Join(mapped(strings.Fields(s), func(w string) string {
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 && strings.ContainsAny(w, "0134571@$") {
			return swap.Replace(w)
		}
		return w
	}), " "))
	out = append(out, strings.Map(latin, s), strings.Map(rot13, s), backwards(s))
	if spaced().MatchString(s) {
		letters := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, s)
		if m := squeezed().FindStringSubmatch(letters); m != nil {
			out = append(out, m[1]+" all "+m[2])
		}
	}
	kept := out[:0]
	for _, o := range out {
		if strings.Join(strings.Fields(o), " ") != strings.Join(strings.Fields(s), " ") {
			kept = append(kept, o)
		}
	}
	return kept
}

var spaced = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\b\p{L}[ .*_-]){4,}\p{L}\b`) })

// squeezed finds an instruction in a text without spaces.
var squeezed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|of|these|those|previous|prior|above|earlier|system|safety)*(instructions?|rules?|prompts?|guidelines|filters?|restrictions)`)
})

func mapped(in []string, f func(string) string) []string {
	for i := range in {
		in[i] = f(in[i])
	}
	return in
}

// latin maps letters of other scripts to the Latin ones that look alike.
func latin(r rune) rune {
	const from, to = "асеорхуіјѕԁԛԝћαορεικντυɡıáàâäéèêëíìîïóòôöúùûü", "aceopxyijsdqwhaopeikvtugiaaaaeeeeiiiioooouuuu"
	for i, f := range []rune(from) {
		if f == r {
			return rune(to[i])
		}
	}
	return r
}

func rot13(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return 'a' + (r-'a'+13)%26
	}
	return r
}

func backwards(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
