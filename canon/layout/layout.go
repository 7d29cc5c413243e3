// Package layout makes alto@1, hocr@1 and page@1, the texts of files in which programs
// that recognise letters, or people who transcribe, say what stands where on a scan: ALTO,
// hOCR and PAGE.
//
//	r := read.NewRegistry(layout.ALTO(), layout.HOCR(), layout.PAGE())
//	form, err := r.Canonicalize(read.Input{Name: "scan.alto.xml", Data: data})
//	page, box, ok := layout.Region(form.Facts, 12, 14) // of lines 12 to 14
//
// The three forms are alike. A line of the scan is a line of the text, its words apart by
// one space; words broken at a line's end stay broken. The lines of a block (TextBlock of
// ALTO, ocr_par or ocr_carea of hOCR, TextRegion of PAGE) are a paragraph. Blocks and
// pages stand apart by a blank line, in the order of the file or, in PAGE, in its reading
// order. The result ends in the text step of package canon.
//
// Facts: "pages"; "page_starts", as of pdf@1; "regions", which lists for each line of the
// text the box X,Y,W,H of that line on its page, or "-" where there is none;
// "region_unit", the unit of these numbers where it is not the pixel (mm10, inch1200);
// and, each only if stated, "image" (the name of the scan), "recognised_by" (the program),
// "confidence" (the mean over the words, in percent). Where the list of regions would be
// longer than MaxRegions bytes, "regions_left_out" is "1" and there is no list.
package layout

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
)

// The names and versions of the forms.
const (
	ALTOName = "alto@1"
	HOCRName = "hocr@1"
	PAGEName = "page@1"
)

// The media types of the forms.
const (
	ALTOType = "application/alto+xml"
	HOCRType = "text/vnd.hocr+html"
	PAGEType = "application/vnd.prima.page+xml"
)

// Limits. A file beyond MaxInput stays bytes@1.
const (
	// MaxInput is the longest file in bytes: its elements are in memory in several copies.
	MaxInput = 32 << 20
	// MaxRegions is the length of the fact "regions" in bytes: a record has a megabyte.
	MaxRegions = 512 << 10
	// maxStated is the length in code points of a name that a file states.
	maxStated = 256
)

// Is reports whether a canonicalizer is one of the three forms.
func Is(canonicalizer string) bool {
	return canonicalizer == ALTOName || canonicalizer == HOCRName || canonicalizer == PAGEName
}

// ALTO returns the reader of alto@1.
func ALTO() read.Reader {
	return read.Reader{Name: ALTOName, MediaTypes: []string{ALTOType}, Extensions: []string{".alto"}, Root: "alto",
		Read: func(in read.Input) (read.Form, error) { return readLayout(in, ALTOName, parseALTO) }}
}

// PAGE returns the reader of page@1.
func PAGE() read.Reader {
	return read.Reader{Name: PAGEName, MediaTypes: []string{PAGEType}, Root: "PcGts",
		Read: func(in read.Input) (read.Form, error) { return readLayout(in, PAGEName, parsePAGE) }}
}

// HOCR returns the reader of hocr@1.
func HOCR() read.Reader {
	return read.Reader{Name: HOCRName, MediaTypes: []string{HOCRType}, Extensions: []string{".hocr"},
		Read: func(in read.Input) (read.Form, error) { return readLayout(in, HOCRName, parseHOCR) }}
}

// A Box is a rectangle on a page: its left and upper edge, width and height.
type Box struct{ X, Y, W, H int }

// String writes a box as in the fact "regions".
func (b Box) String() string { return fmt.Sprintf("%d,%d,%d,%d", b.X, b.Y, b.W, b.H) }

// IsZero reports whether a box has no area.
func (b Box) IsZero() bool { return b.W <= 0 || b.H <= 0 }

// join returns the smallest box around two, of which either may be zero.
func (b Box) join(o Box) Box {
	switch {
	case b.IsZero():
		return o
	case o.IsZero():
		return b
	}
	x, y := min(b.X, o.X), min(b.Y, o.Y)
	return Box{x, y, max(b.X+b.W, o.X+o.W) - x, max(b.Y+b.H, o.Y+o.H) - y}
}

// A line is one line of a scan.
type line struct {
	text string
	box  Box
}

// A page is the blocks of a page, each a list of lines.
type page [][]line

// A scan is what a file was found to hold.
type scan struct {
	pages   []page
	block   any      // of hOCR, in which the last line was
	image   string   // the name of the scan
	unit    string   // of the boxes, "" for pixels
	by      []string // programs
	charset string   // how the file was decoded
	words   int      // that have a confidence
	sure    float64  // sum of their confidences, each 0 to 1
}

// see adds the confidence of a word, 0 to 1, which a file gave as a text; what is none is
// passed over.
func (s *scan) see(confidence string, whole float64) {
	c, err := strconv.ParseFloat(confidence, 64)
	if err == nil && c >= 0 && c <= whole {
		s.words++
		s.sure += c / whole
	}
}

// readLayout returns the form of a file, read by one of the parsers.
func readLayout(in read.Input, name string, parse func(in read.Input) (*scan, error)) (read.Form, error) {
	if len(in.Data) > MaxInput {
		return read.Form{}, fmt.Errorf("%s: the file has %d bytes, at most %d are read", name, len(in.Data), MaxInput)
	}
	s, err := parse(in)
	if err == nil && len(s.pages) == 0 {
		err = errors.New("there is no page in it")
	}
	if err != nil {
		return read.Form{}, fmt.Errorf("%s: %w", name, err)
	}
	form := read.Form{Canonicalizer: name, Unicode: canon.UnicodeVersion, Charset: s.charset, Facts: map[string]string{}}
	form.Payload = s.write(form.Facts)
	for fact, value := range map[string]string{"image": s.image, "region_unit": s.unit, "recognised_by": strings.Join(s.by, "; ")} {
		if value = read.Cut(read.SafeLine(value), maxStated); value != "" {
			form.Facts[fact] = value
		}
	}
	if s.words > 0 {
		form.Facts["confidence"] = strconv.Itoa(int(math.Round(100 * s.sure / float64(s.words))))
	}
	return form, nil
}

// write returns the text of a scan, nil where there is none, and states where its pages
// and lines are.
func (s *scan) write(facts map[string]string) []byte {
	var text bytes.Buffer
	var regions []string
	starts := make([]string, len(s.pages))
	for i, p := range s.pages {
		starts[i] = noPlace
		for _, block := range p {
			var kept []line
			for _, l := range block {
				if clean := canon.Text([]byte(strings.Join(strings.Fields(l.text), " "))); clean != nil {
					kept = append(kept, line{strings.ReplaceAll(strings.TrimSuffix(string(clean), "\n"), "\n", " "), l.box})
				}
			}
			if len(kept) == 0 {
				continue
			}
			if text.Len() > 0 {
				text.WriteByte('\n')
				regions = append(regions, noPlace)
			}
			if starts[i] == noPlace {
				starts[i] = strconv.Itoa(len(regions) + 1)
			}
			for _, l := range kept {
				text.WriteString(l.text + "\n")
				if l.box.IsZero() {
					regions = append(regions, noPlace)
				} else {
					regions = append(regions, l.box.String())
				}
			}
		}
	}
	facts["pages"], facts["page_starts"] = strconv.Itoa(len(s.pages)), strings.Join(starts, " ")
	if list := strings.Join(regions, " "); len(list) > MaxRegions {
		facts["regions_left_out"] = "1"
	} else if strings.Trim(list, noPlace+" ") != "" {
		facts["regions"] = list
	}
	return canon.Text(text.Bytes())
}

// noPlace is the entry, in lists of pages and regions, of one without text or box.
const noPlace = "-"

// Region returns the box around some lines of a text, counting from 1, by the fact
// "regions" of its record. It reports false where the record has none of them.
func Region(facts map[string]string, first, last int) (Box, bool) {
	var box Box
	n := 0
	for entry := range strings.SplitSeq(facts["regions"], " ") {
		if n++; n < first || n > last || entry == noPlace {
			continue
		}
		one, ok := parseBox(entry)
		if !ok {
			return Box{}, false
		}
		box = box.join(one)
	}
	return box, !box.IsZero()
}

// parseBox reads the output of String.
func parseBox(s string) (Box, bool) {
	var n [4]int
	parts := strings.Split(s, ",")
	if len(parts) != len(n) {
		return Box{}, false
	}
	for i, p := range parts {
		var err error
		if n[i], err = strconv.Atoi(p); err != nil {
			return Box{}, false
		}
	}
	return Box{n[0], n[1], n[2], n[3]}, true
}

// maxPlace is the largest coordinate that is kept: scans have some ten thousand pixels
// a side, and boxes are added.
const maxPlace = 1 << 24

// number returns a coordinate, which some programs write with a fraction; 0 for what is
// none.
func number(s string) int {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) {
		return 0
	}
	return int(math.Round(max(-maxPlace, min(maxPlace, f))))
}
