// Package engine registers claims with their evidence and says at once whether
// the evidence is there.
//
// A caller registers sources, which are artifacts and records of the archive
// with a number each, and cites them: a claim, with words of the source. A
// citation gets its number and its verdict in one call; where the verdict is no,
// the result says what would make it yes. Citations are append-only. A wrong one
// is superseded by a later one.
//
// Most callers need two calls, New and Engine.Cite:
//
//	e, err := engine.New(a, engine.Caller{Session: "review-3"})
//	r, err := e.Cite(ctx, engine.CiteOptions{
//		Artifact: "letter-07.txt",
//		Quote:    "the mill wheel has stopped",
//		Claim:    "The mill had stopped by then.",
//	})
//	if r.Err() != nil { … r.Next … }
//
// A citation that fails is registered too and is a result, not an error. An
// error of type problem.Error means that nothing was registered: the call was
// wrong, or what it names is not there.
//
// An Engine cites. What else a caller may do has three types, each made from an Engine: Sources
// registers and lists sources, Citations finds and lists what was cited, Reviews keeps what persons
// say of it. Together they have the calls of the Citation & Provenance Engine's interface:
//
//	add_doc_source, add_web_source,      Sources.AddDoc, Sources.AddWeb,
//	add_db_source, add_custom_source     Sources.AddDB, Sources.AddCustom
//	cite_doc, cite_web, cite_db,         Engine.CiteDoc, CiteWeb, CiteDB, CiteCustom;
//	cite_custom                          Engine.Cite takes any kind
//	extraction_method="negative"         Engine.CiteNegative
//	get_source, list_sources             Sources.Get, Sources.List
//	get_citation, list_citations         Citations.Get, Citations.List
//	get_citations_for_source, _by_session, _by_project, _by_status
//	                                     Citations.ForSource, Citations.BySession, Citations.List
//	related_citations, relation_type     Engine.Link
//	format_citation, export_bibliography Engine.FormatCitation, Engine.ExportBibliography
//	CitationContext                      Engine.Caller
//
// An Engine may be used by any number of goroutines at once, and several processes may
// share one ledger. Cite is Examine, which looks up and judges and writes nothing, and
// then Candidate.Register; a server with many callers examines as they come and gives
// what it found to RegisterAll, inside Together, for one transaction. What Together gives
// to its function is for one goroutine.
//
// Its modes basic and multi-agent are the ledger in the archive's folder and the
// one that archive.World.LedgerURL names.
//
// Snapshot and Join sign: every signature of a snapshot goes through one
// sequence here, since a snapshot holds the objects of the citations that were
// registered before it.
//
// # Limits
//
// Without a model (archive.World.Judge) a claim is verified only where it nearly
// repeats the words; one in words of its own is unverified, whether it is true or not.
// Aggregations rest on each other at most 16 deep. The ledger
// keeps the words of a span up to 4,096 code points; a longer quote than 2,000
// gets a warning. Pages are not rendered when they are registered.
//
// The format of what is stored, and the table of roles, is docs/spec/engine.md.
package engine
