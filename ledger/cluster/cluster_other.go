//go:build !unix

package cluster

// A Cluster is a running server, of which there is none on this system.
type Cluster struct{}

// Start returns ErrNotInstalled.
func Start() (*Cluster, error) { return nil, ErrNotInstalled }

// Restart returns ErrNotInstalled.
func (c *Cluster) Restart() error { return ErrNotInstalled }

// URL returns no address.
func (c *Cluster) URL(string) string { return "" }

// Kill does nothing.
func (c *Cluster) Kill() error { return nil }

// Stop does nothing.
func (c *Cluster) Stop() error { return nil }
