package fair

import (
	"context"
	"slices"
	"sync"
)

// A Lender lends things, such as the handles of an archive, to calls. Principals that wait take turns, whatever each of
// them has waiting, and none has the last thing together with others of its own: a call of another waits for no call of
// the first.
type Lender[T any] struct {
	mu      sync.Mutex
	all     int // things that were put in
	free    []T
	lent    map[string]int
	waiting map[string][]chan T
	turn    []string // who waits, next first
}

// most returns how many things one principal may have. The caller has locked.
func (p *Lender[T]) most() int { return max(1, p.all-1) }

// Take returns a thing for a principal, which gives it back. It waits until ctx ends, whose error it returns then.
func (p *Lender[T]) Take(ctx context.Context, who string) (T, error) {
	p.mu.Lock()
	if p.lent == nil {
		p.lent, p.waiting = map[string]int{}, map[string][]chan T{}
	}
	if len(p.free) > 0 && p.lent[who] < p.most() {
		defer p.mu.Unlock()
		return p.lend(who), nil
	}
	got := make(chan T, 1)
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
		var none T
		return none, ctx.Err()
	}
}

// lend returns a free thing, counted as a principal's. The caller has locked.
func (p *Lender[T]) lend(who string) T {
	h := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	p.lent[who]++
	return h
}

// leave removes a waiting call from the queue, or gives back the thing that it was lent before it left.
func (p *Lender[T]) leave(who string, got chan T) {
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
	p.Give(who, <-got)
}

// Give takes back a thing that a principal had, and lends it to the next that waits.
func (p *Lender[T]) Give(who string, h T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, h)
	if p.lent[who]--; p.lent[who] <= 0 {
		delete(p.lent, who)
	}
	for i := 0; i < len(p.turn) && len(p.free) > 0; i++ {
		next := p.turn[i]
		if p.lent[next] >= p.most() {
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

// Add puts a thing in, before others use the lender.
func (p *Lender[T]) Add(one T) { p.free, p.all = append(p.free, one), p.all+1 }

// Load returns how many things are free and how many calls wait for one.
func (p *Lender[T]) Load() (free, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, calls := range p.waiting {
		waiting += len(calls)
	}
	return len(p.free), waiting
}
