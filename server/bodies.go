package server

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// bodyMemory lends the memory for bodies in units, so many to all requests and so many
// to those of one principal: slow bodies of one leave room for another's.
type bodyMemory struct {
	limits Limits
	all    chan struct{} // holds a unit for each that is lent

	mu     sync.Mutex
	owners map[string]*ownBodies
}

// ownBodies are the units of a principal.
type ownBodies struct {
	units    chan struct{}
	requests int // under way
}

func newBodyMemory(l Limits) *bodyMemory {
	return &bodyMemory{limits: l, all: make(chan struct{}, l.BodyMemory/bodyUnit), owners: map[string]*ownBodies{}}
}

// read returns the body of a request of a principal, which is to be released.
func (m *bodyMemory) read(body io.ReadCloser, r *http.Request, owner string) *bodyReader {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.owners[owner]
	if own == nil {
		own = &ownBodies{units: make(chan struct{}, m.limits.bodiesOfOne()/bodyUnit)}
		m.owners[owner] = own
	}
	own.requests++
	return &bodyReader{ReadCloser: body, r: r, memory: m, owner: owner, own: own}
}

// A bodyReader reads a body within its limit and takes units of the server's memory for it.
type bodyReader struct {
	io.ReadCloser
	r      *http.Request
	memory *bodyMemory
	owner  string
	own    *ownBodies
	units  int
	unpaid int // bytes that were read since the last unit
}

// errBodies says that the bodies of other requests fill the memory.
var errBodies = errors.New("other requests fill the memory")

func (b *bodyReader) Read(p []byte) (int, error) {
	if b.units == 0 || b.unpaid >= bodyUnit {
		if err := b.takeUnit(); err != nil {
			return 0, err
		}
		b.unpaid = max(0, b.unpaid-bodyUnit)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), bodyUnit)])
	b.unpaid += n
	return n, err
}

// takeUnit waits for a unit, first of the principal and then of all.
func (b *bodyReader) takeUnit() error {
	wait := time.NewTimer(b.memory.limits.BodyWait)
	defer wait.Stop()
	for _, units := range []chan struct{}{b.own.units, b.memory.all} {
		select {
		case units <- struct{}{}:
			continue
		case <-wait.C:
		case <-b.r.Context().Done():
		}
		if units == b.memory.all {
			<-b.own.units
		}
		if err := b.r.Context().Err(); err != nil {
			return err
		}
		return errBodies
	}
	b.units++
	return nil
}

// release gives back the memory of the body.
func (b *bodyReader) release() {
	for range b.units {
		<-b.memory.all
		<-b.own.units
	}
	b.memory.mu.Lock()
	defer b.memory.mu.Unlock()
	if b.own.requests--; b.own.requests == 0 {
		delete(b.memory.owners, b.owner)
	}
}
