package server

import (
	"context"
	"slices"
	"sync"

	"muniment/archive/problem"
)

// handles lends the handles of a server to calls. Principals that wait take turns,
// whatever each of them has waiting, and none has the last handle beside others of its
// own: a call of another waits for no call of the first.
type handles struct {
	most int // that one principal may have

	mu      sync.Mutex
	free    []*handle
	lent    map[string]int
	waiting map[string][]chan *handle
	turn    []string // who waits, next first
}

// newHandles returns the handles of a server, which takes n.
func newHandles(n int) *handles {
	return &handles{most: max(1, n-1), lent: map[string]int{}, waiting: map[string][]chan *handle{}}
}

// take returns a handle for a principal, which gives it back. It waits until ctx ends.
func (p *handles) take(ctx context.Context, who string) (*handle, error) {
	p.mu.Lock()
	if len(p.free) > 0 && p.lent[who] < p.most {
		defer p.mu.Unlock()
		return p.lend(who), nil
	}
	got := make(chan *handle, 1)
	if len(p.waiting[who]) == 0 {
		p.turn = append(p.turn, who)
	}
	p.waiting[who] = append(p.waiting[who], got)
	p.mu.Unlock()
	select {
	case h := <-got:
		return h, nil
	case <-ctx.Done():
		p.leave(who, got)
		return nil, problem.InterruptedError()
	}
}

// lend returns a free handle, counted as a principal's. The caller has locked.
func (p *handles) lend(who string) *handle {
	h := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.lent[who]++
	return h
}

// leave takes a call out of those that wait, or gives back what it was lent meanwhile.
func (p *handles) leave(who string, got chan *handle) {
	p.mu.Lock()
	if i := slices.Index(p.waiting[who], got); i >= 0 {
		p.waiting[who] = slices.Delete(p.waiting[who], i, i+1)
		if len(p.waiting[who]) == 0 {
			delete(p.waiting, who)
			p.turn = slices.DeleteFunc(p.turn, func(name string) bool { return name == who })
		}
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	p.give(who, <-got)
}

// give takes back a handle that a principal had, and lends it to the next that waits.
func (p *handles) give(who string, h *handle) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, h)
	if p.lent[who]--; p.lent[who] <= 0 {
		delete(p.lent, who)
	}
	for i := 0; i < len(p.turn) && len(p.free) > 0; i++ {
		next := p.turn[i]
		if p.lent[next] >= p.most {
			continue
		}
		p.turn = slices.Delete(p.turn, i, i+1)
		first := p.waiting[next][0]
		if p.waiting[next] = p.waiting[next][1:]; len(p.waiting[next]) > 0 {
			p.turn = append(p.turn, next)
		} else {
			delete(p.waiting, next)
		}
		first <- p.lend(next)
		i = -1
	}
}

// add puts a handle in before the server is used.
func (p *handles) add(h *handle) { p.free = append(p.free, h) }

// load returns how many handles are free and how many calls wait for one.
func (p *handles) load() (free, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, calls := range p.waiting {
		waiting += len(calls)
	}
	return len(p.free), waiting
}
