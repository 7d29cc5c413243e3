package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"muniment/bundle/display"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/trust"
)

// judgeWitnesses counts the cosignatures of the checkpoint: those of keys with the role witness
// against the threshold, those of listed witnesses against the quorum. A policy that the
// verifier brought replaces that of the trust root.
func (a *attestation) judgeWitnesses(v *Verdict) Axis {
	if a.logAxis.Result == Fail {
		return Axis{AxisWitnesses, NotChecked, "the log proof does not hold"}
	}
	note := a.b.proof.Note
	cosigned, err := sign.Cosignatures(note)
	if err != nil {
		return Axis{AxisWitnesses, Fail, display.SafeLine(err.Error())}
	}
	policy := &quorum.Policy{}
	switch {
	case a.q.Witnesses != nil:
		policy = a.q.Witnesses
	case a.q.Root != nil:
		policy = &a.q.Root.Witnesses
	}
	count, err := policy.Judge(note)
	if err != nil {
		return Axis{AxisWitnesses, Fail, display.SafeLine(err.Error())}
	}
	if n := len(count.Unknown); n > 0 {
		v.remark("%s of witnesses that nobody here lists, and not counted: %s", display.CountOf(n, "line is", "lines are"), display.SafeLine(strings.Join(count.Unknown, ", ")))
	}
	switch {
	case a.q.Witnesses != nil:
		return a.judgeQuorum(policy, count, "the witness policy")
	case a.q.Root == nil && len(cosigned) == 0:
		return Axis{AxisWitnesses, NotChecked, "nobody has cosigned the checkpoint, and no trust root was given"}
	case a.q.Root == nil:
		return Axis{AxisWitnesses, NotChecked, fmt.Sprintf("%s; no trust root says whose count", display.CountOf(len(cosigned), "cosignature is right", "cosignatures are right"))}
	}
	keyed := a.judgeWitnessKeys(v, cosigned)
	if !policy.Asks() {
		return keyed
	}
	listed := a.judgeQuorum(policy, count, "the trust root")
	if a.q.Root.Thresholds[trust.Witness].Keys == 0 {
		return listed
	}
	if keyed.Result != Pass {
		listed.Result = keyed.Result
	}
	listed.Reason = keyed.Reason + "; " + listed.Reason
	return listed
}

// judgeWitnessKeys counts the cosignatures of keys with the role witness.
func (a *attestation) judgeWitnessKeys(v *Verdict, cosigned []sign.Cosignature) Axis {
	var keys []sign.Key
	var by []string
	at := trust.Entry(a.place.Log, a.place.Epoch, a.checkpoint.Size-1)
	for _, c := range cosigned {
		j := a.q.Root.Judge(trust.Witness, c.Key, at)
		if !j.Counts() {
			v.remark("a correct cosignature by %s is not counted: %s", c.Key.Fingerprint(), j.Reason())
			continue
		}
		keys = append(keys, c.Key)
		by = append(by, j.Key.Org)
	}
	n, need := a.q.Root.Count(trust.Witness, keys), a.q.Root.Thresholds[trust.Witness]
	state := fmt.Sprintf("%s of %s cosigned the checkpoint; %d of %d are needed", display.Count(n.Keys, "witness"), display.Count(n.Orgs, "organisation"), need.Keys, need.Orgs)
	switch {
	case need.Keys == 0:
		return Axis{AxisWitnesses, NotChecked, "the trust root asks for no witness"}
	case !a.q.Root.Reached(trust.Witness, keys):
		return Axis{AxisWitnesses, NotChecked, state}
	}
	return Axis{AxisWitnesses, Pass, state + ": " + strings.Join(by, ", ")}
}

// judgeQuorum says whether enough of the listed witnesses have cosigned the checkpoint, and who
// has by when. whose names the list.
func (a *attestation) judgeQuorum(p *quorum.Policy, count *quorum.Count, whose string) Axis {
	if len(p.Logs) > 0 && !slices.ContainsFunc(p.Logs, func(l sign.LogKey) bool {
		_, err := sign.OpenCheckpoint(a.b.proof.Note, l.Key())
		return err == nil && l.Name() == a.checkpoint.Origin
	}) {
		return Axis{AxisWitnesses, NotChecked, whose + " lists other logs than this one"}
	}
	if !p.Asks() {
		return Axis{AxisWitnesses, NotChecked, whose + " asks for no witness"}
	}
	orgs := make(map[string]bool)
	var by []string
	for _, s := range count.Seen {
		orgs[s.Org] = true
		by = append(by, fmt.Sprintf("%s %s", s.Org, time.Unix(s.Time, 0).UTC().Format(trust.TimeForm)))
	}
	state := fmt.Sprintf("%d of the %s of %s cosigned the checkpoint", len(orgs), display.Count(p.Organisations(), "organisation"), whose)
	if len(by) > 0 {
		state += ": " + strings.Join(by, ", ")
	}
	if !count.Reached {
		return Axis{AxisWitnesses, NotChecked, fmt.Sprintf("%s; the quorum %s is not reached", state, p.Quorum)}
	}
	return Axis{AxisWitnesses, Pass, state}
}

// withoutForeign returns a copy of the bundle without lines of third names in its proof: no
// form of a page reads them.
func (b *Bundle) withoutForeign() *Bundle {
	proof, dropped := b.proof.WithoutForeign()
	if !dropped {
		return b
	}
	out := *b
	out.proof = proof
	out.files = maps.Clone(b.files)
	out.files[nameProof] = proof.Encode()
	return &out
}
