package main

import (
	"muniment/answer"
	"muniment/archive/problem"
	"muniment/draft"
	"muniment/history"
)

// commandOfAnswer says how this program does the acts of answers, drafts and
// profiles.
var commandOfAnswer = map[problem.Action]string{
	answer.DoAskPlainly:     `ask it in plain words, in at most 4,000 characters: muniment ask "Who repaired the mill?"`,
	answer.DoAskFirst:       `ask first, in this copy of the archive: muniment ask "QUESTION"`,
	answer.DoNameRequestor:  "say who asks with --requestor NAME",
	answer.DoKeepRequestor:  "ask with the name that the answer was given to: --requestor NAME",
	answer.DoOpenSealed:     "leave --auditor out; who holds the identity sees them with muniment bundle open FILE.zip --identity FILE",
	answer.DoBrowse:         "browse the inventory: muniment ls",
	answer.DoCheckAssembly:  "nothing was delivered; muniment doctor checks the key, the disk and the answer log",
	answer.DoEnrolAuditor:   "muniment key new --auditor audit, then muniment snapshot -m TEXT",
	answer.DoMore:           "muniment more %s, or the number before a claim",
	answer.DoMoreAmong:      "it has %[2]s: muniment more %[1]s, or the number before a claim",
	answer.DoMoreByHandle:   "use its handle: muniment more %s",
	answer.DoMoreFromBundle: "--bundle FILE.zip names it; or use its handle: muniment more %s",
	answer.DoShowRecord:     "muniment show NAME prints the whole record of an artifact",
	draft.DoCheck:           "muniment draft check DRAFT.md --profile %s says what is missing",
	draft.DoGiveDay:         "--on 2026-02-11",
	draft.DoPack:            `muniment draft pack "What moved rates?" --profile market-brief`,
	answer.DoDescribeSource: "muniment describe %s %s, then muniment snapshot -m TEXT",
	draft.DoReadLimits:      "add sources that meet the limits, or choose another --profile; muniment draft profile show %s",
	draft.DoFindProfile:     "muniment draft profile list names them",
	draft.DoBeginProfile:    "muniment draft profile show engine > mine.json writes one to begin from",
	draft.DoAddProfile:      "muniment draft profile add FILE.json writes it under its name",
	draft.DoReplaceProfile:  "muniment draft profile add FILE.json replaces it",
	history.DoShowPolicy:    "muniment draft profile policy prints the text in force, to begin from",
	draft.DoReadOtherForms:  "give a text file; muniment add takes other forms and muniment cat prints their text",
	draft.DoReadBullet:      "muniment citations --synthesis 1 --section prevailing --bullet 2",
	draft.DoListSyntheses:   "muniment draft check tells the number; muniment citations --synthesis 0 lists them",
}
