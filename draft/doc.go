// Package draft checks drafts against the citations of an archive, and seals nothing: package answer makes the bundles.
//
//	result, err := draft.Check(ctx, e, text, draft.CheckOptions{Profile: "notes"})
//	evidence, err := draft.Pack(ctx, e, draft.PackOptions{Query: "Who repaired the mill?"})
//
// Check repairs the gaps of a draft from evidence on file (draft/repair), removes what still breaks the rules of its
// profile (draft/contract) and keeps the result in the ledger; Reduce is the same for package answer. Pack chooses
// evidence (draft/pack), CheckResults judges search results (draft/enforce), Profiles and FindProfile read the profiles
// of an archive (draft/profile), of which only signed ones count. A repair looks at 5,000 citations on file.
package draft
