// Package keyfile keeps a sorted set of byte strings in a few memory-mapped
// files of one folder, so that a look-up reads the same few blocks whether the
// set has a thousand keys or many millions.
//
//	w, err := keyfile.Begin(dir, hooks, keyfile.Extend)
//	err = w.Add([]byte("a key"))
//	err = w.Commit("what the set is of")
//	set, err := keyfile.Open(dir)
//	for key, err := range set.Scan(prefix, prefix) { … }
//
// A set is derived from something else and can be deleted. Keys are added and
// never removed: whoever looks a key up asks the source whether it still holds.
//
// # Files
//
// A file N.keys is a table. Numbers are big-endian. It has blocks of about 4 KiB,
// each a run of keys and the CRC-32C of the run; a key is the number of bytes
// shared with the key before, the number of bytes that follow (both uvarints),
// and these bytes. Then the table's index: for every block its offset, then
// where its separator ends, then the separators, each the shortest string that
// is above the block before and not above the block; then the end: offset of the
// index, number of keys, number of blocks, CRC-32C of index and end, and a magic
// string. The file "current" names the tables and the label, and ends with its
// own SHA-256. It is replaced by a rename, after the tables are on the disk.
//
// New keys become a table of their own. Tables of less than twice the size of
// what is written are merged into it, so that n keys lie in at most log2(n)
// tables and a key is rewritten as often.
//
// A damaged, cut or foreign file is an error that is ErrDamaged. Files are mapped
// and closed, so that an open set has no descriptors. One process writes at a
// time; readers take no lock.
package keyfile
