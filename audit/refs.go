package audit

import (
	"fmt"
	"maps"
	"muniment/bundle/display"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/bundle"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// verifyRefs adds the axis of tags and refs. Every ref must name an object that is
// here, and no ref that was here before may be gone. A tag must have the form and
// the signature of a tag and name the snapshot that it says; its key must be one
// that permit allows to sign snapshots, where permit is not nil.
func verifyRefs(a *archive.Archive, v *ArchiveVerdict, permit snapshot.Permit) {
	axis := bundle.Axis{Name: "tags and refs", Result: bundle.Pass}
	refs, lost, err := a.FindLostRefs()
	_, unknown := a.KnownRefs()
	if unknown != nil { // the refs that are here are verified all the same
		refs, err = a.Store().Refs()
	}
	var peeled map[string]objects.Hash
	if err == nil {
		peeled, err = a.Store().Peeled()
	}
	if err != nil {
		axis.Result, axis.Reason = bundle.Fail, err.Error()
		v.Axes = append(v.Axes, axis)
		return
	}
	names := slices.Collect(maps.Keys(refs))
	for name := range lost {
		if refs[name].IsZero() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	tags, bad := 0, 0
	for _, name := range names {
		state, err := objects.Failed, error(nil)
		short, tag := strings.CutPrefix(name, archive.RefTags)
		switch {
		case refs[name].IsZero():
			state, err = objects.Absent, lost[name]
		case lost[name] != nil:
			err = lost[name]
		case !a.Store().Has(refs[name]):
			state, err = objects.Absent, fmt.Errorf("it names %s, which is not here", refs[name])
		case tag:
			tags++
			err = verifyTag(a, short, refs[name], peeled[name], permit)
		}
		if err == nil {
			continue
		}
		bad++
		if state == objects.Absent {
			v.Absent++
		} else {
			v.Checked++
			v.Failed++
		}
		v.Problems = append(v.Problems, archive.CheckProblem{Seq: v.Seq, Path: name, State: string(state), Reason: err.Error()})
	}
	axis.Reason = fmt.Sprintf("%s, and what each names is here; %s, each of a snapshot of this archive", display.Count(len(refs), "ref"), display.Count(tags, "tag"))
	if unknown != nil {
		axis.Result, axis.Reason = bundle.NotChecked, "whether any is gone is not known: the note of this copy is damaged: "+archive.LocalDir+"/"+archive.JournalFile
	}
	if bad > 0 {
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("%d of %d refs do not hold", bad, len(names))
	}
	v.Axes = append(v.Axes, axis)
}

// verifyTag returns an error where a tag does not verify. peeled is the commit that
// the file of packed refs gives for the tag, or zero.
func verifyTag(a *archive.Archive, name string, h, peeled objects.Hash, permit snapshot.Permit) error {
	t, s, err := a.OpenTag(name, h)
	if err != nil {
		return err
	}
	if !peeled.IsZero() && peeled != t.Commit {
		return fmt.Errorf("packed-refs leads git to %s, the tag names %s", peeled, t.Commit)
	}
	if permit == nil {
		return nil
	}
	err = permit(trust.Snapshot, s, []sign.Key{t.Key})
	if snapshot.IsUndersigned(err) { // a tag has one signature; the threshold is of snapshots
		return nil
	}
	return err
}
