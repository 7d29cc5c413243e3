// Package gateway starts a real S3 server on loopback, for tests: versitygw over a
// folder, built from the module in testdata/s3server beside the package payloads.
//
// The server's module is one of its own because it needs more than a hundred others,
// none of which any program of ours links.
package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// startTime is how long a server may take until it answers.
const startTime = 30 * time.Second

// A Gateway is a running server with one bucket.
type Gateway struct {
	Endpoint       string // http://127.0.0.1:PORT
	Access, Secret string
	Bucket         string
	Folder         string // where the bucket's objects lie, each a file under its key

	command *exec.Cmd
	output  bytes.Buffer
}

// Build returns the path of the server: MUNIMENT_S3SERVER where that is set, else one in
// the user's cache, which is built where it is not there yet. That takes minutes.
func Build(ctx context.Context) (string, error) {
	if path := os.Getenv("MUNIMENT_S3SERVER"); path != "" {
		return path, nil
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "muniment").Output()
	if err != nil {
		return "", fmt.Errorf("the folder of the module: %w", err)
	}
	module := filepath.Join(string(bytes.TrimSpace(root)), "custody", "payloads", "testdata", "s3server")
	sums, err := os.ReadFile(filepath.Join(module, "go.sum"))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "muniment-tests", fmt.Sprintf("versitygw-%x", sha256.Sum256(sums)))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	part := fmt.Sprintf("%s-%d", path, os.Getpid()) // another test may build it too
	build := exec.CommandContext(ctx, "go", "build", "-o", part, "github.com/versity/versitygw/cmd/versitygw")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the S3 server: %w: %s", err, out)
	}
	return path, os.Rename(part, path)
}

// Start runs the server at path over a folder and makes a bucket in it. Stop it.
func Start(ctx context.Context, path, folder string) (*Gateway, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	listener.Close()
	g := &Gateway{Endpoint: "http://" + address, Access: "museum", Secret: "a secret of this test", Bucket: "letters", Folder: filepath.Join(folder, "letters")}
	g.command = exec.Command(path, "--port", address, "--quiet", "posix", folder)
	g.command.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+g.Access, "ROOT_SECRET_KEY="+g.Secret)
	g.command.Stdout, g.command.Stderr = &g.output, &g.output
	if err := g.command.Start(); err != nil {
		return nil, err
	}
	client, err := minio.New(address, &minio.Options{Creds: credentials.NewStaticV4(g.Access, g.Secret, ""), Region: "us-east-1", MaxRetries: 1})
	for begin := time.Now(); err == nil; time.Sleep(50 * time.Millisecond) {
		if err = client.MakeBucket(ctx, g.Bucket, minio.MakeBucketOptions{}); err == nil {
			return g, nil
		}
		if time.Since(begin) < startTime {
			err = nil
		}
	}
	g.Stop()
	return nil, fmt.Errorf("the S3 server: %w: %s", err, g.output.String())
}

// Stop ends the server.
func (g *Gateway) Stop() {
	g.command.Process.Kill()
	g.command.Wait()
}
