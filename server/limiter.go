package server

import (
	"net/http"
	"sync"
	"time"
)

// A limiter lets each principal spend so much a second, and save up so much.
type limiter struct {
	perSecond, most float64

	mu      sync.Mutex
	buckets map[string]bucket
}

// A bucket is what a principal may spend; below 0 is what it owes.
type bucket struct {
	left float64
	at   time.Time
}

func newLimiter(perSecond, most float64) *limiter {
	return &limiter{perSecond: perSecond, most: most, buckets: map[string]bucket{}}
}

// take spends n of a principal where it has that, and returns 0, else how long it has to
// wait.
func (l *limiter) take(name string, n float64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.refill(name, now)
	wait := time.Duration((min(n, l.most) - b.left) / l.perSecond * float64(time.Second))
	if wait <= 0 {
		b.left -= n
		wait = 0
	}
	l.buckets[name] = b
	return wait
}

// spend spends n of a principal, who owes what it has not: what was done already.
func (l *limiter) spend(name string, n float64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.refill(name, now)
	b.left -= n
	l.buckets[name] = b
}

// refill returns the bucket of a principal at a time. The caller has locked.
func (l *limiter) refill(name string, now time.Time) bucket {
	b, known := l.buckets[name]
	if !known {
		if len(l.buckets) >= maxBuckets {
			clear(l.buckets)
		}
		b = bucket{l.most, now}
	}
	b.left = min(l.most, b.left+now.Sub(b.at).Seconds()*l.perSecond)
	b.at = now
	return b
}

// meter charges a request to its principal: a call, and the bytes of a body, which may
// be kept. An admin takes files in, of any size.
func (s *Server) meter(cred Credential, r *http.Request) *Fault {
	who, now := cred.account(), s.now()
	if wait := s.limits.take(who, 1, now); wait > 0 {
		return limited(wait, "too many calls", "wait a second; cite/batch takes a thousand citations in one call")
	}
	if r.Method != http.MethodPost || cred.seesAll() {
		return nil
	}
	size := r.ContentLength
	if size < 0 {
		size = s.o.Limits.bodyOf(r.URL.Path) // it is not said
	}
	if wait := s.stored.take(who, float64(size), now); wait > 0 {
		return limited(wait, "too many bytes to keep for one caller", "wait; what is sent and answered counts until then")
	}
	return nil
}

// limited returns the fault of a principal that has to wait.
func limited(wait time.Duration, detail, suggestion string) *Fault {
	f := newFault(http.StatusTooManyRequests, string(overRate), detail, suggestion)
	f.RetryAfter = wholeSeconds(wait)
	return f
}

// wholeSeconds returns a wait in seconds, rounded up.
func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
