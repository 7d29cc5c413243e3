package retrieve

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"muniment/canon"
	"muniment/cite"
)

// An Index finds passages of one archive as of one snapshot: a Folder, or an Embedded one, which adds the
// nearness of vectors. An index is safe for use by several goroutines; Close it when done.
type Index interface {
	// Snapshot returns the ID of the snapshot that the index stands for, "" when it is empty.
	Snapshot() string
	// Extent returns how far the index is on the way to a snapshot. Where an update was
	// interrupted or is under way, the index holds a part, and Snapshot is "".
	Extent() Extent
	// Artifacts returns the IDs of the artifacts in the index, sorted; what is missing or too much
	// against a snapshot is what Update needs.
	Artifacts(ctx context.Context) ([]string, error)
	// Update brings the index from the snapshot it stands for to another one: the documents of
	// remove leave, those of add come in, replacing any of the same artifact. An empty index must
	// be given every document. An interrupted update to the same snapshot goes on where it is given
	// the documents after Extent().Last, in the order of before, and none of remove; one to another
	// snapshot begins anew, and must be given every document. Documents are read one at a time, and an
	// error among them ends the update. progress, which may be nil, hears now and then how many were
	// taken, those before an interruption included. On error the index is as it was, or holds a part.
	Update(ctx context.Context, snapshot string, add iter.Seq2[Doc, error], remove []string, progress func(done int)) error
	// Reset empties the index. The next Update must be given every document.
	Reset(ctx context.Context) error
	// Search returns the passages that hold words of the query, best first. An empty index and a
	// query without content words or dates find nothing.
	Search(ctx context.Context, q Query) ([]Passage, error)
	// Fetch returns passages by their IDs, in the order given and scored for a query; those that are
	// not in the index, or of another date than the query's, are left out.
	Fetch(ctx context.Context, q Query, ids []string) ([]Passage, error)
	// Weigh returns what the words of a query weigh, without searching.
	Weigh(ctx context.Context, q Query) (Weighing, error)
	Close() error
}

// An Extent says how far an index is on the way to a snapshot.
type Extent struct {
	Snapshot string // the snapshot that it stands for, or is on the way to; "" when it is empty

	// What an update that has not ended has done; zero where nothing more is to be taken.
	Last string // the artifact of the last document that was taken
	Done int    // how many documents were taken
	From string // the snapshot that the update began from; "" where the index was empty
}

// line returns an extent as a manifest has it.
func (e Extent) line() string {
	if e.Last == "" {
		return e.Snapshot
	}
	return strings.TrimSuffix(fmt.Sprintf("%s %s %d %s", e.Snapshot, e.Last, e.Done, e.From), " ")
}

// A Weighing is what the words of a query weigh in an index, without the passages of hidden artifacts.
type Weighing struct {
	Terms    []Term // in the order of the query; a date is the last one
	Passages uint64 // how many there are
}

// Rarest returns the idf of a word that no passage holds.
func (w Weighing) Rarest() float64 { return idf(w.Passages, 0) }

// A Doc is one text to be searched.
type Doc struct {
	Artifact string // artifact ID
	Title    string
	Author   string // creator of the text, "" when not known: then the first person is taken to be the subject
	Date     string // YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339; "" when not known
	Lang     string // BCP 47; "" when not known
	Rows     bool   // a table or cues: every line is a passage, cited by line
	Head     string // its lines that say who wrote to whom, where and when; they count for each of its passages
	Document *canon.Document
}

// A Query is one question. Its zero value finds nothing.
type Query struct {
	Text     string
	Ignore   []string // names of the archive's subject: they are in no way a topic
	From, To string   // inclusive dates, each as Doc.Date; they add to the dates named in Text
	K        int      // at most so many passages; 0 means DefaultK
	Bare     bool     // of each passage only ID and Artifact are wanted: none is read. An index of two parts or with vectors reads them all the same

	// Hidden are artifacts that the search is not to know of: passages, scores and idf are those of
	// an index without them. It costs time in their passages.
	Hidden []string
	// Sees, unless nil, reports whether the words of a passage, and the title of its artifact, may be read.
	// A passage that may not is not found, and counts in the idf of no word that up to rareWord passages hold. A word that only
	// such passages hold is unknown. Names in titles, and names and
	// dates in heads, find nothing then.
	Sees func(artifact string, at cite.Span, title string) (words, titled bool, err error)
}

const (
	// rareWord is up to how many passages with a word each is looked at for the word's idf. Of a word that more passages hold, one that
	// may be read is looked for, and the idf counts them all.
	rareWord = 48
	// maxUnseen is after how many passages with a word, none of which may be read, the word is unknown.
	maxUnseen = 1000
)

// wider is the factor by which a search is widened when hidden passages leave too few.
const wider = 8

// setOf returns a list of artifacts to look them up in.
func setOf(artifacts []string) map[string]bool {
	m := make(map[string]bool, len(artifacts))
	for _, a := range artifacts {
		m[a] = true
	}
	return m
}

// artifactOf returns the artifact of a passage's ID.
func artifactOf(id string) string {
	artifact, _, _ := strings.Cut(id, "#")
	return artifact
}

// A Passage is a run of consecutive sentences of one paragraph that answers a query at least in part.
type Passage struct {
	ID       string // artifact ID, #, and an ordinal of eight digits
	Artifact string
	Title    string
	Author   string
	Date     string
	Lang     string
	Span     cite.Span
	Text     string // the bytes at Span

	Score      float64  // order of the list: idf-weighted, saturated by frequency, lower for undated texts
	Share      float64  // 0–1, idf-weighted share of the query's content words found
	Similarity float64  // 0–1: Share, or the cosine of an Embedded index
	Missing    []string // the query's content words not found, as written in the query
	Terms      []Term   // all content words of the query
	Dated      bool     // the query names a date, and this document's date or the passage's words lie in it
}

// A Term is one content word of a query.
type Term struct {
	Word  string  // as written, lower case
	Stem  string  // segment.Stem of it; "" for a date
	Of    string  // the compound of the query of which it is a part; "" for a word as written
	IDF   float64 // natural logarithm; the maximum when Known is false
	Known bool    // some passage of the index holds it
	Upper bool    // written with a capital inside the question: a title or a head may have it
	Name  bool    // such a word, in German a person's; then only a word with a capital is the same
	Joint bool    // a name that directly follows the one before it: York in New York
	Found bool    // this passage holds it
}
