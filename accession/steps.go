package accession

import "muniment/archive"

// What whoever adds files can do about what was not taken.
const (
	DoNamePaths           archive.Action = "name paths"            // name files, folders or addresses to add; no args
	DoNamePiped           archive.Action = "name piped"            // name what comes through a pipe; no args
	DoNameCharset         archive.Action = "name charset"          // add a file again with its charset; no args
	DoNameMediaType       archive.Action = "name media type"       // give a media type, with its charset perhaps; no args
	DoReinstate           archive.Action = "reinstate"             // add a withdrawn artifact again, on purpose; no args
	DoAllowSecrets        archive.Action = "allow secrets"         // add a file although it holds a private key; no args
	DoAddPrivate          archive.Action = "add private"           // add a page of a private network; args: its address
	DoKeepQuery           archive.Action = "keep query"            // take an address although it holds a token; no args
	DoIgnoreRobots        archive.Action = "ignore robots"         // add a page that robots.txt excludes, saying why; args: its address
	DoAddSource           archive.Action = "add source"            // register a source without its body; no args
	DoUnstage             archive.Action = "unstage"               // name staged papers to take back, or all; no args
	DoDescribe            archive.Action = "describe"              // name papers and what is to be said of them; no args
	DoReadDescribeOptions archive.Action = "read describe options" // read what can be said of a paper; no args
	DoTakeDates           archive.Action = "take dates"            // take the date at the head of a text for its date; args: its name
	DoReadSourceOptions   archive.Action = "read source options"   // read what can be said of a source; no args
)
