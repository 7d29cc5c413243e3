package cluster

import "errors"

// ErrNotInstalled is returned where there is no initdb: Debian's package is
// postgresql. On systems that are no Unix it is always returned.
var ErrNotInstalled = errors.New("PostgreSQL is not installed: no initdb in PATH or /usr/lib/postgresql")
