package custody

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"muniment/accession/container"
	"muniment/archive"
)

// A bagOriginal is an original to go into a bag, with its name below data/.
type bagOriginal struct {
	name     string
	artifact *archive.Artifact
	record   archive.StoredRecord
}

// suffix tells the original from others of its name.
func (b *bagOriginal) suffix() string { return "." + b.record.ID.Hex()[:12] }

// maxNamePart is the most bytes of a file's or a folder's name that the file
// systems in use can hold.
const maxNamePart = 255

// maxExtension is the most bytes at the end of a name, its dot included, that
// are kept when the name is shortened: they say what opens the file.
const maxExtension = 16

// nameOriginals changes the names that a bag cannot hold, so that one bad name
// does not keep the others out, and returns a warning for each. A part that is
// too long is cut and ends in 12 digits of its sha256; of names that clash, with
// each other or with a folder, the later one gets 12 digits of its record; a name
// that is no path below a folder becomes its record's digits.
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
			folders[container.NFC(dir)] = true
		}
	}
	seen := map[string]bool{}
	for i := range originals {
		b := &originals[i]
		for key := container.NFC(b.name); seen[key] || folders[key]; key = container.NFC(b.name) {
			b.name = shortenParts(b.name + b.suffix())
		}
		seen[container.NFC(b.name)] = true
		if b.name != wanted[i] {
			warnings = append(warnings, fmt.Sprintf("%q stands in the bag as %q", wanted[i], b.name))
		}
	}
	return warnings
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
