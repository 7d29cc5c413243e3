package examination

import (
	"context"
	"path/filepath"

	"muniment/answer"
	"muniment/archive"
)

// Seal signs and logs a report as a bundle of one archive: the words of its papers with their citations, and the
// verdicts. Items whose words are in other archives are there with their verdict alone.
func Seal(ctx context.Context, a *archive.Archive, r *Report, o answer.AskOptions) (*answer.Result, error) {
	e := answer.ExaminedText{Name: filepath.Base(r.Document.Name), SHA256: r.Document.SHA256}
	for _, i := range r.Worst() {
		item := answer.ExaminedItem{Text: i.Text, Verdict: string(i.Verdict), Reason: i.Reason, Good: i.Verdict != Uncheckable && !i.Bad()}
		if i.Bad() && !i.Verdict.Bad() {
			item.Verdict, item.Reason = "contradicted", i.Claim.Reason
		}
		if i.Found != nil && i.Found.Archive == a.ID().String() {
			item.Artifact, item.Span = i.Found.Artifact, i.Found.Span
		}
		e.Items = append(e.Items, item)
	}
	return answer.SealExamination(ctx, a, e, o)
}
