package bundle

import (
	"fmt"
	"slices"

	"muniment/cid"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// JudgeArchive returns the axis of the archive: whether something that is signed
// in an archive, by keys in a namespace, is of the archive that the verifier means.
// The verifier names it by Requirements.Archive, by the trust root, or by a line of
// the allowed signers.
func (q Requirements) JudgeArchive(archive cid.ID, namespace string, keys []sign.Key) Axis {
	axis := func(r Result, format string, args ...any) Axis {
		return Axis{AxisArchive, r, fmt.Sprintf(format, args...)}
	}
	switch {
	case !q.Archive.IsZero() && q.Archive != archive:
		return axis(Fail, "it is of the archive %s, and %s is the one that was asked for", archive, q.Archive)
	case q.Root != nil && q.Root.Archive != archive:
		return axis(Fail, "it is of the archive %s, and the trust root is of %s", archive, q.Root.Archive)
	}
	var named []cid.ID
	for _, k := range keys {
		named = append(named, q.Allowed.Archives(k, namespace)...)
	}
	isOther := func(id cid.ID) bool { return !id.IsZero() && id != archive }
	switch {
	case !q.Archive.IsZero():
		return axis(Pass, "it is of the archive %s, which was asked for", archive)
	case q.Root != nil:
		return axis(Pass, "it is of the archive %s, as is the trust root", archive)
	case slices.Contains(named, archive):
		return axis(Pass, "it is of the archive %s, which the trust file names beside the key", archive)
	case len(named) > 0 && !slices.ContainsFunc(named, func(id cid.ID) bool { return !isOther(id) }):
		return axis(Fail, "it is of the archive %s, and the trust file trusts its keys in the archive %s only", archive, named[0])
	}
	return axis(NotChecked, "it says that it is of the archive %s; nothing was given that says which archive is meant", archive)
}

// undersigned returns the reason why a snapshot's own signature does not suffice where the
// trust root asks for more keys, and "" where it does. Countersignatures lie in the archive:
// neither a bundle nor a proof carries them.
func (q Requirements) undersigned(s *snapshot.Snapshot) string {
	if q.Root == nil || q.Root.Reached(trust.Snapshot, []sign.Key{s.Key}) {
		return ""
	}
	t := q.Root.Thresholds[trust.Snapshot]
	return fmt.Sprintf("snapshot %d is signed by %s alone here; the trust root asks for %d keys of %d organisations, and the archive holds the countersignatures", s.Seq, s.Key.Fingerprint(), t.Keys, t.Orgs)
}

// judgeSnapshotKey requires the key that signed a snapshot to count by itself,
// without the history; every key counts where q brings no trust. unshown is the
// reason why the key may have signed after its end, or after it was revoked: the
// Seq is then one that the signer alone has chosen. vouched says that another key,
// which counts, has signed what names the snapshot.
func (q Requirements) judgeSnapshotKey(s *snapshot.Snapshot, vouched bool) (unshown string, err error) {
	switch {
	case q.Root != nil:
		j := q.Root.Judge(trust.Snapshot, s.Key, trust.Seq(s.Seq))
		switch {
		case j.Standing == trust.Pinned && j.Revocation.Snapshot == s.ID:
		case j.Standing == trust.Pinned && s.Seq < j.Revocation.Last.Number:
			unshown = j.Reason() + "; the archive's history shows it"
		case !j.Counts():
			return "", fmt.Errorf("snapshot %d is signed by %s: %s", s.Seq, s.Key.Fingerprint(), j.Reason())
		case j.HasEnd() && !vouched:
			unshown = j.Reason() + ", and only that key says that this is snapshot " + fmt.Sprint(s.Seq) + "; ask for a proof from a later snapshot"
		}
	case q.Allowed != nil:
		if _, ok := q.Allowed.Allows(s.Key, sign.NamespaceGit, s.Archive); !ok {
			return "", fmt.Errorf("the snapshot is signed by %s, which is not trusted for snapshots", s.Key.Fingerprint())
		}
	}
	return unshown, nil
}
