package engine

import (
	"muniment/archive/problem"
)

// What a caller can do about an error or a verdict of this package. Where a comment
// names no arguments, the step has none.
const (
	// DoCite registers a citation. Args are names and values in turn: the fields
	// artifact, source, span, quote, claim, relation, session, agent, user,
	// project, locator, reasoning and confidence of CiteOptions that matter, ""
	// for a value that the caller has to fill in.
	DoCite          problem.Action = "cite"
	DoCiteNegative  problem.Action = "cite-negative"  // record a search without support: CiteNegative
	DoSearch        problem.Action = "search"         // search the archive; Args: the words
	DoListCitations problem.Action = "list-citations" // list the registered citations
	DoVerifyPending problem.Action = "verify-pending" // verify again what is pending: VerifyPending
	DoLink          problem.Action = "link"           // link two citations; Args: the number of the first, the type of the link, the number of the second
	DoListWorks     problem.Action = "list-works"     // list works: WriteBibliography

	DoAddDoc      problem.Action = "add-doc"      // register a file as a source: Sources.AddDoc; Args: the path, or none
	DoAddWeb      problem.Action = "add-web"      // register a page as a source: Sources.AddWeb; Args: the address, or none
	DoAddDB       problem.Action = "add-db"       // register the answer of a database: Sources.AddDB
	DoAddCustom   problem.Action = "add-custom"   // register what an agent made: Sources.AddCustom
	DoShowSource  problem.Action = "show-source"  // show a registered source; Args: its number
	DoListSources problem.Action = "list-sources" // list the registered sources

	DoListProfiles problem.Action = "list profiles" // list the profiles, and print one to read or to begin from
	DoAddProfile   problem.Action = "add profile"   // add a profile under its own name
)
