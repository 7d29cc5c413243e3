package audit

import (
	"fmt"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/internal/release"
	"muniment/ledger"
	"muniment/objects/disk"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/text/legible"
)

// programFile holds the day of the newest format of the program that this copy was last
// upgraded to.
const programFile = "program"

// maxUpgradeNames is how many papers or citations a change names; the count is complete.
const maxUpgradeNames = 20

// The effects of a change between two programs.
const (
	EffectLess    = "less"    // something is shown to fewer people
	EffectSign    = "sign"    // something is shown only after somebody signs it
	EffectVerdict = "verdict" // a verdict is another one
	EffectForm    = "form"    // something is written in a form that older programs do not read
	EffectLedger  = "ledger"  // the ledger is migrated by the next change
)

// An UpgradeChange is one difference between what this program does with an archive and what
// the program did with which its copy was last used.
type UpgradeChange struct {
	Since  string   `json:"since"`  // the day since which programs do so
	Effect string   `json:"effect"` // less, sign, verdict, form or ledger
	What   string   `json:"what"`
	Count  int      `json:"count"`           // of papers, citations or forms
	Names  []string `json:"names,omitempty"` // of the first of them
	Fix    string   `json:"fix,omitempty"`   // Next in the words of a program; empty from this package

	Next problem.Step `json:"-"` // what to sign or to do
}

// An UpgradeReport says what changes for an archive with this program.
type UpgradeReport struct {
	Last    string          `json:"last,omitempty"` // the day of the formats that the copy was upgraded to; "" where none is noted
	Program string          `json:"program"`        // the day of the newest format of this program
	Changes []UpgradeChange `json:"changes"`
	Noted   bool            `json:"noted"` // whether the day was noted, as Upgrade does
}

// A rule is something that programs show differently since a day. Its effect is measured on
// the archive, as the program of before is not at hand.
type rule struct {
	since, effect, what string
	next                problem.Step
	counts              func(own, now policy.Permission) bool // own is by the consent of a paper alone
}

// rules are the changes of what is shown, the oldest first. No change shows more: what was not
// readable before an upgrade is not readable after it without a signature.
var rules = []rule{
	{"2026-11-24", EffectLess, "hidden with what it came in or was made from", problem.Advise("muniment consent NAME shows why; a paper that may be known of needs a consent of what it came in"),
		func(own, now policy.Permission) bool {
			return own.Existence && !now.Existence
		}},
	{"2026-11-24", EffectSign, "read in excerpts: no consent says that it may be read whole", problem.Advise("muniment consent --reading whole --preview, or for papers of their own muniment consent NAME --reading whole"),
		func(_, now policy.Permission) bool {
			return now.Display && now.Reading != access.ReadingWhole
		}},
}

// CheckUpgrade compares this program with the one that a copy was last upgraded to, on the
// newest snapshot and the ledger of the copy. It changes nothing.
func CheckUpgrade(a *archive.Archive) (*UpgradeReport, error) {
	r := &UpgradeReport{Last: noteOf(a), Program: newestForm(), Changes: []UpgradeChange{}}
	shown, err := checkShown(a, r.Last)
	if err != nil {
		return nil, err
	}
	r.Changes = append(r.Changes, shown...)
	verdicts, err := checkVerdicts(a)
	if err != nil {
		return nil, err
	}
	r.Changes = append(append(r.Changes, verdicts...), checkForms(r.Last)...)
	migrated, err := checkLedger(a)
	if err != nil {
		return nil, err
	}
	r.Changes = append(r.Changes, migrated...)
	return r, nil
}

// Upgrade is CheckUpgrade; afterwards it migrates the ledger, where it has an older schema, and
// notes that this copy was upgraded to this program.
func Upgrade(a *archive.Archive) (*UpgradeReport, error) {
	r, err := CheckUpgrade(a)
	if err != nil {
		return nil, err
	}
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	l, err := ledger.Find(a)
	if err != nil {
		return nil, err
	}
	if l != nil {
		if err := l.Migrate(); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
	}
	if err := NoteProgram(a); err != nil {
		return nil, err
	}
	r.Noted = true
	return r, nil
}

// NoteProgram notes that a copy was made by, or upgraded to, this program.
func NoteProgram(a *archive.Archive) error {
	path, err := a.LocalPath(programFile)
	if err == nil {
		err = disk.WritePlain(path, []byte(newestForm()+"\n"), 0o600)
	}
	return problem.Wrap(err, programFile)
}

// newestForm returns the day of the newest format of this program.
func newestForm() string {
	day := ""
	for _, f := range release.Formats() {
		day = max(day, f.Since[0])
	}
	return day
}

// noteOf returns the day that was noted for a copy; "" where there is none or it is no day, so
// that everything counts as new.
func noteOf(a *archive.Archive) string {
	path, err := a.LocalPath(programFile)
	if err != nil {
		return ""
	}
	data, err := disk.ReadOwnPlain(path, int64(len("2026-11-24\n")))
	day := strings.TrimSpace(string(data))
	if err != nil || len(day) != len("2026-11-24") || strings.Trim(day, "0123456789-") != "" {
		return ""
	}
	return day
}

// checkShown measures the rules that are newer than a day on the newest snapshot, for a reader of
// the lowest tier.
func checkShown(a *archive.Archive, last string) ([]UpgradeChange, error) {
	head, _, err := a.Head()
	if head == nil || err != nil {
		return nil, err
	}
	v, err := a.ReaderView("")
	if err != nil {
		return nil, err
	}
	out, lookup := make([]UpgradeChange, len(rules)), a.Holdings().Peek(head.Tree)
	all, err := a.Catalog(head.Tree).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, art := range all.Artifacts {
		if art.Withdrawn {
			continue
		}
		own, now, err := permissions(lookup, v, art)
		if err != nil {
			return nil, err
		}
		for i, k := range rules {
			if k.since > last && k.counts(own, now) {
				out[i].add(artifactName(art))
			}
		}
	}
	changes := out[:0]
	for i, k := range rules {
		if c := out[i]; c.Count > 0 {
			c.Since, c.Effect, c.What, c.Next = k.since, k.effect, k.what, k.next
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// permissions returns the permission of a reader by the consent of an artifact alone, as programs
// decided until 24 November 2026, and by all that is in force.
func permissions(lookup *holdings.Catalog, v *policy.View, art *holdings.Artifact) (own, now policy.Permission, err error) {
	if now, err = v.Permission(art.ID, ""); err != nil {
		return own, now, problem.Wrap(err, "policy")
	}
	alone := &policy.View{Rules: v.Rules, Who: v.Who, Consent: lookup.OwnConsent, Paper: v.Paper}
	own, err = alone.Permission(art.ID, "")
	return own, now, problem.Wrap(err, "policy")
}

// artifactName returns a name of an artifact for people.
func artifactName(art *holdings.Artifact) string {
	for _, h := range art.CurrentRecords() {
		if len(h.Record.Names) > 0 {
			return legible.Printable(h.Record.Names[0])
		}
	}
	return art.ID.String()
}

// add counts a paper or a citation, and keeps the names of the first.
func (c *UpgradeChange) add(name string) {
	c.Count++
	if len(c.Names) < maxUpgradeNames {
		c.Names = append(c.Names, name)
	}
}

// checkVerdicts returns the citations on whose claim the rules of today decide otherwise than when
// they were registered.
func checkVerdicts(a *archive.Archive) ([]UpgradeChange, error) {
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		return nil, err
	}
	changed, err := e.Citations().ChangedVerdicts()
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	c := UpgradeChange{Effect: EffectVerdict, What: "the rules of this program judge the claim otherwise", Next: problem.Advise("muniment why NUMBER shows both verdicts; the one that was given stays until the citation is registered again")}
	for _, v := range changed {
		c.add(fmt.Sprintf("citation %d: %s before, %s now: %s", v.Ordinal, v.Before, v.Now, legible.Printable(v.Claim)))
	}
	return []UpgradeChange{c}, nil
}

// checkForms returns the forms that this program writes since a day that is newer.
func checkForms(last string) []UpgradeChange {
	var out []UpgradeChange
	for _, f := range release.Formats() {
		if last != "" && f.Since[0] > last && f.Promise != "copies" {
			out = append(out, UpgradeChange{Since: f.Since[0], Effect: EffectForm, Count: 1, What: f.Name + " is written as " + f.Written + ": older programs say NOT-CHECKED of it, and before 24 November 2026 INVALID"})
		}
	}
	return out
}

// checkLedger returns the migration that the next change makes.
func checkLedger(a *archive.Archive) ([]UpgradeChange, error) {
	l, err := ledger.Find(a)
	if l == nil || err != nil {
		return nil, err
	}
	m, ok := l.NextMigration()
	if !ok {
		return nil, nil
	}
	return []UpgradeChange{{Effect: EffectLedger, Count: 1, What: describeMigration(m)}}, nil
}

// describeMigration returns a migration in words.
func describeMigration(m ledger.Migration) string {
	return "the next change brings the ledger from schema " + strconv.FormatInt(m.From, 10) + " to " + strconv.FormatInt(m.To, 10) + ", and keeps a copy of the file until the change after it"
}
