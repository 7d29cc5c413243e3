// Package profile holds the rules that a use of the archive goes by, as data:
// how many sources an answer needs, how evidence is chosen, what a draft must
// have, and how often it is repaired.
//
//	p, ok := profile.Find("market-brief")        // shipped with the program
//	p, err := profile.Parse(data)                // policy/profiles/<name>.json of an archive
//
// A profile is canonical JSON of type muniment/profile/v3, or v4 where it asks for reviews, with every member
// present but those whose absence has a meaning; Read takes the same with any white space and order, for files that
// people write. Numbers are whole; shares are in percent. Profiles of the second
// version, which say nothing of alignment and of uncited sentences, and of the first,
// which do not say how many nearest passages are shown either, are read too.
//
// The shipped profiles are
//
//	persona-archive  answers from a person's papers; no rules of recency, tiers or publishers
//	educator         two sources, four fifths of the question's words
//	researcher       three primary sources
//	creator          drafts that need not be grounded; what is delivered still is
//	builder          the same for technical work
//	engine           texts of agents, by citations that were registered
//	market-brief     the daily brief of the citation contract
//	analyst-note     notes of an investigation, repaired; what stays uncited is flagged
//	notes            a historian's notes, reported line by line
//
// No profile can switch the gate off. One with Freeform set lets uncited claims
// through only where the archive's own policy names the requestor's tier for it,
// and they are then marked as not from the archive; no shipped profile has it.
package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"muniment/cid/jcs"
	"muniment/draft/contract"
	"muniment/draft/enforce"
	"muniment/draft/pack"
	"muniment/policy"
)

// Type is the type member of a profile, secondType that of profiles without
// draft.alignment and draft.uncited, and firstType that of profiles without nearest too.
// A profile that asks for reviews is of ReviewedType; others stay readable for earlier programs.
const (
	ReviewedType = "muniment/profile/v4"
	Type         = "muniment/profile/v3"
	secondType   = "muniment/profile/v2"
	firstType    = "muniment/profile/v1"
)

// MaxFile is the longest profile in bytes: a shipped one has a fortieth.
const MaxFile = 64 << 10

// MaxRepairPasses is how often one draft is repaired: what two passes do not
// ground, more of them make worse.
const MaxRepairPasses = 2

// A Profile is a set of rules.
type Profile struct {
	Type         string             `json:"type"` // Type; set by Encode when empty
	Name         string             `json:"name"` // a short lower case word
	Says         string             `json:"says"` // what it is for, in a line
	Freeform     bool               `json:"freeform"`
	Answers      enforce.Thresholds `json:"answers"`
	Pack         pack.Rules         `json:"pack"`
	Draft        contract.Rules     `json:"draft"`
	RepairPasses int                `json:"repair_passes"` // 0 to MaxRepairPasses

	// Judged says what becomes of a claim that only a model judged to follow: one of
	// policy.JudgedNever and its kin; "" is policy.JudgedLabeled.
	Judged string `json:"judged,omitempty"`

	// Reviews is how many persons of different organisations must have reviewed a citation and say that its claim follows, before
	// it counts: 0 for none, to MaxReviews. It belongs into profiles of type ReviewedType.
	Reviews int `json:"reviews,omitempty"`
}

// MaxReviews is the most reviews that a profile asks for: more organisations seldom read one claim.
const MaxReviews = 2

// JudgedClaims returns the treatment of claims that only a model judged to follow.
func (p *Profile) JudgedClaims() string {
	if p.Judged == "" {
		return policy.JudgedLabeled
	}
	return p.Judged
}

// nameWord matches a profile's name: it is the name of a file and of a flag's value.
var nameWord = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// Check reports the first member that makes no sense.
func (p *Profile) Check() error {
	switch {
	case !nameWord.MatchString(p.Name):
		return fmt.Errorf("name is %q, want a short lower case word", p.Name)
	case strings.TrimSpace(p.Says) == "" || strings.ContainsAny(p.Says, "\r\n"):
		return errors.New("says is missing, or not one line")
	case p.Answers.SimilarityPercent < 0 || p.Answers.SimilarityPercent > 100:
		return fmt.Errorf("answers.similarity_percent is %d, want 0 to 100", p.Answers.SimilarityPercent)
	case p.Answers.MinSources < 1 || p.Answers.MinSources > 100:
		return fmt.Errorf("answers.min_sources is %d, want 1 to 100", p.Answers.MinSources)
	case p.Type != firstType && p.Answers.Nearest == nil || p.Type == firstType && p.Answers.Nearest != nil:
		return fmt.Errorf("answers.nearest belongs into every profile of type %s and into none of type %s", Type, firstType)
	case p.Type != Type && p.Type != ReviewedType && (p.Draft.Alignment != "" || p.Draft.Uncited != ""):
		return fmt.Errorf("draft.alignment and draft.uncited belong into profiles of type %s alone", Type)
	case p.Answers.MostNearest() < 0 || p.Answers.MostNearest() > enforce.MaxNearest:
		return fmt.Errorf("answers.nearest is %d, want 0 to %d", p.Answers.MostNearest(), enforce.MaxNearest)
	case !policy.IsJudged(p.Judged), p.Type == firstType && p.Judged != "":
		return fmt.Errorf("judged is %q, want %s, %s or %s", p.Judged, policy.JudgedNever, policy.JudgedLabeled, policy.JudgedVerified)
	case p.Reviews < 0 || p.Reviews > MaxReviews || (p.Reviews > 0) != (p.Type == ReviewedType):
		return fmt.Errorf("reviews is %d, want 1 to %d in a profile of type %s, and none in others", p.Reviews, MaxReviews, ReviewedType)
	case p.RepairPasses < 0 || p.RepairPasses > MaxRepairPasses:
		return fmt.Errorf("repair_passes is %d, want 0 to %d", p.RepairPasses, MaxRepairPasses)
	}
	if err := p.Pack.Check(); err != nil {
		return fmt.Errorf("pack.%w", err)
	}
	if err := p.Draft.Check(); err != nil {
		return fmt.Errorf("draft.%w", err)
	}
	return nil
}

// Encode returns the canonical bytes of p after checking it.
func (p Profile) Encode() ([]byte, error) {
	if p.Type == "" {
		p.Type = Type
		if p.Reviews > 0 {
			p.Type = ReviewedType
		}
	}
	if p.Type != ReviewedType && p.Type != Type && p.Type != secondType && p.Type != firstType {
		return nil, fmt.Errorf("type is %q, want %q", p.Type, Type)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return jcs.MarshalLimit(p, MaxFile)
}

// Parse reads the output of Encode and nothing else.
func Parse(data []byte) (Profile, error) {
	var p Profile
	of := Type
	for _, other := range []string{ReviewedType, secondType, firstType} {
		if bytes.HasSuffix(data, []byte(`"type":"`+other+`"}`)) { // the last of the sorted members
			of = other
		}
	}
	if err := jcs.UnmarshalLimit(data, of, &p, MaxFile); err != nil {
		return Profile{}, err
	}
	if err := p.Check(); err != nil {
		return Profile{}, err
	}
	// Empty lists are written as such by other encoders too.
	p.Draft.Require = append([]string{}, p.Draft.Require...)
	p.Draft.Sections = append([]contract.Section{}, p.Draft.Sections...)
	return p, nil
}

// Read reads a profile that a person wrote: JSON with any white space and any
// order of members, but every member once and no other.
func Read(data []byte) (Profile, error) {
	if len(data) > MaxFile {
		return Profile{}, fmt.Errorf("%d bytes, want at most %d", len(data), MaxFile)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := value(dec, 0)
	if err == nil {
		if _, tail := dec.Token(); tail != io.EOF {
			err = errors.New("something stands behind the object")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON object ends early, or there is none")
	}
	if err != nil {
		return Profile{}, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Profile{}, err
	}
	return Parse(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// value reads one JSON value; a repeated member is an error.
func value(dec *json.Decoder, depth int) (any, error) {
	if depth > jcs.MaxDepth {
		return nil, fmt.Errorf("more than %d objects and arrays inside each other", jcs.MaxDepth)
	}
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	default:
		return t, nil
	case json.Delim('['):
		all := []any{}
		for dec.More() {
			v, err := value(dec, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		_, err := dec.Token()
		return all, err
	case json.Delim('{'):
		all := map[string]any{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ := name.(string)
			if _, twice := all[key]; twice {
				return nil, fmt.Errorf("%q twice", key)
			}
			if all[key], err = value(dec, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := dec.Token()
		return all, err
	}
}

// Names are the shipped profiles.
var Names = []string{"persona-archive", "educator", "researcher", "creator", "builder", "engine", "market-brief", "analyst-note", "notes"}

// Find returns a shipped profile.
func Find(name string) (Profile, bool) {
	if !slices.Contains(Names, name) {
		return Profile{}, false
	}
	data, ok := policy.ShippedProfile(name)
	if !ok {
		return Profile{}, false
	}
	p, err := Read(data)
	return p, err == nil && p.Name == name
}
