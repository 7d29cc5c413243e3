package exchange

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"muniment/cite/locator"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		format Format
		data   string
		want   []Citation
	}{
		{Anthropic, `{"content":[{"type":"text","text":"A.","citations":[{"type":"char_location","cited_text":"a","document_index":2,"document_title":"T","start_char_index":1,"end_char_index":2}]},{"type":"text","text":"no"}]}`,
			[]Citation{{"A.", "a", Document{Index: 2, Title: "T"}, "char_location", 1, 2, "char", 1, nil}}},
		{Anthropic, `[{"type":"text","text":"A.","citations":[{"type":"new_location","cited_text":"a","file_id":"f"}]}]`,
			[]Citation{{"A.", "a", Document{Index: -1, ID: "f"}, "new_location", 0, 0, "", 1, nil}}},
		{Anthropic, `[{"content":[{"text":"A.","citations":[{"type":"content_block_location","cited_text":"a","document_index":0,"start_block_index":3,"end_block_index":4}]}]},{"content":[]}]`,
			[]Citation{{"A.", "a", Document{}, "content_block_location", 3, 4, "block", 1, nil}}},
		{OpenAI, `{"choices":[{"message":{"content":"One. Two é three.","annotations":[{"type":"url_citation","url_citation":{"start_index":5,"end_index":9,"url":"u","title":"t"}}]}}]}`,
			[]Citation{{"Two é three.", "", Document{Index: -1, URL: "u", Title: "t"}, "url_citation", 0, 0, "", 1, nil}}},
		{OpenAI, `{"content":[{"type":"text","text":{"value":"One【1†s】. Two.","annotations":[{"type":"file_citation","text":"【1†s】","start_index":3,"end_index":8,"file_citation":{"file_id":"f","quote":"q"}}]}}]}`,
			[]Citation{{"One.", "q", Document{Index: -1, ID: "f"}, "file_citation", 0, 0, "", 1, nil}}},
		{OpenAI, `{"output":[{"content":[{"type":"output_text","text":"One. Two.","annotations":[{"type":"container_file_citation","start_index":99,"end_index":200,"file_id":"f","filename":"n"}]}]}]}`,
			[]Citation{{"Two.", "", Document{Index: -1, ID: "f", Title: "n"}, "container_file_citation", 0, 0, "", 1, nil}}},
		{Cohere, `{"message":{"content":[{"type":"text","text":"One two. Three."}],"citations":[{"start":9,"end":14,"text":"Three","sources":[{"type":"document","id":"doc:0","document":{"id":"d","snippet":"s"}}]}]}}`,
			[]Citation{{"Three.", "s", Document{Index: -1, ID: "d"}, "citation", 0, 0, "", 1, nil}}},
		{Cohere, `{"text":"One two.","citations":[{"start":0,"end":3,"text":"Elsewhere","document_ids":["d"]}]}`,
			[]Citation{{"Elsewhere", "", Document{Index: -1, ID: "d"}, "citation", 0, 0, "", 1, nil}}},
		{Anthropic, `{}`, nil},
	}
	for _, tt := range tests {
		got, err := Parse(tt.format, []byte(tt.data))
		if err != nil {
			t.Errorf("%s: %v", tt.data, err)
		}
		for i := range got {
			if got[i].Line != 1 {
				t.Errorf("%s: line %d", tt.data, got[i].Line)
			}
			got[i].raw = nil
		}
		if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(Citation{})); d != "" {
			t.Errorf("%s: %s", tt.data, d)
		}
	}
	for _, bad := range []string{"", "x", `{"content":3}`, `"text"`, `[1]`} {
		for _, f := range []Format{Anthropic, Cohere, OpenAI, "other"} {
			if got, err := Parse(f, []byte(bad)); err == nil && (f == "other" || len(got) > 0) {
				t.Errorf("%s %q: %v", f, bad, got)
			}
		}
	}
}

// TestLines: a citation has the line on which it begins, equal ones each their own, and those of one mark the same.
func TestLines(t *testing.T) {
	n := 0
	for data, want := range map[string][]int{
		"\n{\"content\":[\n{\"text\":\"A.\",\"citations\":[\n{\"cited_text\":\"a\"},\n{\"cited_text\":\"a\"},{\n\"cited_text\":\"b\"}]}]}":                          {4, 5, 5},
		"\uFEFF{\"text\":\"One two.\",\n\"citations\":[{\"start\":0,\"end\":3,\"document_ids\":[\"d\",\"e\"]},\n{\"start\":0,\"end\":3,\"document_ids\":[\"d\"]}]}": {2, 2, 3},
		"{\"output\":[{\"content\":[{\"text\":\"One.\",\"annotations\":[\n\n{\"file_id\":\"f\"}]}]}]}":                                                              {3},
	} {
		n++
		format := Anthropic
		if strings.Contains(data, "document_ids") {
			format = Cohere
		} else if strings.Contains(data, "output") {
			format = OpenAI
		}
		all, err := Parse(format, []byte(data))
		var got []int
		for _, c := range all {
			got = append(got, c.Line)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", data, got, err, want)
		}
	}
	if n != 3 {
		t.Errorf("%d answers", n)
	}
}

func TestWrite(t *testing.T) {
	data := WriteAnnotations("ipfs://c/citations", []Annotation{{ID: "ipfs://a", Claim: "</script>\u2028", Source: "ipfs://b", Selectors: []locator.Selector{{Exact: "x"}, {Start: 2, End: 3}}}})
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil || out["total"] != 1.0 || out["id"] != "ipfs://c/citations" || out["first"].(map[string]any)["id"] != "ipfs://c/citations#page1" {
		t.Errorf("%s %v", data, err)
	}
	if got := string(WritePROV(Provenance{})); got == "" || !json.Valid([]byte(got)) {
		t.Errorf("%s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"content":[{"text":"A","citations":[{"cited_text":"a"}]}]}`, `{"output":[{"content":[{"text":"One. Two.","annotations":[{"start_index":-1,"end_index":9}]}]}]}`, `{"text":"a","citations":[{"start":-5,"end":3,"document_ids":["x"]}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, format := range []Format{Anthropic, OpenAI, Cohere} {
			list, err := Parse(format, []byte(data))
			if err != nil && list != nil {
				t.Fatal("citations beside an error")
			}
		}
	})
}
