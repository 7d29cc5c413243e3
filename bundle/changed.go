package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A Change is one place of a bundle whose words were changed after they were signed.
type Change struct {
	Where string `json:"where"`         // the file in the bundle, or "page"
	Now   string `json:"now"`           // the words in the file
	Was   string `json:"was,omitempty"` // the words that were signed, "" where only their hash is known
}

// Limits of what Changes returns: more is read by nobody.
const (
	maxChanges     = 8
	maxChangeRunes = 2000
)

// IsBundle reports whether data is a bundle, however damaged: a page of one, or a zip that has the
// files that every bundle has.
func IsBundle(data []byte) bool {
	return IsPage(data) || bytes.HasPrefix(data, []byte("PK\x03\x04")) && bytes.Contains(data, []byte(nameSums)) && bytes.Contains(data, []byte(nameStatement))
}

// Changes returns the words of a bundle that was changed after it was signed, as far as the bundle
// itself shows them: leaves that have another hash than its list, and words of a page that the
// bundle in it does not give. It is for people who look at a bundle that Verify refuses.
func Changes(data []byte) []Change {
	out := []Change{}
	packed := data
	if IsPage(data) {
		_, rest, _ := bytes.Cut(data, []byte(pageData))
		text, _, _ := bytes.Cut(rest, []byte(pageDataEnd))
		packed, _ = base64.StdEncoding.DecodeString(string(text)) // what is readable of it
	}
	for _, f := range changedLeaves(packed) {
		if len(out) < maxChanges {
			out = append(out, f)
		}
	}
	if len(out) > 0 || !IsPage(data) {
		return out
	}
	b, err := Read(bytes.NewReader(packed))
	if err != nil {
		return out
	}
	form, _, _ := strings.Cut(string(data[len(pageBegin):min(len(data), len(pageBegin)+64)]), "\"")
	if _, known := pageForms[form]; !known {
		return out
	}
	signed, err := b.pageOf(form)
	if err != nil {
		return out
	}
	return changedRuns(runsOf(signed), runsOf(data))
}

// changedLeaves returns the leaves of a zip whose hash is not the one in its list. The zip is read
// leniently: whoever changed it may have packed it again.
func changedLeaves(data []byte) []Change {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	texts, left := map[string][]byte{}, int64(MaxDisclosed)
	for _, f := range r.File {
		if f.Name == nameSums || strings.HasPrefix(f.Name, "leaves/") {
			texts[f.Name] = readLenient(f, left)
			left -= int64(len(texts[f.Name]))
		}
	}
	var out []Change
	for line := range strings.Lines(string(texts[nameSums])) {
		want, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if text, ok := texts[name]; ok && sumOf(text) != want {
			words := wordsOfLeaf(text)
			if words != "" && slices.ContainsFunc(out, func(c Change) bool { return strings.Contains(c.Now, words) }) {
				continue // the excerpt of a claim that quotes it
			}
			out = append(out, Change{Where: name, Now: words})
		}
	}
	return out
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// readLenient returns the readable bytes of an entry of a zip, at most some, whatever its checksum.
func readLenient(f *zip.File, most int64) []byte {
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil && !errors.Is(err, zip.ErrChecksum) {
		return nil
	}
	return text
}

// wordsOfLeaf returns the words in a leaf that a reader was shown.
func wordsOfLeaf(text []byte) string {
	var leaf struct{ Text, Quote, Message, Topic, Title string }
	if json.Unmarshal(text, &leaf) != nil {
		return ""
	}
	for _, words := range []string{leaf.Text, leaf.Quote, leaf.Message, leaf.Topic, leaf.Title} {
		if words != "" {
			return clipRunes(words)
		}
	}
	return ""
}

func clipRunes(s string) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), maxChangeRunes)])
}

// unread matches the parts of a page that are not words.
var unread = regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<[^>]*>`)

// runsOf returns the words of a page, cut at its tags.
func runsOf(page []byte) []string {
	var out []string
	for _, run := range strings.Split(unread.ReplaceAllString(string(page), "\x00"), "\x00") {
		if run = strings.TrimSpace(html.UnescapeString(run)); run != "" {
			out = append(out, run)
		}
	}
	return out
}

// changedRuns returns the runs that differ: one by one where both have as many, else what lies
// between the runs that both begin and end with.
func changedRuns(was, now []string) []Change {
	out := []Change{}
	if len(was) == len(now) {
		for i := range was {
			if was[i] != now[i] && len(out) < maxChanges {
				out = append(out, Change{"page", clipRunes(now[i]), clipRunes(was[i])})
			}
		}
		return out
	}
	for len(was) > 0 && len(now) > 0 && was[0] == now[0] {
		was, now = was[1:], now[1:]
	}
	for len(was) > 0 && len(now) > 0 && was[len(was)-1] == now[len(now)-1] {
		was, now = was[:len(was)-1], now[:len(now)-1]
	}
	if slices.Equal(was, now) {
		return out
	}
	return append(out, Change{"page", clipRunes(strings.Join(now, "\n")), clipRunes(strings.Join(was, "\n"))})
}
