package fair

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// What a principal keeps pushes out its own, and another's only where that has more.
func TestShares(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	s := Shares[int]{Most: 3, Bytes: 100, Age: time.Hour}
	s.Put("ann", "a", 1, 10, now)
	for i := range 50 {
		s.Put("bob", fmt.Sprint(i), i, 40, now)
	}
	if v, ok := s.Get("ann", "a", now); !ok || v != 1 {
		t.Error("another's values pushed one out")
	}
	if s.total > s.Bytes || len(s.owners["bob"].order) != 2 {
		t.Errorf("%d bytes, %v", s.total, s.owners["bob"].order)
	}
	for i := range 5 {
		s.Put("ann", "a", i, 10, now)
	}
	if v, _ := s.Get("ann", "a", now); v != 4 || len(s.owners["ann"].order) != 1 {
		t.Errorf("one key has %d, of %v", v, s.owners["ann"].order)
	}
	if _, ok := s.Get("ann", "a", now.Add(time.Hour)); ok {
		t.Error("a value outlives its age")
	}
	s.Put("bob", "huge", 1, 101, now)
	if s.total > s.Bytes {
		t.Errorf("%d bytes", s.total)
	}
}

// However many calls of one principal wait, another's comes next.
func TestLenderTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Lender[int]
		for i := range 4 {
			p.Add(i)
		}
		var wait sync.WaitGroup
		work := func(who string, long time.Duration) {
			h, err := p.Take(t.Context(), who)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(long)
			p.Give(who, h)
		}
		for _, who := range []string{"ann", "cid", "dan"} {
			for range 100 {
				wait.Go(func() { work(who, time.Second) })
			}
		}
		synctest.Wait()
		start := time.Now()
		work("bob", 0)
		if took := time.Since(start); took > time.Second {
			t.Errorf("waited %v for one handle among three hundred calls", took)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := p.Take(short, "eve"); err == nil {
			t.Error("a handle after the end")
		}
		wait.Wait()
		if len(p.free) != 4 || len(p.lent) != 0 || len(p.waiting) != 0 || len(p.turn) != 0 {
			t.Errorf("left: %+v", &p)
		}
	})
}

// A principal waits for what it spent above its savings; others do not.
func TestLimiter(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	l := Limiter{PerSecond: 2, Most: 4}
	for who, n := range map[string]float64{"ann": 4, "bob": 1} {
		if wait := l.Take(who, n, now); wait != 0 {
			t.Errorf("%s waits %v for what it saved", who, wait)
		}
	}
	l.Spend("ann", 2, now)
	if left := l.Left("ann", now); left != -2 {
		t.Errorf("ann has %v left, want -2", left)
	}
	if wait := l.Take("ann", 1, now); wait != 1500*time.Millisecond {
		t.Errorf("ann waits %v for three at two a second", wait)
	}
	if wait := l.Take("bob", 1, now); wait != 0 {
		t.Errorf("bob waits %v for ann's debt", wait)
	}
}
