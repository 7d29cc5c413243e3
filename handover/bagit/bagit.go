// Package bagit reads and writes bags: BagIt 1.0 (RFC 8493), and for reading
// also the drafts 0.93 to 0.97, all by the rules of 0.97.
//
//	report, err := bagit.ValidateDir(ctx, "transfer-0042", nil)
//	if !report.Valid { for _, p := range report.Problems { ... } }
//
//	written, err := bagit.Write(ctx, "bag", payloads, bagit.Options{Now: now})
//
// A bag is a folder with
//
//	bagit.txt                the version and the encoding of the tag files
//	data/…                   the payload
//	manifest-ALGORITHM.txt   one line "HEX  data/PATH" for every payload file
//	tagmanifest-ALGORITHM.txt  the same for the files outside data/, itself not among them
//	bag-info.txt             "Label: value" lines about the bag
//	fetch.txt                lines "URL LENGTH data/PATH" of files to be had elsewhere
//
// of which bagit.txt, data/ and one manifest are required.
//
// # Validate
//
// Complete and valid are the words of RFC 8493, section 3. A bag is complete if
// every required element is there, every file that a manifest lists is there,
// every payload file is listed (1.0: in every payload manifest; 0.97: in one),
// and everything keeps to its format. It is valid if besides every checksum in
// every manifest holds. Each finding is a Problem with a path, a state and a
// reason: failed, absent, not checked, or ok for a remark that leaves the bag
// valid. Of the RFC's choices:
//
//   - Nothing is fetched. A file that fetch.txt promises is absent, with its URL.
//   - Known algorithms are md5, sha1, sha224, sha256, sha384, sha512 and, as
//     sha3224 to sha3512, SHA-3. The lines of any other manifest count for completeness; its checksums are not
//     checked, so that the bag is not valid. If no algorithm is stronger than
//     sha1, a remark says so.
//   - A path that is absolute, begins with "~", has a drive letter, a backslash,
//     a NUL or a part ".." is refused and nothing is opened; a symbolic link
//     fails, and nothing behind one is read.
//   - A manifest name that differs from the file's only in Unicode normalization
//     is taken for it, with a remark (section 6.1.1.3); one that differs in case
//     is absent, and the reason names the file that is there.
//   - Two names in one manifest that are one name after normalization fail: a
//     system that normalizes keeps one of the files. Names that differ only in
//     case or by invisible characters get a remark.
//   - In manifests of 1.0, %0A, %0D and %25 stand for LF, CR and %. Writers
//     that leave % as it is are common: where only the file of that very name
//     exists, it is taken, with a remark.
//   - What md5sum and its kin write is taken with a remark (section 6.1.3): an
//     asterisk before the path, a leading "./". A last line without its end is
//     taken with a remark too; an empty line fails.
//   - bagit.txt must be its two lines exactly. UTF-8 files must not begin with
//     a byte-order mark (0.97: a remark). The other encodings that IANA names
//     and Go knows are read, with a remark.
//   - Bags of 0.93 to 0.96 get a remark; up to 0.95 the file about the bag is
//     package-info.txt.
//   - Payload-Oxum is compared, and not checked while files are to be fetched.
//     White space around it gets a remark.
//
// Bags that come packed are validated where they lie, through package
// container: one folder at the top, and nothing in the container that is
// skipped there.
//
// # Write
//
// Write makes a bag of version 1.0 with sha256 and sha512 manifests and tag
// manifests. Its bytes depend on the arguments alone. Everything is written and
// synced in a folder beside the target, which gets its name when it is whole.
package bagit

import (
	"cmp"
	"slices"
)

// Limits on what one bag may ask for.
const (
	// MaxFiles in a bag: the largest archive that is planned for.
	MaxFiles = 1 << 20

	maxDeclaration = 1 << 10   // bytes of bagit.txt: two lines
	maxInfo        = 1 << 20   // bytes of bag-info.txt, read whole
	maxManifest    = 256 << 20 // bytes of a manifest or fetch.txt: MaxFiles lines of some 250 bytes
)

// A State is the outcome of validating a file or the whole bag.
type State string

// The states. A Problem that is ok is a remark.
const (
	OK         State = "ok"
	Failed     State = "failed"
	Absent     State = "absent"
	NotChecked State = "not checked"
)

// A Problem is one finding.
type Problem struct {
	Path   string `json:"path"` // from the bag's folder; as the manifest has it where there is no such file
	State  State  `json:"state"`
	Reason string `json:"reason"`

	checksum bool // a wrong checksum: the bag may still be complete
}

// A File is one payload file.
type File struct {
	Path  string `json:"path"` // begins with data/
	Size  int64  `json:"size"` // bytes
	State State  `json:"state"`
}

// A Field is one element of bag-info.txt. A value of several lines has a LF between
// them.
type Field struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// A Report is what Validate found. The counts are of files: every file that is
// in the bag or listed in it counts once. Files that no tag manifest lists,
// the tag manifests above all, count as not checked; that alone does not make a
// bag invalid.
type Report struct {
	Version       string    `json:"version"`  // "1.0", "0.93" to "0.97"; "" if bagit.txt is unusable
	Encoding      string    `json:"encoding"` // as bagit.txt has it
	Algorithms    []string  `json:"algorithms"`
	TagAlgorithms []string  `json:"tag_algorithms"`
	Info          []Field   `json:"info"` // in the order of bag-info.txt
	Payload       []File    `json:"payload"`
	Octets        int64     `json:"octets"` // of all payload files together
	OK            int       `json:"ok"`
	Failed        int       `json:"failed"`
	Absent        int       `json:"absent"`
	NotChecked    int       `json:"not_checked"`
	Complete      bool      `json:"complete"`
	Valid         bool      `json:"valid"`
	Problems      []Problem `json:"problems"` // by path
}

// Verdict is OK for a valid bag; else Failed if anything failed, Absent if
// files are missing, NotChecked if the bag could only be checked in part.
func (r *Report) Verdict() State {
	worst := OK
	for _, p := range r.Problems {
		worst = worseOf(worst, p.State)
	}
	return worst
}

// worseOf returns the worse of two states.
func worseOf(a, b State) State {
	grave := []State{OK, NotChecked, Absent, Failed}
	return grave[max(slices.Index(grave, a), slices.Index(grave, b))]
}

// finish sorts and counts what was found.
func (r *Report) finish(states map[string]State) {
	slices.SortFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.State, b.State), cmp.Compare(a.Reason, b.Reason))
	})
	r.Problems = slices.Compact(r.Problems)
	for _, s := range states {
		switch s {
		case OK:
			r.OK++
		case Failed:
			r.Failed++
		case Absent:
			r.Absent++
		case NotChecked:
			r.NotChecked++
		}
	}
	for i := range r.Payload {
		r.Payload[i].State = states[r.Payload[i].Path]
	}
	r.Complete, r.Valid = true, true
	for _, p := range r.Problems {
		if p.State != OK {
			r.Valid = false
		}
		if p.State == Absent || p.State == Failed && !p.checksum {
			r.Complete = false
		}
	}
	if r.Version == "" {
		r.Complete = false
	}
}
