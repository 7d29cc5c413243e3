// Package sourcemeta collects the description of the source of an accession, and
// the origin of each value.
//
// A value can be given on the command line, stand in a sidecar beside the
// files, follow from a registry of sources, come with a fetched page, be stated
// by the document itself, or be in its file name. The two calls most people need
// are
//
//	side, err := sourcemeta.ReadCSV("letters.csv", data)
//	source, facts := sourcemeta.Merge(layers...)
//
// # Values
//
// The fields are those of record.Source and source_id, the key of a source in a
// registry. Every value is checked by making a record of it, and beyond that:
// texts have no control characters and at most MaxText bytes; url is absolute,
// without credentials; language has the form of BCP 47; csl_type is an item type
// of CSL 1.0.2.
//
// # Precedence
//
// Merge takes each field from the first of command line, sidecar, registry,
// fetch, document and file name that gives it a valid value. Two fields are
// different: tags are those of all origins together, and a paywall_policy of
// metadata_only in any of them cannot be lifted by another, so that what a
// registry protects is opened in the registry and nowhere else. An invalid value,
// as documents have, is passed over. The facts are
//
//	origin_title     sidecar letters.csv:3
//	source_id        fed_press_releases
//	dropped_language document: language is "english?", want a BCP 47 tag such as en or pt-BR
//
// with an origin_ for each value of the source and for source_id, and a
// dropped_ for the first value of a field that was not valid.
//
// # Sidecars
//
// CSV (RFC 4180, separated by commas, semicolons or tabs; UTF-8, UTF-16 with a byte
// order mark, or else Windows-1252) has a first row of field names, path among them;
// the members of lists (creators, tags, subjects, related) are separated by semicolons
// in their cell, and an empty cell is no value. Names are compared without regard to
// case and to what is neither letter nor digit; aliases.txt lists the names of Dublin
// Core, DACS and ISAD(G) that mean a field:
//
//	path,title,creators,published_at,tier,tags
//	letter-07.txt,To Clara,Ada Vale; Ben Vale,1921-03-07,1,letters
//	photos/*.jpg,,Ben Vale,,,
//
// JSON is an array of objects with a path, or an object by path:
//
//	[{"path": "letter-07.txt", "title": "To Clara", "creators": ["Ada Vale"], "tier": 1}]
//	{"letter-07.txt": {"title": "To Clara", "creators": ["Ada Vale"], "tier": 1}}
//
// XML is EAD 3, EAD 2002, MODS, Dublin Core or a header of TEI: ReadXML says which file
// a description is of, and descriptions.txt where each field stands.
//
// A path names the file whose name it is, or else the one whose name ends in
// it, part by part; the longest wins, and it must not fit two files. With *, ?
// or [a-z] in it, it is also a pattern, as path.Match understands it, and
// describes every file whose last parts it matches and that no path names; of two
// patterns the one of more parts wins. A path that begins with http:// or
// https:// describes the page of that URL.
//
// A column or key that is no field is kept as the fact other_NAME and noted. A row
// whose value or path is not valid is left out with its reason, and the others are
// read. A column or key that is there twice is an error of the file.
//
// # Registry
//
// A registry is YAML: a list of sources, or a mapping with the member sources
// that is such a list or a mapping from ids.
//
//	version: 1
//	sources:
//	  - id: fed_press_releases            # or source_id; what citations say
//	    publisher: Federal Reserve        # needed: independence is counted by it
//	    name: Press releases              # or title
//	    url: https://www.federalreserve.gov/newsevents/
//	    url_patterns:                     # or urls, domains
//	      - https://www.federalreserve.gov/newsevents/*
//	      - federalreserve.gov/monetarypolicy
//	    credibility_tier: 1               # or tier; 1 to 4
//	    paywall_policy: full              # or metadata_only
//	    tags: [policy_centralbank]
//	    official_calendar: false          # true adds the tag official_calendar
//	    language: en-US
//	    csl_type: webpage
//	  - id: ft_markets
//	    publisher: Financial Times
//	    url_patterns: ["*.ft.com", ft.com]
//	    credibility_tier: 2
//	    paywall_policy: metadata_only
//
// id and publisher are needed. A pattern is [SCHEME://]HOST[:PORT][/PATH]: no
// scheme is http and https; *.HOST is what lies below HOST and not HOST itself; a
// leading www. does not count; no path is the whole host; a path is itself and
// what lies below it, or with * for any run of characters the whole path from
// beginning to end. Queries do not count. Without patterns, url is the pattern.
// Of several patterns the most specific wins: a host, a longer host, a longer path.
//
// Keys that are not listed are passed over and returned by Ignored, for such files
// serve other programs too; values of the keys that are listed are taken as
// written or refused. Numbers, dates and truth values in the place of a text,
// anchors, aliases, tags, merges, repeated keys and second documents are refused.
//
// # Errors
//
// Readers return every defect, as Errors, with file, line and field:
// "letters.csv:3: tier is "5", want 1 to 4".
package sourcemeta
