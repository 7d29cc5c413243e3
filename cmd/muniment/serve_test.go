package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"muniment/server/setting"
)

// served is a running muniment serve.
type served struct {
	cmd     *exec.Cmd
	address string // host:port
	url     string
	log     bytes.Buffer
}

// startServe starts muniment serve on a free port in a place with the archive letters.
func startServe(t *testing.T, p *place, args ...string) *served {
	t.Helper()
	return startCommand(t, p.command(append([]string{"-C", "letters", "-q", "serve", "--listen", "127.0.0.1:0"}, args...)...))
}

// startCommand starts a server and waits for its address.
func startCommand(t *testing.T, cmd *exec.Cmd) *served {
	t.Helper()
	s := &served{cmd: cmd}
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // it may have ended
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}
	s.url = strings.TrimSuffix(strings.TrimSpace(line), "/")
	_, s.address, _ = strings.Cut(s.url, "://")
	return s
}

// stopped waits for the end of the server and returns its exit code.
func (s *served) stopped(t *testing.T) int {
	t.Helper()
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestServeEndsCalls checks that a server that gets SIGTERM answers the call under way, which
// takes longer than another command may take, and exits 0; and that a second signal stops it
// at once.
func TestServeEndsCalls(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("init", "letters")
	s := startServe(t, p)
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := `{"text":"The mill wheel turned. It stopped."}`
	if _, err := io.WriteString(c, "POST /api/v1/segment HTTP/1.1\r\nHost: "+s.address+"\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body[:9]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the server has begun the call
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(grace + 500*time.Millisecond)
	if _, err := net.Dial("tcp", s.address); err == nil {
		t.Error("it takes calls after the signal")
	}
	if _, err := io.WriteString(c, body[9:]); err != nil {
		t.Fatal(err)
	}
	reply, err := io.ReadAll(c)
	if err != nil || !bytes.HasPrefix(reply, []byte("HTTP/1.1 200")) {
		t.Errorf("%v %s", err, reply)
	}
	if code := s.stopped(t); code != exitOK {
		t.Errorf("exit %d\n%s", code, s.log.String())
	}

	s = startServe(t, p)
	if c, err = net.Dial("tcp", s.address); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /api/v1/segment HTTP/1.1\r\nHost: "+s.address+"\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body[:9]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	begin := time.Now()
	for range 2 {
		if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	if code := s.stopped(t); code != exitInterrupted || time.Since(begin) > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, time.Since(begin), s.log.String())
	}
}

// TestServeSettings checks that options go before the environment, that before the file, and that a
// server with a certificate speaks TLS, by HTTP/2 too, and sends what another command signs to whoever follows events.
func TestServeSettings(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	sign := func(name string) {
		t.Helper()
		p.write(name, "The mill wheel has stopped: "+name+"\n")
		p.must("-C", "letters", "add", name)
		p.must("-C", "letters", "snapshot", "-m", name)
	}
	sign("one.txt")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "archive"}, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p.write("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	p.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	p.write("serve.conf", "# ours\nMUNIMENT_SERVE_TLS_CERT="+p.path("cert.pem")+"\nMUNIMENT_SERVE_TLS_KEY="+p.path("key.pem")+"\nMUNIMENT_SERVE_TEXT_BODY=1KiB\n")
	s := startServe(t, p, "--config", p.path("serve.conf"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	r, err := client.Get(s.url + "/livez")
	if err != nil || r.StatusCode != http.StatusOK || r.TLS == nil {
		t.Fatalf("%v %v", r, err)
	}
	r.Body.Close()
	r, err = client.Post(s.url+"/api/v1/segment", "application/json", strings.NewReader(`{"text":"`+strings.Repeat("x", 1100)+`"}`))
	if err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%v %v", r, err)
	}
	r.Body.Close()
	r, err = client.Get(s.url + "/api/v1/events?after=0.0.0.0")
	if err != nil || r.ProtoMajor != 2 || r.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", r, err)
	}
	signed, lines := 0, bufio.NewScanner(r.Body)
	for signed < 2 && lines.Scan() {
		if lines.Text() != "event: snapshot_signed" {
			continue
		}
		if signed++; signed == 1 {
			sign("two.txt")
		}
	}
	if r.Body.Close(); signed != 2 {
		t.Errorf("%d snapshots are heard of: %v", signed, lines.Err())
	}
	client.CloseIdleConnections()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.stopped(t); code != exitOK {
		t.Errorf("exit %d\n%s", code, s.log.String())
	}
}

// TestOperatorExamples checks the unit and the compose file as text: systemd reads the unit where it
// is here, and every setting of the compose file is one.
func TestOperatorExamples(t *testing.T) {
	t.Parallel()
	compose, err := os.ReadFile("../../docs/examples/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Image       string            `yaml:"image"`
			Environment map[string]string `yaml:"environment"`
		} `yaml:"services"`
	}
	if err := yaml.Unmarshal(compose, &file); err != nil {
		t.Fatal(err)
	}
	set := 0
	for name, value := range file.Services["archive"].Environment {
		if strings.HasPrefix(name, setting.Prefix) {
			set++
			if err := setting.New().Set(name, value); err != nil {
				t.Error(err)
			}
		}
	}
	if set < 3 || len(file.Services) < 4 {
		t.Errorf("%d settings, %d services", set, len(file.Services))
	}
	unit, err := os.ReadFile("../../docs/examples/muniment.service")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(unit), " serve --config /etc/muniment/serve.conf\n") {
		t.Error("the unit names no file of settings")
	}
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd-analyze is not here: the unit was not read by it")
		return
	}
	path := t.TempDir() + "/muniment.service"
	if err := os.WriteFile(path, bytes.Replace(unit, []byte("/usr/local/bin/muniment"), []byte("/bin/true"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(verify, "verify", "--man=no", "--generators=no", path).CombinedOutput(); err != nil || strings.Contains(string(out), path) {
		t.Errorf("%v\n%s", err, out)
	}
}
