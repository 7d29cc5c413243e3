package gate

import (
	"regexp"
	"strings"
	"sync"
)

// general returns the name of the rule by which a question asks for world
// knowledge or an errand, or "". A question that names the subject, the
// archive or something in it, or a date that the archive covers, proceeds.
// lookup holds the words by which the records of the archive could still claim
// the topic for it.
func general(q reading, e period, hasEnd bool) (name string, lookup []string) {
	s := polite().ReplaceAllString(q.used, "")
	if name := fire(selfContained(), s); name != "" {
		if name == "meaning" {
			return name, quotedWords(q.folded)
		}
		return name, nil
	}
	own := untying().ReplaceAllString(s, " ")
	if about().MatchString(own) || hasEnd && within(s, e.last) {
		return "", nil
	}
	topic := worldly(s)
	if they().MatchString(own) && topic == "" && !abroad(s) && !strings.HasPrefix(s, "why ") {
		return "", nil
	}
	for _, text := range []string{s, q.used} { // "tell me a joke" is an errand, not politeness
		if name := fire(generals(), text); name != "" {
			return name, lookupOf(name, s, topic)
		}
		if name := fire(looseRules(), text); name != "" {
			return name, lookupOf(name, s, topic)
		}
	}
	if !inPast(s) && !q.named {
		if name := fire(genericRules(), s); name != "" {
			return name, lookupOf(name, s, topic)
		}
	}
	if !q.named && !inPast(s) && unbound().MatchString(s) && !binding().MatchString(s) && len(strings.Fields(s)) > 2 {
		return "nothing of the past in it", content(s)
	}
	if topic == "" || q.named || figurative().MatchString(s) {
		return "", nil
	}
	if name := fire(frames().now, s); name != "" {
		return name, lookupOf(name, s, topic)
	}
	if name := fire(frames().past, s); name != "" {
		return name, lookupOf(name, s, topic)
	}
	return "", nil
}

// abroad tells whether a country stands in a folded text.
func abroad(s string) bool {
	for _, w := range tokens().FindAllString(s, -1) {
		if countries[w] {
			return true
		}
	}
	return false
}

// lookupOf returns the words to look up in the records for a rule: none for
// an errand, which no record makes a question about the archive.
func lookupOf(rule, s, topic string) []string {
	switch rule {
	default:
		return nil
	case "topic", "science", "inventors", "works", "comparison", "superlative", "measure":
		if topic != "" {
			return []string{topic}
		}
	case "recipe", "how-to", "kind of thing", "workings", "meaning":
		if m := object().FindStringSubmatch(s); m != nil {
			return []string{m[1]}
		}
	}
	return nil
}

// quotedWords returns what stands in quotation marks.
func quotedWords(s string) []string {
	var out []string
	for _, m := range quoted().FindAllString(s, -1) {
		if w := strings.Trim(m, `" `); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// content returns the words of a question to look up in the records.
func content(s string) []string {
	if words := topicWords(s); len(words) > 0 {
		return words[len(words)-1:]
	}
	return nil
}

var (
	// unbound matches the beginning of a question in the present tense.
	unbound = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:so|ok|and|but|now|hey),? )?(?:what|what's|whats|when|when's|where|where's|why|how|how's|which|is|are|does|do|can|could|should|would|will|explain|describe|compare|plan|write|give me|teach|help|suggest|recommend|name|list|create|make|generate|i|i'm|i've|we|my)\b`)
	})
	// binding matches what may point to something that is known to whoever asks
	// an archive: a definite thing, a pronoun, a word that is asked about, a bare
	// definition.
	binding = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:the|this|that|these|those|here|there|it|they|them|known|know|we know|anybody|anyone|somebody|someone|who|zz\w+|""|overview|quotes?|search|browse|cite|evidence|muniment|plague|fire|happen\w*|shillings?|pounds?|groats?|guineas?|crowns?|leagues?|fathoms?|ells?|furlongs?|hogsheads?|firkins?|tuns?|bushels?|florins?|farthings?|ducats?)\b|""|^(?:what|who)(?:'s| is| are| were| was) (?:an? )?[a-z'-]+(?:,? .*)?[?.! ]*$|\b(?:read|found|interested|looking|research\w*|bring|brought|show)\b|\b(?:his|her|their|our)\b`)
	})
	// object finds what a recipe or a how-to is for.
	object = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:recipes? (?:for|to make)|^(?:do|does|can|are|why do|why are|why does|what does|what do|how do|how does|how are)|cook|bake|boil|fry|roast|make|grow|plant|play) (?:an? |the |some |good |my )*([\p{L}-]{3,}(?: [\p{L}-]{3,})?)`)
	})
	// they is a pronoun that may as well stand for the things asked about.
	they = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:they|them|their|theirs)\b`) })
	// untying holds phrases with a word of an archive, or an address of the
	// program, that tie a question to nothing.
	untying = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:(?:cover|resignation|recommendation|complaint|love|thank[- ]you|formal|motivation) letters?|letter to my|letters? (?:are )?(?:there )?in the (?:\w+ )?alphabet|letters of the alphabet|\d+[- ]letter|four-letter words?|capital letters?|world records?|record (?:player|label|store)|guinness records?|medical records?|sources? of (?:vitamin|protein|energy|income|fiber|fibre|calcium|iron)|open[- ]source|source code|business papers|scientific papers?|research papers?|toilet paper|newspaper entries|data entry|entry[- ]level|(?:can|could|would|will|do|are) you (?:please |kindly )?(?:help|tell|explain|write|give|show|recommend|suggest|translate|solve|calculate|know|make|create|list|teach|describe|define|find|draft|convert|summari[sz]e|generate|fix|debug|code|play|order|book|set|able|name|think|have any|compose)|your (?:favou?rite|best|opinion|help|advice|recommendation)|the (?:author|writer|subject) of|(?:good|bad|healthy|unhealthy|safe|better|worse|harmful|dangerous|nutritious) for (?:you|him|her|your \w+)|thank you|i need you|i want you|help you|how (?:do|would|can) you)\b`)
	})
	// figurative uses of words of science.
	figurative = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:gravity|evolution|fraction|integral|stroke|marathon|renaissance|password|passport|visa|mortgage|planet|comet|volcano|earthquake|hurricane|headache|allergy|catalyst|odyssey) (?:of|to|for) (?:the|this|that|these|an?|london|england)\b|\bstroke of\b|\bin the (?:account|catalogue|register|inventory|list)\b`)
	})
)

// selfContained are the rules whose patterns leave no room for a name that
// could make the question one about the archive.
var selfContained = sync.OnceValue(func() []rule {
	return rules(
		[3]string{"arithmetic", `^(?:what(?:'s| is| does)|how much (?:is|are)|calculate|compute|solve|evaluate|work out)?:? ?[-+(]*\d[\d.,]*\)*(?: ?(?:[-+*/x×÷^%]|plus|minus|times|multiplied by|divided by|over|to the power of) ?[-+(]*\d[\d.,]*\)*)+(?: equal)? ?[=?.! ]*$`, `^(?:what(?:'s| is))? ?[12]\d{3} ?- ?[12]?\d{1,3}\D*$`},
		[3]string{"arithmetic", `^(?:what(?:'s| is)|calculate|compute|find|evaluate)? ?(?:the )?(?:(?:square|cube|cubic) root of|factorial of|logarithm of|log of|sine of|cosine of|derivative of|integral of|\d[\d.]* ?(?:%|percent|per cent) of) ?(?:x|\d)`, ``},
		[3]string{"arithmetic", `^(?:solve|simplify|factori[sz]e|differentiate|integrate)(?: the equation| the expression| for [xyz]:?)*:? .*(?:[xyz] ?[-+*/^=]|\d ?[xyz]\b|= ?\d)`, ``},
		[3]string{"errand", `^(?:please )?(?:fix|check|correct|proofread|improve|rewrite|translate|paraphrase|summari[sz]e) (?:(?:the|my|this|these|following|grammar|of|in) )+(?:grammar|spelling|sentences?|paragraph|text|code|e-?mail|essay|phrase|words?)\b.*[:"]`, ``},
		[3]string{"errand", `^how (?:do|would|can) (?:you|i|we|one) say [^?]{1,60} in (?:french|german|spanish|italian|latin|chinese|japanese|russian|arabic|dutch|portuguese|greek|hebrew)[?.! ]*$`, ``},
		[3]string{"errand", `^(?:please )?(?:fix|debug|find|correct|explain|refactor|optimi[sz]e|review|run|write|complete) (?:\w+ ){0,4}?(?:bug|error|code|function|script|query|regex|loop|program|class|sql|python|javascript)\b`, `\b(?:civil|penal|naval|moral|dress|roman) code\b|\b(?:did|was|were|diary|letters?|cipher|shorthand)\b`},
		[3]string{"errand", `^(?:please )?(?:suggest|recommend|give me|find me|help me|i need|think of|come up with|plan|organi[sz]e|what(?:'s| is| are| would be)?|where can i)\b.*\b(?:gifts?|presents?|birthday|wedding speech|best man speech|toast|slogan|password|username|baby names?|names? for (?:a|my|our)|playlist|workout|diet|holiday|vacation|city break|itinerary|date night|dinner party)\b.*\b(?:my|me|a|our|for|ideas?)\b`, `\b(?:SUBJ|zzsubject's|his|her|your|did|was|were|diary)\b`},
		[3]string{"rules of a game", `^(?:please )?(?:explain|describe|tell me|teach me|what(?:'s| is| are)|how (?:do|does) (?:you|one|i|we|people)|summari[sz]e|list)\b.*\b(?:rules?|laws|object|aim|play|scoring|offside)\b.*\b(?:chess|cricket|football|soccer|rugby|tennis|golf|poker|bridge|monopoly|baseball|basketball|hockey|snooker|scrabble|draughts|checkers|backgammon|badminton|volleyball|whist|blackjack|sudoku|the offside rule)\b[?.! ]*$`, `\b(?:did|was|were|his|your|diary|entry)\b`},
		[3]string{"meaning", `^(?:(?:what(?:'s| is)|define|explain|tell me|give me|look up) )?(?:the )?(?:dictionary )?(?:meaning|definition|etymology|pronunciation|plural|opposite|synonyms?|spelling) (?:of|for) (?:the )?(?:(?:\w+ )?(?:word|term|phrase|expression|idiom) )?""[?.! ]*$|^what (?:does|do|did) (?:the (?:latin |french |greek |old )?(?:word|words|term|phrase|expression) )?"" (?:mean|stand for|translate to)(?: in english)?[?.! ]*$`, ``},
		[3]string{"list", `^(?:please )?(?:list|name|recite|what (?:are|were)|give me|tell me|who (?:are|were)) (?:all )?(?:of )?(?:the )?(?:kings and queens|kings|monarchs|presidents|prime ministers|planets|countries|continents|capitals|oceans|us states|fifty states|noble gases|chemical elements|months of the year|days of the week|popes|roman emperors|pharaohs|dynasties|seven wonders|seven seas|seven deadly sins|ten commandments|primary colou?rs|books of the bible|signs of the zodiac|olympian gods|greek gods|roman gods|four seasons|five senses)\b`, `\b(?:SUBJ|his|her|your|did|diary|mention\w*|met|saw)\b`},
		[3]string{"rulers", `^(?:who|what|when|which|name|how many)\b.*\b(?:first|last|second|third|fourth|longest[- ]reigning|current|youngest|oldest) (?:\w+ )?(?:emperors?|presidents?|prime ministers?|pharaohs?|tsars?|dynasty|chancellors?|person (?:to|on|in)|man (?:to|on|in)|woman (?:to|on|in))\b`, `\b(?:SUBJ|his|her|your|did you|diary|mention\w*)\b`},
		[3]string{"works", `^who (?:composed|painted|sculpted|directed|choreographed) (?:the )?\w+`, `\b(?:SUBJ|his|her|your|did|that|portraits?|pictures?|ceiling|songs?|anthem|diary|mention\w*)\b`},
		[3]string{"how-to", `^how (?:do|would|can|should) (?:you|i|we|one) (?:play|learn|tune|restring) (?:the |a )?(?:ukulele|guitar|piano|drums|saxophone|clarinet|banjo|accordion|harmonica|keyboard|bass|cello|trumpet|poker|bridge|monopoly|solitaire|tennis|golf|football|basketball|snooker)\b`, ``},
		[3]string{"arithmetic", `^(?:what(?:'s| is)|calculate|compute)? ?\d[\d.,]* (?:squared|cubed|factorial|in (?:binary|hexadecimal|roman numerals))[?.! ]*$`, ``},
		[3]string{"here and now", `^who(?:'s| is) (?:the )?(?:pope|us president|american president|british prime minister|prime minister|dalai lama|richest (?:man|person))[?.! ]*$`, ``},
		[3]string{"travel", `^how long does it take (?:to|for|a)\b|^how (?:do|can|would|should) (?:i|you|we|one) (?:get|travel|go|drive|fly|walk|commute) (?:from|to)\b|^(?:what|which)(?:'s| is)? (?:the )?(?:\w+ )?(?:train|bus|flight|route|metro|tube|ferry) (?:from|to|goes|runs|leaves|line)\b|^(?:when|what time) (?:is|does|do) (?:the )?(?:next|last|first)? ?(?:train|bus|flight|shop|museum|bank|supermarket|pharmacy|library)\b`, `\b(?:did|was|were|diary)\b`},
	)
})

var generals = sync.OnceValue(func() []rule {
	const (
		is      = `(?:is|are|'s|'re)`
		made    = `(?:telephone|light ?bulb|radio|television|internet|computer|printing press|steam engine|wheel|penicillin|gravity|electricity|america|dna|radium|oxygen|calculus|zero|airplane|aeroplane|dynamite|vaccines?|x-rays?|world wide web|bicycle|camera|theory of relativity)`
		science = `(?:photosynthesis|gravity|(?:the )?(?:theory of )?(?:general |special )?relativity|quantum (?:mechanics|physics|computing|theory|entanglement)|black holes?|(?:the )?(?:theory of )?evolution|natural selection|mitosis|meiosis|dna|plate tectonics|(?:the )?pythagorean? theorem|pythagoras' theorem|entropy|thermodynamics|blockchain|machine learning|deep learning|neural networks?|artificial intelligence|javascript|python|html|sql|kubernetes|(?:the )?big bang|string theory|osmosis|calculus|climate change|global warming|(?:the )?greenhouse effect|(?:the )?water cycle|nuclear (?:fission|fusion)|(?:the )?periodic table|electromagnetism|supply and demand|game theory|cryptocurrency|bitcoin|(?:the )?speed of light|(?:the )?solar system|object-oriented programming|recursion|big o notation|existentialism|utilitarianism)`
	)
	return rules(
		[3]string{"geography", `^(?:what|which)(?: city| town)? ?` + is + ` the (?:current )?(?:capital(?: city)?|population|currency|official language|national (?:anthem|animal|flower|dish)|time zone|area code|gdp|climate|land area|flag|longest river|highest mountain|largest (?:city|country|lake|ocean|desert)|dialling code) (?:of|in|for) `, ``},
		[3]string{"geography", `^(?:name|list) (?:the |all |all the )?(?:capitals?|countries|continents|planets|oceans|states|largest cities|presidents|prime ministers)\b|^where ?` + is + ` (?:mount everest|the eiffel tower|the nile|the taj mahal|the great wall|antarctica|the amazon|machu picchu)\b|^how many (?:countries|continents|planets|oceans|states|people)(?: (?:are|live))+ (?:there )?(?:in|on|now)\b`, ``},
		[3]string{"superlative", `^(?:what|which|who)(?: \w+)? ?` + is + ` the (?:tallest|largest|longest|highest|biggest|deepest|fastest|smallest|oldest|richest|heaviest|hottest|coldest|most populous) (?:\w+ ){0,3}(?:in|on|of) (?:the )?(?:world|earth|planet|universe|solar system|europe|asia|africa|america|history|all time)\b`, ``},
		[3]string{"measure", `^how (?:far|big|tall|old|heavy|hot|large|high|deep|fast|long)(?: away)? ?` + is + ` (?:the )?(?:moon|sun|earth|universe|eiffel tower|mount everest|mars|jupiter|pluto|nile|amazon|great wall(?: of china)?|milky way|light|sound|a marathon|a mile|a kilomet(?:re|er))\b|^what ?` + is + ` the (?:distance|speed|mass|weight|diameter|temperature|radius|circumference|age) (?:of|between|to|from) (?:the )?(?:moon|sun|earth|universe|light|sound|mars|jupiter)\b`, ``},
		[3]string{"measure", `^(?:convert|how many) .*\b(?:miles?|kilomet(?:re|er)s?|km|inch(?:es)?|feet|centimet(?:re|er)s?|cm|met(?:re|er)s?|kilograms?|kg|ounces?|grams?|lit(?:re|er)s?|gallons?|celsius|fahrenheit|dollars?|euros?|yen) (?:are (?:there )?)?(?:in|to|into|is|equals?) (?:an? |one |\d+ )?(?:miles?|kilomet(?:re|er)s?|km|inch(?:es)?|feet|foot|centimet(?:re|er)s?|cm|met(?:re|er)s?|kilograms?|kg|ounces?|grams?|lit(?:re|er)s?|gallons?|celsius|fahrenheit|dollars?|euros?|yen)\b`, ``},
		[3]string{"constants", `^what ?` + is + ` the (?:boiling point|melting point|freezing point|atomic (?:number|weight|mass)|chemical (?:formula|symbol)|molecular weight|half-life|density|speed of (?:light|sound)|value of pi|meaning of life|golden ratio|formula (?:for|of)|plural of|past tense of|synonym|antonym|etymology of|quadratic formula)\b`, ``},
		[3]string{"science", `^(?:explain|define|describe|teach me(?: about)?|summari[sz]e|what ?` + is + `|what is meant by|how (?:does|do|is)|why is|introduce me to|give (?:me )?an? (?:overview|explanation|summary|introduction) (?:of|to)|i don't understand|what do we know about)(?: to me)?(?: how| what| why| about| the concept of| the basics of| the idea of| briefly)* ` + science + `(?: (?:work|works|is|mean|means|happen|happens|programming|defined|like i'm five|to me(?: like i'm five)?|in (?:simple|plain|a few|one|two) .{0,30}|for (?:beginners|children|kids|dummies)|used for))*[?.! ]*$`, ``},
		[3]string{"science", `^why ?` + is + ` the (?:sky blue|grass green|sea salty|ocean salty|sun hot|earth round|sunset red)|^how (?:do|does|is|are) (?:a |an |the )?(?:cars?|computers?|engines?|planes?|airplanes?|microwaves?|vaccines?|magnets?|batteries|rainbows?|earthquakes?|volcano(?:es)?|tides|refrigerators?|gps|lasers?|stock markets?|heart|brain|lungs?|kidneys?|bees|birds) (?:work|fly|form|formed|made|make honey|happen|pump blood)\b`, ``},
		[3]string{"inventors", `^(?:who|when|in what year)(?: (?:first|was|is credited with|did))* ?(?:invented|discovered|invent|discover|discovering|inventing)(?: the| a)? ` + made + `\b|^when was(?: the)? ` + made + ` (?:invented|discovered)\b`, ``},
		[3]string{"works", `^who (?:wrote|painted|composed|directed|sculpted|sang|starred in) (?:the )?(?:mona lisa|hamlet|macbeth|romeo and juliet|war and peace|pride and prejudice|don quixote|the odyssey|odyssey|iliad|starry night|sistine chapel|star wars|titanic|harry potter|1984|moby[- ]dick|bohemian rhapsody|fur elise|ninth symphony|lord of the rings)[?.! ]*$`, ``},
		[3]string{"news", `^who (?:won|is winning|will win) (?:the )?(?:last |latest |\d{4} )?(?:\w+ )?(?:world cup|super bowl|world series|champions league|olympics?|oscars?|nobel(?: peace)? prize|eurovision|premier league|election|wimbledon|tour de france|grand prix|presidential election)\b`, ``},
		[3]string{"news", `^(?:who|what) ?` + is + ` the (?:current |present |new )?(?:president|prime minister|chancellor|ceo|secretary[- ]general|head of state)(?: of)? \w|^who ?` + is + ` the (?:current|present) (?:king|queen|pope|mayor|governor)\b|^what ?` + is + ` (?:happening|going on) in (?:the world|the news|ukraine|gaza|washington)\b|^(?:what ?` + is + `|give me|show me|any) (?:the )?(?:latest |today's |breaking |current )+(?:news|headlines|score|scores|results)\b`, `\b(?:society|company|college|board|council|court|guild|house|parliament)\b`},
		[3]string{"here and now", `^what(?: ?` + is + ` the| ?` + is + `)? (?:time|day|date|today's date)(?: is)?(?: it)?(?: today| now| right now| in [\w ]+)?[?.! ]*$|^(?:what|how) ?` + is + ` the weather(?: like)?(?: today| now| tomorrow| this week| in [\w ]+| outside| going to be.*)*[?.! ]*$|^(?:will|is) it (?:going to )?(?:rain|snow|raining|snowing|sunny)\b.*(?:today|tomorrow|now|week|outside)|^what ?` + is + ` the (?:stock|share) price of\b|^what ?` + is + ` (?:bitcoin|apple stock|the dow|the s&p|gold) (?:worth|at|trading)|^what ?` + is + ` the exchange rate\b`, ``},
		[3]string{"composition", `^(?:write|compose|draft|generate|create|make up|invent|come up with|produce|give me|make)(?: me| us| for me)? (?:an? |another |some |two |three |five |ten )?(?:(?:short|long|funny|romantic|rhyming|birthday|love|sad|little|silly|simple|brief|formal|five-paragraph|python|go|java|javascript|bash|html|sql|marketing|professional|persuasive|original|catchy|scary|bedtime|quick|\d+[- ]word) )*(?:poems?|haikus?|limericks?|sonnets?|songs?|rap|lyrics|essays?|stor(?:y|ies)|jokes?|riddles?|puns?|code|programs?|scripts?|functions?|class|regex|quer(?:y|ies)|e-?mails?|blog posts?|articles?|tweets?|captions?|slogans?|resumes?|business plans?|workout plans?|meal plans?|diet plans?|itinerar(?:y|ies)|novels?|screenplays?|speech(?:es)?|cover letters?|passwords?|names for)\b`, ``},
		[3]string{"composition", `^tell (?:me |us )?(?:an? |another |some )?(?:(?:good|funny|dirty|dad|short) )*(?:jokes?|riddles?|puns?|bedtime story|fairy tale)\b`, ``},
		[3]string{"errand", `^(?:translate|proofread|paraphrase|rewrite|spell-?check|correct)(?: the following| this| these)?(?: \w+){0,2}:? .*\b(?:in(?:to)? (?:french|german|spanish|italian|latin|english|chinese|japanese|russian|arabic|dutch|portuguese|greek|hebrew)|sentence|paragraph|code|grammar|spelling)\b|^what ?` + is + ` (?:""|\w+) in (?:french|german|spanish|italian|chinese|japanese|russian|arabic|dutch|portuguese)\b`, ``},
		[3]string{"errand", `^(?:debug|refactor|fix|optimi[sz]e|compile|unit test) (?:this|my|the following) (?:code|program|script|function|bug|error|query|python|java\w*)\b|^(?:set|start) (?:a |an )?(?:timer|alarm|reminder)\b|^(?:play|order|book|buy) (?:me |some |a |an )?(?:music|song|pizza|flight|hotel|table|taxi|tickets?)\b|^remind me to\b`, ``},
		[3]string{"advice", `^how (?:do|can|should|would) (?:i|we|one|you) (?:best |quickly |properly )?(?:cook|bake|boil|fry|roast|install|uninstall|code|program|hack|invest|lose weight|gain weight|make money|get rich|learn (?:to )?\w+|reset my|download|fix my|repair my|change a (?:tire|tyre|light ?bulb)|tie a tie|get (?:a )?(?:loan|visa|passport|job|mortgage)|apply for|quit smoking|train for|build muscle|meditate|start a (?:business|company|blog)|write a (?:resume|cv|cover letter))\b`, ``},
		[3]string{"advice", `^(?:recommend|suggest)(?: me| us)? (?:an? |some |the best |a good )?(?:good |nice |cheap )*(?:movies?|films?|books? to read|restaurants?|hotels?|laptops?|phones?|holiday|vacation|tv shows?|series|podcasts?|games?|playlist|gift)\b|^(?:what|which|where)(?: \w+)? ?` + is + ` the (?:best|nearest|cheapest|closest|top) (?:restaurants?|hotels?|phones?|laptops?|pizza|coffee|cars?|movies?|games?|programming languages?|browsers?|diets?|pharmacy|gas station|universit(?:y|ies)|stocks?)\b|^should i (?:invest|buy|sell|take|quit|marry|move|study|divorce|see a doctor|lease|rent)\b`, ``},
		[3]string{"medicine and law", `^what ?` + is + ` the (?:symptoms|side effects|treatments?|cures?|causes|dosage) (?:of|for) |^how (?:is|do you treat|can i treat|do i treat|to treat) (?:\w+ ){0,2}(?:treated|cured|diabetes|cancer|flu|a cold|a fever|headaches?)\b|^is it (?:legal|illegal|safe|healthy) to\b|^how much (?:aspirin|ibuprofen|paracetamol|water|protein|sleep) (?:should|can|do) (?:i|one|we|a)\b`, ``},
	)
})
