package jcs

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// odd has every kind of member that a reader could let pass in a second
// spelling: members that are left out when empty, in each way a value can be
// empty, and types that read or write themselves.
type odd struct {
	Type   string            `json:"type"`
	Bool   bool              `json:"bool,omitempty"`
	Count  int8              `json:"count,omitempty"`
	Dict   map[string]string `json:"dict,omitempty"`
	Inner  *inner            `json:"inner,omitempty"`
	List   []string          `json:"list,omitempty"`
	Lists  [][]int           `json:"lists"`
	Loud   loud              `json:"loud,omitempty"`
	Louds  []loud            `json:"louds,omitempty"`
	Never  struct{}          `json:"never,omitempty"` // a struct is never empty
	Shout  *loud             `json:"shout,omitempty"`
	Text   string            `json:"text,omitzero"`
	Time   time.Time         `json:"time,omitzero"`
	Writes writes            `json:"writes,omitempty"`
}

// loud reads any text and writes it in capital letters.
type loud string

func (l loud) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(l))), nil }

func (l *loud) UnmarshalText(text []byte) error {
	*l = loud(text)
	return nil
}

// writes writes itself, and is read as any string.
type writes string

func (w writes) MarshalText() ([]byte, error) { return []byte(strings.TrimSpace(string(w))), nil }

// readSlowly accepts what encoding/json reads, if writing it again gives the
// same bytes: the meaning of Unmarshal, in another program's words.
func readSlowly(data []byte, v *odd) bool {
	*v = odd{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if dec.Decode(v) != nil || v.Type != vectorType {
		return false
	}
	again, err := Marshal(v)
	return err == nil && bytes.Equal(again, data)
}

// agree compares Unmarshal with readSlowly.
func agree(t interface{ Fatalf(string, ...any) }, data []byte) bool {
	var fast, slow odd
	err := Unmarshal(data, vectorType, &fast)
	ok := readSlowly(data, &slow)
	if ok != (err == nil) {
		t.Fatalf("%q: Unmarshal says %v, encoding it again %v", data, err, ok)
	}
	if again, err := Marshal(fast); ok && (err != nil || !bytes.Equal(again, data)) {
		t.Fatalf("%q encodes to %q, %v", data, again, err)
	}
	if !ok && cmp.Diff(odd{}, fast) != "" {
		t.Fatalf("%q: after an error the target holds %v", data, fast)
	}
	return ok
}

// seeds are objects at the edge of the canonical form, the first of them within.
var seeds = []string{
	`{"lists":[],"never":{},"type":"T"}`,
	`{"bool":true,"count":-5,"dict":{"a":"b","c":""},"inner":{"name":"x"},"list":["","\n"],"lists":[[],[1,2]],"loud":"A","louds":["B","C"],"never":{},"shout":"","text":"\"\\\u001f/é","time":"2021-03-04T09:00:00Z","type":"T","writes":"x"}`,
	`{"bool":false,"lists":[],"never":{},"type":"T"}`,
	`{"count":0,"lists":[],"never":{},"type":"T"}`,
	`{"count":128,"lists":[],"never":{},"type":"T"}`,
	`{"dict":{},"lists":[],"never":{},"type":"T"}`,
	`{"list":[],"lists":[],"never":{},"type":"T"}`,
	`{"lists":[],"loud":"","never":{},"type":"T"}`,
	`{"lists":[],"loud":"a","never":{},"type":"T"}`,
	`{"lists":[],"louds":["a"],"never":{},"type":"T"}`,
	`{"lists":[],"louds":[],"never":{},"type":"T"}`,
	`{"lists":[],"type":"T"}`,
	`{"lists":[],"never":{},"text":"","type":"T"}`,
	`{"lists":[],"never":{},"text":"\/","type":"T"}`,
	`{"lists":[],"never":{},"text":"\u000a","type":"T"}`,
	`{"lists":[],"never":{},"text":"\u001F","type":"T"}`,
	`{"lists":[],"never":{},"text":"\ud83d\ude00","type":"T"}`,
	`{"lists":[],"never":{},"shout":"a","type":"T"}`,
	`{"lists":[],"never":{},"time":"2021-03-04T09:00:00+00:00","type":"T"}`,
	`{"lists":[],"never":{},"type":"T","writes":" x"}`,
	`{"lists":[],"\u006eever":{},"type":"T"}`,
}

func seed(s string) []byte { return []byte(strings.Replace(s, `"T"`, `"`+vectorType+`"`, 1)) }

func TestOnePassAgrees(t *testing.T) {
	taken := 0
	for _, s := range seeds {
		if agree(t, seed(s)) {
			taken++
		}
	}
	if taken != 2 {
		t.Errorf("%d of %d seeds were read", taken, len(seeds))
	}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(seed(rapid.SampledFrom(seeds).Draw(t, "seed")))
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
			switch piece := rapid.SampledFrom([]string{"", "0", "{}", "[]", `""`, ",", `\u0041`, "\\", " ", "é", "true", "null", `"a":"b",`}).Draw(t, "piece"); {
			case piece == "":
				data = append(data[:at:at], data[at+1:]...)
			default:
				data = append(data[:at:at], append([]byte(piece), data[at:]...)...)
			}
			if len(data) == 0 {
				return
			}
		}
		agree(t, data)
	})
}

// FuzzOnePass is TestOnePassAgrees for any bytes.
func FuzzOnePass(f *testing.F) {
	for _, s := range seeds {
		f.Add(seed(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { agree(t, data) })
}
