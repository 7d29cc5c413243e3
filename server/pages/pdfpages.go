package pages

import (
	"context"
	"net/http"
	"strconv"

	"muniment/server"
)

// pagePictures returns the addresses of pictures of the pages of a PDF, none where the reader may not
// have its bytes, there is no program that draws them, or the pages are files.
func (s *source) pagePictures(id, kind string, may bool, facts []server.Fact) []string {
	if kind != "PDF" || !may || s.links.static || !s.client.CanDraw() {
		return nil
	}
	pages := 1
	for _, f := range facts {
		if n, err := strconv.Atoi(f.Value); err == nil && f.Name == "pages" {
			pages = n
		}
	}
	var out []string
	for i := range min(pages, server.MaxSheets) {
		out = append(out, "/sheets/"+id+"/"+itoa(i+1))
	}
	return out
}

// picture sends a page of a PDF, or a small copy of a picture.
func picture(size int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page := int(number(r.PathValue("page")))
		if page < 1 || page > server.MaxSheets {
			page = 1
		}
		data, err := server.ClientOf(r).Picture(r.Context(), server.PictureRequest{Artifact: r.PathValue("artifact"), Page: page, Size: size})
		if err != nil {
			serve(w, r, func(context.Context, *source, *http.Request) (*frame, error) { return nil, err })
			return
		}
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "private, max-age=600")
		_, _ = w.Write(data) // the reader went away
	}
}
