package main

import (
	"strings"

	"muniment/archive/problem"
	"muniment/engine"
	"muniment/server"
)

// commandOfEngine has the words for the steps of package engine.
var commandOfEngine = map[problem.Action]string{
	engine.DoCiteAs:           "{advice, or }register it as --relation %s",
	engine.DoClaimWords:       "{advice; }claim what the words say, or quote words that say it; with CITATION_LLM_URL a model judges",
	engine.DoLook:             "somebody has to look at it, or listen to it; a transcript or a description of it that is added can be quoted",
	engine.DoCiteNegative:     `muniment cite --negative --claim TEXT --query "words searched" [--artifact NAME --span p1…]`,
	engine.DoNameField:        "say which field with --span %s",
	engine.DoCompare:          "the nearest words are at %s: %q",
	engine.DoFindDamage:       "muniment verify tells what else is damaged",
	engine.DoQuote:            "quote the line of the result that says it, with --quote",
	engine.DoGiveContext:      "quote the sentence that says it, and give the rest with --context",
	engine.DoGiveReasoning:    "add --reasoning TEXT",
	engine.DoReasonOrTrust:    "add --reasoning TEXT, or --confidence %s if it is meant",
	engine.DoNameSession:      "an agent needs a session: --session NAME",
	engine.DoNameProject:      "name the project with --project",
	engine.DoSearch:           "{advice; }muniment search %q finds where it may be",
	engine.DoReadText:         "{advice: }muniment cat prints it",
	engine.DoReadSpans:        "muniment cat prints the text; muniment help spans explains addresses",
	engine.DoReadRecord:       "muniment show %q prints the record",
	engine.DoReadRecords:      "{advice: }muniment show prints the record",
	engine.DoReadResultFormat: "muniment man describes dbresult@1",

	engine.DoAddDoc:         "muniment source add-doc takes a file in",
	engine.DoRegisterDoc:    "muniment source add-doc %q registers it; or leave --no-register out",
	engine.DoRegisterWeb:    "muniment source add-web %q registers it; or leave --no-register out",
	engine.DoAddWeb:         "muniment source add-web %s",
	engine.DoAddDB:          "muniment source add-db NAME --query SQL --content FILE",
	engine.DoAddCustom:      "muniment source add-custom NAME --content FILE --derived-from NAME",
	engine.DoAddCustomAgain: "muniment source add-custom NAME --content FILE --derived-from … with inputs that are in the archive; muniment ls and muniment citations list them",
	engine.DoAddBodiless:    "a source without a body is registered with muniment source add",
	engine.DoAddFolder:      "muniment add takes folders in; register their files one by one",
	engine.DoAddNamed:       "{advice, or }take it in first: muniment add",
	engine.DoGiveContent:    "give its content with --content FILE",
	engine.DoShowSource:     "{advice; }muniment source show %s",
	engine.DoListSources:    "muniment source list lists them; muniment source add-doc FILE registers one",

	engine.DoListCitations: "muniment citations lists them",
	engine.DoVerifyPending: "muniment citations --pending --verify asks again",
	engine.DoLink:          "muniment link %s %s %s",
	engine.DoListWorks:     "muniment bib NUMBER… lists citations by number, muniment bib --all every one; muniment citations lists them",
	engine.DoNameFormat:    "give the JSON of one answer, and --format anthropic, openai or cohere",
}

// commandOfServer says how this program does the acts of package server.
var commandOfServer = map[problem.Action]string{
	server.DoListTokens: "muniment token list lists them",
}

// citeWords returns the command line of a step to engine.DoCite, with a flag
// for each of its args.
func citeWords(args []string) string {
	line := "muniment cite"
	for i := 0; i+1 < len(args); i += 2 {
		name, value := args[i], args[i+1]
		switch {
		case value != "":
			value = quoteArg(value)
		case name == "artifact":
			value = "NAME"
		default:
			value = "TEXT"
		}
		line += " --" + name + " " + value
	}
	return line
}

// quoteArg returns an argument of a step as one word of a shell. Runs of blanks
// become one space, which means the same in quotes, claims and names.
func quoteArg(s string) string { return shellWord(strings.Join(strings.Fields(s), " ")) }

// suggest writes the suggestion of a citation's verdict, and those of its
// warnings, in the words of this program.
func suggest(r *engine.CiteResult) {
	r.Suggestion = stepWords(r.Next)
	for i := range r.Warnings {
		r.Warnings[i].Suggestion = stepWords(r.Warnings[i].Next)
	}
}

// stepWords returns the words of a step of a result, "" for none.
func stepWords(s problem.Step) string {
	if s.IsZero() {
		return ""
	}
	return hintOf(s)
}
