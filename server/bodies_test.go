package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

// Bodies of one principal that take all it may have leave room for a call of another,
// and everything is given back.
func TestBodiesOfOne(t *testing.T) { synctest.Test(t, checkBodiesOfOne) }

func checkBodiesOfOne(t *testing.T) {
	m := newBodyMemory(DefaultLimits())
	open := func(owner string, n int) *bodyReader {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", n)))
		return m.read(r.Body, r, owner)
	}
	var held []*bodyReader
	for range DefaultLimits().bodiesOfOne() / bodyUnit {
		b := open("greedy", bodyUnit)
		if _, err := io.ReadFull(b, make([]byte, bodyUnit)); err != nil {
			t.Fatal(err)
		}
		held = append(held, b)
	}
	other := open("other", DefaultLimits().TextBody-1)
	if _, err := io.ReadAll(other); err != nil {
		t.Error("a call of another principal:", err)
	}
	more := open("greedy", 1)
	if _, err := io.ReadAll(more); err != errBodies {
		t.Errorf("one more body of the first principal: %v, want %v", err, errBodies)
	}
	for _, b := range append(held, other, more) {
		b.release()
	}
	if len(m.all) != 0 || len(m.owners) != 0 {
		t.Errorf("%d units and %d principals remain", len(m.all), len(m.owners))
	}
}
