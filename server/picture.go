package server

import (
	"bytes"
	"context"
	"image"
	"image/color"
	_ "image/gif" // formats of pictures that are made smaller
	_ "image/jpeg"
	"image/png"
	"io"
	"strings"
	"sync"

	"muniment/archive/problem"
	"muniment/canon/pdf"
)

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
