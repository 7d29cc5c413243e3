// Package locator says where cited words are in terms other than a span: in
// the words of the original, as a page or a row, and in the offsets and
// selectors that other programs use.
//
//	given, err := locator.Parse(`{"page": 24, "section": "§ 8.1"}`) // what a caller says
//	found := locator.Of(original, doc, span)                        // {"page": "25"}
//	notes := locator.Disagreements(given, found)                    // page 24; the words are on page 25
//
// # Locators
//
// The span is the address of the words. A locator is a view of that address,
// computed from the text and its record: page, row, line, time in seconds,
// depth of quotation in a mail, chapter of a book, and the path of headings. A
// caller's own locator is a JSON object of any members. It is kept as it was
// written; where it names another place than the locator of the words, the
// difference is a note and never a verdict.
//
// # Offsets and selectors
//
// A span counts code points inside units. Points and SpanOfPoints convert it to
// and from a half-open run of code points of the whole text, in which models'
// answers and the TextPositionSelector of the W3C Web Annotation Data Model
// count. The text is the canonical payload: UTF-8, line feeds at line ends.
//
// Limits: selectors are written and not read; offsets in bytes or UTF-16 code
// units, and fragment identifiers of addresses, are not offered. The page
// docs/spec/citation.md is the specification.
package locator
