package access

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"muniment/snapshot/edtf"
	"muniment/snapshot/member"
)

// The values of reading, the most open first: how much of a paper may be read in its place. An
// answer quotes as little as supports it, whatever the reading.
const (
	ReadingWhole    = "whole"    // all of it
	ReadingExcerpts = "excerpts" // a piece of it, and what answers quote
	ReadingNone     = "none"     // what answers quote
)

// Readings are the values of reading, the most open first.
var Readings = []string{ReadingWhole, ReadingExcerpts, ReadingNone}

// StricterReading returns the stricter of two readings; "" is no limit.
func StricterReading(a, b string) string {
	if slices.Index(Readings, b) > slices.Index(Readings, a) {
		return b
	}
	return a
}

// The values of processing, the strictest first; any other is the name of one endpoint outside this
// machine, in addition to those on it.
const (
	ProcessingNone  = "none"  // nothing of a paper is sent to any program
	ProcessingLocal = "local" // to endpoints on this machine
)

// endpointName is the name of an endpoint: that of its host.
var endpointName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$`)

// checkProcessing requires a value of processing.
func checkProcessing(name, s string) error {
	if !endpointName.MatchString(s) {
		return fmt.Errorf("%s is %q, want none, local, or the host of an endpoint", name, s)
	}
	return nil
}

// StricterProcessing returns the value of processing that allows only what both allow; "" is local.
func StricterProcessing(a, b string) string {
	a, b = cmp.Or(a, ProcessingLocal), cmp.Or(b, ProcessingLocal)
	switch {
	case a == b:
		return a
	case a == ProcessingNone || b == ProcessingNone:
		return ProcessingNone
	}
	return ProcessingLocal
}

// AllowsProcessing reports whether a value of processing lets words go where another one lets them go.
func AllowsProcessing(value, other string) bool {
	return StricterProcessing(value, other) == cmp.Or(other, ProcessingLocal)
}

// A Consent says what may be done with an artifact, in four dimensions. It is
// read at the newest snapshot, whatever snapshot a citation names.
type Consent struct {
	Type      string   `json:"type"`                // TypeConsent or TypeSecondConsent; set by Encode
	Artifact  string   `json:"artifact"`            // raw ID
	Inclusion bool     `json:"inclusion"`           // it may lie in the archive and be used
	Surfacing bool     `json:"surfacing"`           // an answer may rest on it
	Display   bool     `json:"display"`             // its words may be shown
	Existence bool     `json:"existence"`           // that it exists may be known
	MinTier   string   `json:"min_tier,omitempty"`  // lowest requestor tier the permissions hold for
	Persons   []string `json:"persons,omitempty"`   // whom it concerns
	Sensitive []string `json:"sensitive,omitempty"` // of SensitiveKinds, in their order: what it tells of
	Reason    string   `json:"reason"`
	Time      string   `json:"time"` // RFC 3339 UTC seconds
	Agent     string   `json:"agent"`

	// The members of TypeSecondConsent. None of them opens anything by a clock: what ends is signed again.
	Reading    string `json:"reading,omitempty"`    // of Readings; "" is the archive's default
	Processing string `json:"processing,omitempty"` // none, local or a host; "" is the archive's default
	Until      string `json:"until,omitempty"`      // date of EDTF at whose end the restriction is due to be lifted
	Review     string `json:"review,omitempty"`     // date of EDTF at whose end somebody looks at it again
	Authority  string `json:"authority,omitempty"`  // who decided
	Rights     string `json:"rights,omitempty"`     // statement of the rights by which others may read what came from an address
}

// firstType returns the type of the first version that can hold the consent.
func (c *Consent) firstType() string {
	if c.Reading+c.Processing+c.Until+c.Review+c.Authority+c.Rights != "" {
		return TypeSecondConsent
	}
	return TypeConsent
}

// Encode returns the canonical bytes of c after checking it.
func (c Consent) Encode() ([]byte, error) {
	c.Type = c.firstType()
	return member.Encode(&c, &c.Type, c.Type, (*Consent).check)
}

// ParseConsent reads the output of Encode and nothing else.
func ParseConsent(data []byte) (*Consent, error) {
	return member.ParseEither(data, TypeConsent, TypeSecondConsent, (*Consent).check)
}

// End returns the last day of a date of EDTF, on which a restriction ends or somebody looks at it
// again; edtf.Latest where it has none.
func End(date string) edtf.Day {
	d, err := edtf.Parse(date)
	if err != nil {
		return edtf.Latest
	}
	_, last := d.Interval()
	return last
}

// checkEnd requires a date of EDTF that ends.
func checkEnd(name, s string) error {
	if err := member.Date(name, s); err != nil {
		return err
	}
	if End(s) == edtf.Latest {
		return fmt.Errorf("%s is %q, want a date that ends", name, s)
	}
	return nil
}

func (c *Consent) check() error {
	if want := c.firstType(); c.Type != want {
		return fmt.Errorf("type is %q, want %q", c.Type, want)
	}
	return member.FirstOf(errors.Join(
		member.RawID("artifact", c.Artifact),
		member.Optional("min_tier", c.MinTier, member.Line),
		member.Texts("persons", c.Persons),
		kinds("sensitive", c.Sensitive),
		member.Line("reason", c.Reason),
		member.Instant("time", c.Time),
		member.Line("agent", c.Agent),
		member.Optional("reading", c.Reading, reading),
		member.Optional("processing", c.Processing, checkProcessing),
		member.Optional("until", c.Until, checkEnd),
		member.Optional("review", c.Review, checkEnd),
		member.Optional("authority", c.Authority, member.Line),
		member.Optional("rights", c.Rights, member.Line),
	))
}

// reading requires a value of reading.
func reading(name, s string) error { return member.OneOf(name, s, Readings...) }

// Restrict leaves in c what o allows too; usual is the archive's default, which holds where a
// reading or a processing is missing. The tiers are the caller's to compare, and so are
// reason, time and agent.
func (c *Consent) Restrict(o, usual Consent) {
	c.Inclusion, c.Surfacing = c.Inclusion && o.Inclusion, c.Surfacing && o.Surfacing
	c.Display, c.Existence = c.Display && o.Display, c.Existence && o.Existence
	c.Persons = slices.Clone(c.Persons)
	for _, one := range o.Persons {
		if !slices.Contains(c.Persons, one) {
			c.Persons = append(c.Persons, one)
		}
	}
	c.Sensitive = slices.Concat(c.Sensitive, o.Sensitive)
	slices.Sort(c.Sensitive)
	c.Sensitive = slices.Compact(c.Sensitive)
	if c.Reading != o.Reading {
		c.Reading = StricterReading(cmp.Or(c.Reading, usual.Reading), cmp.Or(o.Reading, usual.Reading))
	}
	if c.Processing != o.Processing {
		c.Processing = StricterProcessing(cmp.Or(c.Processing, usual.Processing), cmp.Or(o.Processing, usual.Processing))
	}
	if c.Until == "" || o.Until != "" && End(o.Until).Compare(End(c.Until)) > 0 {
		c.Until = o.Until
	}
	if c.Review == "" || o.Review != "" && End(o.Review).Compare(End(c.Review)) < 0 {
		c.Review = o.Review
	}
	if c.Authority == "" {
		c.Authority = o.Authority
	}
	if c.Rights != o.Rights {
		c.Rights = ""
	}
}

// The values of ConsentDefault.Default.
const (
	ConsentOpen   = "open"   // inclusion, surfacing, display and existence
	ConsentClosed = "closed" // inclusion only
)

// SensitiveKinds are the labels of artifacts about sensitive matters of anybody, which are shown
// with care. They are in alphabetical order.
var SensitiveKinds = []string{"crime", "faith", "finance", "health", "politics", "sexuality"}

// The values of SensitiveRule.Rule, the most open first.
const (
	SensitiveOpen        = "open"         // as if it had no label
	SensitiveAuditorOnly = "auditor-only" // answers may rest on it; its words are for auditors
	SensitiveHidden      = "hidden"       // as if it were not there
	SensitiveClosed      = "closed"       // kept, and no answer rests on it
)

// SensitiveRules are the rules, the most open first.
var SensitiveRules = []string{SensitiveOpen, SensitiveAuditorOnly, SensitiveHidden, SensitiveClosed}

// A ConsentDefault says what holds for an artifact without a Consent, and for
// artifacts with a label.
type ConsentDefault struct {
	Type      string          `json:"type"`                // TypeConsentDefault or TypeSecondConsentDefault; set by Encode
	Default   string          `json:"default"`             // open or closed
	Sensitive []SensitiveRule `json:"sensitive,omitempty"` // in the order of their kinds

	// The members of TypeSecondConsentDefault.
	Reading    string `json:"reading,omitempty"`    // of Readings; "" is ReadingExcerpts
	Processing string `json:"processing,omitempty"` // none, local or a host; "" is ProcessingLocal
}

// firstType returns the type of the first version that can hold the default.
func (c *ConsentDefault) firstType() string {
	if c.Reading+c.Processing != "" {
		return TypeSecondConsentDefault
	}
	return TypeConsentDefault
}

// Consent returns the consent of an artifact without one of its own; it names no artifact, and every
// member has a value.
func (c *ConsentDefault) Consent() Consent {
	open := c.Default == ConsentOpen
	return Consent{Inclusion: true, Surfacing: open, Display: open, Existence: open,
		Reading: cmp.Or(c.Reading, ReadingExcerpts), Processing: cmp.Or(c.Processing, ProcessingLocal)}
}

// A SensitiveRule says how artifacts with a label are treated. A label without
// a rule has SensitiveAuditorOnly.
type SensitiveRule struct {
	Kind string `json:"kind"` // of SensitiveKinds
	Rule string `json:"rule"` // of SensitiveRules
}

// Rule returns the rule for a label.
func (c *ConsentDefault) Rule(kind string) string {
	for _, r := range c.Sensitive {
		if r.Kind == kind {
			return r.Rule
		}
	}
	return SensitiveAuditorOnly
}

// Cover returns a consent with the dimensions that its labels leave: the
// strictest of all rules, and of the consent, holds.
func (c *ConsentDefault) Cover(of Consent) Consent {
	for _, kind := range of.Sensitive {
		switch c.Rule(kind) {
		case SensitiveAuditorOnly:
			of.Display = false
		case SensitiveHidden:
			of.Display, of.Existence = false, false
		case SensitiveClosed:
			of.Surfacing, of.Display, of.Existence = false, false, false
		}
	}
	return of
}

// Encode returns the canonical bytes of c after checking it.
func (c ConsentDefault) Encode() ([]byte, error) {
	c.Type = c.firstType()
	return member.Encode(&c, &c.Type, c.Type, (*ConsentDefault).check)
}

// ParseConsentDefault reads the output of Encode and nothing else.
func ParseConsentDefault(data []byte) (*ConsentDefault, error) {
	return member.ParseEither(data, TypeConsentDefault, TypeSecondConsentDefault, (*ConsentDefault).check)
}

func (c *ConsentDefault) check() error {
	if want := c.firstType(); c.Type != want {
		return fmt.Errorf("type is %q, want %q", c.Type, want)
	}
	list := make([]string, len(c.Sensitive))
	for i, r := range c.Sensitive {
		if err := member.OneOf("rule", r.Rule, SensitiveRules...); err != nil {
			return fmt.Errorf("sensitive[%d]: %w", i, err)
		}
		list[i] = r.Kind
	}
	return member.FirstOf(errors.Join(member.OneOf("default", c.Default, ConsentOpen, ConsentClosed), kinds("sensitive", list),
		member.Optional("reading", c.Reading, reading), member.Optional("processing", c.Processing, checkProcessing)))
}

// kinds requires some of SensitiveKinds, each once and in their order.
func kinds(name string, list []string) error {
	for i, k := range list {
		if err := member.OneOf(fmt.Sprintf("%s[%d]", name, i), k, SensitiveKinds...); err != nil {
			return err
		}
		if i > 0 && list[i-1] >= k {
			return fmt.Errorf("%s has %q before %q, want alphabetical order", name, list[i-1], k)
		}
	}
	return nil
}
