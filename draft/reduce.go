package draft

import (
	"context"
	"fmt"
	"muniment/bundle/display"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/contract"
	"muniment/engine"
)

// A Reduction is a draft without what the rules of a profile remove.
type Reduction struct {
	Text    string
	Notices []string
	Cut     []Cut
}

// A Cut names a part of a draft that was removed, without its words, and the reason.
type Cut struct{ Topic, Reason string }

// Reduce removes from a draft what a profile's rules refuse. A draft that does not suffice is an error.
func Reduce(ctx context.Context, a *archive.Archive, draft string, o CheckOptions) (*Reduction, error) {
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		return nil, err
	}
	r, err := Check(ctx, e, draft, o)
	if err != nil {
		return nil, err
	}
	if r.Decision != string(contract.Deliver) {
		return nil, &problem.Error{Kind: problem.VerdictNegative, Message: "the draft does not suffice under the profile " + r.Profile, Partial: r,
			Next: problem.Next(DoCheck, r.Profile)}
	}
	text := r.Text
	if at := strings.LastIndex(text, "\n## References\n"); at >= 0 {
		text = text[:at]
	}
	text = strings.ReplaceAll(text, " "+contract.NotFromArchive, "") // bind decides that for itself
	out := &Reduction{Text: text}
	for _, f := range r.Findings {
		if f.Action == contract.ActionRemoved {
			topic := fmt.Sprintf("the draft's bullet %d", f.Bullet) // not its words, which may be why it was cut
			if f.Section != "" {
				topic += " of section " + f.Section
			}
			out.Cut = append(out.Cut, Cut{topic, fmt.Sprintf("%s; removed under the profile %s", f.Fault, r.Profile)})
		}
	}
	out.Notices = []string{fmt.Sprintf("checked under the profile %s: %d of %d bullets were bound, %d removed", r.Profile, r.Report.CitedBullets, r.Report.TotalBullets, r.Report.RemovedBullets)}
	if r.RemovedSentences > 0 {
		out.Notices = append(out.Notices, display.CountOf(r.RemovedSentences, "sentence of a bullet that stays was removed", "sentences of bullets that stay were removed"))
	}
	if len(r.Unverified) > 0 {
		out.Notices = append(out.Notices, r.UnverifiedNotice())
	}
	return out, nil
}
