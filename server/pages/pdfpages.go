package pages

import "muniment/server"

// pagePictures returns the addresses of pictures of the pages of a PDF, none where the reader may not
// have its bytes or there is no program that draws them.
func (s *source) pagePictures(id, kind string, may bool, facts []server.Fact) []string {
	return nil
}
