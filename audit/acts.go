package audit

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// The kinds of an Act, which are event types of PREMIS or, where its vocabulary has
// none, words of this archive.
const (
	ActAccession   = "accession"
	ActDescription = "metadata modification"
	ActReread      = "reread"
	ActWithdrawal  = "deaccession"
)

// An Act is something that was done with a paper, under the names of PREMIS 3.
type Act struct {
	Identifier string `json:"eventIdentifier"` // ID of the record, or of the withdrawal, that says so
	Type       string `json:"eventType"`
	DateTime   string `json:"eventDateTime"`
	Outcome    string `json:"eventOutcome"`
	Note       string `json:"eventOutcomeDetailNote"`
	Agent      string `json:"linkingAgentIdentifier"`
	Artifact   string `json:"linkingObjectIdentifier"`
}

// Acts lists the accessions, descriptions, rereadings and withdrawals of all that the
// archive holds or held until it was withdrawn, oldest first.
func Acts(a *archive.Archive) ([]Act, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	all, err := c.ReadAll()
	if err != nil {
		return nil, err
	}
	out := []Act{}
	holder := map[string]cid.ID{} // of each record
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			holder[h.ID.String()] = art.ID
		}
	}
	for _, art := range all.Artifacts {
		for _, h := range art.Records {
			out = append(out, actOf(h, art.ID, holder))
		}
	}
	for _, h := range all.LoneRecords {
		act := actOf(h, h.ID, holder)
		act.Artifact = h.ID.String()
		out = append(out, act)
	}
	withdrawn, err := a.Withdrawals()
	if err != nil {
		return nil, err
	}
	for _, w := range withdrawn {
		acts, err := withdrawalActs(a, w)
		if err != nil {
			return nil, err
		}
		out = append(out, acts...)
	}
	slices.SortStableFunc(out, func(x, y Act) int { return strings.Compare(x.DateTime, y.DateTime) })
	return out, nil
}

// actOf returns the act that a record of an artifact tells of. holder has the artifact
// of each record.
func actOf(h holdings.StoredRecord, artifact cid.ID, holder map[string]cid.ID) Act {
	act := Act{Identifier: h.ID.String(), Type: ActAccession, DateTime: h.Record.Time, Outcome: "success", Note: h.Label(), Agent: h.Record.Agent, Artifact: artifact.String()}
	if old := h.Record.Supersedes; old != "" {
		act.Type = ActDescription
		if from, ok := holder[old]; ok && from != artifact {
			act.Type = ActReread
		}
		act.Note += ", supersedes " + old
	}
	return act
}

// withdrawalActs returns the acts of an artifact that was withdrawn: its withdrawal, and
// what the last snapshot that holds it tells.
func withdrawalActs(a *archive.Archive, w archive.WithdrawnArtifact) ([]Act, error) {
	id, err := cid.ParseAs(cid.Raw, w.Artifact)
	if err != nil {
		return nil, problem.Wrap(err, "withdrawal")
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	data, err := a.File(tree, layout.WithdrawnPath(id))
	if err != nil {
		return nil, err
	}
	decision, err := record.ParseWithdrawal(data)
	if err != nil {
		return nil, problem.Wrap(err, "withdrawal of "+w.Artifact)
	}
	out := []Act{{Identifier: cid.OfJSON(data).String(), Type: ActWithdrawal, DateTime: decision.Time, Outcome: "success",
		Note: w.Name + ": " + decision.Reason + "; authority: " + decision.Authority, Agent: decision.Agent, Artifact: w.Artifact}}
	if w.Snapshot == "" {
		return out, nil
	}
	s, err := a.FindSnapshot(w.Snapshot)
	if err != nil {
		return nil, err
	}
	art, err := holdings.NewLookup(a.Store(), s.Tree).Artifact(id)
	if err != nil || art == nil {
		return out, err
	}
	for _, h := range art.Records {
		out = append(out, actOf(h, id, nil))
	}
	return out, nil
}
