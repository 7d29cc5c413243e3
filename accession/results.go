package accession

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
)

// A Skip is an input that was not added, and why.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`

	// Next is what to do where more can be said than to mend the input. A
	// program that prints the result puts its own words for it into Suggestion.
	Next       problem.Step `json:"-"`
	Suggestion string       `json:"suggestion,omitempty"`
}

// An AddedArtifact is one input that is in the archive after an add.
type AddedArtifact struct {
	ID            string `json:"id"`
	Original      string `json:"original"`
	Path          string `json:"path"`
	MediaType     string `json:"media_type"`
	Canonicalizer string `json:"canonicalizer"`
	Paragraphs    int    `json:"paragraphs"`
	Status        string `json:"status"` // added, unchanged, or described: other metadata for a known file
	Note          string `json:"note,omitempty"`
	Elsewhere     int64  `json:"elsewhere,omitempty"` // bytes of it that went to the payload store

	Corrections []holdings.Correction `json:"corrections,omitempty"` // of a record that is superseded

	Record cid.ID `json:"-"` // of an artifact that is added: the record that the add staged

	// Next is what to do where the end of Note is wrong; a program that prints
	// the result adds its own words for it to Note.
	Next problem.Step `json:"-"`
}

// An AddResult is what an add did. Ids are CIDs in text form.
type AddResult struct {
	Added     int             `json:"added"`
	Unchanged int             `json:"unchanged"`
	Described int             `json:"described,omitempty"` // records that are superseded
	Skipped   []Skip          `json:"skipped"`
	Artifacts []AddedArtifact `json:"artifacts"`
	Notes     []string        `json:"notes,omitempty"`   // names that look alike
	Sources   []SourceInfo    `json:"sources,omitempty"` // registered without a body
	LeftOut   []LeftOut       `json:"left_out,omitempty"`
	Chunks    *Chunks         `json:"chunks,omitempty"` // of payloads and originals above 8 MiB
	DryRun    bool            `json:"dry_run,omitempty"`
}

// A LeftOut is something below the arguments of an add that an archive does not keep.
type LeftOut struct {
	Path string `json:"path"`
	What string `json:"what"` // .git folder, empty folder, empty file, socket, named pipe, device, symbolic link
}

// Chunks counts the chunks of large payloads and originals.
type Chunks struct {
	Written int `json:"written"`
	Resumed int `json:"resumed"` // taken over from an add that was interrupted
	Known   int `json:"known"`   // in the archive before, or twice in this add
}
