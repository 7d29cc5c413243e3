// Package review reads, writes and checks reviews: what a person says of a claim and of the words cited for it.
//
//	around, err := review.HashSurroundings(before, after)
//	subject := review.Subject{Claim: claim, Artifact: artifact, Span: span, Words: words, Surroundings: around}
//	data, err := review.Sign(review.Review{Verdict: review.Follows, Reason: "same", Day: "2026-05-03"}, subject, key)
//
//	r, err := review.Parse(data) // its signature holds
//	err = r.IsOf(subject)
//
// A review is one object of canonical JSON, muniment/review/v1, which holds its own signature: an SSHSIG under the namespace
// review@muniment over the same object without the member signature. It names its subject by a hash, so that it can be of a citation
// that no snapshot holds, and of a quotation in a text that was examined; whoever has the claim, the artifact's ID, the span and the
// words computes the hash again. Neither the claim nor the words are in it.
//
// The specification is docs/spec/review.md; the vectors are in testvectors/review.
//
// # Limits
//
// A signature that holds says that the key signed, not that its review counts: that is asked of a trust root, where the key needs the
// role review, and of package cite/people, which weighs reviews. The day is the reviewer's own word. The subject is a hash without a salt:
// who can guess claim and words can see that they were reviewed.
package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
)

// The types of a review and of the object whose sha256 is its subject, and the namespace of its signature.
const (
	Type        = "muniment/review/v1"
	SubjectType = "muniment/review-subject/v1"
	Namespace   = "review@muniment"
)

// Limits of a review.
const (
	MaxReview = 4 << 10   // bytes: a signature has some 400, the rest are hashes and a name
	MaxName   = 100       // bytes of a reviewer's name
	MaxText   = 256 << 10 // bytes of a claim, and of the words with their surroundings: more nobody reads at once
)

// A Verdict is what a person found.
type Verdict string

// The verdicts.
const (
	Follows Verdict = "follows"
	Not     Verdict = "not"
	Unsure  Verdict = "unsure"
)

// ParseVerdict reads a verdict in full or by its key at the keyboard: f, n or ?.
func ParseVerdict(s string) (Verdict, error) {
	switch s {
	case "f", string(Follows):
		return Follows, nil
	case "n", string(Not):
		return Not, nil
	case "?", string(Unsure):
		return Unsure, nil
	}
	return "", fmt.Errorf("verdict %q, want follows, not or unsure", clip(s))
}

// A Reason is a word of the fixed list, with what it means for the reader of a verdict.
type Reason struct{ Word, Text string }

// Reasons lists the reasons of each verdict; the first is taken where none is given.
var Reasons = map[Verdict][]Reason{
	Follows: {{"meaning", "the words say it in other words"}, {"same", "the words say it as the claim does"}, {"computed", "it can be counted or computed from the words"}},
	Not: {{"missing", "the words do not say it"}, {"contradicts", "the words say the opposite or something else"}, {"scope", "the words say it only as a report, a condition or a fiction"},
		{"restriction", "the claim leaves out a limit that the words set"}, {"referent", "somebody or something else is meant"}, {"misread", "the text is not what the original says"}},
	Unsure: {{"context", "more of the paper is needed"}, {"language", "the language is not understood well enough"}, {"expertise", "it takes knowledge of the subject"}, {"illegible", "the words cannot be read"}},
}

// FindReason returns the reason of a verdict by its word, the first one for "".
func FindReason(v Verdict, word string) (Reason, error) {
	list := Reasons[v]
	var words []string
	for _, r := range list {
		if word == "" || r.Word == word {
			return r, nil
		}
		words = append(words, r.Word)
	}
	return Reason{}, fmt.Errorf("reason %q of the verdict %s, want one of %s", clip(word), v, strings.Join(words, ", "))
}

// A Subject is what is reviewed: a claim and the words cited for it.
type Subject struct {
	Type         string `json:"type"`         // SubjectType; set by Digest when empty
	Artifact     string `json:"artifact"`     // ID of the payload; of the record for a metadata_fact
	Claim        string `json:"claim"`        // as the citation has it
	Span         string `json:"span"`         // as the citation has it
	Surroundings string `json:"surroundings"` // HashSurroundings of the texts before and after the words
	Words        string `json:"words"`        // at the span; "" for a picture or a recording
}

// HashSurroundings returns the sha256, in hex, of the texts before and after the words in their paragraphs: that of the
// canonical JSON of both. Where there are no words, or they are a field of a record, both are "".
func HashSurroundings(before, after string) (string, error) {
	data, err := jcs.MarshalLimit(struct {
		After  string `json:"after"`
		Before string `json:"before"`
	}{after, before}, MaxText)
	if err != nil {
		return "", fmt.Errorf("review: surroundings: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Digest returns the sha256, in hex, of the canonical JSON of a subject.
func (s Subject) Digest() (string, error) {
	s.Type = cmp.Or(s.Type, SubjectType)
	if strings.TrimSpace(s.Claim) == "" || s.Span == "" {
		return "", errors.New("review: the subject has no claim or no span")
	}
	if !isHash(s.Surroundings) {
		return "", fmt.Errorf("review: surroundings %q, want 64 hex digits", clip(s.Surroundings))
	}
	if err := checkArtifact(s.Artifact); err != nil {
		return "", fmt.Errorf("review: %w", err)
	}
	data, err := jcs.MarshalLimit(s, MaxText)
	if err != nil {
		return "", fmt.Errorf("review: subject: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// SubjectID returns the digest of a subject as a content ID, by which reviews lie in an archive.
func SubjectID(digest string) (cid.ID, error) {
	var sum [sha256.Size]byte
	if n, err := hex.Decode(sum[:], []byte(digest)); err != nil || n != len(sum) || digest != strings.ToLower(digest) {
		return cid.ID{}, fmt.Errorf("review: subject %q, want 64 hex digits", clip(digest))
	}
	return cid.FromDigest(cid.JSON, sum), nil
}

// A Review is what a person says of a subject. The zero value is of nothing; Sign fills in Type, Artifact, Subject, Surroundings and Signature.
type Review struct {
	Type         string  `json:"type"`
	Artifact     string  `json:"artifact"`           // that of the subject: whose consent covers the review
	Day          string  `json:"day"`                // YYYY-MM-DD, as the reviewer says
	Name         string  `json:"name,omitempty"`     // of the reviewer, who agreed to be named by signing it; "" for a pseudonym
	Reason       string  `json:"reason"`             // a word of Reasons
	Replaces     string  `json:"replaces,omitempty"` // ID of the review by the same key of the same subject that this one replaces
	Signature    string  `json:"signature,omitempty"`
	Subject      string  `json:"subject"`      // Digest of the subject
	Surroundings string  `json:"surroundings"` // as in the subject
	Verdict      Verdict `json:"verdict"`

	key sign.Key `json:"-"`
	id  cid.ID   `json:"-"`
}

// Sign returns the canonical JSON of a review of a subject.
func Sign(r Review, s Subject, key sign.Signer) ([]byte, error) {
	digest, err := s.Digest()
	if err != nil {
		return nil, err
	}
	reason, err := FindReason(r.Verdict, r.Reason)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	r.Type, r.Artifact, r.Reason, r.Subject, r.Surroundings, r.Signature = Type, s.Artifact, reason.Word, digest, s.Surroundings, ""
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	message, err := jcs.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	armored, err := sign.Sign(key, Namespace, message)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	r.Signature = string(armored)
	data, err := jcs.MarshalLimit(r, MaxReview)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	return data, nil
}

// Parse reads the canonical JSON of a review and verifies its signature. Whether the key counts it does not ask.
func Parse(data []byte) (*Review, error) {
	var r Review
	// 1. Canonical JSON of this type.
	if err := jcs.UnmarshalLimit(data, Type, &r, MaxReview); err != nil {
		return nil, err
	}
	// 2. Every member has its form.
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	// 3. The signature holds over the object without it.
	unsigned := r
	unsigned.Signature = ""
	message, err := jcs.Marshal(unsigned)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	sig, err := sign.ParseSignature([]byte(r.Signature))
	if err == nil {
		err = sig.Verify(Namespace, message)
	}
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	r.key, r.id = sig.Key(), cid.OfJSON(data)
	return &r, nil
}

// Encode returns the canonical JSON of a review that Parse returned.
func Encode(r *Review) ([]byte, error) {
	if r == nil {
		return nil, errors.New("review: there is none")
	}
	return jcs.MarshalLimit(*r, MaxReview)
}

// Key returns the key that signed a review that Parse returned.
func (r *Review) Key() sign.Key { return r.key }

// ID returns the content ID of a review that Parse returned.
func (r *Review) ID() cid.ID { return r.id }

// IsOf returns an error unless the review is of a subject. Only the surroundings are taken from the review where the subject has none.
func (r *Review) IsOf(s Subject) error {
	s.Surroundings = cmp.Or(s.Surroundings, r.Surroundings)
	digest, err := s.Digest()
	switch {
	case err != nil:
		return err
	case digest != r.Subject || s.Surroundings != r.Surroundings || s.Artifact != r.Artifact:
		return fmt.Errorf("review: it is of the subject %s, and the claim with its words is %s", r.Subject, digest)
	}
	return nil
}

// Reviewer returns the name that the reviewer agreed to, else a pseudonym of the key.
func (r *Review) Reviewer() string { return cmp.Or(r.Name, Pseudonym(r.key)) }

// Pseudonym returns the name of a reviewer who gave none: the same one for the same key.
func Pseudonym(k sign.Key) string { return "reviewer " + k.ID()[:pseudonymDigits] }

// pseudonymDigits tell some ten thousand reviewers apart.
const pseudonymDigits = 8

func (r *Review) check() error {
	switch {
	case !isHash(r.Subject):
		return fmt.Errorf("subject %q, want 64 hex digits", clip(r.Subject))
	case !isHash(r.Surroundings):
		return fmt.Errorf("surroundings %q, want 64 hex digits", clip(r.Surroundings))
	case Reasons[r.Verdict] == nil:
		return fmt.Errorf("verdict %q, want follows, not or unsure", clip(string(r.Verdict)))
	case !slices.ContainsFunc(Reasons[r.Verdict], func(one Reason) bool { return one.Word == r.Reason }):
		return fmt.Errorf("reason %q is not one of the verdict %s", clip(r.Reason), r.Verdict)
	case r.Replaces != "":
		if _, err := cid.ParseAs(cid.JSON, r.Replaces); err != nil {
			return fmt.Errorf("replaces: %w", err)
		}
	}
	if day, err := time.Parse(time.DateOnly, r.Day); err != nil || day.Format(time.DateOnly) != r.Day {
		return fmt.Errorf("day %q, want one such as 2026-05-03", clip(r.Day))
	}
	if err := checkName(r.Name); err != nil {
		return err
	}
	return checkArtifact(r.Artifact)
}

// checkName requires one line that a terminal can show; "" is a reviewer without a name.
func checkName(s string) error {
	if len(s) > MaxName || !utf8.ValidString(s) || strings.TrimSpace(s) != s || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("name %q, want a line of at most %d bytes", clip(s), MaxName)
	}
	return nil
}

func checkArtifact(s string) error {
	if _, err := cid.Parse(s); err != nil {
		return fmt.Errorf("artifact: %w", err)
	}
	return nil
}

func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// Newest returns the reviews in force: those that no other review of the same key and subject replaces, in the order given.
func Newest(all []*Review) []*Review {
	type byKey struct {
		replaces, subject string
		point             [32]byte
	}
	replaced := map[byKey]bool{}
	for _, r := range all {
		replaced[byKey{r.Replaces, r.Subject, r.key.Point()}] = true
	}
	var out []*Review
	for _, r := range all {
		if !replaced[byKey{r.id.String(), r.Subject, r.key.Point()}] {
			out = append(out, r)
		}
	}
	return out
}

// clip keeps an error line readable whatever was read.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
