// Package handover writes what an archive holds in the forms that other programs
// read, and takes such packages in: bags, storage roots of OCFL, crates, finding
// aids and web archives. docs/spec/handover.md has every field.
//
// ExportBag, ExportOCFL and ExportCrate write the same files into a new folder:
//
//	letters/1911-03-04.txt           an original, byte for byte, under its first name
//	metadata/metadata.csv            a table for other programs, not read again
//	muniment/records.jsonl           every record, a canonical JSON object a line
//	muniment/consent.jsonl           consent, the same; holds.jsonl and citations.jsonl too
//	muniment/artifacts/<sha256>      a payload that is no original
//	muniment/originals/<sha256>      an original that only a superseded record names
//
// A bag has the originals below data/, and adds what RFC 8493 requires: its
// declaration, bag-info.txt and manifests. OCFL 1.1 has one object with one
// version, RO-Crate 1.1 a graph with an entity for each file and creator.
// FindingAid returns EAD 3, the table or a page; ExportWARC writes WARC 1.1, with or
// without gzip, or WACZ. An export never writes into a folder or file that is there.
//
// # Names
//
// A name that a file system cannot hold is changed, with a warning in the result: a
// part of more than 255 bytes is cut; of two names that differ only in case or
// normalization the later one is percent-encoded; a name that still clashes gets 12
// digits of its record (bagnames.go).
//
// # Taking in
//
// ImportBag, ImportOCFL and ImportCrate first validate the package by its own
// standard; one that is not valid adds nothing, and the result lists why. Records
// keep their bytes, and so their IDs. The bytes that a record names are found by
// their SHA-256, wherever they lie in the package; a record whose bytes are missing
// or differ is refused with its reason, and the others are staged. Consent and holds
// are taken where this archive has none; a withdrawn artifact stays withdrawn.
// Citations are returned to the caller, as this package does not register any. Files
// that no record describes are staged as package accession stages any file.
//
// # Limits
//
// A file of objects has at most 1 GiB, the names of empty files
// of a bag 256 KiB together, an inventory of OCFL 512 MiB.
package handover
