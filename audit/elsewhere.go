package audit

import (
	"errors"
	"fmt"
	"io"

	"muniment/archive"
	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// maxElsewhereListed bounds the list of payloads elsewhere in a verdict; the counts
// include the rest.
const maxElsewhereListed = 1000

// stateElsewhere is the state of a payload that is absent here and whose bytes were not
// asked for.
const stateElsewhere = "elsewhere"

// addElsewhere adds the axis of payloads elsewhere where the history has any: those of
// the newest snapshot are listed, and read from the payload store where read is set.
func (v *ArchiveVerdict) addElsewhere(a *archive.Archive, report *snapshot.Report, read bool) {
	if report.Elsewhere == 0 || report.Head == nil {
		return
	}
	axis := bundle.Axis{Name: "payloads elsewhere", Result: bundle.Pass}
	where := "a payload store that this copy does not name"
	if c, err := a.PayloadStoreConfig(); err == nil && c != nil {
		where = c.Address
	}
	var failed, absent, unread int64
	err := a.EachPointer(report.Head.Tree, func(path string, p *record.Pointer) error {
		v.Elsewhere++
		v.ElsewhereBytes += p.Size
		failure := archive.CheckProblem{Seq: report.Head.Seq, Path: path, State: stateElsewhere,
			Reason: fmt.Sprintf("%s, %d bytes, absent here, stored at %s", p.Payload, p.Size, where)}
		if read {
			err := readElsewhere(a, p)
			if err == nil {
				v.Checked++
				v.OK++
				return nil
			}
			state := elsewhereState(err)
			failure.State, failure.Reason = string(state), err.Error()
			switch state {
			case objects.Absent:
				absent++
			case objects.Failed:
				failed++
			default:
				unread++
			}
		} else {
			unread++
		}
		if v.Elsewhere <= maxElsewhereListed {
			v.Problems = append(v.Problems, failure)
		}
		return nil
	})
	v.Checked, v.Failed, v.Absent, v.NotChecked = v.Checked+failed, v.Failed+failed, v.Absent+absent, v.NotChecked+unread
	switch {
	case failed+absent > 0:
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("%d wrong, %d absent of %d at %s", failed, absent, v.Elsewhere, where)
	case err != nil:
		axis.Result, axis.Reason = bundle.NotChecked, err.Error()
	case read && unread > 0:
		axis.Result, axis.Reason = bundle.NotChecked, fmt.Sprintf("%d of %d could not be read from %s", unread, v.Elsewhere, where)
	case unread > 0:
		axis.Result, axis.Reason = bundle.NotChecked, fmt.Sprintf("%d payloads of %d bytes are absent here, stored at %s; their bytes were not asked for", v.Elsewhere, v.ElsewhereBytes, where)
	default:
		axis.Reason = fmt.Sprintf("%d payloads of %d bytes read from %s and hashed", v.Elsewhere, v.ElsewhereBytes, where)
	}
	v.Axes = append(v.Axes, axis)
}

// readElsewhere reads the bytes that a pointer names from the payload store and hashes
// them.
func readElsewhere(a *archive.Archive, p *record.Pointer) error {
	id, err := cid.ParseAs(cid.Raw, p.Payload)
	if err != nil {
		return err
	}
	c, err := a.PointerContent(p, id, "payload or original")
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, c)
	if err == nil && n != p.Size {
		err = fmt.Errorf("its pointer says %d bytes, and it has %d", p.Size, n)
	}
	return err
}

// elsewhereState returns the state of an external payload by the error of reading it: absent, wrong
// bytes, or unknown.
func elsewhereState(err error) objects.State {
	var failed *payloads.Error
	var unnamed *problem.Error
	switch {
	case errors.Is(err, payloads.ErrAbsent):
		return objects.Absent
	case errors.Is(err, payloads.ErrWrongBytes):
		return objects.Failed
	case errors.As(err, &failed), errors.As(err, &unnamed) && unnamed.Kind == problem.NotFound:
		return objects.NotChecked
	}
	return objects.Failed
}

// checkPointed returns an error where the bytes that the pointer in data names are not
// in the payload store.
func checkPointed(a *archive.Archive, data []byte) error {
	p, err := record.ParsePointer(data)
	if err != nil {
		return err
	}
	return readElsewhere(a, p)
}
