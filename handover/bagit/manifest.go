package bagit

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"regexp"
	"strings"

	"muniment/accession/container"
)

// algorithms are the checksums that can be computed, by the names that RFC
// 8493 section 2.4 makes: lower case letters and digits alone.
var algorithms = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha3224": func() hash.Hash { return sha3.New224() }, "sha3256": func() hash.Hash { return sha3.New256() },
	"sha3384": func() hash.Hash { return sha3.New384() }, "sha3512": func() hash.Hash { return sha3.New512() },
}

// weak reports whether two files with one such checksum can be made.
func weak(algorithm string) bool { return algorithm == "md5" || algorithm == "sha1" }

// manifestName matches the name of a manifest; its second group is the algorithm.
var manifestName = regexp.MustCompile(`^(tag)?manifest-([a-z0-9]+)\.txt$`)

// A manifest is one payload or tag manifest.
type manifest struct {
	file      string // its name
	algorithm string
	tag       bool
	unread    bool              // it could not be read: nothing follows from what it does not list
	listed    map[string]string // checksum by the path of the file it was found to mean
}

// A manifestLine is one line of a manifest: a checksum in lower case and a path in its encoded
// form.
type manifestLine struct {
	sum  string
	path string
	star bool // an asterisk before the path, md5sum's mark of a binary file
}

// parseManifestLine parses `HEX WS+ PATH`. size is the checksum's length in
// bytes, 0 if unknown. A star is only taken off where the path cannot begin
// with one; else it is left for the caller to try.
func parseManifestLine(line string, size int) (manifestLine, error) {
	i := strings.IndexAny(line, " \t")
	if i <= 0 {
		return manifestLine{}, fmt.Errorf("%q is not a checksum and a path", clip(line))
	}
	sum, path := line[:i], strings.TrimLeft(line[i:], " \t")
	switch {
	case path == "":
		return manifestLine{}, fmt.Errorf("%q is not a checksum and a path", clip(line))
	case sum[0] == '\\':
		return manifestLine{}, fmt.Errorf("%q has the backslash by which md5sum marks an escaped path", clip(line))
	case strings.Trim(sum, "0123456789abcdefABCDEF") != "" || len(sum)%2 != 0:
		return manifestLine{}, fmt.Errorf("%q is not a checksum in hexadecimal", clip(sum))
	case size > 0 && len(sum) != 2*size:
		return manifestLine{}, fmt.Errorf("a checksum of %d digits, want %d", len(sum), 2*size)
	}
	l := manifestLine{sum: strings.ToLower(sum), path: path}
	if rest, ok := strings.CutPrefix(path, "*data/"); ok {
		l.path, l.star = "data/"+rest, true
	}
	return l, nil
}

// clip returns at most the first 80 bytes of s, for errors.
func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

// pathEncoder encodes the three characters that RFC 8493 section 2.1.3 wants
// encoded.
var pathEncoder = strings.NewReplacer("%", "%25", "\n", "%0A", "\r", "%0D")

// encodePath returns path in the form of a manifest.
func encodePath(path string) string { return pathEncoder.Replace(path) }

// decodePath is the inverse of encodePath, hexadecimal digits in either case.
// ok is false where a % stands for itself.
func decodePath(s string) (path string, ok bool) {
	if !strings.Contains(s, "%") {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return "", false
		}
		switch strings.ToUpper(s[i : i+3]) {
		default:
			return "", false
		case "%25":
			b.WriteByte('%')
		case "%0A":
			b.WriteByte('\n')
		case "%0D":
			b.WriteByte('\r')
		}
		i += 2
	}
	return b.String(), true
}

// A reading is one way to understand a path in a manifest.
type reading struct {
	path   string
	remark string // why it is not the first way
}

// readings returns the paths that a manifest's path may mean, the one of the
// specification first.
func readings(version, s string) []reading {
	decoded, ok := decodePath(s)
	switch {
	case decoded == s:
		return []reading{{path: s}}
	case version != "1.0" && !ok:
		return []reading{{path: s}}
	case version != "1.0": // only CR and LF are to be encoded there
		return []reading{{path: s}, {path: decoded}}
	}
	plain := reading{path: s, remark: "a % that is not percent-encoded in the manifest, as RFC 8493 section 2.1.3 wants it"}
	if !ok {
		return []reading{plain}
	}
	return []reading{{path: decoded}, plain}
}

// checkPath returns the path that s names, or the reason why a manifest may not
// name it.
func checkPath(s string) (path, reason string) {
	if strings.HasPrefix(s, "~") {
		return "", "a path into a home folder: it begins with ~"
	}
	if strings.HasSuffix(s, "/") {
		return "", "a folder: it ends with a slash"
	}
	return container.CheckName(s)
}
