package custody

import (
	"errors"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/text/legible"
)

// Transfer says how remotes are reached. The zero value reaches them as git does.
type Transfer struct {
	Stall    time.Duration         // how long a remote may be silent; 2 minutes when zero
	Ask      bool                  // credential helpers may ask the person at the terminal
	Progress func(done, total int) // objects or items of the step under way; total 0 is unknown

	// AcceptTrust is the digest of the archive's trust that a person accepts to
	// push on, where a fetch has changed it: see archive.Repository.TrustDigest.
	AcceptTrust string
}

// report calls Progress, where there is one.
func (t Transfer) report(done, total int) {
	if t.Progress != nil {
		t.Progress(done, total)
	}
}

// connect returns the remote that ref names, by its name in this archive or by its address, and what is known of it.
func connect(a *archive.Repository, ref string, t Transfer) (*RemoteInfo, *remote.Remote, error) {
	info, err := findRemote(a, ref)
	if err != nil && strings.ContainsAny(ref, "/:") {
		info, err = &RemoteInfo{URL: ref}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := openRemote(info.URL, t)
	return info, r, err
}

// openRemote returns the remote at an address; an address of no known form is an error of kind Usage.
func openRemote(url string, t Transfer) (*remote.Remote, error) {
	r, err := remote.Open(url, remote.Options{Stall: t.Stall, Ask: t.Ask})
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("an address is a path, ssh://host/path, host:path, https://host/path or git://host/path"), "%w", err)
	}
	return r, nil
}

// unreachableError reports that a remote did not answer or refused. An error that
// names its kind already passes unchanged.
func unreachableError(info *RemoteInfo, err error) error {
	var failure *problem.Error
	if err == nil || errors.As(err, &failure) {
		return err
	}
	next := problem.Advise("check the address and the network; what was done before is kept, and the same command goes on from there")
	var outcome problem.Outcome
	switch {
	case errors.Is(err, remote.ErrNoRepository):
		next = problem.Advise("make one there with git init --bare -b main PATH, or correct the address")
	case errors.Is(err, remote.ErrFile):
		next, outcome = problem.Advise("a git bundle becomes one with git clone --mirror FILE DIR.git; give DIR.git"), problem.Misused
	case errors.Is(err, remote.ErrFormat):
		next, outcome = problem.Advise("make one there with git init --bare -b main --object-format=sha1 PATH"), problem.Misused
	case errors.Is(err, remote.ErrHostKey):
		next = problem.Advise("connect once with ssh and compare the host's fingerprint; its line then stands in ~/.ssh/known_hosts")
	case errors.Is(err, remote.ErrAuth):
		next = problem.Advise("ssh: ssh-add your key, or name it in ~/.ssh/config; https: let a git credential helper or ~/.netrc know the password")
	case errors.Is(err, remote.ErrRefused):
		next, outcome = problem.Next(problem.DoFetch).With("another push may have come first"), problem.Found
	}
	message := legible.OneLine(err)
	if label := info.label(); !strings.HasPrefix(message, label+": ") {
		message = label + ": " + message
	}
	return &problem.Error{Kind: problem.Remote, Outcome: outcome, Message: message, Next: next, Err: err}
}

// refusedError reports that a remote sent objects that fail verification. An
// error that names its kind already passes unchanged.
func refusedError(info *RemoteInfo, err error) error {
	var failure *problem.Error
	if errors.As(err, &failure) {
		return err
	}
	return problem.New(problem.Verification, problem.Advise("nothing was changed here; tell its custodian, and fetch from another remote"),
		"what %s sent is refused: %w", info.label(), err)
}

// isMalformedPack reports whether err is of a pack that breaks its format, is too
// large or collides, and not of a connection that failed.
func isMalformedPack(err error) bool {
	return errors.Is(err, objects.ErrCorrupt) || errors.Is(err, objects.ErrTooLarge) || errors.Is(err, objects.ErrCollision)
}
