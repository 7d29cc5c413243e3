package history

import (
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
)

// ConsentOptions change consent. With nothing set Consent only reports.
type ConsentOptions struct {
	Artifacts []string // ids or names
	Preset    string   // open, auditor-only, closed or hidden; "" for none
	Inclusion *bool    // each dimension set here overrides the preset
	Surfacing *bool
	Display   *bool
	Existence *bool
	MinTier   string
	Reason    string

	Person  string // a third party
	Aliases []string
	State   string // cleared, anonymized or sealed

	Default      string // open or closed
	ThirdParties string // open, listed or strict

	Tier    string // a tier of requestors, made when there is none of the name
	Excerpt *int   // its longest excerpt, in code points
	Daily   *int   // its budget of a day, in code points; 0 for the default one

	Sensitive []string // labels for the artifacts, of record.SensitiveKinds; "none" alone takes all away
	Category  string   // a label
	Rule      string   // how artifacts with it are treated: open, auditor-only, hidden, closed
}

// ArtifactConsent is the consent in force for one artifact.
type ArtifactConsent struct {
	Artifact  string `json:"artifact"`
	Name      string `json:"name"`
	Own       bool   `json:"own"` // its own, not the archive's default
	Inclusion bool   `json:"inclusion"`
	Surfacing bool   `json:"surfacing"`
	Display   bool   `json:"display"`
	Existence bool   `json:"existence"`
	MinTier   string `json:"min_tier,omitempty"`
	Reason    string `json:"reason,omitempty"`

	Sensitive []string `json:"sensitive,omitempty"` // its labels, which may leave less than the dimensions say
}

// PersonState is a third party and what the policy says of it.
type PersonState struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	State   string   `json:"state"`
}

// ConsentResult reports consent as the next snapshot would have it.
type ConsentResult struct {
	Artifacts    []ArtifactConsent `json:"artifacts"`
	Persons      []PersonState     `json:"persons"`
	Default      string            `json:"default"`
	ThirdParties string            `json:"third_parties"`
	Tiers        []TierInfo        `json:"tiers"`
	Sensitive    map[string]string `json:"sensitive"` // how artifacts with a label are treated
	Staged       bool              `json:"staged"`
}

// A TierInfo is a tier of requestors, with what it may be shown in code points.
type TierInfo struct {
	Name    string `json:"name"`
	Excerpt int    `json:"excerpt"` // at once
	Daily   int    `json:"daily"`   // in a day
}

// Consent reports the consent of artifacts and, where options are set, stages
// a new one for the next snapshot.
func Consent(a *archive.Archive, o ConsentOptions) (*ConsentResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	p, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := editPolicy(a, tree, o, files); err != nil {
		return nil, err
	}
	changes := o.Preset != "" || o.Inclusion != nil || o.Surfacing != nil || o.Display != nil || o.Existence != nil || o.MinTier != "" || o.Reason != "" || len(o.Sensitive) > 0
	if changes && len(o.Artifacts) == 0 {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "consent").With("name papers, or set the default for all others"), "no artifact was named")
	}
	if o.MinTier != "" && !slices.ContainsFunc(p.Tiers, func(t record.Tier) bool { return t.Name == o.MinTier }) {
		return nil, problem.New(problem.Usage, problem.Advise("policy/tiers.json lists the tiers"), "no tier is named %q", o.MinTier)
	}
	for _, ref := range o.Artifacts {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		if !changes {
			continue
		}
		next, err := a.SignedConsent(tree, art.ID, p.DefaultConsent())
		if err != nil {
			return nil, err
		}
		if err := o.apply(next); err != nil {
			return nil, err
		}
		if next.Reason == "" {
			next.Reason = "no reason was given"
		}
		next.Artifact, next.Time, next.Agent = art.ID.String(), a.World().Now().UTC().Format(time.RFC3339), a.World().Author
		encoded, err := next.Encode()
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "consent"), "consent: %w", err)
		}
		files[record.ConsentPath(art.ID)] = encoded
	}
	if len(files) > 0 {
		if err := a.Edit(files); err != nil {
			return nil, err
		}
	}
	r, err := reportConsent(a, o.Artifacts)
	if err == nil {
		r.Staged = len(files) > 0
	}
	return r, err
}

// apply changes the dimensions that were set.
func (o ConsentOptions) apply(c *record.Consent) error {
	if o.Preset != "" {
		preset, err := policy.FindPreset(o.Preset)
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("presets: open, auditor-only, closed, hidden"), "%w", err)
		}
		*c = preset.Apply(*c)
	}
	for _, d := range []struct {
		set *bool
		to  *bool
	}{{o.Inclusion, &c.Inclusion}, {o.Surfacing, &c.Surfacing}, {o.Display, &c.Display}, {o.Existence, &c.Existence}} {
		if d.set != nil {
			*d.to = *d.set
		}
	}
	if o.MinTier != "" {
		c.MinTier = o.MinTier
	}
	if o.Reason != "" {
		c.Reason = o.Reason
	}
	if len(o.Sensitive) > 0 {
		c.Sensitive = nil
		if !slices.Equal(o.Sensitive, []string{"none"}) {
			c.Sensitive = slices.Compact(slices.Sorted(slices.Values(o.Sensitive)))
		}
	}
	return nil
}

// editPolicy puts changed policy files into files.
func editPolicy(a *archive.Archive, tree objects.Hash, o ConsentOptions, files map[string][]byte) error {
	if (o.Category == "") != (o.Rule == "") {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "category", "health", "rule", "hidden"), "a category and its rule go together")
	}
	if o.Default != "" || o.Category != "" {
		d, err := a.ConsentDefault(tree)
		if err != nil {
			return err
		}
		if o.Default != "" {
			d.Default = o.Default
		}
		if o.Category != "" {
			d.Sensitive = slices.DeleteFunc(d.Sensitive, func(r record.SensitiveRule) bool { return r.Kind == o.Category })
			d.Sensitive = append(d.Sensitive, record.SensitiveRule{Kind: o.Category, Rule: o.Rule})
			slices.SortFunc(d.Sensitive, func(x, y record.SensitiveRule) int { return strings.Compare(x.Kind, y.Kind) })
		}
		encoded, err := d.Encode()
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("the default is open or closed; categories are "+strings.Join(record.SensitiveKinds, ", ")+"; rules "+strings.Join(record.SensitiveRules, ", ")), "consent default: %w", err)
		}
		files[record.PathConsent] = encoded
	}
	if err := editTiers(a, tree, o, files); err != nil {
		return err
	}
	if (o.Person == "") != (o.State == "") {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "person", "Ines Roth", "state", "sealed"), "a person and a state go together")
	}
	if o.Person == "" && o.ThirdParties == "" {
		return nil
	}
	persons, err := a.Persons(tree)
	if err != nil {
		return err
	}
	if o.ThirdParties != "" {
		persons.ThirdParties = o.ThirdParties
	}
	if o.Person != "" {
		at := slices.IndexFunc(persons.Persons, func(p record.Person) bool { return p.Name == o.Person })
		if at < 0 {
			persons.Persons = append(persons.Persons, record.Person{Name: o.Person})
			at = len(persons.Persons) - 1
		}
		persons.Persons[at].State = o.State
		if len(o.Aliases) > 0 {
			persons.Persons[at].Aliases = o.Aliases
		}
	}
	encoded, err := persons.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("a state is cleared, anonymized or sealed; third parties are open, listed or strict"), "persons: %w", err)
	}
	files[record.PathPersons] = encoded
	return nil
}

// editTiers puts a changed list of tiers into files. A new tier is the highest.
func editTiers(a *archive.Archive, tree objects.Hash, o ConsentOptions, files map[string][]byte) error {
	if (o.Tier == "") != (o.Excerpt == nil && o.Daily == nil) {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "tier", "researcher", "excerpt", "280", "daily", "20000"), "a tier goes with its excerpt, its daily budget or both")
	}
	if o.Tier == "" {
		return nil
	}
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return err
	}
	tiers := slices.Clone(rules.Tiers)
	at := slices.IndexFunc(tiers, func(t record.Tier) bool { return t.Name == o.Tier })
	if at < 0 {
		at = len(tiers)
		tiers = append(tiers, record.Tier{Name: o.Tier})
	}
	if o.Excerpt != nil {
		tiers[at].Excerpt, tiers[at].Uncapped = *o.Excerpt, false
	}
	if o.Daily != nil {
		tiers[at].Daily = *o.Daily
	}
	encoded, err := record.Tiers{Tiers: tiers}.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("a tier is a short lower case word; excerpts and budgets are 0 or more code points"), "tiers: %w", err)
	}
	files[record.PathTiers] = encoded
	return nil
}

// reportConsent describes what is in force for the next snapshot.
func reportConsent(a *archive.Archive, refs []string) (*ConsentResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	p, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	def := p.DefaultConsent()
	r := &ConsentResult{Artifacts: []ArtifactConsent{}, Persons: []PersonState{}, ThirdParties: p.Persons.ThirdParties, Default: "open"}
	if !def.Surfacing {
		r.Default = "closed"
	}
	var list []*holdings.Artifact
	for _, ref := range refs {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		list = append(list, art)
	}
	if len(refs) == 0 {
		if list, err = c.WithConsent(); err != nil {
			return nil, err
		}
	}
	for _, art := range list {
		own, err := a.ConsentOf(tree, art, def)
		if err != nil {
			return nil, err
		}
		r.Artifacts = append(r.Artifacts, ArtifactConsent{Artifact: art.ID.String(), Name: art.Name(), Own: art.HasConsent,
			Inclusion: own.Inclusion, Surfacing: own.Surfacing, Display: own.Display, Existence: own.Existence, MinTier: own.MinTier, Reason: own.Reason, Sensitive: own.Sensitive})
	}
	labels, err := a.ConsentDefault(tree)
	if err != nil {
		return nil, err
	}
	r.Sensitive = map[string]string{}
	for _, kind := range record.SensitiveKinds {
		r.Sensitive[kind] = labels.Rule(kind)
	}
	for _, t := range p.Tiers {
		r.Tiers = append(r.Tiers, TierInfo{t.Name, t.Excerpt, t.Budget()})
	}
	for _, person := range p.Persons.Persons {
		r.Persons = append(r.Persons, PersonState{Name: person.Name, Aliases: person.Aliases, State: person.State})
	}
	return r, nil
}
