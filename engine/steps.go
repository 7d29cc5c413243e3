package engine

import (
	"muniment/archive/problem"
)

// What a caller can do about an error or a verdict of this package. The Args of
// each are listed in their order.
const (
	// DoCite registers a citation. Args are names and values in turn: the fields
	// artifact, source, span, quote, claim, relation, session, agent, user,
	// project, locator, reasoning and confidence of CiteOptions that matter, ""
	// for a value that the caller has to fill in.
	DoCite problem.Action = "cite"
	// DoCiteAs registers the citation under another relation. Args: the relation.
	DoCiteAs problem.Action = "cite-as"
	// DoClaimWords claims what the words say, quotes the words that say it, or has
	// a model judge. No args.
	DoClaimWords problem.Action = "claim-words"
	// DoCiteNegative records a search without support: CiteNegative. No args.
	DoCiteNegative problem.Action = "cite-negative"
	// DoNameField says in which field of a record the words are. Args: the span.
	DoNameField problem.Action = "name-field"
	// DoCompare compares a quote with the nearest words of a record. Args: their
	// span and the words.
	DoCompare problem.Action = "compare"
	// DoLook looks at a picture or listens to a recording, or cites a text of it. No
	// args.
	DoLook problem.Action = "look"
	// DoFindDamage verifies the whole archive. No args.
	DoFindDamage problem.Action = "find-damage"
	// DoQuote quotes the words of the text instead of its context. No args.
	DoQuote problem.Action = "quote"
	// DoGiveContext moves the rest of a long quote to the context. No args.
	DoGiveContext problem.Action = "give-context"
	// DoGiveReasoning says why the words support the claim. No args.
	DoGiveReasoning problem.Action = "give-reasoning"
	// DoReasonOrTrust gives a reasoning, or states another confidence if that is
	// meant. Args: the confidence.
	DoReasonOrTrust problem.Action = "reason-or-trust"
	// DoNameSession names the session of an agent. No args.
	DoNameSession problem.Action = "name-session"
	// DoNameProject names the project of a user. No args.
	DoNameProject problem.Action = "name-project"
	// DoSearch searches the archive. Args: the words.
	DoSearch problem.Action = "search"
	// DoReadText reads the canonical text of an artifact. No args.
	DoReadText problem.Action = "read-text"
	// DoReadSpans reads the text, and how its spans are written. No args.
	DoReadSpans problem.Action = "read-spans"
	// DoReadRecord reads the record of an artifact or of a source without a body.
	// Args: its name.
	DoReadRecord problem.Action = "read-record"
	// DoReadRecords reads records. No args.
	DoReadRecords problem.Action = "read-records"
	// DoReadResultFormat reads how the rows of a database are written. No args.
	DoReadResultFormat problem.Action = "read-result-format"

	// DoAddDoc registers a file as a source: AddDocSource. Args: the path.
	DoAddDoc problem.Action = "add-doc"
	// DoRegisterDoc registers a file, or permits that a citation does. Args: the
	// path.
	DoRegisterDoc problem.Action = "register-doc"
	// DoRegisterWeb registers a page, or permits that a citation does. Args: the
	// address.
	DoRegisterWeb problem.Action = "register-web"
	// DoAddWeb registers a page as a source: AddWebSource. Args: the address.
	DoAddWeb problem.Action = "add-web"
	// DoAddDB registers the answer of a database: AddDBSource. No args.
	DoAddDB problem.Action = "add-db"
	// DoAddCustom registers what an agent made: AddCustomSource. No args.
	DoAddCustom problem.Action = "add-custom"
	// DoAddCustomAgain registers it anew, with inputs that are in the archive. No
	// args.
	DoAddCustomAgain problem.Action = "add-custom-again"
	// DoAddBodiless registers a source without a body. No args.
	DoAddBodiless problem.Action = "add-bodiless"
	// DoAddFolder takes the files of a folder in; each is registered by itself.
	// No args.
	DoAddFolder problem.Action = "add-folder"
	// DoAddNamed takes in the artifact that an imported answer names. No args.
	DoAddNamed problem.Action = "add-named"
	// DoGiveContent gives the content of a source. No args.
	DoGiveContent problem.Action = "give-content"
	// DoShowSource shows a registered source. Args: its number.
	DoShowSource problem.Action = "show-source"
	// DoListSources lists the registered sources. No args.
	DoListSources problem.Action = "list-sources"

	// DoListCitations lists the registered citations. No args.
	DoListCitations problem.Action = "list-citations"
	// DoVerifyPending verifies again what is pending: VerifyPending. No args.
	DoVerifyPending problem.Action = "verify-pending"
	// DoLink links two citations. Args: the number of the first, the type of the
	// link, the number of the second.
	DoLink problem.Action = "link"
	// DoListWorks lists works: WriteBibliography. No args.
	DoListWorks problem.Action = "list-works"
	// DoDescribe says of a paper what its record lacks. Args: its name, then the
	// fields: title, creator or publisher, date, url.
	DoDescribe problem.Action = "describe-lacking"
	// DoNameFormat gives an answer in JSON and names its format. No args.
	DoNameFormat problem.Action = "name-format"
)
