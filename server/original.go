package server

import (
	"bytes"
	"context"
	"errors"
	"html"
	"image"
	"image/color"
	_ "image/gif" // formats of pictures that are made smaller
	_ "image/jpeg"
	"image/png"
	"io"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon/pdf"
	"muniment/cid"
	"muniment/objects"
)

// maxScanned is how many bytes of an original are looked through for names. A longer one that is text is not given where names are kept.
const maxScanned = 16 << 20

// mayHaveOriginal reports whether the client may have the original: it sees every word of the text and of what is
// attached, and neither the facts of the original nor the original, if it is text, name anybody kept from the client.
func (v *view) mayHaveOriginal(art *holdings.Artifact) (bool, error) {
	return v.mayHavePart(art, map[cid.ID]bool{})
}

// mayHavePart is mayHaveOriginal for a paper and what is attached to it. Mails can be attached to one another in a circle: each paper is looked at once.
func (v *view) mayHavePart(art *holdings.Artifact, seen map[cid.ID]bool) (bool, error) {
	if seen[art.ID] {
		return true, nil
	}
	seen[art.ID] = true
	perm, err := v.permission(art, "")
	first, ok := art.FirstRecord()
	if err != nil || !perm.Display || !ok || v.rules == nil {
		return perm.Display && ok, err
	}
	tree, err := v.treeOf(art)
	if err != nil {
		return false, err
	}
	if shows, err := v.showsFacts(tree, art.ID, seen); err != nil || !shows || !first.Record.Textual() {
		return shows, err
	}
	payload, err := v.handle.archive.Payload(tree, art.ID)
	if err != nil {
		return false, err
	}
	if _, whole, err := v.show(art, string(payload)); err != nil || !whole || !v.door.HidesNames() || first.Record.Original == art.ID.String() {
		return whole, err
	}
	content, err := v.handle.archive.OriginalContent(tree, art, first)
	if err != nil {
		return false, err
	}
	defer content.Close()
	data, err := io.ReadAll(io.LimitReader(content, maxScanned))
	if err != nil || len(data) == maxScanned {
		return false, err
	}
	text := strings.ToValidUTF8(strings.ReplaceAll(string(data), "\x00", ""), "") // of UTF-16 the letters
	for _, read := range []string{text, html.UnescapeString(text), percent.ReplaceAllStringFunc(text, unescapePercent)} {
		if v.door.Word(read) != read {
			return false, nil
		}
	}
	return true, nil
}

// percent matches the escapes of an address.
var percent = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+`)

// unescapePercent returns what the escapes of an address stand for.
func unescapePercent(s string) string {
	plain, _ := url.PathUnescape(s) // its form is that of percent
	return strings.ToValidUTF8(plain, "")
}

// showsFacts reports whether the client may read every fact of an artifact, and have the originals of its parts.
func (v *view) showsFacts(tree objects.Hash, id cid.ID, seen map[cid.ID]bool) (bool, error) {
	art, err := v.handle.archive.Catalog(tree).Artifact(id)
	if err != nil || art == nil || !v.door.HidesNames() {
		return art != nil, err
	}
	for _, h := range art.Records {
		shown, err := v.door.DescribeKnown(h.Record)
		if err != nil || !maps.Equal(shown.Facts, h.Record.Facts) {
			return false, err
		}
		for _, p := range h.Record.Parts {
			part, err := v.resolve(p.Artifact)
			if known := (*problem.Error)(nil); errors.As(err, &known) && known.Kind == problem.NotFound {
				return false, nil // the client may not know of it
			} else if err != nil {
				return false, err
			}
			if may, err := v.mayHavePart(part, seen); err != nil || !may {
				return false, err
			}
		}
	}
	return true, nil
}

// An Original is the bytes of an artifact as they came, for a client that may have them.
type Original struct {
	ID        string // of the artifact
	Name      string
	MediaType string
	Media     string // image, audio or video where a browser shows it by itself
	Data      []byte // of what is shown on a page; nil for a stream
}

// Original writes the original of an artifact to w, once ready has been called. What
// a page shows is read into memory and handed to ready instead.
func (c *Client) Original(ctx context.Context, ref string, ready func(*Original) (io.Writer, error)) error {
	return c.server.with(ctx, func(h *handle) error {
		v, art, err := h.find(c, ref)
		if err != nil {
			return err
		}
		if may, err := v.mayHaveOriginal(art); err != nil {
			return err
		} else if !may {
			return errHidden(art)
		}
		first, _ := art.FirstRecord()
		tree, err := v.treeOf(art)
		if err != nil {
			return err
		}
		content, err := h.archive.OriginalContent(tree, art, first)
		if err != nil {
			return err
		}
		defer content.Close()
		o := &Original{ID: art.ID.String(), Name: art.Name(), MediaType: first.Record.MediaType}
		o.Media = shownMedia[strings.ToLower(strings.TrimSpace(strings.SplitN(o.MediaType, ";", 2)[0]))]
		var start bytes.Buffer
		if o.Media != "" {
			if _, err := io.CopyN(&start, content, MaxMediaOnPage+1); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if start.Len() <= MaxMediaOnPage {
				o.Data = start.Bytes()
			}
		}
		w, err := ready(o)
		if err != nil || w == nil {
			return err
		}
		if _, err := io.Copy(w, io.MultiReader(&start, io.LimitReader(content, maxOriginal))); err != nil {
			return problem.InterruptedError()
		}
		return nil
	})
}

// Limits of pictures that are made for a page.
const (
	ThumbSize   = 160      // pixels of the longer side in a list
	SheetSize   = 1400     // and of a page of a PDF beside its text
	MaxSheets   = 20       // pages of a PDF that are drawn
	maxPixels   = 60 << 20 // of a picture that is made smaller: 240 MB while it is read
	makersAtAll = 2        // pictures that are made at once
)

// A PictureRequest names a page of a PDF, or a picture; Page is from 1, Size in pixels.
type PictureRequest struct {
	Artifact   string
	Page, Size int
}

// pictures keeps the pictures that were made of originals.
type pictures struct {
	most int // bytes

	mu    sync.Mutex
	made  map[PictureRequest][]byte
	bytes int
}

// makerTurns lets makersAtAll pictures be made at once.
var makerTurns = make(chan struct{}, makersAtAll)

// find returns a picture that was made before, nil for none.
func (p *pictures) find(r PictureRequest) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made[r]
}

// add keeps a picture. Where there are too many all others are dropped.
func (p *pictures) add(r PictureRequest, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes += len(data); p.bytes > p.most {
		clear(p.made)
		p.bytes = len(data)
	}
	if p.made == nil {
		p.made = map[PictureRequest][]byte{}
	}
	p.made[r] = data
}

// CanDraw reports whether pages of a PDF can be drawn here.
func (c *Client) CanDraw() bool { return pdf.CanDraw() }

// Picture returns a page of a PDF, or a smaller copy of a picture, as a PNG, for a client that may have the original.
func (c *Client) Picture(ctx context.Context, r PictureRequest) ([]byte, error) {
	var data []byte
	media := ""
	err := c.Original(ctx, r.Artifact, func(o *Original) (io.Writer, error) {
		r.Artifact = o.ID // a name may mean another one later
		media, _, _ = strings.Cut(strings.ToLower(o.MediaType), ";")
		if data = c.server.pictures.find(r); data != nil {
			return nil, nil // the client may have the original
		}
		if data = o.Data; data != nil || media != "application/pdf" {
			return nil, nil
		}
		return (*boundedBytes)(&data), nil
	})
	if err != nil {
		return nil, err
	}
	if made := c.server.pictures.find(r); made != nil {
		return made, nil
	}
	select {
	case makerTurns <- struct{}{}:
		defer func() { <-makerTurns }()
	case <-ctx.Done():
		return nil, problem.InterruptedError()
	}
	made, err := makePicture(data, media, r)
	if err != nil {
		return nil, problem.New(problem.NotFound, problem.Advise("save the original"), "there is no picture of it: %w", err)
	}
	c.server.pictures.add(r, made)
	return made, nil
}

// boundedBytes collects the bytes of an original, at most MaxMediaOnPage.
type boundedBytes []byte

// Write keeps p, and fails where there is too much.
func (b *boundedBytes) Write(p []byte) (int, error) {
	if len(*b)+len(p) > MaxMediaOnPage {
		return 0, io.ErrShortBuffer
	}
	*b = append(*b, p...)
	return len(p), nil
}

// makePicture returns a page of a PDF or a smaller copy of a picture.
func makePicture(data []byte, media string, r PictureRequest) ([]byte, error) {
	if media == "application/pdf" {
		return pdf.DrawPage(data, r.Page, r.Size)
	}
	shape, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || shape.Width < 1 || shape.Height < 1 || shape.Width > maxPixels/shape.Height {
		return nil, image.ErrFormat
	}
	full, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = png.Encode(&out, shrink(full, r.Size))
	return out.Bytes(), err
}

// shrink returns a picture whose longer side has at most size pixels, each the mean of samples.
func shrink(full image.Image, size int) image.Image {
	b := full.Bounds()
	long := max(b.Dx(), b.Dy())
	if long <= size {
		return full
	}
	out := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()*size/long), max(1, b.Dy()*size/long)))
	const samples = 4 // along each side of a new pixel
	for y := range out.Rect.Max.Y {
		for x := range out.Rect.Max.X {
			var sum [4]uint32
			for i := range samples * samples {
				r, g, bl, a := full.At(b.Min.X+(x*samples+i%samples)*b.Dx()/(out.Rect.Max.X*samples), b.Min.Y+(y*samples+i/samples)*b.Dy()/(out.Rect.Max.Y*samples)).RGBA()
				for k, v := range [4]uint32{r, g, bl, a} {
					sum[k] += v >> 8
				}
			}
			const n = samples * samples
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), uint8(sum[3] / n)})
		}
	}
	return out
}
