// Package fair divides what a server has among the principals that call it: what it keeps for them, what they may spend
// in a second, and the things that it lends them. None of them is shut out by another's greed. Everything here may be
// used by many goroutines; the zero values keep nothing, limit nothing and lend nothing.
package fair

import (
	"sync"
	"time"
)

// Shares keep values for principals, within bounds. What one principal keeps above its
// number drops its own oldest value. Above the bytes of all, the oldest value goes of
// whoever keeps the most bytes, so that nobody loses a value to another's greed.
type Shares[V any] struct {
	Most  int           // values of one principal
	Bytes int           // of all principals
	Age   time.Duration // after which a value is gone; 0 is never

	mu     sync.Mutex
	total  int
	owners map[string]*share[V]
}

// A share is what one principal keeps, the oldest value first.
type share[V any] struct {
	order []string
	all   map[string]keptValue[V]
	bytes int
}

type keptValue[V any] struct {
	value V
	size  int
	at    time.Time
}

// Get returns the value that a principal keeps under a key.
func (s *Shares[V]) Get(owner, key string, now time.Time) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.owners[owner]
	if own == nil {
		return v, false
	}
	one, ok := own.all[key]
	if !ok || s.isOld(one.at, now) {
		return v, false
	}
	return one.value, true
}

// Put keeps a value of size bytes for a principal, instead of the one of that key.
func (s *Shares[V]) Put(owner, key string, v V, size int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owners == nil {
		s.owners = map[string]*share[V]{}
	}
	own := s.owners[owner]
	if own == nil {
		own = &share[V]{all: map[string]keptValue[V]{}}
		s.owners[owner] = own
	}
	for i, k := range own.order {
		if k == key {
			s.drop(owner, i)
			break
		}
	}
	s.owners[owner] = own
	own.order, own.all[key] = append(own.order, key), keptValue[V]{v, size, now}
	own.bytes += size
	s.total += size
	for len(own.order) > s.Most || len(own.order) > 0 && s.isOld(own.all[own.order[0]].at, now) {
		s.drop(owner, 0)
	}
	for s.total > s.Bytes {
		s.drop(s.largest(), 0)
	}
}

// isOld reports whether a value that was kept at a time is gone now.
func (s *Shares[V]) isOld(at, now time.Time) bool { return s.Age > 0 && now.Sub(at) >= s.Age }

// largest returns the principal that keeps the most bytes.
func (s *Shares[V]) largest() (name string) {
	most := -1
	for owner, one := range s.owners {
		if one.bytes > most || one.bytes == most && owner < name {
			name, most = owner, one.bytes
		}
	}
	return name
}

// drop removes the value at a place of a principal's order.
func (s *Shares[V]) drop(owner string, at int) {
	own := s.owners[owner]
	key := own.order[at]
	own.order = append(own.order[:at:at], own.order[at+1:]...)
	s.total -= own.all[key].size
	own.bytes -= own.all[key].size
	delete(own.all, key)
	if len(own.order) == 0 {
		delete(s.owners, owner)
	}
}

// Size returns how many values are kept, and their bytes.
func (s *Shares[V]) Size() (values, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, own := range s.owners {
		values += len(own.all)
	}
	return values, s.total
}
