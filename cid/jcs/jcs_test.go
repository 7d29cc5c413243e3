package jcs

import (
	"bytes"
	"encoding/json"
	"muniment/testvectors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMarshalRefuses(t *testing.T) {
	type m = map[string]string
	bad := map[string]any{
		"nil":         nil,
		"string":      "x",
		"nil pointer": (*sample)(nil),
		"inner null": struct {
			Inner *inner `json:"inner"`
		}{},
		"float": struct {
			F float64 `json:"f"`
		}{1},
		"bytes": struct {
			B []byte `json:"b"`
		}{[]byte("x")},
		"interface": struct {
			A any `json:"a"`
		}{1},
		"map of ints": struct {
			M map[string]int `json:"m"`
		}{map[string]int{"a": 1}},
		"no tag": struct{ Name string }{"x"},
		"tag option": struct {
			N int `json:"n,string"`
		}{1},
		"not UTF-8":        m{"a": "\xff"},
		"key with capital": m{"A": ""},
		"key with digit":   m{"1a": ""},
		"empty key":        m{"": ""},
		"2^53": struct {
			N int64 `json:"n"`
		}{MaxInt + 1},
		"-2^53": struct {
			N int64 `json:"n"`
		}{-MaxInt - 1},
		"too large": m{"a": strings.Repeat("x", MaxObject)},
	}
	for name, v := range bad {
		if data, err := Marshal(v); err == nil {
			t.Errorf("%s: encoded to %q", name, data)
		}
	}
	type one struct {
		A int `json:"a"`
	}
	type twice struct {
		one
		B int `json:"a"` // repeats the name of the embedded member
	}
	if data, err := Marshal(twice{}); err == nil {
		t.Errorf("one name twice: encoded to %q", data)
	}
	if _, err := MarshalLimit(m{"a": strings.Repeat("x", 57)}, 64); err == nil {
		t.Error("65 bytes were encoded under a limit of 64")
	}
	if _, err := MarshalLimit(m{"a": strings.Repeat("x", 56)}, 64); err != nil {
		t.Errorf("64 bytes under a limit of 64: %v", err)
	}
}

func TestUnmarshalTargets(t *testing.T) {
	data := []byte(`{"type":"x"}`)
	var m map[string]string
	for _, v := range []any{nil, sample{}, &m, (*sample)(nil)} {
		if err := Unmarshal(data, "x", v); err == nil {
			t.Errorf("read into %T", v)
		}
	}
}

func TestEmbeddedAndNarrow(t *testing.T) {
	type header struct {
		Type string `json:"type"`
		Kind string `json:"kind"`
	}
	type leaf struct {
		header
		N int8 `json:"n"`
	}
	in := leaf{header{"t", "chunk"}, 7}
	data, err := Marshal(&in)
	if err != nil || string(data) != `{"kind":"chunk","n":7,"type":"t"}` {
		t.Fatalf("got %s, %v", data, err)
	}
	if kind, err := Member(data, "kind"); kind != "chunk" || err != nil {
		t.Errorf("Member: %q, %v", kind, err)
	}
	if err := Unmarshal([]byte(`{"kind":"","n":128,"type":"t"}`), "t", &in); err == nil {
		t.Error("128 was read into an int8")
	}
	if in != (leaf{}) {
		t.Errorf("after an error the target holds %v", in)
	}
}

// Where encoding/json can write the same bytes (no HTML characters, sorted
// members), it must.
func TestAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.StringMatching(`[a-z][a-z0-9_]{0,5}`), rapid.String()).Draw(t, "m")
		got, err := Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if diff := cmp.Diff(m, back); diff != "" {
			t.Fatal(diff)
		}
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(m); err != nil {
			t.Fatal(err)
		}
		std := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(buf.String(), "\n"))
		if !strings.Contains(string(got), `\\u`) && std != string(got) {
			t.Fatalf("got %s, encoding/json %s", got, std)
		}
	})
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := sample{
			Type:  vectorType,
			Text:  rapid.String().Draw(t, "text"),
			Count: rapid.Int64Range(-MaxInt, MaxInt).Draw(t, "count"),
			Yes:   rapid.Bool().Draw(t, "yes"),
			List:  rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "list"),
		}
		data, err := Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out sample
		if err := Unmarshal(data, vectorType, &out); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Whatever is read encodes to the same bytes; on error the target is zero.
func FuzzUnmarshal(f *testing.F) {
	for _, v := range testvectors.Read(f, vectorDir) {
		if len(v.Body) < 4096 {
			f.Add(v.Body)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s sample
		if err := Unmarshal(data, vectorType, &s); err != nil {
			if diff := cmp.Diff(sample{}, s); diff != "" {
				t.Fatal(diff)
			}
			return
		}
		if again, err := Marshal(s); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q encodes to %q, %v", data, again, err)
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not JSON", data)
		}
	})
}

// Whatever the members are, Check wants the canonical form and the type.
func TestCheck(t *testing.T) {
	for data, says := range map[string]string{
		`{"a":["x",{"b":1}],"type":"x"}`: "",
		`{"a":"é\n","type":"x"}`:         "",
		`{}`:                             `"type" is missing`,
		`no`:                             "want an object",
		`{"type":"y"}`:                   `want "x"`,
		`{"a":"\u0041","type":"x"}`:      "not in canonical form",
		`{"a":1, "type":"x"}`:            "want",
		`{"b":1,"a":1,"type":"x"}`:       "sorted",
		`{"a":null,"type":"x"}`:          "null",
		`{"type":"x"}` + "\n":            "follow the object",
		`{"a":"` + strings.Repeat("a", 100) + `","type":"x"}`: "more than 64",
	} {
		err := Check([]byte(data), "x", 64)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", data, err, says)
		}
	}
}
