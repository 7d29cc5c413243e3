package sourcemeta

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// seeds adds the vectors of one kind to a corpus.
func seeds(f *testing.F, kind string) {
	f.Helper()
	n := 0
	for _, v := range vectors() {
		if v.kind == kind && len(v.data) < 2000 {
			f.Add([]byte(v.data))
			n++
		}
	}
	if n == 0 {
		f.Fatalf("no vectors of the kind %s", kind)
	}
}

// judge checks what holds for every reader: a result or Errors with reasons,
// in good time.
func judge(t *testing.T, failed bool, err error, since time.Time) {
	t.Helper()
	if took := time.Since(since); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if failed != (err != nil) {
		t.Fatalf("result missing: %v, error %v", failed, err)
	}
	var list Errors
	if err != nil && (!errors.As(err, &list) || len(list) == 0 || len(list) > maxErrors) {
		t.Fatalf("error %v, want 1 to %d Errors", err, maxErrors)
	}
	for _, e := range list {
		if e.Line < 0 || e.Reason == "" || e.File != "f" {
			t.Errorf("defect %+v", e)
		}
	}
}

// consistent checks that every row of a sidecar holds what a record takes.
func consistent(t *testing.T, s *Sidecar) {
	t.Helper()
	for i := range s.rows {
		if err := s.rows[i].values.Check(); err != nil {
			t.Errorf("row %d: %v", s.rows[i].line, err)
		}
		s.For("x/" + s.rows[i].path)
		Merge(Layer{From: FromSidecar, Values: s.rows[i].values})
	}
	s.Unused()
}

func FuzzCSV(f *testing.F) {
	seeds(f, "csv")
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := time.Now()
		s, err := ReadCSV("f", data)
		judge(t, s == nil, err, begin)
		if s != nil {
			consistent(t, s)
		}
	})
}

func FuzzJSON(f *testing.F) {
	seeds(f, "json")
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := time.Now()
		s, err := ReadJSON("f", data)
		judge(t, s == nil, err, begin)
		if s != nil {
			consistent(t, s)
		}
	})
}

func FuzzRegistry(f *testing.F) {
	seeds(f, "registry")
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := time.Now()
		r, err := ReadRegistry("f", data)
		judge(t, r == nil, err, begin)
		if r == nil {
			return
		}
		for _, e := range r.entries {
			if err := e.Values().Check(); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
			if got, ok := r.ByID(e.ID); !ok || got.Line != e.Line {
				t.Errorf("%s is not found", e.ID)
			}
			r.ByURL(e.URL)
		}
	})
}

func FuzzPattern(f *testing.F) {
	f.Add("*.example.org:80/a*b*", "https://x.example.org/aXbY")
	f.Fuzz(func(t *testing.T, s, url string) {
		p, err := parsePattern(s)
		if err != nil {
			return
		}
		if at, err := placeOf(url); err == nil {
			p.matches(at)
		}
	})
}

// Files made to be slow are refused or read in good time.
func TestHostileFiles(t *testing.T) {
	const size = MaxRegistry - 100
	for name, data := range map[string]string{
		"deep list":      strings.Repeat("[", size),
		"deep mapping":   strings.Repeat("{a: ", size/4),
		"deep block":     strings.Repeat("- ", size/2),
		"open keys":      strings.Repeat("? ", size/2),
		"aliases":        "a: &a [x,x]\n" + strings.Repeat("b: [*a,*a]\n", size/11),
		"many keys":      strings.Repeat("k: v\n", size/5),
		"long key":       strings.Repeat("k", size) + ": v\n",
		"long line":      "- {id: a, publisher: " + strings.Repeat("x", size-30) + "}\n",
		"quotes":         "- '" + strings.Repeat("''", size/2-10),
		"documents":      strings.Repeat("---\n", size/4),
		"many sources":   "sources:\n" + strings.Repeat("- {}\n", size/6),
		"many patterns":  "- {id: a, publisher: P, urls: [" + strings.Repeat("a.b,", size/4-20) + "]}\n",
		"flow separator": "[" + strings.Repeat(",", size),
		"comments":       strings.Repeat("#\n", size/2),
	} {
		begin := time.Now()
		_, err := ReadRegistry("f", []byte(data))
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s took %s (%v)", name, took, err)
		}
	}
	for name, data := range map[string]string{
		"deep":  strings.Repeat("[", size),
		"rows":  "[" + strings.Repeat(`{"path":"a"},`, size/13) + "]",
		"lines": "[" + strings.Repeat("\n", size) + "7]",
	} {
		begin := time.Now()
		if _, err := ReadJSON("f", []byte(data)); err == nil {
			t.Errorf("%s is read", name)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s took %s", name, took)
		}
	}
}
