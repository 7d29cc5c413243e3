package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// ConsentOptions change consent. With nothing set Consent only reports.
type ConsentOptions struct {
	Artifacts []string       // ids or names
	Select    PaperSelection // papers by description, in addition
	Preview   bool           // say what would change, and stage nothing
	Preset    string         // open, auditor-only, closed or hidden; "" for none
	Inclusion *bool          // each dimension set here overrides the preset
	Surfacing *bool
	Display   *bool
	Existence *bool
	MinTier   string
	Reason    string

	// How much is read and what is sent to other programs: of the papers, of the tier, or where neither
	// is named of all papers without a word of their own.
	Reading    string // whole, excerpts or none
	Processing string // none, local or the host of an endpoint

	Until     string // date of EDTF at whose end the restriction is due to be lifted; "none" takes it away
	Review    string // date of EDTF at whose end somebody looks at it again; "none" takes it away
	Authority string // who decided
	Rights    string // statement of the rights by which others may read what came from an address; "none" takes it away

	Person  string // a third party
	Aliases []string
	State   string // cleared, anonymized or sealed

	Default      string // open or closed
	ThirdParties string // open, listed or strict

	Tier    string // a tier of requestors, made when there is none of the name
	Excerpt *int   // its longest excerpt, in code points
	Daily   *int   // its budget of a day, in code points; 0 for the default one
	NoCap   bool   // its excerpts have no longest length

	Sensitive []string // labels for the artifacts, of access.SensitiveKinds; "none" alone takes all away
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

	Reading    string `json:"reading"`             // whole, excerpts or none, of the artifact or the default
	Processing string `json:"processing"`          // none, local or a host
	Until      string `json:"until,omitempty"`     // when the restriction is due to be lifted
	Review     string `json:"review,omitempty"`    // when somebody looks at it again
	Authority  string `json:"authority,omitempty"` // who decided
	Rights     string `json:"rights,omitempty"`    // by which others may read it
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
	Reading      string            `json:"reading"`           // of papers without a word of their own
	Processing   string            `json:"processing"`        // of papers without a word of their own
	Preview      *ConsentPreview   `json:"preview,omitempty"` // of what was changed; nil where nothing was
}

// NoCap is the Excerpt of a TierInfo whose excerpts have no longest length.
const NoCap = access.Unlimited

// A TierInfo is a tier of requestors, with what it may be shown in code points.
type TierInfo struct {
	Name    string `json:"name"`
	Excerpt int    `json:"excerpt"`           // at once; 268435456 without a cap
	Daily   int    `json:"daily"`             // in a day, of papers that it may not read whole
	Reading string `json:"reading,omitempty"` // the most that it reads of any paper; "" is no limit
}

// Consent reports the consent of artifacts and, where options are set, stages
// a new one for the next snapshot.
func Consent(a *archive.Archive, o ConsentOptions) (*ConsentResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	p, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := editPolicy(a, tree, o, files); err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	papers, err := selectPapers(a, tree, o)
	if err != nil {
		return nil, err
	}
	changes := o.changesPapers() || o.Preset != "" || o.Inclusion != nil || o.Surfacing != nil || o.Display != nil || o.Existence != nil || o.MinTier != "" || o.Reason != "" || len(o.Sensitive) > 0
	if changes && len(papers) == 0 {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "consent").With("name papers, or set the default for all others"), "no artifact was named")
	}
	if o.MinTier != "" && !slices.ContainsFunc(p.Tiers, func(t access.Tier) bool { return t.Name == o.MinTier }) {
		return nil, problem.New(problem.Usage, problem.Advise("policy/tiers.json lists the tiers"), "no tier is named %q", o.MinTier)
	}
	for _, art := range papers {
		if !changes {
			break
		}
		next, err := a.SignedConsent(tree, art.ID, p.DefaultConsent())
		if err != nil {
			return nil, err
		}
		if err := o.apply(next); err != nil {
			return nil, err
		}
		next.Reason = cmp.Or(next.Reason, "no reason was given")
		next.Artifact, next.Time, next.Agent = art.ID.String(), a.World().Now().UTC().Format(time.RFC3339), a.World().Author
		encoded, err := next.Encode()
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "consent"), "consent: %w", err)
		}
		files[layout.ConsentPath(art.ID)] = encoded
		if err := addReadings(c, art, *next, files); err != nil {
			return nil, err
		}
	}
	var preview *ConsentPreview
	if len(files) > 0 {
		if preview, err = previewConsent(a, tree, files, o.Person); err != nil {
			return nil, err
		}
		if !o.Preview {
			if err := a.Edit(files); err != nil {
				return nil, err
			}
		}
	}
	names := make([]string, len(papers))
	for i, art := range papers {
		names[i] = art.ID.String()
	}
	r, err := reportConsent(a, names)
	if err == nil {
		r.Staged, r.Preview = len(files) > 0 && !o.Preview, preview
	}
	return r, err
}

// changesPapers reports whether a member of the second version of a consent is set for papers.
func (o ConsentOptions) changesPapers() bool {
	named := len(o.Artifacts) > 0 || !o.Select.IsZero()
	return o.Until+o.Review+o.Authority+o.Rights != "" || named && o.Tier == "" && o.Reading+o.Processing != ""
}

// applySecond changes the members of the second version that were set.
func (o ConsentOptions) applySecond(c *access.Consent) {
	for _, m := range []struct {
		set string
		to  *string
	}{{o.Reading, &c.Reading}, {o.Processing, &c.Processing}, {o.Until, &c.Until}, {o.Review, &c.Review}, {o.Authority, &c.Authority}, {o.Rights, &c.Rights}} {
		switch {
		case m.set == "none" && m.to != &c.Reading && m.to != &c.Processing:
			*m.to = ""
		case m.set != "":
			*m.to = m.set
		}
	}
}

// apply changes the dimensions that were set.
func (o ConsentOptions) apply(c *access.Consent) error {
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
	o.applySecond(c)
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
	forAll := o.Tier == "" && !o.changesPapers() && o.Reading+o.Processing != ""
	if o.Default != "" || o.Category != "" || forAll {
		d, err := a.ConsentDefault(tree)
		if err != nil {
			return err
		}
		if o.Default != "" {
			d.Default = o.Default
		}
		if forAll {
			d.Reading, d.Processing = cmp.Or(o.Reading, d.Reading), cmp.Or(o.Processing, d.Processing)
		}
		if o.Category != "" {
			d.Sensitive = slices.DeleteFunc(d.Sensitive, func(r access.SensitiveRule) bool { return r.Kind == o.Category })
			d.Sensitive = append(d.Sensitive, access.SensitiveRule{Kind: o.Category, Rule: o.Rule})
			slices.SortFunc(d.Sensitive, func(x, y access.SensitiveRule) int { return strings.Compare(x.Kind, y.Kind) })
		}
		encoded, err := d.Encode()
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("the default is open or closed; categories are "+strings.Join(access.SensitiveKinds, ", ")+"; rules "+strings.Join(access.SensitiveRules, ", ")), "consent default: %w", err)
		}
		files[layout.PathConsent] = encoded
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
		at := slices.IndexFunc(persons.Persons, func(p access.Person) bool { return p.Name == o.Person })
		if at < 0 {
			persons.Persons = append(persons.Persons, access.Person{Name: o.Person})
			at = len(persons.Persons) - 1
		}
		persons.Persons[at].State = o.State
		if len(o.Aliases) > 0 {
			persons.Persons[at].Aliases = o.Aliases
		}
		if err := addBearers(a, tree, &persons.Persons[at]); err != nil {
			return err
		}
	}
	encoded, err := persons.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("a state is cleared, anonymized or sealed; third parties are open, listed or strict"), "persons: %w", err)
	}
	files[layout.PathPersons] = encoded
	return nil
}

// editTiers puts a changed list of tiers into files. A new tier is the highest.
func editTiers(a *archive.Archive, tree objects.Hash, o ConsentOptions, files map[string][]byte) error {
	if (o.Tier == "") != (o.Excerpt == nil && o.Daily == nil && !o.NoCap) && (o.Tier == "" || o.Reading == "") {
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
	at := slices.IndexFunc(tiers, func(t access.Tier) bool { return t.Name == o.Tier })
	if at < 0 {
		at = len(tiers)
		tiers = append(tiers, access.Tier{Name: o.Tier})
	}
	if o.Excerpt != nil {
		tiers[at].Excerpt, tiers[at].Uncapped = *o.Excerpt, false
	}
	if o.NoCap {
		tiers[at].Excerpt, tiers[at].Uncapped = 0, true
	}
	if o.Reading != "" {
		tiers[at].Reading = o.Reading
	}
	if o.Daily != nil {
		tiers[at].Daily = *o.Daily
	}
	encoded, err := access.Tiers{Tiers: tiers}.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("a tier is a short lower case word; excerpts and budgets are 0 or more code points"), "tiers: %w", err)
	}
	files[layout.PathTiers] = encoded
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
	r := &ConsentResult{Artifacts: []ArtifactConsent{}, Persons: []PersonState{}, ThirdParties: p.Persons.ThirdParties, Default: "open", Reading: def.Reading, Processing: def.Processing}
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
			Inclusion: own.Inclusion, Surfacing: own.Surfacing, Display: own.Display, Existence: own.Existence, MinTier: own.MinTier, Reason: own.Reason, Sensitive: own.Sensitive,
			Reading: cmp.Or(own.Reading, def.Reading), Processing: cmp.Or(own.Processing, def.Processing), Until: own.Until, Review: own.Review, Authority: own.Authority, Rights: own.Rights})
	}
	labels, err := a.ConsentDefault(tree)
	if err != nil {
		return nil, err
	}
	r.Sensitive = map[string]string{}
	for _, kind := range access.SensitiveKinds {
		r.Sensitive[kind] = labels.Rule(kind)
	}
	for _, t := range p.Tiers {
		r.Tiers = append(r.Tiers, TierInfo{t.Name, t.Limit(), t.Budget(), t.Reading})
	}
	for _, person := range p.Persons.Persons {
		r.Persons = append(r.Persons, PersonState{Name: person.Name, Aliases: person.Aliases, State: person.State})
	}
	return r, nil
}
