//go:build unix

// Package cluster starts a PostgreSQL server of its own, for tests and
// measurements of package ledger. No program of ours that serves users links it.
//
//	c, err := cluster.Start()
//	if errors.Is(err, cluster.ErrNotInstalled) { … }
//	defer c.Stop()
//	l, err := ledger.OpenPostgres(c.URL("one"), "")
//
// The server listens on a Unix socket in a folder of its own and on no network
// address, trusts whoever can reach that socket, and keeps its usual
// durability: an acknowledged transaction is on disk. PostgreSQL refuses to run
// as root; a test that does runs it as the user postgres, or else nobody.
//
// Limits: Unix only. The folder is removed by Stop; a process that is killed
// leaves it behind, and takes the server with it on Linux.
package cluster

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that is asked whether the server answers
)

// startTimeout bounds the wait for a new server: it takes a second on an idle
// machine.
const startTimeout = time.Minute

// A Cluster is a running server.
type Cluster struct {
	dir    string // holds the data, the socket and the log
	bin    string
	creds  *syscall.Credential
	server *exec.Cmd
	log    *os.File
}

// Start makes a new cluster in a temporary folder and starts its server.
func Start() (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg-") // short: the path of a socket has 107 bytes
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: bin}
	if err := c.start(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) start() error {
	if os.Getuid() == 0 {
		var err error
		if c.creds, err = unprivileged(); err != nil {
			return err
		}
		if err := os.Chown(c.dir, int(c.creds.Uid), int(c.creds.Gid)); err != nil {
			return err
		}
	}
	if out, err := c.command("initdb", "-D", c.data(), "-U", "muniment", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync").CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return c.Restart()
}

// Restart starts the server, which has been stopped or killed.
func (c *Cluster) Restart() error {
	log, err := os.OpenFile(filepath.Join(c.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	c.log = log
	c.server = c.command("postgres", "-D", c.data(), "-k", c.dir, "-c", "listen_addresses=", "-c", "max_connections=200")
	c.server.Stdout, c.server.Stderr = log, log
	endWithParent(c.server.SysProcAttr)
	if err := c.server.Start(); err != nil {
		c.server = nil
		return errors.Join(err, log.Close())
	}
	db, err := sql.Open("pgx", c.URL(""))
	if err != nil {
		return err
	}
	defer db.Close()
	for end := time.Now().Add(startTimeout); ; time.Sleep(50 * time.Millisecond) {
		if err = db.Ping(); err == nil {
			return nil
		}
		if time.Now().After(end) {
			said, _ := os.ReadFile(filepath.Join(c.dir, "log"))
			return fmt.Errorf("the server does not answer after %s: %w\n%s", startTimeout, err, bytes.TrimSpace(said))
		}
	}
}

// URL is the address of the server's database for ledgers in a schema; "" names
// none.
func (c *Cluster) URL(schema string) string {
	q := url.Values{"host": {c.dir}, "user": {"muniment"}}
	if schema != "" {
		q.Set("search_path", schema)
	}
	return "postgres:///postgres?" + q.Encode()
}

// Kill ends the server at once, as a power cut of its process would.
func (c *Cluster) Kill() error {
	return c.end(syscall.SIGQUIT) // the immediate shutdown: no checkpoint, recovery at the next start
}

// Stop ends the server and removes its folder.
func (c *Cluster) Stop() error {
	return errors.Join(c.end(syscall.SIGINT), os.RemoveAll(c.dir))
}

func (c *Cluster) end(how syscall.Signal) error {
	if c.server == nil {
		return nil
	}
	err := c.server.Process.Signal(how)
	if err == nil {
		_ = c.server.Wait() // how it ended is what was asked for
	}
	c.server = nil
	return errors.Join(err, c.log.Close())
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.creds}
	return cmd
}

// binaries finds the newest installed server.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrNotInstalled
	}
	best, version := "", -1
	for _, path := range found {
		if n, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))); err == nil && n > version {
			best, version = filepath.Dir(path), n
		}
	}
	if best == "" {
		return "", ErrNotInstalled
	}
	return best, nil
}

// unprivileged is a user that the server may run as.
func unprivileged() (*syscall.Credential, error) {
	var err error
	for _, name := range []string{"postgres", "nobody"} {
		var u *user.User
		if u, err = user.Lookup(name); err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if err = errors.Join(errUID, errGID); err == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no other user: %w", err)
}
