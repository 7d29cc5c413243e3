package handover

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"muniment/accession/container"
	"muniment/archive/holdings"
)

// A bagOriginal is an original to go into a package, with its name there.
type bagOriginal struct {
	name     string
	artifact *holdings.Artifact
	record   holdings.StoredRecord
}

// suffix tells the original from others of its name.
func (b *bagOriginal) suffix() string { return "." + b.record.ID.Hex()[:12] }

// maxNamePart is the most bytes of a file's or a folder's name that the file
// systems in use can hold.
const maxNamePart = 255

// maxExtension is the most bytes at the end of a name, its dot included, that
// are kept when the name is shortened: they say what opens the file.
const maxExtension = 16

// nameOriginals changes the names that a package cannot hold, so that one bad name
// does not keep the others out, and returns a warning for each. A part that is too
// long is cut and ends in 12 digits of its sha256. Of names that are one name to a
// file system that ignores case and normalization, the later one is
// percent-encoded; one that clashes still, with a folder for instance, gets 12
// digits of its record. A name that is no path below a folder becomes these digits.
func nameOriginals(originals []bagOriginal) []string {
	warnings := []string{}
	folders := map[string]bool{}
	wanted := make([]string, len(originals))
	for i := range originals {
		b := &originals[i]
		wanted[i] = b.name
		b.name = shortenParts(b.name)
		if clean, reason := container.CheckName(b.name); reason != "" || clean != b.name || !utf8.ValidString(b.name) {
			b.name = "unnamed" + b.suffix()
		}
		for dir := path.Dir(b.name); dir != "."; dir = path.Dir(dir) {
			folders[container.Fold(dir)] = true
		}
	}
	seen := map[string]string{} // names by what a file system takes them for
	for i := range originals {
		b := &originals[i]
		if other, clash := seen[container.Fold(b.name)]; clash && other != b.name {
			b.name = shortenParts(encodeDifference(b.name, other))
		}
		for key := container.Fold(b.name); seen[key] != "" || folders[key]; key = container.Fold(b.name) {
			b.name = shortenParts(b.name + b.suffix())
		}
		seen[container.Fold(b.name)] = b.name
		if b.name != wanted[i] {
			warnings = append(warnings, fmt.Sprintf("%q stands in the package as %q", wanted[i], b.name))
		}
	}
	return warnings
}

// encodeDifference returns a name with the bytes of its last part percent-encoded
// that are not ASCII or differ from the other name's, which is the same name to some
// file systems; where only the folders differ, with its first byte encoded.
func encodeDifference(name, other string) string {
	dir, base := path.Split(name)
	_, otherBase := path.Split(other)
	var out strings.Builder
	for i := range len(base) {
		differs := len(base) == len(otherBase) && otherBase[i] != base[i] // else letters beyond ASCII do
		if c := base[i]; c >= utf8.RuneSelf || c == '%' || differs || base == otherBase && i == 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return dir + out.String()
}

// shortenParts cuts the parts of a path that are longer than maxNamePart. Equal
// parts are cut alike, so that a folder stays one folder.
func shortenParts(name string) string {
	if len(name) <= maxNamePart {
		return name
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if len(part) <= maxNamePart {
			continue
		}
		ext := path.Ext(part)
		if len(ext) > maxExtension {
			ext = ""
		}
		sum := sha256.Sum256([]byte(part))
		end := fmt.Sprintf("~%x%s", sum[:6], ext)
		cut := maxNamePart - len(end)
		for cut > 0 && !utf8.RuneStart(part[cut]) {
			cut--
		}
		parts[i] = part[:cut] + end
	}
	return strings.Join(parts, "/")
}
