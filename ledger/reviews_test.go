package ledger

import (
	"errors"
	"strings"
	"testing"

	"muniment/cid"
)

// reviewOf returns a review of a citation with an object of its own.
func reviewOf(n int64, text string) Review {
	data := []byte(`{"type":"` + text + `"}`)
	return Review{Time: noon, Agent: "ann", Citation: n, Subject: strings.Repeat("ab", 32), Object: cid.OfJSON(data), JSON: data, Note: "read twice"}
}

// reviewed adds a review of a citation, and seals it.
func reviewed(l *Ledger, n int64) error {
	id, err := l.AddReview(reviewOf(n, "one"))
	return errors.Join(err, l.SealReviews([]int64{id}, cid.Of([]byte("s")), noon))
}

// A review is kept once; what no snapshot holds is listed until one does.
func testReviews(t *testing.T, address string) {
	l := open(t, address)
	n := add(t, l, entry("It burned."))
	first, second := reviewOf(n, "one"), reviewOf(0, "two")
	for i, r := range []Review{first, second, first} {
		if id, err := l.AddReview(r); err != nil || id != int64(i%2+1) {
			t.Fatalf("review %d has the number %d, %v", i, id, err)
		}
	}
	if err := l.SealReviews([]int64{1}, cid.Of([]byte("s")), noon); err != nil {
		t.Fatal(err)
	}
	if err := l.SealReviews([]int64{1}, cid.Of([]byte("later")), noon); err != nil {
		t.Fatal(err)
	}
	waiting, err := l.UnsealedReviews()
	if err != nil || len(waiting) != 1 || waiting[0].Object != second.Object || waiting[0].Citation != 0 {
		t.Errorf("unsealed are %+v, %v", waiting, err)
	}
	all, err := l.ReviewsOf([]string{first.Subject, strings.Repeat("cd", 32)})
	if got := all[first.Subject]; err != nil || len(all) != 1 || len(got) != 2 || got[0].Snapshot != cid.Of([]byte("s")) || got[0].Note != "read twice" || got[0].Citation != n {
		t.Errorf("reviews are %+v, %v", all, err)
	}
	wrong := first
	wrong.JSON = []byte(`{"type":"three"}`)
	if _, err := l.AddReview(wrong); err == nil {
		t.Error("an object with another ID is kept")
	}
}
