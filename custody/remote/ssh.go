package remote

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"github.com/kevinburke/ssh_config"
	sshagent "github.com/xanzy/ssh-agent"
	"golang.org/x/crypto/ssh"
)

// dialTimeout is how long a host may take to accept a connection.
const dialTimeout = 30 * time.Second

// sshAuth offers the agent's keys, then those of the key files.
type sshAuth struct {
	user  string
	files []string
	hosts []string // known_hosts files
	addr  string
}

func (a *sshAuth) Name() string   { return "ssh-keys" }
func (a *sshAuth) String() string { return "user " + a.user + ", agent and key files" }

// ClientConfig implements the transport's AuthMethod.
func (a *sshAuth) ClientConfig() (*ssh.ClientConfig, error) {
	known, err := gitssh.NewKnownHostsDb(a.hosts...)
	if err != nil {
		return nil, fmt.Errorf("%w: no readable known_hosts file: %w", ErrHostKey, err)
	}
	return &ssh.ClientConfig{
		User:              a.user,
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(a.signers)},
		HostKeyCallback:   known.HostKeyCallback(),
		HostKeyAlgorithms: known.HostKeyAlgorithms(a.addr),
		Timeout:           dialTimeout,
	}, nil
}

// signers returns the keys to try. Key files with a passphrase are passed over: their keys come from the agent.
func (a *sshAuth) signers() ([]ssh.Signer, error) {
	var out []ssh.Signer
	if os.Getenv("SSH_AUTH_SOCK") != "" {
		if agent, _, err := sshagent.New(); err == nil {
			if keys, err := agent.Signers(); err == nil {
				out = append(out, keys...)
			}
		}
	}
	for _, file := range a.files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if key, err := ssh.ParsePrivateKey(data); err == nil {
			out = append(out, key)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no key in the agent, and none of %s can be read without a passphrase", ErrAuth, strings.Join(a.files, ", "))
	}
	return out, nil
}

// ssh returns the transport and authentication of ssh, by the Hostname, Port, User, IdentityFile and UserKnownHostsFile
// that ~/.ssh/config and /etc/ssh/ssh_config have for the host.
func (r *Remote) ssh() (transport.Transport, transport.AuthMethod, error) {
	get, err := r.sshConfig()
	if err != nil {
		return nil, nil, err
	}
	alias := r.given.Host
	host, port, name := alias, r.given.Port, r.given.User
	if v := get(alias, "Hostname"); v != "" {
		host = v
	}
	if v, err := strconv.Atoi(get(alias, "Port")); err == nil && (port == 0 || port == gitssh.DefaultPort) {
		port = v
	}
	port = cmp.Or(port, gitssh.DefaultPort)
	if name == "" {
		name = get(alias, "User")
	}
	if name == "" {
		who, err := user.Current()
		if err != nil {
			return nil, nil, err
		}
		name = who.Username
	}
	// The address goes through the transport's own reading of the same file,
	// which finds nothing more under the resolved name.
	r.endpoint.Host, r.endpoint.Port, r.endpoint.User = host, port, name
	auth := &sshAuth{user: name, addr: fmt.Sprintf("%s:%d", host, port)}
	if v := get(alias, "IdentityFile"); v != "" && v != "~/.ssh/identity" {
		auth.files = append(auth.files, r.tilde(v))
	}
	for _, f := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		auth.files = append(auth.files, filepath.Join(r.options.Home, ".ssh", f))
	}
	if os.Getenv("SSH_KNOWN_HOSTS") == "" { // go-git's own variable
		files := []string{filepath.Join(r.options.Home, ".ssh", "known_hosts"), "/etc/ssh/ssh_known_hosts"}
		if v := get(alias, "UserKnownHostsFile"); v != "" {
			files = nil
			for _, f := range strings.Fields(v) {
				files = append(files, r.tilde(f))
			}
		}
		for _, f := range files {
			if _, err := os.Stat(f); err == nil {
				auth.hosts = append(auth.hosts, f)
			}
		}
		if len(auth.hosts) == 0 {
			return nil, nil, fmt.Errorf("%w: %s does not exist", ErrHostKey, files[0])
		}
	}
	return gitssh.DefaultClient, auth, nil
}

// tilde returns a path with ~/ replaced by the home folder.
func (r *Remote) tilde(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(r.options.Home, rest)
	}
	return path
}

// sshConfig returns a lookup function from a host alias and key to a value; the user's file goes before the system's.
func (r *Remote) sshConfig() (func(alias, key string) string, error) {
	var files []*ssh_config.Config
	for _, path := range []string{filepath.Join(r.options.Home, ".ssh", "config"), "/etc/ssh/ssh_config"} {
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		c, err := ssh_config.Decode(f)
		f.Close()
		if err != nil {
			// ssh itself may know more words than this reader.
			continue
		}
		files = append(files, c)
	}
	return func(alias, key string) string {
		for _, c := range files {
			if v, err := c.Get(alias, key); err == nil && v != "" {
				return v
			}
		}
		return ""
	}, nil
}
