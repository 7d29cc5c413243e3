package cite

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cid"
	"muniment/cid/jcs"
)

// The types of a citation. The first says nothing of how the claim stands to the
// words; it stays readable. The third cites a fragment of a picture or a recording,
// which has no words.
const (
	CitationType      = "muniment/citation/v2"
	FirstCitationType = "muniment/citation/v1"
	MediaCitationType = "muniment/citation/v3"
)

// A Citation binds a claim to a span of an artifact in a snapshot, under a
// relation. Its canonical JSON is what is stored and hashed.
//
// For a metadata_fact Artifact names the record itself and Span is a meta
// span; otherwise Artifact names a payload and Span counts its units, or is a media
// span of it where Type is MediaCitationType.
type Citation struct {
	Type     string   `json:"type"`     // CitationType, MediaCitationType, or FirstCitationType in old archives
	Artifact string   `json:"artifact"` // ID of the payload; of the record for a metadata_fact
	Record   string   `json:"record,omitempty"`
	Snapshot string   `json:"snapshot"` // ID of the newest snapshot that holds the artifact
	Seq      int64    `json:"seq"`      // that snapshot's number, from 1
	Span     string   `json:"span"`
	Relation Relation `json:"relation"`
	Claim    string   `json:"claim"`

	Reasoning string   `json:"reasoning,omitempty"` // why the words support the claim
	Context   string   `json:"context,omitempty"`   // the surrounding words as the caller gave them
	Inputs    []string `json:"inputs,omitempty"`    // aggregation only: IDs of the citations it rests on

	QuoteSHA256 string `json:"quote_sha256"` // Anchor.SHA256
	Prefix      string `json:"prefix"`       // Anchor.Prefix
	Suffix      string `json:"suffix"`       // Anchor.Suffix

	Match      Status `json:"match"`                // the verdict on the words: exact or normalized; in the first type also fuzzy or ambiguous
	Edits      int    `json:"edits"`                // similarity is 1 − edits/length
	Length     int    `json:"length"`               // code points of the quote looked for, in the match view
	Difference string `json:"difference,omitempty"` // fuzzy only

	ClaimVerdict ClaimVerdict `json:"claim_verdict,omitempty"` // the verdict on the claim: follows, judged or not_shown; none in the first type
	Judge        *JudgeReply  `json:"judge,omitempty"`         // of a judged claim, else nil

	Bounds *Bounds `json:"-"` // of a media citation: what the record said of the picture or recording; nil where it said nothing
}

// mediaCitation is the canonical JSON of a citation of type MediaCitationType: it has
// bounds, and nothing of a quote.
type mediaCitation struct {
	Artifact     string       `json:"artifact"`
	Bounds       *Bounds      `json:"bounds,omitempty"`
	Claim        string       `json:"claim"`
	ClaimVerdict ClaimVerdict `json:"claim_verdict"`
	Context      string       `json:"context,omitempty"`
	Inputs       []string     `json:"inputs,omitempty"`
	Judge        *JudgeReply  `json:"judge,omitempty"`
	Match        Status       `json:"match"`
	Reasoning    string       `json:"reasoning,omitempty"`
	Record       string       `json:"record,omitempty"`
	Relation     Relation     `json:"relation"`
	Seq          int64        `json:"seq"`
	Snapshot     string       `json:"snapshot"`
	Span         string       `json:"span"`
	Type         string       `json:"type"`
}

// A JudgeReply names the model that judged that a claim follows, with what it was
// asked and what it said.
type JudgeReply struct {
	Model        string `json:"model"`
	PromptSHA256 string `json:"prompt_sha256"`
	ReplySHA256  string `json:"reply_sha256"`
}

// Encode validates c and returns its canonical JSON.
func (c *Citation) Encode() ([]byte, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.Type == MediaCitationType {
		return jcs.Marshal(&mediaCitation{Artifact: c.Artifact, Bounds: c.Bounds, Claim: c.Claim, ClaimVerdict: c.ClaimVerdict, Context: c.Context, Inputs: c.Inputs, Judge: c.Judge,
			Match: c.Match, Reasoning: c.Reasoning, Record: c.Record, Relation: c.Relation, Seq: c.Seq, Snapshot: c.Snapshot, Span: c.Span, Type: c.Type})
	}
	return jcs.Marshal(c)
}

// ID returns the content identifier of c's canonical JSON.
func (c *Citation) ID() (cid.ID, error) {
	data, err := c.Encode()
	if err != nil {
		return cid.ID{}, err
	}
	return cid.OfJSON(data), nil
}

// ParseCitation reads the canonical JSON of a citation. Whatever it accepts,
// Encode gives back byte for byte.
func ParseCitation(data []byte) (*Citation, error) {
	var c Citation
	var err error
	// 1. Canonical JSON of this type.
	typ, _ := jcs.Member(data, "type") // Unmarshal says what is wrong with data
	if newer := jcs.Newer(typ, MediaCitationType); newer != nil {
		typ = MediaCitationType
	}
	switch typ {
	case FirstCitationType:
		err = jcs.Unmarshal(data, FirstCitationType, &c)
	case MediaCitationType:
		var m mediaCitation
		err = jcs.Unmarshal(data, MediaCitationType, &m)
		c = Citation{Artifact: m.Artifact, Bounds: m.Bounds, Claim: m.Claim, ClaimVerdict: m.ClaimVerdict, Context: m.Context, Inputs: m.Inputs, Judge: m.Judge,
			Match: m.Match, Reasoning: m.Reasoning, Record: m.Record, Relation: m.Relation, Seq: m.Seq, Snapshot: m.Snapshot, Span: m.Span, Type: m.Type}
	default:
		err = jcs.Unmarshal(data, CitationType, &c)
	}
	if err != nil {
		return nil, err
	}
	// 2. Every field has its form, and they agree with each other.
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &c, nil
}

// Anchor returns the recorded anchor of the quote.
func (c *Citation) Anchor() Anchor { return Anchor{c.QuoteSHA256, c.Prefix, c.Suffix} }

// TextSpan returns the span of a citation of a text.
func (c *Citation) TextSpan() (Span, error) { return ParseSpan(c.Span) }

// MediaSpan returns the span of a citation of a picture or a recording.
func (c *Citation) MediaSpan() (MediaSpan, error) { return ParseMediaSpan(c.Span) }

// MetaSpan returns the span of a metadata_fact.
func (c *Citation) MetaSpan() (MetaSpan, error) { return ParseMetaSpan(c.Span) }

func (c *Citation) validate() error {
	for _, check := range []func() error{c.checkNames, c.checkText, c.checkAnchor, c.checkMatch, c.checkVerdict} {
		if err := check(); err != nil {
			return fmt.Errorf("citation: %w", err)
		}
	}
	return nil
}

func (c *Citation) checkNames() error {
	if c.Type != CitationType && c.Type != FirstCitationType && c.Type != MediaCitationType {
		return fmt.Errorf("type %q, want %q", clip(c.Type), CitationType)
	}
	if !c.Relation.valid() {
		return fmt.Errorf("relation %q is not one of the five", clip(string(c.Relation)))
	}
	codec := cid.Raw
	if c.Type == MediaCitationType {
		if err := c.checkFragment(); err != nil {
			return err
		}
	} else if c.Relation == MetadataFact {
		codec = cid.JSON
		if c.Record != "" {
			return fmt.Errorf("record is given beside the artifact of a metadata_fact, which is the record")
		}
		if _, err := ParseMetaSpan(c.Span); err != nil {
			return err
		}
	} else if _, err := ParseSpan(c.Span); err != nil {
		return err
	}
	if _, err := cid.ParseAs(codec, c.Artifact); err != nil {
		return fmt.Errorf("artifact: %w", err)
	}
	if c.Record != "" {
		if _, err := cid.ParseAs(cid.JSON, c.Record); err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
	if _, err := cid.ParseAs(cid.Raw, c.Snapshot); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if c.Seq < 1 {
		return fmt.Errorf("seq %d, want at least 1", c.Seq)
	}
	if len(c.Inputs) > 0 && c.Relation != Aggregation {
		return fmt.Errorf("inputs are given for relation %s, want aggregation", c.Relation)
	}
	for i, input := range c.Inputs {
		if _, err := cid.ParseAs(cid.JSON, input); err != nil {
			return fmt.Errorf("input %d: %w", i+1, err)
		}
	}
	return nil
}

func (c *Citation) checkText() error {
	if strings.TrimSpace(c.Claim) == "" {
		return fmt.Errorf("claim is empty")
	}
	for _, f := range []struct{ name, value string }{
		{"claim", c.Claim}, {"reasoning", c.Reasoning}, {"context", c.Context}, {"prefix", c.Prefix}, {"suffix", c.Suffix},
	} {
		if !utf8.ValidString(f.value) {
			return fmt.Errorf("%s is not valid UTF-8", f.name)
		}
	}
	return nil
}

// checkFragment checks the relation, the span and the bounds of a media citation.
// Nothing is quoted from a picture, and its record is cited as that of a text is.
func (c *Citation) checkFragment() error {
	if c.Relation == DirectQuote || c.Relation == MetadataFact {
		return fmt.Errorf("relation %s in a citation of type %s, want paraphrase, inference_from or aggregation", c.Relation, c.Type)
	}
	m, err := ParseMediaSpan(c.Span)
	if err != nil {
		return err
	}
	return c.Bounds.check(m)
}

func (c *Citation) checkAnchor() error {
	if c.Type == MediaCitationType {
		if c.QuoteSHA256+c.Prefix+c.Suffix != "" {
			return fmt.Errorf("quote_sha256, prefix or suffix in a citation of type %s, want none", c.Type)
		}
		return nil
	}
	if !isSHA256(c.QuoteSHA256) {
		return fmt.Errorf("quote_sha256 %q, want 64 lower case hexadecimal digits", clip(c.QuoteSHA256))
	}
	for _, f := range []struct{ name, value string }{{"prefix", c.Prefix}, {"suffix", c.Suffix}} {
		if n := utf8.RuneCountInString(f.value); n > AnchorContext {
			return fmt.Errorf("%s of %d code points, want at most %d", f.name, n, AnchorContext)
		}
	}
	return nil
}

// isSHA256 reports whether a text is a sha256 in lower case hexadecimal.
func isSHA256(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == 32 && hex.EncodeToString(sum) == s
}

// checkVerdict checks the verdict on the claim and who gave it. A claim that is
// contradicted, and words that are not there, make no citation of the second type.
func (c *Citation) checkVerdict() error {
	if c.Type == FirstCitationType {
		if c.ClaimVerdict != "" || c.Judge != nil {
			return fmt.Errorf("claim_verdict %q in a citation of type %s, want none", clip(string(c.ClaimVerdict)), c.Type)
		}
		return nil
	}
	if c.Type == CitationType && c.Match != Exact && c.Match != Normalized {
		return fmt.Errorf("match %s in a citation of type %s, want exact or normalized", c.Match, c.Type)
	}
	switch c.ClaimVerdict {
	default:
		return fmt.Errorf("claim_verdict %q, want follows, judged or not_shown", clip(string(c.ClaimVerdict)))
	case ClaimFollows, ClaimNotShown:
		if c.Type == MediaCitationType && c.ClaimVerdict == ClaimFollows {
			return fmt.Errorf("claim_verdict follows in a citation of type %s, which has no words for it to follow from", c.Type)
		}
		if c.Judge != nil {
			return fmt.Errorf("claim_verdict %s names a judge, want none", c.ClaimVerdict)
		}
	case ClaimJudged:
		return c.Judge.check()
	}
	return nil
}

// check returns the error in the reply of a judged claim.
func (j *JudgeReply) check() error {
	switch {
	case j == nil:
		return fmt.Errorf("claim_verdict judged names no judge")
	case strings.TrimSpace(j.Model) == "" || !utf8.ValidString(j.Model):
		return fmt.Errorf("judge has the model %q, want its name", clip(j.Model))
	case !isSHA256(j.PromptSHA256) || !isSHA256(j.ReplySHA256):
		return fmt.Errorf("judge has the hashes %q and %q, want 64 lower case hexadecimal digits each", clip(j.PromptSHA256), clip(j.ReplySHA256))
	}
	return nil
}

func (c *Citation) checkMatch() error {
	if c.Type == MediaCitationType {
		if c.Match != NoWords || c.Edits != 0 || c.Length != 0 || c.Difference != "" {
			return fmt.Errorf("match %q with %d edits in %d code points in a citation of type %s, want none", clip(string(c.Match)), c.Edits, c.Length, c.Type)
		}
		return nil
	}
	if c.Length < 1 || c.Edits < 0 {
		return fmt.Errorf("edits %d and length %d, want at least 0 and 1", c.Edits, c.Length)
	}
	switch c.Match {
	default:
		return fmt.Errorf("match %q, want exact, normalized, fuzzy or ambiguous", clip(string(c.Match)))
	case Exact, Normalized, Ambiguous:
		if c.Edits != 0 || c.Difference != "" {
			return fmt.Errorf("match %s has %d edits and difference %q, want none", c.Match, c.Edits, c.Difference)
		}
	case Fuzzy:
		if c.Edits < 1 || c.Edits > MaxEdits(c.Length) {
			return fmt.Errorf("match fuzzy has %d edits in %d code points, want 1 to %d", c.Edits, c.Length, MaxEdits(c.Length))
		}
		if !isChange(c.Difference) {
			return fmt.Errorf("match fuzzy has difference %q, want wording, number, negation, name, case or punctuation", clip(string(c.Difference)))
		}
	}
	return nil
}

// Check verifies c against the text of its artifact: steps 4 to 8 of the
// verification in docs/spec/citation.md. Steps 1 and 2 are ParseCitation's;
// step 3, that the snapshot holds the artifact, is the caller's. A metadata_fact needs CheckRecord,
// a citation of a picture or a recording CheckMedia.
func (c *Citation) Check(d *canon.Document) error {
	if c.Relation == MetadataFact || c.Type == MediaCitationType {
		return fmt.Errorf("a %s of type %s cites no text", c.Relation, c.Type)
	}
	// 4. The text is the artifact.
	if id := cid.Of(d.Payload()); id.String() != c.Artifact {
		return fmt.Errorf("the text is %s, the citation names %s", id, c.Artifact)
	}
	// 5. The span resolves.
	span, err := ParseSpan(c.Span)
	if err != nil {
		return err
	}
	got, err := AnchorOf(d, span)
	if err != nil {
		return err
	}
	// 6. to 8. Quote, prefix and suffix are those recorded.
	return c.Anchor().compare(got)
}

// CheckRecord is Check for a metadata_fact: record is the canonical JSON of
// the record that Artifact names.
func (c *Citation) CheckRecord(record []byte) error {
	if c.Relation != MetadataFact {
		return fmt.Errorf("a %s cites a text, not a record", c.Relation)
	}
	// 4. The bytes are the record.
	if id := cid.OfJSON(record); id.String() != c.Artifact {
		return fmt.Errorf("the record is %s, the citation names %s", id, c.Artifact)
	}
	// 5. The span resolves.
	m, err := ParseMetaSpan(c.Span)
	if err != nil {
		return err
	}
	got, err := AnchorOfMeta(record, m)
	if err != nil {
		return err
	}
	// 6. to 8. Quote, prefix and suffix are those recorded.
	return c.Anchor().compare(got)
}

// CheckMedia is Check for a citation of a picture or a recording: form and facts are
// those of a record of the artifact, whose bytes are not read.
func (c *Citation) CheckMedia(form string, facts map[string]string) error {
	if c.Type != MediaCitationType {
		return fmt.Errorf("a citation of type %s cites words, not a fragment", c.Type)
	}
	// 5. The payload is the picture or recording itself.
	if form != canon.BytesForm {
		return fmt.Errorf("the payload has the form %s, and a fragment is of %s", clip(form), canon.BytesForm)
	}
	// 6. The bounds are those of the record.
	m, err := ParseMediaSpan(c.Span)
	if err != nil || c.Bounds == nil {
		return err
	}
	_, want, err := BoundsOf(facts).Within(m)
	if err != nil {
		return err
	}
	if *c.Bounds != want {
		return fmt.Errorf("the bounds are %s, the record says %s", c.Bounds, want)
	}
	return nil
}
