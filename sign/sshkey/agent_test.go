package sshkey

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"muniment/sign"
)

// socketPath returns a path short enough for a Unix socket.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

// startAgent runs ssh-agent until the test ends.
func startAgent(t *testing.T) (sock string) {
	t.Helper()
	sock = socketPath(t)
	cmd := exec.Command(tool(t, "ssh-agent"), "-D", "-a", sock)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 500 {
		if conn, err := net.Dial("unix", sock); err == nil {
			conn.Close()
			return sock
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("ssh-agent did not open its socket in 5 s")
	return ""
}

func addKey(t *testing.T, sock, path string) {
	t.Helper()
	cmd := exec.Command(tool(t, "ssh-add"), path)
	cmd.Env = append(os.Environ(), "SSH_AUTH_SOCK="+sock)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ssh-add: %v: %s", err, out)
	}
}

// A real agent with three keys, of which two are ours to use.
func TestAgent(t *testing.T) {
	sock := startAgent(t)
	if signers, err := Agent(sock); err != nil || len(signers) != 0 {
		t.Errorf("an empty agent lists %d keys, %v", len(signers), err)
	}
	mine := filepath.Join(t.TempDir(), "key")
	want, err := Generate(rand.Reader, mine, "anna's key", nil)
	if err != nil {
		t.Fatal(err)
	}
	stock := keygen(t, "-t", "ed25519", "-N", "")
	addKey(t, sock, keygen(t, "-t", "ecdsa", "-N", ""))
	addKey(t, sock, mine)
	addKey(t, sock, stock)
	signers, err := Agent(sock)
	if err != nil {
		t.Fatal(err)
	}
	if len(signers) != 2 {
		t.Fatalf("%d signers, want 2", len(signers))
	}
	if signers[0].Key() != want.Key() {
		t.Errorf("first is %s", signers[0].Key().Authorized())
	}
	checkSigner(t, signers[1], stock+".pub")

	// What the agent signs, ssh-keygen verifies; and it signs notes.
	armored, err := sign.Sign(signers[0], sign.NamespaceAnswer, []byte("message"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	list := sign.AllowedSigner{Principals: []string{"anna"}, Key: want.Key()}.String() + "\n"
	for name, data := range map[string][]byte{"allowed": []byte(list), "sig": armored} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(tool(t, "ssh-keygen"), "-Y", "verify", "-f", filepath.Join(dir, "allowed"), "-I", "anna",
		"-n", sign.NamespaceAnswer, "-s", filepath.Join(dir, "sig"))
	cmd.Stdin = bytes.NewReader([]byte("message"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("ssh-keygen: %v: %s", err, out)
	}
	if _, err := sign.SignCheckpoint(signers[0], sign.Checkpoint{Origin: "log", Size: 1}); err != nil {
		t.Error(err)
	}

	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := sign.Sign(signers[i%2], sign.NamespaceGit, fmt.Append(nil, i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestAgentRefuses(t *testing.T) {
	if s, err := Agent(""); !errors.Is(err, ErrNoAgent) || s != nil {
		t.Errorf("no socket: %v, %v", s, err)
	}
	if s, err := Agent(filepath.Join(t.TempDir(), "none")); err == nil || s != nil {
		t.Errorf("a socket that is not there: %v, %v", s, err)
	}
}

// A tokenAgent is an agent with one security key, made of software.
type tokenAgent struct {
	agent.Agent
	private ed25519.PrivateKey
	flags   byte
}

const (
	tokenApplication = "ssh:test"
	tokenCounter     = 41
)

func (a tokenAgent) blob() []byte {
	return ssh.Marshal(struct {
		Type        string
		Point       []byte
		Application string
	}{sign.TypeSKEd25519, a.private.Public().(ed25519.PublicKey), tokenApplication})
}

func (a tokenAgent) List() ([]*agent.Key, error) {
	return []*agent.Key{{Format: sign.TypeSKEd25519, Blob: a.blob(), Comment: "token"}}, nil
}

func (a tokenAgent) Sign(key ssh.PublicKey, data []byte) (*ssh.Signature, error) {
	application, message := sha256.Sum256([]byte(tokenApplication)), sha256.Sum256(data)
	rest := binary.BigEndian.AppendUint32([]byte{a.flags}, tokenCounter)
	signed := append(append(application[:], rest...), message[:]...)
	return &ssh.Signature{Format: sign.TypeSKEd25519, Blob: ed25519.Sign(a.private, signed), Rest: rest}, nil
}

// A security key behind an agent signs, when its user is there.
func TestAgentSecurityKey(t *testing.T) {
	for _, flags := range []byte{0x01, 0x00} {
		a := tokenAgent{agent.NewKeyring(), ed25519.NewKeyFromSeed(make([]byte, 32)), flags}
		listener, err := net.Listen("unix", socketPath(t))
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					agent.ServeAgent(a, conn)
				}()
			}
		}()
		signers, err := Agent(listener.Addr().String())
		if err != nil || len(signers) != 1 {
			t.Fatalf("%d signers, %v", len(signers), err)
		}
		if k := signers[0].Key(); k.Type() != sign.TypeSKEd25519 || k.Application() != tokenApplication {
			t.Errorf("key %s, application %q", k.Authorized(), k.Application())
		}
		_, err = sign.Sign(signers[0], sign.NamespaceGit, []byte("message"))
		if (err == nil) != (flags == 0x01) {
			t.Errorf("flags %#x: %v", flags, err)
		}
	}
}
