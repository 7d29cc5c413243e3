package fair

import (
	"sync"
	"time"
)

// maxBuckets is the number of principals that a limiter remembers: ten times the tokens of an archive. It forgets all
// at once, and gives each what it may save up.
const maxBuckets = 10_000

// A Limiter lets each principal spend so much a second, and save up so much; one that gives nothing limits nobody.
type Limiter struct {
	PerSecond, Most float64

	mu      sync.Mutex
	buckets map[string]bucket
}

// A bucket is what a principal may spend; below 0 is what it owes.
type bucket struct {
	left float64
	at   time.Time
}

// Take spends n of a principal where it has that, and returns 0, else how long it has to wait.
func (l *Limiter) Take(name string, n float64, now time.Time) time.Duration {
	if l.PerSecond <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.refill(name, now)
	wait := time.Duration((min(n, l.Most) - b.left) / l.PerSecond * float64(time.Second))
	if wait <= 0 {
		b.left -= n
		wait = 0
	}
	l.buckets[name] = b
	return wait
}

// Spend spends n of a principal, who owes what it has not: what was done already.
func (l *Limiter) Spend(name string, n float64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.refill(name, now)
	b.left -= n
	l.buckets[name] = b
}

// refill returns the bucket of a principal at a time. The caller has locked.
func (l *Limiter) refill(name string, now time.Time) bucket {
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	b, known := l.buckets[name]
	if !known {
		if len(l.buckets) >= maxBuckets {
			clear(l.buckets)
		}
		b = bucket{l.Most, now}
	}
	b.left = min(l.Most, b.left+now.Sub(b.at).Seconds()*l.PerSecond)
	b.at = now
	return b
}

// Left returns the rest that a principal may spend at a time; below 0 is what it owes.
func (l *Limiter) Left(name string, now time.Time) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refill(name, now).left
}
