// Package draft checks drafts against the citations of an archive, and seals nothing: package answer makes the bundles.
//
//	result, err := draft.Check(ctx, e, text, draft.CheckOptions{Profile: "notes"})
//	evidence, err := draft.Pack(ctx, e, draft.PackOptions{Query: "Who repaired the mill?"})
//
// Check repairs the gaps of a draft from evidence on file (draft/repair), removes what still breaks the rules of its
// profile (draft/contract), and keeps the result in the ledger, bullet by bullet with its citations: Synthesis reads
// it. Reduce returns a draft without what a profile removes, for package answer. Pack chooses evidence for a question
// by the rules of a profile (draft/pack), CheckResults judges search results by its thresholds (draft/enforce), and
// Segment cuts a text into sentences and claims. Profiles, FindProfile and AddProfile are about the profiles of an
// archive (draft/profile): only those that are signed count.
//
// Limits: a repair looks at 5,000 citations on file; a text of at most 384 KiB is segmented.
package draft
