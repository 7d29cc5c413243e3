package accession

import (
	"muniment/archive/problem"
)

// What whoever adds files can do about what was not taken.
const (
	DoNamePaths           problem.Action = "name paths"            // name files, folders or addresses to add; no args
	DoNamePiped           problem.Action = "name piped"            // name what comes through a pipe; no args
	DoNameCharset         problem.Action = "name charset"          // add a file again with its charset; no args
	DoNameMediaType       problem.Action = "name media type"       // give a media type, with its charset perhaps; no args
	DoReinstate           problem.Action = "reinstate"             // add a withdrawn artifact again, on purpose; no args
	DoAllowSecrets        problem.Action = "allow secrets"         // add a file although it holds a private key; no args
	DoAddPrivate          problem.Action = "add private"           // add a page of a private network; args: its address
	DoKeepQuery           problem.Action = "keep query"            // take an address although it holds a token; no args
	DoIgnoreRobots        problem.Action = "ignore robots"         // add a page that robots.txt excludes, saying why; args: its address
	DoAddSource           problem.Action = "add source"            // register a source without its body; no args
	DoUnstage             problem.Action = "unstage"               // name staged papers to take back, or all; no args
	DoDescribe            problem.Action = "describe"              // name papers and what is to be said of them; no args
	DoReadDescribeOptions problem.Action = "read describe options" // read what can be said of a paper; no args
	DoTakeDates           problem.Action = "take dates"            // take the date at the head of a text for its date; args: its name
	DoReadSourceOptions   problem.Action = "read source options"   // read what can be said of a source; no args
)
