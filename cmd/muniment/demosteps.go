package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"muniment/answer"
	"muniment/audit"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/engine"
	"muniment/history"
)

// The second half of the demonstration: citations, answers and proofs.

func (d *demo) citeWell(context.Context) error {
	r, err := engine.Cite(d.archive, engine.CiteOptions{Artifact: "letters/1931-04-02-to-ruth.txt", Claim: "Tobias Lunt repaired the mill wheel.",
		Quote: "Tobias Lunt repaired the mill wheel."})
	if err != nil {
		return err
	}
	suggest(r)
	d.report("A citation that verifies", r, "claim: Tobias Lunt repaired the mill wheel.",
		fmt.Sprintf("%s, %s match at %s %s", r.VerificationStatus, r.Match, r.Name, r.Span), "citation "+r.Citation)
	return d.must(r.VerificationStatus == "verified", "the good citation")
}

func (d *demo) citeBadly(context.Context) error {
	wrong := engine.CiteOptions{Artifact: "letters/1931-03-14-to-ruth.txt", Claim: "There was flour for nineteen days.", Quote: "There is flour for nineteen days."}
	r, err := engine.Cite(d.archive, wrong)
	if err != nil {
		return err
	}
	suggest(r)
	lines := []string{"claim: " + wrong.Claim, fmt.Sprintf("%s: %s", r.VerificationStatus, r.VerificationNotes), "fix: " + r.Suggestion}
	if err := d.must(r.VerificationStatus == "failed" && r.Nearest != nil && r.Difference == "number", "the bad citation"); err != nil {
		return err
	}
	mended, err := engine.Cite(d.archive, engine.CiteOptions{Artifact: r.Artifact, Claim: "There was flour for nine days.", Quote: r.Nearest.Text, Span: r.Nearest.Span})
	if err != nil {
		return err
	}
	suggest(mended)
	d.report("A citation that fails, with its fix", []any{r, mended}, append(lines, fmt.Sprintf("with the fix: %s at %s", mended.VerificationStatus, mended.Span))...)
	return d.must(mended.VerificationStatus == "verified", "the mended citation")
}

// ask asks, prints and checks the outcome.
func (d *demo) ask(ctx context.Context, title, question, outcome, kind string) (*answer.Result, error) {
	r, err := answer.Ask(ctx, d.archive, question, answer.AskOptions{Signer: d.signer})
	if err != nil {
		return nil, err
	}
	d.report(title, r, append([]string{"question: " + question}, answerLines(r)...)...)
	got := ""
	if r.Refusal != nil {
		got = r.Refusal.Kind
	}
	return r, d.must(r.Outcome == outcome && got == kind, fmt.Sprintf("%q gave %s %s, want %s %s", question, r.Outcome, got, outcome, kind))
}

// answerLines shows an answer in a few lines.
func answerLines(r *answer.Result) []string {
	lines := []string{"outcome: " + r.Outcome}
	for _, c := range r.Claims {
		lines = append(lines, fmt.Sprintf("%s: %s", cmp.Or(c.Rung, c.Role), c.Text))
		for _, e := range c.Citations {
			line := "  " + e.Handle + ", " + e.Label
			if e.Source != "" {
				line += ", " + e.Source
			}
			if e.Restricted && e.Notice != c.Text {
				line += ": " + e.Notice
			} else if e.Quote != "" && !strings.Contains(c.Text, e.Quote) {
				line += ": “" + e.Quote + "”"
			}
			lines = append(lines, line)
		}
	}
	for _, x := range r.Removed {
		lines = append(lines, fmt.Sprintf("removed: %s (%s)", x.Topic, x.Reason))
	}
	if r.Refusal != nil {
		lines = append(lines, fmt.Sprintf("%s refusal: %s", r.Refusal.Kind, r.Refusal.Message))
		if len(r.Refusal.Suggestions) > 0 {
			lines = append(lines, "next: "+suggestions(r.Refusal)[0])
		}
	}
	return lines
}

func (d *demo) askSupported(ctx context.Context) error {
	_, err := d.ask(ctx, "An answer that is supported", "Who repaired the mill wheel?", "supported", "")
	return err
}

func (d *demo) askNarrowed(ctx context.Context) error {
	r, err := d.ask(ctx, "An answer that is narrowed: what has no evidence is listed, not invented",
		"Who repaired the mill wheel, and which telephone did she buy?", "narrowed", "")
	if err != nil {
		return err
	}
	return d.must(len(r.Removed) == 1, "the removed topic")
}

func (d *demo) askRefused(ctx context.Context) error {
	_, err := d.ask(ctx, "An honest refusal: the archive does not say", "Which painting did she buy in Vienna?", "refused", "coverage")
	return err
}

func (d *demo) bindDraft(ctx context.Context) error {
	draft, err := os.ReadFile(d.path("draft.md"))
	if err != nil {
		return d.environment(err)
	}
	r, err := answer.Bind(ctx, d.archive, string(draft), answer.AskOptions{Signer: d.signer})
	if err != nil {
		return err
	}
	lines := append([]string{"the draft is " + d.path("draft.md") + ", in the folder of the sample; bind judges it, it does not write it"}, answerLines(r)...)
	d.report("A draft, bound: one claim is quoted, one is an inference and says so, one is removed", r, lines...)
	return d.must(r.Outcome == "labeled" && len(r.Removed) == 1, "the bound draft gave "+r.Outcome)
}

func (d *demo) askCategory(ctx context.Context) error {
	_, err := d.ask(ctx, "A category refusal: nothing is read for a question about what came later",
		"What did she think of the moon landing in 1969?", "refused", "category")
	return err
}

func (d *demo) askRestricted(ctx context.Context) error {
	r, err := d.ask(ctx, "A consent block: the source supports the answer, its words are for auditors only",
		"What did Dr. Marsh tell her to give up?", "supported", "")
	if err != nil {
		return err
	}
	ok := len(r.Claims) > 0
	for _, c := range r.Claims {
		ok = ok && c.Restricted
		for _, e := range c.Citations {
			ok = ok && e.Restricted && e.Quote == ""
		}
	}
	return d.must(ok, "the restricted source")
}

func (d *demo) askThirdParty(ctx context.Context) error {
	_, err := d.ask(ctx, "A third party is protected", "What did Ines Roth tell her about the child on the bridge?", "refused", "consent")
	return err
}

func (d *demo) seal(ctx context.Context) error {
	d.bundle, d.display = d.path("answer.zip"), d.path("display.zip")
	question := "What did they carry up the ladder in January 1933?"
	r, err := answer.Ask(ctx, d.archive, question, answer.AskOptions{Signer: d.signer, BundleFile: d.bundle, DisplayFile: d.display})
	if err != nil {
		return err
	}
	d.report("The answer as a sealed bundle", r, append([]string{"question: " + question}, append(answerLines(r),
		"complete and sealed for auditors: "+d.bundle, "the same record as its reader sees it: "+d.display)...)...)
	return d.must(len(r.Claims) > 0, "the sealed answer")
}

func (d *demo) verifyOffline(context.Context) error {
	var lines []string
	for _, file := range []string{d.bundle, d.display} {
		v, err := audit.VerifyBundle(file, audit.VerifyOptions{Allowed: d.trust})
		if err != nil {
			return err
		}
		lines = append(lines, v.Verdict+"  "+file)
		if file == d.display {
			for _, a := range v.Axes {
				lines = append(lines, fmt.Sprintf("%-11s %s: %s", a.Result, a.Name, a.Reason))
			}
		}
		if err := d.must(v.Verdict == "VALID", "verification of "+file); err != nil {
			return err
		}
	}
	d.report("Verified offline: no archive, no network, no account", nil, lines...)
	return nil
}

func (d *demo) openSealed(context.Context) error {
	identity, err := history.ArchivistIdentity(d.archive)
	if err != nil {
		return err
	}
	r, err := audit.OpenBundle(d.bundle, identity, "", nil)
	if err != nil {
		return err
	}
	lines := []string{fmt.Sprintf("%d of %d leaves, each checked against its commitment; record complete: %v", r.Opened, r.Leaves, r.Complete)}
	for _, c := range r.Claims {
		for _, s := range c.Citations {
			lines = append(lines, "artifact "+s.Artifact, "snapshot "+s.Snapshot, fmt.Sprintf("span %s, relation %s", s.Span, s.Relation))
		}
	}
	d.report("Opened by an auditor: the same record, with all four fields of every citation", r, lines...)
	return d.must(r.Complete && len(r.Claims) > 0 && r.Claims[0].Citations[0].Artifact != "", "opening the bundle")
}

// tamper unpacks the display copy twice, changes one byte of the quoted words
// in the second, and verifies both.
func (d *demo) tamper(context.Context) error {
	b, err := bundlefile.Read(d.display)
	if err != nil {
		return d.must(false, err.Error())
	}
	files, forged := b.Files(), ""
	if err := d.unpack("display", files); err != nil {
		return err
	}
	for name, content := range files {
		if at := strings.Index(string(content), "fifty-two sacks"); at >= 0 && strings.Contains(string(content), `"kind":"chunk"`) {
			content[at], forged = 's', name // sifty-two sacks
		}
	}
	if err := d.must(forged != "", "finding the words to forge"); err != nil {
		return err
	}
	if err := d.unpack("forged", files); err != nil {
		return err
	}
	var verdicts []*audit.BundleVerdict
	for _, dir := range []string{"display", "forged"} {
		v, err := audit.VerifyBundle(d.path(dir), audit.VerifyOptions{Allowed: d.trust})
		if err != nil {
			return err
		}
		verdicts = append(verdicts, v)
	}
	lines := []string{verdicts[0].Verdict + "  " + d.path("display") + ", the display copy unpacked",
		fmt.Sprintf("%s  %s, the same with one letter of the quoted words changed in %s", verdicts[1].Verdict, d.path("forged"), forged)}
	for _, a := range verdicts[1].Axes {
		if a.Result == bundle.Fail {
			lines = append(lines, fmt.Sprintf("FAIL %s: %s", a.Name, a.Reason))
		}
	}
	d.report("A forgery, caught", verdicts[1], lines...)
	return d.must(verdicts[0].Verdict == bundle.Valid && verdicts[1].Verdict == bundle.Invalid, "the forgery")
}

// unpack writes the files of a bundle into a new folder.
func (d *demo) unpack(name string, files map[string][]byte) error {
	for file, content := range files {
		to := filepath.Join(d.path(name), filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return d.environment(err)
		}
		if err := os.WriteFile(to, content, 0o666); err != nil {
			return d.environment(err)
		}
	}
	return nil
}

func (d *demo) verifyArchive(context.Context) error {
	v, err := audit.Verify(d.archive, audit.ArchiveVerifyOptions{Allowed: d.trust})
	if err != nil {
		return err
	}
	d.report("The whole archive, verified", v, fmt.Sprintf("%s: %d objects hashed again, %d failed, %d absent, %d not checked", v.Verdict, v.Checked, v.Failed, v.Absent, v.NotChecked))
	return d.must(v.Verdict == "VALID", "the archive")
}

func (d *demo) end() error {
	if d.p.json {
		return nil
	}
	d.p.out("")
	d.p.out("What was proved: the words were in this artifact, in this signed snapshot, and the")
	d.p.out("answer is what was signed. What was not: that what the papers say is true.")
	d.p.out("")
	d.p.out("Everything is in %s", d.dir)
	d.p.out("next: muniment verify %s --trust %s", d.display, d.path("allowed_signers"))
	d.p.out("or, with stock tools: cd %s && sha256sum -c --ignore-missing SHA256SUMS", d.path("display"))
	return nil
}
