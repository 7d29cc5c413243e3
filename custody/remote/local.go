package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// localSettings are given to git for every call that reads or writes a repository on this machine, which may be
// somebody else's: nothing that its config or its hooks name is run. They go before the config of the repository.
var localSettings = []string{
	"core.hooksPath=" + os.DevNull,     // no hooks
	"core.alternateRefsCommand=true",   // the program that does nothing; an empty value would be run
	"core.fsmonitor=false",             // no monitor
	"receive.denyCurrentBranch=refuse", // no checkout, which would run filters
	"receive.autogc=false",             // no maintenance behind our back
	"gc.auto=0", "maintenance.auto=false",
}

// gitPlaces are the variables that tell git of another repository than the one that is meant.
var gitPlaces = []string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE"}

// gitCommand returns git with arguments in the environment of this process, but
// for what names a repository. The variables in more are set.
func gitCommand(ctx context.Context, more []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(gitPlaces, name)
	})
	cmd.Env = append(cmd.Env, more...)
	return cmd
}

// userGit returns git with arguments, which obeys the configuration of the user
// and the system and no repository's: the working folder may be somebody else's.
func (r *Remote) userGit(ctx context.Context, args ...string) *exec.Cmd {
	cmd := gitCommand(ctx, []string{"HOME=" + r.options.Home, "GIT_DIR=" + os.DevNull}, args...)
	cmd.Dir = r.options.Home
	return cmd
}

// A localTransport makes sessions with git on this machine.
type localTransport struct{}

// NewUploadPackSession implements transport.Transport.
func (localTransport) NewUploadPackSession(ep *transport.Endpoint, _ transport.AuthMethod) (transport.UploadPackSession, error) {
	return startLocal("upload-pack", ep.Path)
}

// NewReceivePackSession implements transport.Transport.
func (localTransport) NewReceivePackSession(ep *transport.Endpoint, _ transport.AuthMethod) (transport.ReceivePackSession, error) {
	return startLocal("receive-pack", ep.Path)
}

// A localSession is a running git upload-pack or receive-pack.
type localSession struct {
	Stdout io.Reader // a field that limitAdvert knows

	stdin   io.WriteCloser
	cmd     *exec.Cmd
	kill    context.CancelFunc
	wait    func() error // once
	said    bytes.Buffer // stderr; read after wait
	service string
	refs    *packp.AdvRefs
}

// startLocal starts a service of git for the repository at a path.
func startLocal(service, path string) (*localSession, error) {
	var args []string
	for _, s := range localSettings {
		args = append(args, "-c", s)
	}
	ctx, kill := context.WithCancel(context.Background())
	s := &localSession{service: service, kill: kill, cmd: gitCommand(ctx, []string{"GIT_NO_LAZY_FETCH=1"}, append(args, service, path)...)}
	s.cmd.Stderr = &firstBytes{&s.said}
	s.wait = sync.OnceValue(s.cmd.Wait)
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err == nil {
		if s.Stdout, err = s.cmd.StdoutPipe(); err == nil {
			err = s.cmd.Start()
		}
	}
	if err != nil {
		kill()
		return nil, err
	}
	return s, nil
}

// firstBytes keeps the beginning of what is written, and takes the rest.
type firstBytes struct{ to *bytes.Buffer }

// maxSaid is how much of git's words to a person is kept: some lines.
const maxSaid = 4 << 10

// Write implements io.Writer.
func (f *firstBytes) Write(p []byte) (int, error) {
	f.to.Write(p[:min(len(p), maxSaid-min(f.to.Len(), maxSaid))])
	return len(p), nil
}

// AdvertisedReferences implements transport.Session.
func (s *localSession) AdvertisedReferences() (*packp.AdvRefs, error) {
	return s.AdvertisedReferencesContext(context.Background())
}

// AdvertisedReferencesContext implements transport.Session.
func (s *localSession) AdvertisedReferencesContext(ctx context.Context) (*packp.AdvRefs, error) {
	if s.refs != nil {
		return s.refs, nil
	}
	defer context.AfterFunc(ctx, s.kill)()
	refs := packp.NewAdvRefs()
	err := refs.Decode(s.Stdout)
	var remote *pktline.ErrorLine
	switch {
	case errors.Is(err, packp.ErrEmptyInput):
		return nil, s.failure()
	case errors.As(err, &remote):
		return nil, remote
	case err != nil && !errors.Is(err, packp.ErrEmptyAdvRefs):
		return nil, err
	case s.service == "upload-pack" && refs.IsEmpty():
		return nil, transport.ErrEmptyRemoteRepository
	}
	transport.FilterUnsupportedCapabilities(refs.Capabilities)
	s.refs = refs
	return refs, nil
}

// failure returns the error of a git that ended without an answer.
func (s *localSession) failure() error {
	s.stdin.Close()
	err := s.wait()
	line, _, _ := strings.Cut(strings.TrimSpace(s.said.String()), "\n")
	switch {
	case strings.Contains(line, "does not appear to be a git repository"):
		return transport.ErrRepositoryNotFound
	case line != "":
		return errors.New(line)
	case err != nil:
		return fmt.Errorf("git %s: %w", s.service, err)
	}
	return io.ErrUnexpectedEOF
}

// UploadPack implements transport.UploadPackSession.
func (s *localSession) UploadPack(ctx context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if req.IsEmpty() {
		return nil, transport.ErrEmptyUploadPackRequest
	}
	if err := req.Validate(); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.kill)
	err := req.UploadRequest.Encode(s.stdin)
	if err == nil {
		err = req.UploadHaves.Encode(s.stdin, true)
	}
	if err == nil {
		err = pktline.NewEncoder(s.stdin).Encodef("done\n")
	}
	if err = errors.Join(err, s.stdin.Close()); err != nil {
		stop()
		return nil, err
	}
	answer := packp.NewUploadPackResponse(req)
	if err := answer.Decode(struct {
		io.Reader
		io.Closer
	}{s.Stdout, s}); err != nil {
		return nil, err
	}
	return answer, nil
}

// ReceivePack implements transport.ReceivePackSession.
func (s *localSession) ReceivePack(ctx context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	defer context.AfterFunc(ctx, s.kill)()
	err := req.Encode(s.stdin)
	if err = errors.Join(err, s.stdin.Close()); err != nil {
		return nil, err
	}
	if !req.Capabilities.Supports(capability.ReportStatus) {
		return nil, s.wait()
	}
	report := packp.NewReportStatus()
	if err := report.Decode(s.Stdout); err != nil {
		return nil, err
	}
	if err := report.Error(); err != nil {
		return report, err
	}
	return report, s.wait()
}

// Close ends git. One that still waits for a request gets the empty one.
func (s *localSession) Close() error {
	_, _ = s.stdin.Write(pktline.FlushPkt) // it may have ended
	s.stdin.Close()
	s.kill()
	_ = s.wait() // killed, as a rule
	return nil
}
