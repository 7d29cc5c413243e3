// Package locator says where a cited run is in terms other than a span: the
// pages, boxes, times, regions, cells and sections of the original, and the
// selectors and fragment identifiers in which other programs say it.
//
//	sel, err := locator.QuoteSelector(doc, span)        // for a Web Annotation
//	spans, err := sel.Spans(doc, cite.Paragraphs)       // and back
//	loc, err := locator.Parse("page:24:1205-25:342")    // a locator, as data
//
// # Locators
//
// A Locator is one of six kinds. Each has exactly one spelling, which is also
// its form in JSON, as a string:
//
//	page:24   page:24-25   page:24:1205-25:342   pages from 1; code points on the first and last page
//	box:24:72,90.5,200,14                        page, then left, top, width and height in points
//	time:12.5-14                                 seconds, half-open
//	region:160,120,320,240   region:percent:25,25,50,50
//	row:5-7   col:2   cell:2,3-4,5               rows and columns from 1, both ends included
//	section:Part 1/2.1 Results                   headings from the outermost on
//
// Lengths in points and times have at most three decimals and are kept as
// thousandths. Boxes are measured from the top left corner of the page as it
// is shown.
//
// # Offsets
//
// A span counts code points inside units. Over the whole text it is also a run
// of bytes (cite.Resolve, cite.SpanIn), of code points (Points, SpanOfPoints)
// and of UTF-16 code units (UTF16, SpanOfUTF16), which JavaScript, Java and
// .NET count. An offset inside a code point is refused with the place.
//
// # Selectors and fragments
//
// Selector is a selector of the W3C Web Annotation Data Model; TextFragment a
// fragment identifier of RFC 5147, TableFragment of RFC 7111, MediaFragment of
// Media Fragments URI 1.0, and ParsePDFFragment reads those of RFC 3778. They
// are read as their standards say, including what is to be ignored and what is
// to be tolerated, and written in one spelling.
//
// The text that offsets and selectors count in is the canonical payload, as
// text/plain in UTF-8. The page docs/spec/citation.md is the specification.
//
// Limits: of the times of Media Fragments only NPT is understood; a selector
// inside another (refinedBy) is refused.
package locator
