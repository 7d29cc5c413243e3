// Package inventory answers what an archive holds, in results that are printed:
// List describes the artifacts, Show whatever an id, a prefix, a name or a tag
// names, Cat returns the bytes of an artifact, of its original or of a span.
// FindSnapshot finds a snapshot by its number, id, prefix or tag.
//
//	info, err := inventory.Show(a, "1931-03-14.txt", nil)
//	r, bytes, err := inventory.Cat(a, "1931-03-14.txt", inventory.CatOptions{Span: "p2"})
//
// An id may be shortened to archive.MinPrefix characters where nothing else
// begins with them. Show also finds ids that only older snapshots hold.
package inventory
