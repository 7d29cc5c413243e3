// Package remote speaks git's protocol with the hosts that keep copies of an
// archive: over a path or file://, ssh://, http(s):// and git://.
//
//	r, err := remote.Open("ssh://host/letters.git", remote.Options{})
//	refs, err := r.Refs(ctx)
//	err = r.Fetch(ctx, wants, haves, func(pack io.Reader) error { … })
//	err = r.Push(ctx, updates, selection)
//
// It moves packs and refs and judges neither: what arrives is whatever the other side chose to send. Only the refs
// that IsExchanged accepts are listed or named. A ref is created, or moved from the value that the other side has just
// shown; nothing is forced and nothing deleted.
//
// Connecting is the one part of an archive that reads the user's surroundings, as git does: the home folder with
// ~/.ssh/config, ~/.ssh/known_hosts, key files and ~/.netrc, SSH_AUTH_SOCK, the proxy variables, and for a web server
// that asks for a password the program `git credential`; certificates are those of the system, or of GIT_SSL_CAINFO or
// git's http.sslCAInfo. An unknown or changed host key is refused. Secrets never come in a URL or a flag, and a
// password does not follow a redirect to another host.
//
// Limits. A peer that is silent for Options.Stall ends the session. The pack's
// size is bounded by its reader, the list of refs by MaxAdvert and MaxRefs.
package remote

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/git"

	"muniment/objects"
)

const (
	// MaxRefs is how many refs a peer may show: an archive has one branch, its tags, and a log for each answering key.
	MaxRefs = 100_000

	// DefaultStall is how long a peer may be silent: git itself repacks for minutes before it sends the first byte of a
	// large clone, and says so meanwhile.
	DefaultStall = 2 * time.Minute
)

// Errors that callers branch on, found with errors.Is.
var (
	ErrNoRepository = errors.New("there is no git repository")
	ErrFile         = errors.New("it is a file, want a git repository")
	ErrAuth         = errors.New("not let in")
	ErrHostKey      = errors.New("host key is not known")
	ErrStalled      = errors.New("no answer")
	ErrFormat       = errors.New("its objects are named by SHA-256, an archive's by SHA-1")

	// ErrSecret reports an address that holds a password or a token.
	ErrSecret = errors.New("a password or token in an address would be kept and shown: leave it to git credential, or to ~/.netrc")

	// ErrRefused marks a push that the other side has read and rejected.
	ErrRefused = errors.New("refused by the remote")
)

// Options change how a remote is reached. The zero value reaches it as git does.
type Options struct {
	Stall time.Duration // DefaultStall when zero
	Home  string        // the user's home folder when empty
	Ask   bool          // let git's credential helpers ask the person at the terminal
}

// A Remote is an address, not a connection: each method makes one of its own.
type Remote struct {
	url      string
	given    transport.Endpoint  // as the address has it
	endpoint *transport.Endpoint // as the user's ssh configuration resolves it
	options  Options
	secret   *secret // for http, once the server requested it
}

// IsExchanged reports whether a ref is one that archives exchange: main, tags, logs and countersignatures.
func IsExchanged(name string) bool {
	for _, prefix := range []string{"refs/tags/", "refs/muniment/log/"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			return true
		}
	}
	return name == "refs/heads/main" || name == "refs/muniment/cosigs"
}

// Open parses an address and returns its Remote. Nothing is connected.
func Open(address string, o Options) (*Remote, error) {
	if scheme, _, ok := strings.Cut(address, "::"); ok && !strings.ContainsAny(scheme, "/[") {
		return nil, fmt.Errorf("%s:: names a program to run: a path, file, ssh, http, https or git", scheme)
	}
	if address == "" || strings.HasPrefix(address, "-") || strings.ContainsAny(address, "\x00\n\r") {
		return nil, fmt.Errorf("%q is not the address of a repository", Redacted(address))
	}
	o.Stall = cmp.Or(o.Stall, DefaultStall)
	if o.Home == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		o.Home = home
	}
	ep, err := transport.NewEndpoint(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not the address of a repository", Redacted(address))
	}
	if Redacted(address) != address {
		return nil, ErrSecret
	}
	switch ep.Protocol {
	case "file":
		if ep.Path, err = filepath.Abs(ep.Path); err != nil {
			return nil, err
		}
		// A folder that holds an archive stands for its repository.
		if inner := filepath.Join(ep.Path, "archive.git"); isDir(inner) {
			ep.Path = inner
		}
	case "ssh", "http", "https", "git":
		if strings.HasPrefix(ep.Host, "-") || ep.Host == "" {
			return nil, fmt.Errorf("%q names no host", Redacted(address))
		}
	default:
		return nil, fmt.Errorf("%s:// is not spoken here: a path, file, ssh, http, https or git", ep.Protocol)
	}
	return &Remote{url: address, given: *ep, endpoint: ep, options: o}, nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// errNotOpen is the error of the calls of a Remote that Open did not return.
var errNotOpen = errors.New("the remote has no address")

// Path returns the folder of a repository on this machine, or "".
func (r *Remote) Path() string {
	if r.endpoint == nil || r.endpoint.Protocol != "file" {
		return ""
	}
	return r.endpoint.Path
}

// transport returns the transport that makes sessions, and the authentication
// method, nil where the protocol needs none.
func (r *Remote) transport() (transport.Transport, transport.AuthMethod, error) {
	switch r.endpoint.Protocol {
	case "file":
		return localTransport{}, nil, nil
	case "git":
		return git.DefaultClient, nil, nil
	case "ssh":
		return r.ssh()
	}
	return r.http(nil)
}

// Refs returns the refs of the other side that IsExchanged accepts. A repository with nothing in it has none.
func (r *Remote) Refs(ctx context.Context) (map[string]objects.Hash, error) {
	var refs map[string]objects.Hash
	err := r.withSecret(func() error {
		return r.upload(ctx, func(_ context.Context, _ transport.UploadPackSession, adv *packp.AdvRefs) (err error) {
			refs, err = exchangedRefs(adv)
			return err
		})
	})
	return refs, err
}

// exchangedRefs returns the refs of an advertisement that archives exchange.
func exchangedRefs(adv *packp.AdvRefs) (map[string]objects.Hash, error) {
	refs := map[string]objects.Hash{}
	if adv == nil {
		return refs, nil
	}
	if len(adv.References) > MaxRefs {
		return nil, fmt.Errorf("it shows %d refs, limit %d", len(adv.References), MaxRefs)
	}
	for name, h := range adv.References {
		if IsExchanged(name) && !h.IsZero() {
			refs[name] = objects.Hash(h)
		}
	}
	return refs, nil
}

// upload calls fn with a session that fetches and the refs that it advertised.
// adv is nil for a repository with nothing in it.
func (r *Remote) upload(ctx context.Context, fn func(context.Context, transport.UploadPackSession, *packp.AdvRefs) error) error {
	return r.watch(ctx, func(ctx context.Context) error {
		tr, auth, err := r.transport()
		if err != nil {
			return err
		}
		session, err := tr.NewUploadPackSession(r.copyEndpoint(), auth)
		if err != nil {
			return err
		}
		defer session.Close()
		free := limitAdvert(session)
		adv, err := session.AdvertisedReferencesContext(ctx)
		free()
		if errors.Is(err, transport.ErrEmptyRemoteRepository) {
			adv, err = nil, nil
		}
		if err != nil {
			return err
		}
		return fn(ctx, session, adv)
	})
}

// copyEndpoint returns a copy of the endpoint, for a session changes its own when it is redirected.
func (r *Remote) copyEndpoint() *transport.Endpoint {
	ep := *r.endpoint
	return &ep
}

// Fetch requests the objects that are reachable from wants and not from haves,
// and calls read with their pack. What read leaves unread is dropped.
func (r *Remote) Fetch(ctx context.Context, wants, haves []objects.Hash, read func(pack io.Reader) error) error {
	return r.withSecret(func() error {
		return r.upload(ctx, func(ctx context.Context, session transport.UploadPackSession, adv *packp.AdvRefs) error {
			if adv == nil {
				return errors.New("the repository is empty")
			}
			req := packp.NewUploadPackRequestFromCapabilities(adv.Capabilities)
			req.Wants, req.Haves = hashes(wants), hashes(haves)
			answer, err := session.UploadPack(ctx, req)
			if err != nil {
				return err
			}
			defer answer.Close()
			alive := heartbeat(ctx)
			var pack io.Reader = &progressReader{answer, alive}
			switch {
			case req.Capabilities.Supports(capability.Sideband64k):
				d := sideband.NewDemuxer(sideband.Sideband64k, pack)
				d.Progress = io.Discard
				pack = d
			case req.Capabilities.Supports(capability.Sideband):
				d := sideband.NewDemuxer(sideband.Sideband, pack)
				d.Progress = io.Discard
				pack = d
			}
			return read(pack)
		})
	})
}

func hashes(in []objects.Hash) []plumbing.Hash {
	out := make([]plumbing.Hash, len(in))
	for i, h := range in {
		out[i] = plumbing.Hash(h)
	}
	return out
}

// A Packer writes the pack of a push: an objects.Selection.
type Packer interface {
	WritePack(w io.Writer, progress func(done int)) error
}

// Push sends a pack with ref updates that create or move refs; each Old must be what Refs showed. When the other side
// rejects a ref update, the error is an ErrRefused with the words of the other side. progress may be nil.
func (r *Remote) Push(ctx context.Context, updates []objects.RefUpdate, pack Packer, progress func(done int)) error {
	if len(updates) == 0 {
		return nil
	}
	req := packp.NewReferenceUpdateRequest()
	for _, u := range updates {
		if !IsExchanged(u.Name) || u.New.IsZero() {
			return fmt.Errorf("ref %s is not one that archives exchange", u.Name)
		}
		req.Commands = append(req.Commands, &packp.Command{Name: plumbing.ReferenceName(u.Name), Old: plumbing.Hash(u.Old), New: plumbing.Hash(u.New)})
	}
	return r.withSecret(func() error {
		return r.watch(ctx, func(ctx context.Context) error { return r.push(ctx, req, pack, progress) })
	})
}

func (r *Remote) push(ctx context.Context, req *packp.ReferenceUpdateRequest, pack Packer, progress func(done int)) error {
	alive := heartbeat(ctx)
	body := &packBody{pack: pack, progress: func(done int) {
		alive()
		if progress != nil {
			progress(done)
		}
	}}
	tr, auth, err := r.transport()
	if err != nil {
		return err
	}
	if r.isHTTP() {
		// The http session would hold the pack in memory.
		spool, err := spool(body)
		if err != nil {
			return err
		}
		defer os.Remove(spool.Name())
		defer spool.Close()
		if tr, auth, err = r.http(spool); err != nil {
			return err
		}
	}
	session, err := tr.NewReceivePackSession(r.copyEndpoint(), auth)
	if err != nil {
		return err
	}
	defer session.Close()
	free := limitAdvert(session)
	adv, err := session.AdvertisedReferencesContext(ctx)
	free()
	if err != nil && !errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return err
	}
	if adv != nil {
		for _, c := range []capability.Capability{capability.ReportStatus, capability.OFSDelta} {
			if adv.Capabilities.Supports(c) {
				req.Capabilities.Set(c)
			}
		}
	}
	if !r.isHTTP() {
		req.Packfile = body
	}
	report, err := session.ReceivePack(ctx, req)
	if report != nil {
		if e := report.Error(); e != nil {
			return fmt.Errorf("%w: %s", ErrRefused, e)
		}
	}
	return err
}

// A packBody is the pack of a push as the transports take it: they copy it with io.Copy, which calls WriteTo.
type packBody struct {
	pack     Packer
	progress func(done int)
}

// sendBuffer gathers entries, most of which are below a kilobyte.
const sendBuffer = 256 << 10

// WriteTo implements io.WriterTo.
func (s *packBody) WriteTo(w io.Writer) (int64, error) {
	out := bufio.NewWriterSize(w, sendBuffer)
	if err := s.pack.WritePack(out, s.progress); err != nil {
		return 0, err
	}
	return 0, out.Flush()
}

// Read implements io.Reader, which the transports require and do not call.
func (s *packBody) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// Close implements io.Closer.
func (s *packBody) Close() error { return nil }

func (r *Remote) isHTTP() bool {
	return r.endpoint != nil && (r.endpoint.Protocol == "http" || r.endpoint.Protocol == "https")
}
