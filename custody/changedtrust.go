package custody

import (
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/snapshot"
)

// noteTrustBefore notes the trust of the newest snapshot that is here as accepted
// where nothing was noted yet, so that a fetch that changes it is recognised.
func noteTrustBefore(a *archive.Repository, ours *snapshot.Snapshot) error {
	accepted, err := a.AcceptedTrust()
	if err != nil || accepted != "" || ours == nil {
		return err
	}
	digest, err := a.TrustDigest(ours.Tree)
	if err != nil {
		return err
	}
	return a.AcceptTrust(digest)
}

// mayPushTrust refuses to push a snapshot whose trust nobody here has signed or accepted: what a remote brought under
// changed trust goes no further by itself. accept is the digest that a person accepts, "" for none.
func mayPushTrust(a *archive.Repository, head *snapshot.Snapshot, accept string) error {
	accepted, err := a.AcceptedTrust()
	if err != nil || accepted == "" {
		return err
	}
	digest, err := a.TrustDigest(head.Tree)
	switch {
	case err != nil || digest == accepted:
		return err
	case accept == digest:
		return a.AcceptTrust(digest)
	}
	return problem.New(problem.NotPermitted, problem.Next(problem.DoGive, "accept-trust", digest).With("compare the digest with the archive's owner first"),
		"the trust in this archive changed with what was fetched and nobody here has accepted it: its digest is now %s, nothing was sent", digest)
}
