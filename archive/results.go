package archive

// An ArtifactInfo is one artifact of a catalogue.
type ArtifactInfo struct {
	ID            string   `json:"id"`
	Names         []string `json:"names"`
	Title         string   `json:"title,omitempty"`
	Date          string   `json:"date,omitempty"`
	MediaType     string   `json:"media_type"`
	Canonicalizer string   `json:"canonicalizer"`
	Size          int64    `json:"size"`
	Paragraphs    int      `json:"paragraphs"`
	Lines         int      `json:"lines"`
	Original      string   `json:"original"`
	Records       []string `json:"records"`
}
