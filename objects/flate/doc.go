// Package flate reads and writes the zlib streams (RFC 1950 and 1951) in which
// git keeps its objects. It decides how an object is compressed, and leaves the
// compressing to github.com/klauspost/compress.
//
//	var e flate.Encoder
//	err := e.Append(&buffer, content)                   // adds one stream
//	content, err := flate.ContentAt(file, at, end, size) // reads one of a known size
//
// # How content is written
//
//   - Below 1 KiB it is stored: records and trees, mostly hexadecimal digests.
//   - From there to 8 KiB it is one Huffman code for its bytes, without a search
//     for repetitions, of which a letter has few: docs/decisions/0009.
//   - From 8 KiB on it is deflated at level 1: docs/decisions/0006.
//   - Content, or the first 64 KiB of longer content, that would not shrink is
//     stored.
//
// Nothing depends on this choice: every stream that git may have written is
// read, and `git repack -adF` writes all of them smaller.
//
// A coder for short texts and a decoder for streams in memory were once written
// here by hand, 733 lines. Without them 50,000 letters take 3 % more processor
// time to add and sign and 13 % more to verify, which stays within the budgets:
// docs/decisions/0009.
//
// # Limits
//
// Streams have no preset dictionary. A stream is read only to the size that is
// known beforehand, at most [object.MaxSize], and memory is taken only for a size
// that the bytes at hand can make, at most 1032 times their number. A stream that
// is damaged or has another size is an [object.ErrCorrupt]; an error of the disk
// is returned as it is.
package flate
