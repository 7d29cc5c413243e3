// Package npm installs packages of npm for tests, once for each list of packages and
// versions: in a folder of the user's cache, which later runs find again.
//
//	modules, err := npm.Install(t.Context(), "axe-core@4.14.1")
//	script, err := os.ReadFile(filepath.Join(modules, "axe-core/axe.min.js"))
//
// Each package has to be named with its version. What packages install beside
// themselves is as npm finds it on the first run.
package npm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrMissing is the error where npm is not installed.
var ErrMissing = errors.New("there is no npm")

// Install returns the folder node_modules with the packages.
func Install(ctx context.Context, packages ...string) (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", ErrMissing
	}
	cache, err := os.UserCacheDir()
	if err != nil { // no home folder
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "muniment-tests")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join(packages, "\n")))
	dir := filepath.Join(cache, "npm-"+hex.EncodeToString(sum[:8]))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	made, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made) // where it has not got its name
	args := append([]string{"install", "--no-audit", "--no-fund", "--silent", "--prefer-offline", "--prefix", made}, packages...)
	if out, err := exec.CommandContext(ctx, npm, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm: %w: %s", err, out)
	}
	if err := os.Rename(made, dir); err != nil {
		if _, there := os.Stat(modules); there == nil { // another process was first
			return modules, nil
		}
		return "", err
	}
	return modules, nil
}
