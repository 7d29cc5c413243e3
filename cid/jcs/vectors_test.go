package jcs

import (
	"bytes"
	"muniment/testvectors"
	"strconv"
	"strings"
	"testing"
)

const vectorDir = "../../testvectors/jcs"

// vectorType is the type that the vectors are read as; sample is its shape.
const vectorType = "muniment/vector/v1"

// vectorLimit stands for MaxObject, so that no vector is a megabyte long.
const vectorLimit = 1024

type sample struct {
	Type  string            `json:"type"`
	Text  string            `json:"text"`
	Count int64             `json:"count"`
	Yes   bool              `json:"yes,omitempty"`
	List  []string          `json:"list,omitempty"`
	Facts map[string]string `json:"facts,omitempty"`
	Inner *inner            `json:"inner,omitempty"`
}

type inner struct {
	Name  string   `json:"name,omitempty"`
	Inner []*inner `json:"inner,omitempty"`
}

// reasons is the closed set of expect values, with a part of the error.
var reasons = map[string][]string{
	"ok":            nil,
	"not-json":      {"want a ", "want an object", "follow the object", "does not end", "ends at byte"},
	"not-canonical": {"not in canonical form", "want them sorted"},
	"duplicate":     {"twice"},
	"null":          {"null is not allowed"},
	"number":        {"number "},
	"string":        {"surrogate", "not UTF-8", "control character", "escape"},
	"depth":         {"inside each other"},
	"size":          {"more than 1024"},
	"type":          {"type", "made by a newer program"},
	"member":        {"is unknown", "is missing", "saw ", "member name"},
}

// vectors makes every vector.
func vectors() []testvectors.Vector {
	const head = `{"count":0,"text":"","type":"muniment/vector/v1"}`
	with := func(member string) string { return `{"count":0,` + member + `,"text":"","type":"muniment/vector/v1"}` }
	text := func(s string) string { return `{"count":0,"text":"` + s + `","type":"muniment/vector/v1"}` }
	count := func(s string) string { return `{"count":` + s + `,"text":"","type":"muniment/vector/v1"}` }
	list := []struct{ name, expect, comment, data string }{
		{"ok-minimal", "ok", "required members only", head},
		{"ok-full", "ok", "every member", `{"count":-12,"facts":{"a":"1","b_2":"2"},"inner":{"inner":[{"name":"x"},{}],"name":"n"},"list":["","b"],"text":"t","type":"muniment/vector/v1","yes":true}`},
		{"ok-escapes", "ok", "the string of RFC 8785, 3.2.2, and every short escape", text("€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/ \\b\\t\\f\\r\x7f\u2028<>&")},
		{"ok-astral", "ok", "characters beyond the basic plane stand as themselves", text("\U0001F4DC\U00010000")},
		{"ok-largest", "ok", "2^53-1", count("9007199254740991")},
		{"ok-smallest", "ok", "-(2^53-1)", count("-9007199254740991")},
		{"ok-depth-8", "ok", "eight objects and arrays inside each other", with(`"inner":{"inner":[{"inner":[{"inner":[{"name":"x"}]}]}]}`)},
		{"depth-9", "depth", "nine", with(`"inner":{"inner":[{"inner":[{"inner":[{"inner":[{"name":"x"}]}]}]}]}`)},
		{"size-max", "ok", "exactly as many bytes as the limit", text(strings.Repeat("a", vectorLimit-len(head)))},
		{"size-over", "size", "one byte more", text(strings.Repeat("a", vectorLimit-len(head)+1))},
		{"empty", "not-json", "no bytes", ""},
		{"array", "not-json", "the outermost value is an array", `["muniment/vector/v1"]`},
		{"cut", "not-json", "the last byte is missing", head[:len(head)-1]},
		{"cut-string", "not-json", "ends inside a string", `{"count":0,"text":"`},
		{"trailing-lf", "not-json", "a line feed after the object", head + "\n"},
		{"trailing-object", "not-json", "a second object", head + head},
		{"trailing-nul", "not-json", "a zero byte after the object", head + "\x00"},
		{"leading-space", "not-json", "a space before the object", " " + head},
		{"inner-space", "not-json", "a space after a colon", count(" 0")},
		{"bom", "not-json", "a byte order mark", "\ufeff" + head},
		{"comma-last", "not-json", "a comma after the last member", head[:len(head)-1] + ",}"},
		{"literal", "not-json", "an unknown word", count("nul")},
		{"order", "not-canonical", "members out of order", `{"text":"","count":0,"type":"muniment/vector/v1"}`},
		{"escape-slash", "not-canonical", "a slash escaped", text(`\/`)},
		{"escape-letter", "not-canonical", "a letter escaped", text(`\u0041`)},
		{"escape-upper-hex", "not-canonical", "upper case digits in an escape", text(`\u000F`)},
		{"escape-long", "not-canonical", "a line feed as \\u000a", text(`\u000a`)},
		{"escape-pair", "not-canonical", "a surrogate pair escaped", text(`\ud83d\udcdc`)},
		{"escape-html", "not-canonical", "a less-than sign escaped", text(`\u003c`)},
		{"empty-omitted", "not-canonical", "an empty list that is left out when empty", with(`"list":[]`)},
		{"false-omitted", "not-canonical", "false where it is left out", head[:len(head)-1] + `,"yes":false}`},
		{"duplicate", "duplicate", "one name twice, equal values", `{"count":0,"count":0,"text":"","type":"muniment/vector/v1"}`},
		{"duplicate-escaped", "duplicate", "one name twice, once escaped", `{"count":0,"c\u006funt":0,"text":"","type":"muniment/vector/v1"}`},
		{"duplicate-fact", "duplicate", "one fact twice", with(`"facts":{"a":"1","a":"2"}`)},
		{"null", "null", "null for a string", `{"count":0,"text":null,"type":"muniment/vector/v1"}`},
		{"null-list", "null", "null inside a list", with(`"list":[null]`)},
		{"number-fraction", "number", "0.0", count("0.0")},
		{"number-exponent", "number", "1e0", count("1e0")},
		{"number-exponent-upper", "number", "1E0", count("1E0")},
		{"number-minus-zero", "number", "-0", count("-0")},
		{"number-leading-zero", "number", "01", count("01")},
		{"number-leading-zero-minus", "number", "-01", count("-01")},
		{"number-over", "number", "2^53", count("9007199254740992")},
		{"number-under", "number", "-2^53", count("-9007199254740992")},
		{"number-huge", "number", "beyond 64 bits", count("18446744073709551616")},
		{"number-minus", "not-json", "a minus sign alone", count("-")},
		{"number-plus", "not-json", "a plus sign", count("+1")},
		{"surrogate-high", "string", "a high surrogate alone", text(`\ud83d`)},
		{"surrogate-low", "string", "a low surrogate alone", text(`\udcdc`)},
		{"surrogate-swapped", "string", "low before high", text(`\udcdc\ud83d`)},
		{"surrogate-utf8", "string", "a surrogate as three bytes", text("\xed\xa0\xbd")},
		{"utf8-invalid", "string", "a byte that starts nothing", text("\xff")},
		{"utf8-overlong", "string", "a slash in two bytes", text("\xc0\xaf")},
		{"utf8-cut", "string", "a character cut short", text("\xe2\x82")},
		{"control-raw", "string", "a line feed inside a string", text("\n")},
		{"escape-unknown", "string", "an escape JSON does not know", text(`\v`)},
		{"escape-short", "string", "three hexadecimal digits", text(`\u00a`)},
		{"type-other", "type", "another type", `{"count":0,"text":"","type":"muniment/vector/v2"}`},
		{"type-missing", "type", "no type", `{"count":0,"text":""}`},
		{"type-number", "type", "a type that is no string", `{"count":0,"text":"","type":1}`},
		{"member-unknown", "member", "an unknown member", with(`"extra":1`)},
		{"member-unknown-inner", "member", "an unknown member inside", with(`"inner":{"extra":1}`)},
		{"member-missing", "member", "a required member is missing", `{"count":0,"type":"muniment/vector/v1"}`},
		{"member-kind", "member", "a string for a number", count(`"0"`)},
		{"member-kind-fact", "member", "a number for a fact", with(`"facts":{"a":1}`)},
		{"member-case", "member", "a name with a capital", with(`"Extra":1`)},
		{"member-empty", "member", "an empty name", `{"":0,"count":0,"text":"","type":"muniment/vector/v1"}`},
		{"member-not-ascii", "member", "a fact named beyond ASCII", with(`"facts":{"é":"1"}`)},
	}
	var out []testvectors.Vector
	for _, v := range list {
		out = append(out, testvectors.New(v.name, []byte(v.data), "expect", v.expect, "type", vectorType, "limit", strconv.Itoa(vectorLimit), "comment", v.comment))
	}
	return out
}

func TestVectors(t *testing.T) {
	testvectors.Generate(t, vectorDir, vectors())
	testvectors.Run(t, vectorDir, 68, check)
}

// check reads the body of a vector as its header asks.
func check(t *testing.T, v testvectors.Vector) {
	data, expect := v.Body, v.Get("expect")
	parts, known := reasons[expect]
	if !known {
		t.Fatalf("expect %q is not in the closed set", expect)
	}
	got := sample{Text: "left over", Yes: true}
	err := UnmarshalLimit(data, vectorType, &got, vectorLimit)
	if expect == "ok" {
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Marshal(got); err != nil || !bytes.Equal(again, data) {
			t.Errorf("encodes to %q, %v", again, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("accepted, want %s", expect)
	}
	if zero, _ := Marshal(got); string(zero) != `{"count":0,"text":"","type":""}` {
		t.Errorf("after the error the target holds %s", zero)
	}
	for _, part := range parts {
		if strings.Contains(err.Error(), part) {
			return
		}
	}
	t.Errorf("error %q, want one that says %q", err, parts)
}
