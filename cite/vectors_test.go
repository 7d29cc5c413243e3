package cite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"
	"muniment/testvectors"
)

const vectorDir = "../testvectors/cite"

// reasons is the closed set of expect values of spans and citations, with the
// parts of the error that say so.
var reasons = map[string][]string{
	"ok":       nil,
	"form":     {"want the form", "at most three decimals", "does not begin with", "no colon", "no hyphen", "snake_case", "empty step", "want one kind"},
	"number":   {"leading zero", "not a decimal number", "is above", "is missing", "want at least"},
	"order":    {"empty: ends at", "before its start", "before the first code point"},
	"spelling": {"not in its one spelling"},
	"range":    {"does not exist", "lies outside", "after the last code point", "not a run of", "no string or number"},
	"json":     {"canonical", "want them sorted", "follow the object", "unknown", "missing", "want a", "want an", "null"},
	"type":     {"type is", "type \"", "made by a newer program"},
	"id":       {"artifact: ", "record: ", "snapshot: ", "input 1: ", "record is given", "inputs are given"},
	"relation": {"relation"},
	"claim":    {"claim is empty"},
	"anchor":   {"quote_sha256", "prefix of", "suffix of"},
	"match":    {"match ", "edits "},
	"bounds":   {"bounds "},
	"verdict":  {"claim_verdict ", "judge has ", "match fuzzy in ", "match ambiguous in "},
}

func checkReason(t *testing.T, name, expect string, err error) {
	t.Helper()
	parts, known := reasons[expect]
	switch {
	case !known:
		t.Errorf("%s: expect %q is not in the closed set", name, expect)
	case expect == "ok" && err != nil:
		t.Errorf("%s: %v", name, err)
	case expect != "ok" && err == nil:
		t.Errorf("%s: accepted, want an error of kind %s", name, expect)
	case expect != "ok" && !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(err.Error(), p) }):
		t.Errorf("%s: %v, want an error of kind %s", name, err, expect)
	}
}

const letterText = "Dear Anna,\n\nLinus paid £1,200 for the barn on “Mill Road”, and did\nnot regret it. I can't say more.\n\nHe went to London twice, to London by rail and home on foot. The ﬁne old mill is for sale.\n"

// printedText has words that line breaks divide, and emphasis.
var printedText = "A dam of nine pounds, at the price of nine pounds.\n\nThey repai-\nred the mill, the well-\nknown mill. It was _very_ dear, for nine pounds; they *wrote* a file snake_case. They would go.\n\n" +
	"They went to London. They went by rail to London.\n\n" + strings.Repeat("So it went on and on. ", 40) + "This was the end of it.\n"

func spanVectors() []testvectors.Vector {
	var all []testvectors.Vector
	add := func(kind, name, expect, span string) {
		all = append(all, testvectors.New(kind+"-"+name, []byte(span), "kind", kind, "expect", expect))
	}
	add("span", "one-unit", "ok", "p4:0-41")
	add("span", "across-units", "ok", "p4:10-p6:3")
	add("span", "line", "ok", "l118:0-20")
	add("span", "largest", "ok", "p2147483647:0-2147483647")
	add("span", "empty-text", "form", "")
	add("span", "no-kind", "form", "4:0-41")
	add("span", "upper-case", "form", "P4:0-41")
	add("span", "other-kind", "form", "s4:0-41")
	add("span", "two-kinds", "form", "p4:10-l6:3")
	add("span", "no-colon", "form", "p4-41")
	add("span", "no-end", "number", "p4:0-")
	add("span", "unit-zero", "number", "p0:0-41")
	add("span", "leading-zero", "number", "p04:0-41")
	add("span", "leading-zero-offset", "number", "p4:00-41")
	add("span", "sign", "number", "p4:+0-41")
	add("span", "white-space", "number", "p4:0-41\n")
	add("span", "too-large", "number", "p4:0-2147483648")
	add("span", "huge", "number", "p4:0-99999999999999999999")
	add("span", "other-digits", "number", "p4:0-٤")
	add("span", "empty", "order", "p4:5-5")
	add("span", "backwards", "order", "p4:6-5")
	add("span", "units-backwards", "order", "p6:3-p4:10")
	add("span", "ends-before-unit", "order", "p4:10-p6:0")
	add("span", "long-spelling", "spelling", "p4:0-p4:41")
	add("metaspan", "key", "ok", "meta:media_type:0-10")
	add("metaspan", "path", "ok", "meta:source.creators.1:0-4")
	add("metaspan", "no-prefix", "form", "source.title:0-4")
	add("metaspan", "no-field", "form", "meta::0-4")
	add("metaspan", "upper-case", "form", "meta:Title:0-4")
	add("metaspan", "empty-step", "form", "meta:source..title:0-4")
	add("metaspan", "no-run", "form", "meta:source.title")
	add("metaspan", "ordinal-zero", "number", "meta:source.creators.0:0-4")
	add("metaspan", "ordinal-leading-zero", "number", "meta:source.creators.01:0-4")
	add("metaspan", "leading-zero", "number", "meta:source.title:00-4")
	add("metaspan", "empty", "order", "meta:source.title:4-4")
	return append(all, mediaSpanVectors()...)
}

// mediaSpanVectors returns the vectors of the spans of pictures and recordings.
func mediaSpanVectors() []testvectors.Vector {
	var all []testvectors.Vector
	for _, one := range []struct{ name, expect, span string }{
		{"region", "ok", "region:xywh=10,20,300,40"},
		{"region-percent", "ok", "region:xywh=percent:5,5,20,20"},
		{"region-whole", "ok", "region:xywh=percent:0,0,100,100"},
		{"region-largest", "ok", "region:xywh=2147483646,0,1,2147483647"},
		{"time", "ok", "time:2-4"},
		{"time-decimals", "ok", "time:0-0.001"},
		{"time-hours", "ok", "time:7200.5-7201.25"},
		{"both", "ok", "time:2-4&xywh=10,20,300,40"},
		{"both-percent", "ok", "time:2.5-4&xywh=percent:0,50,50,50"},
		{"no-prefix", "form", "2-4"},
		{"region-unit", "number", "region:xywh=em:1,1,2,2"},
		{"region-three", "form", "region:xywh=10,20,300"},
		{"region-shape", "form", "region:circle=10,20,30"},
		{"time-four-decimals", "form", "time:2-4.0001"},
		{"time-no-hyphen", "form", "time:2"},
		{"two-times", "form", "time:2-4&t=5,6"},
		{"region-sign", "number", "region:xywh=-1,0,10,10"},
		{"region-fraction", "number", "region:xywh=percent:0.5,0,10,10"},
		{"region-zero-width", "number", "region:xywh=10,20,0,40"},
		{"region-leading-zero", "number", "region:xywh=010,20,300,40"},
		{"time-open-end", "number", "time:2-"},
		{"time-no-start", "number", "time:-4"},
		{"time-too-large", "number", "time:0-2147483648"},
		{"time-empty", "order", "time:2-2"},
		{"time-backwards", "order", "time:4-2"},
		{"region-percent-outside", "range", "region:xywh=percent:90,0,20,20"},
		{"region-pixel-outside", "range", "region:xywh=2147483647,0,1,1"},
		{"region-pixel-unit", "spelling", "region:xywh=pixel:10,20,300,40"},
		{"region-behind-time", "spelling", "time:2-4&xywh=pixel:10,20,300,40"},
		{"time-zero-at-end", "spelling", "time:2.50-4"},
		{"time-clock", "spelling", "time:0:02-0:04"},
		{"w3c-fragment", "spelling", "t=2,4&xywh=10,20,300,40"},
		{"order-of-parts", "spelling", "region:xywh=10,20,300,40&t=2,4"},
	} {
		all = append(all, testvectors.New("mediaspan-"+one.name, []byte(one.span), "kind", "mediaspan", "expect", one.expect))
	}
	return all
}

func parseAny(kind, s string) (fmt.Stringer, error) {
	switch kind {
	case "metaspan":
		return ParseMetaSpan(s)
	case "mediaspan":
		return ParseMediaSpan(s)
	}
	return ParseSpan(s)
}

func resolveVectors(t *testing.T) []testvectors.Vector {
	var all []testvectors.Vector
	d := canon.NewDocument([]byte(letterText))
	add := func(name, expect, span string) {
		v := testvectors.New("resolve-"+name, []byte(letterText), "kind", "resolve", "expect", expect, "span", span)
		if expect == "ok" {
			s, err := ParseSpan(span)
			if err != nil {
				t.Fatal(err)
			}
			a, err := AnchorOf(d, s)
			if err != nil {
				t.Fatal(err)
			}
			v.Add("sha256", a.SHA256)
			v.Add("prefix", quoted(a.Prefix))
			v.Add("suffix", quoted(a.Suffix))
		}
		all = append(all, v)
	}
	add("first", "ok", "p1:0-4")
	add("behind-two-byte-sign", "ok", "p2:12-17")
	add("across-line-break", "ok", "p2:47-68")
	add("across-paragraphs", "ok", "p1:5-p2:5")
	add("whole-unit", "ok", "p1:0-10")
	add("line", "ok", "l4:0-3")
	add("end-of-text", "ok", "p3:84-90")
	add("no-such-unit", "range", "p4:0-1")
	add("behind-unit", "range", "p1:0-11")
	add("starts-behind-last", "range", "p1:10-p2:5")
	add("empty-line", "range", "l2:0-1")
	return all
}

func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func matchVectors(t *testing.T) []testvectors.Vector {
	var all []testvectors.Vector
	in := func(text, name, expect, quote, within string) {
		m := findVector(t, text, quote, within)
		v := testvectors.New("match-"+name, []byte(text), "kind", "match", "expect", expect, "quote", quoted(quote))
		addMatch(&v, m)
		v.AddIf("within", within)
		all = append(all, v)
	}
	add := func(name, expect, quote, within string) { in(letterText, name, expect, quote, within) }
	add("exact", "exact", "Linus paid", "")
	add("exact-code-points", "exact", "1,200 for the barn", "")
	add("exact-spaces-around", "exact", "  Linus paid\n", "")
	add("exact-within", "exact", "London", "p3:20-60")
	add("normalized-line-break", "normalized", "and did not regret it", "")
	add("normalized-quotes", "normalized", `"Mill Road"`, "")
	add("normalized-ligature", "normalized", "The fine old mill", "")
	add("normalized-apostrophe", "normalized", "I can’t say", "")
	add("ambiguous", "ambiguous", "London", "")
	add("ambiguous-normalized", "ambiguous", "to  London", "")
	add("fuzzy-wording", "fuzzy", "for the old barn on", "")
	add("fuzzy-number", "fuzzy", "Linus paid £1,300 for the barn", "")
	add("fuzzy-negation", "fuzzy", "and did regret it. I can't", "")
	add("fuzzy-name", "fuzzy", "He went to Londinium twice", "")
	add("fuzzy-case", "fuzzy", "the Fine old Mill is for sale", "")
	add("fuzzy-punctuation", "fuzzy", "twice; to London by rail", "")
	add("absent", "absent", "zebra crossing", "")
	add("absent-nearest-words", "absent", "he bought a barn in Mill Road", "")
	add("absent-inside-word", "absent", "ondon", "")
	add("absent-inside-contraction", "absent", "I can", "")
	add("absent-inside-number", "absent", "£1", "")
	add("absent-short-case", "absent", "london", "")
	add("absent-outside-within", "absent", "Linus paid", "p3:0-20")
	in(printedText, "broken-word", "normalized", "They repaired the mill", "")
	in(printedText, "broken-hyphen", "normalized", "the well-known mill", "")
	in(printedText, "broken-first-half", "exact", "They repai", "")
	in(printedText, "emphasis", "normalized", "It was very dear", "")
	in(printedText, "emphasis-of-caller", "normalized", "They *would* go", "")
	in(printedText, "emphasis-of-name", "exact", "a file snake_case", "")
	in(printedText, "emphasis-not-in-name", "absent", "snakecase", "")
	in(printedText, "ellipsis", "normalized", "They repaired … for nine pounds", "")
	in(printedText, "ellipsis-brackets", "normalized", "They repaired […] It was [. . .] for nine pounds;", "")
	in(printedText, "ellipsis-around", "normalized", "… the price of nine pounds …", "")
	in(printedText, "ellipsis-ambiguous", "ambiguous", "They went … London", "")
	in(printedText, "ellipsis-order", "fuzzy", "for nine pounds … They repaired", "")
	in(printedText, "ellipsis-far", "absent", "They would go … the end of it", "")
	in(printedText, "ellipsis-paragraphs", "fuzzy", "the price of nine pounds … They repaired", "")
	return all
}

func findVector(t *testing.T, text, quote, within string) Match {
	t.Helper()
	var run *Span
	if within != "" {
		s, err := ParseSpan(within)
		if err != nil {
			t.Fatal(err)
		}
		run = &s
	}
	m, err := Find(canon.NewDocument([]byte(text)), quote, run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// addMatch adds the header lines of a match; what is empty has none.
func addMatch(v *testvectors.Vector, m Match) {
	v.Add("similarity", fmt.Sprintf("1 - %d/%d", m.Edits, m.Length))
	others := make([]string, len(m.Others))
	for i, s := range m.Others {
		others[i] = s.String()
	}
	v.AddIf("span", m.Span.String())
	if m.Elided {
		v.Add("elided", "yes")
	}
	v.AddIf("others", strings.Join(others, " "))
	v.AddIf("difference", m.Difference)
	if m.Nearest != nil {
		v.AddIf("nearest", m.Nearest.String())
	}
	if m.Found != "" {
		v.Add("found", quoted(m.Found))
	}
}

func sampleCitation(t testing.TB) *Citation {
	d := canon.NewDocument([]byte(letterText))
	m, err := Find(d, "Linus paid £1,200 for the barn", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := AnchorOf(d, m.Span)
	if err != nil {
		t.Fatal(err)
	}
	return &Citation{
		Type: FirstCitationType, Artifact: cid.Of(d.Payload()).String(), Record: cid.OfJSON([]byte("a record")).String(),
		Snapshot: cid.Of([]byte("a snapshot")).String(), Seq: 3, Span: m.Span.String(), Relation: DirectQuote,
		Claim: "Linus paid £1,200 for the barn.", Reasoning: "The letter names the sum.",
		QuoteSHA256: a.SHA256, Prefix: a.Prefix, Suffix: a.Suffix, Match: m.Status, Edits: m.Edits, Length: m.Length,
	}
}

func citationVectors(t *testing.T) []testvectors.Vector {
	good := sampleCitation(t)
	data, err := good.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var all []testvectors.Vector
	raw := func(name, expect, body string) {
		v := testvectors.New("citation-"+name, []byte(body), "kind", "citation", "expect", expect)
		if expect == "ok" {
			v.Add("id", cid.OfJSON([]byte(body)).String())
		}
		all = append(all, v)
	}
	// replace changes one thing in the good citation's bytes, so that the rest
	// stays canonical.
	replace := func(name, expect, old, new string) {
		if !strings.Contains(string(data), old) {
			t.Fatalf("%s: %q is not in %s", name, old, data)
		}
		raw(name, expect, strings.Replace(string(data), old, new, 1))
	}
	raw("quote", "ok", string(data))
	replace("no-record", "ok", `"record":"`+good.Record+`",`, "")
	replace("across-units", "ok", `"p2:0-30"`, `"p2:0-p3:5"`)
	replace("fuzzy", "ok", `"edits":0,"length":30,"match":"exact"`, `"difference":"wording","edits":7,"length":30,"match":"fuzzy"`)
	meta := strings.Replace(string(data), `"record":"`+good.Record+`","relation":"direct_quote"`, `"relation":"metadata_fact"`, 1)
	meta = strings.Replace(meta, good.Artifact, good.Record, 1)
	meta = strings.Replace(meta, `"p2:0-30"`, `"meta:source.title:0-30"`, 1)
	raw("metadata-fact", "ok", meta)
	inputs := `"inputs":["` + good.Record + `"],"length":30`
	aggregate := strings.Replace(strings.Replace(string(data), `"length":30`, inputs, 1), `"direct_quote"`, `"aggregation"`, 1)
	raw("aggregation", "ok", aggregate)
	raw("cut", "json", string(data[:len(data)-1]))
	raw("trailing-line-feed", "json", string(data)+"\n")
	replace("white-space", "json", `"claim":`, `"claim": `)
	replace("order", "json", `"edits":0,"length":30`, `"length":30,"edits":0`)
	replace("unknown-member", "json", `"length":30`, `"lenght":1,"length":30`)
	replace("null", "json", `"length":30`, `"length":null`)
	replace("missing-suffix", "json", `"suffix":`+quoted(good.Suffix)+`,`, "")
	replace("empty-reasoning", "json", `"The letter names the sum."`, `""`)
	replace("other-type", "type", FirstCitationType, "muniment/citation/v4")
	replace("artifact-codec", "id", good.Artifact, good.Record)
	replace("artifact-upper-case", "id", good.Artifact, strings.ToUpper(good.Artifact))
	replace("snapshot-codec", "id", good.Snapshot, good.Record)
	replace("record-codec", "id", good.Record, good.Snapshot)
	raw("metadata-record", "id", strings.Replace(meta, `"relation"`, `"record":"`+good.Record+`","relation"`, 1))
	raw("inputs-of-quote", "id", strings.Replace(aggregate, `"aggregation"`, `"direct_quote"`, 1))
	raw("input-codec", "id", strings.Replace(aggregate, `["`+good.Record, `["`+good.Artifact, 1))
	replace("relation-alias", "relation", `"direct_quote"`, `"direct quote"`)
	replace("relation-unknown", "relation", `"direct_quote"`, `"hearsay"`)
	replace("span-zero", "number", `"p2:0-30"`, `"p0:0-30"`)
	replace("span-empty", "order", `"p2:0-30"`, `"p2:3-3"`)
	replace("meta-span-of-quote", "form", `"p2:0-30"`, `"meta:source.title:0-30"`)
	replace("claim-empty", "claim", quoted(good.Claim), `" "`)
	replace("seq-zero", "number", `"seq":3`, `"seq":0`)
	replace("sha256-upper-case", "anchor", good.QuoteSHA256, strings.ToUpper(good.QuoteSHA256))
	replace("sha256-short", "anchor", good.QuoteSHA256, good.QuoteSHA256[:62])
	replace("prefix-long", "anchor", quoted(good.Prefix), `"`+strings.Repeat("é", AnchorContext+1)+`"`)
	replace("match-absent", "match", `"exact"`, `"absent"`)
	replace("exact-with-edits", "match", `"edits":0`, `"edits":1`)
	replace("fuzzy-too-far", "match", `"edits":0,"length":30,"match":"exact"`, `"difference":"wording","edits":8,"length":30,"match":"fuzzy"`)
	replace("fuzzy-short", "match", `"edits":0,"length":30,"match":"exact"`, `"difference":"wording","edits":1,"length":11,"match":"fuzzy"`)
	replace("fuzzy-no-difference", "match", `"edits":0,"length":30,"match":"exact"`, `"edits":7,"length":30,"match":"fuzzy"`)
	replace("length-zero", "match", `"length":30`, `"length":0`)
	replace("verdict-of-first-type", "verdict", `"edits":0`, `"claim_verdict":"follows","edits":0`)
	return slices.Concat(all, secondCitationVectors(t), mediaCitationVectors(t))
}

// mediaCitationVectors returns the vectors of the third type, which cites a fragment
// of a picture or a recording.
func mediaCitationVectors(t *testing.T) []testvectors.Vector {
	var all []testvectors.Vector
	encode := func(name string, c Citation) string {
		data, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, testvectors.New("citation-v3-"+name, data, "kind", "citation", "expect", "ok", "id", cid.OfJSON(data).String()))
		return string(data)
	}
	c := Citation{Type: MediaCitationType, Artifact: cid.Of([]byte("a picture")).String(), Snapshot: cid.Of([]byte("a snapshot")).String(), Seq: 3,
		Span: "region:xywh=10,20,300,40", Relation: Paraphrase, Claim: "The water reached the sill.", Match: NoWords, ClaimVerdict: ClaimNotShown, Bounds: &Bounds{Width: 640, Height: 480}}
	region := encode("region", c)
	c.Bounds = nil
	open := encode("bounds-unknown", c)
	c.Record, c.Span, c.Relation, c.Reasoning, c.Context = cid.OfJSON([]byte("a record")).String(), "time:2-4&xywh=percent:0,0,50,50", InferenceFrom, "A laugh is heard.", "at the end of the speech"
	c.Bounds = &Bounds{Width: 640, Height: 480, Duration: 4000}
	both := encode("time-and-region", c)
	c.ClaimVerdict, c.Judge = ClaimJudged, &JudgeReply{Model: "eye-7b", PromptSHA256: strings.Repeat("1f", 32), ReplySHA256: strings.Repeat("2e", 32)}
	encode("judged", c)
	for _, bad := range []struct{ name, expect, of, old, new string }{
		{"direct-quote", "relation", region, `"paraphrase"`, `"direct_quote"`},
		{"metadata-fact", "relation", region, `"paraphrase"`, `"metadata_fact"`},
		{"text-span", "form", region, `"region:xywh=10,20,300,40"`, `"p2:0-30"`},
		{"meta-span", "form", open, `"region:xywh=10,20,300,40"`, `"meta:source.title:0-4"`},
		{"spelling", "spelling", region, `"region:xywh=10,`, `"region:xywh=pixel:10,`},
		{"empty-time", "order", both, `"time:2-4`, `"time:4-4`},
		{"outside-width", "range", region, `"width":640`, `"width":309`},
		{"outside-height", "range", region, `"height":480`, `"height":59`},
		{"outside-duration", "range", both, `"duration_ms":4000`, `"duration_ms":3999`},
		{"bounds-empty", "bounds", open, `"claim":`, `"bounds":{},"claim":`},
		{"bounds-one-side", "bounds", region, `"height":480,`, ``},
		{"bounds-negative", "bounds", region, `"height":480`, `"height":-480`},
		{"bounds-of-no-time", "bounds", region, `"height":480`, `"duration_ms":4000,"height":480`},
		{"bounds-unknown-member", "json", region, `"height":480`, `"depth":3,"height":480`},
		{"quote-hash", "json", region, `"relation":`, `"quote_sha256":"` + strings.Repeat("1f", 32) + `","relation":`},
		{"prefix", "json", region, `"relation":`, `"prefix":"a","relation":`},
		{"length", "json", region, `"match":`, `"length":1,"match":`},
		{"match-exact", "match", region, `"none"`, `"exact"`},
		{"no-match", "json", region, `"match":"none",`, ``},
		{"follows", "verdict", region, `"not_shown"`, `"follows"`},
		{"contradicted", "verdict", region, `"not_shown"`, `"contradicted"`},
		{"no-verdict", "json", region, `"claim_verdict":"not_shown",`, ``},
		{"judged-by-nobody", "verdict", region, `"not_shown"`, `"judged"`},
		{"artifact-codec", "id", region, c.Artifact, c.Record},
		{"second-type", "json", region, MediaCitationType, CitationType},
	} {
		if !strings.Contains(bad.of, bad.old) {
			t.Fatalf("%s: %q is not in %s", bad.name, bad.old, bad.of)
		}
		all = append(all, testvectors.New("citation-v3-"+bad.name, []byte(strings.Replace(bad.of, bad.old, bad.new, 1)), "kind", "citation", "expect", bad.expect))
	}
	return all
}

// secondCitationVectors returns the vectors of the second type, which has the
// verdict on the claim.
func secondCitationVectors(t *testing.T) []testvectors.Vector {
	var all []testvectors.Vector
	follows := sampleCitation(t)
	follows.Type, follows.ClaimVerdict = CitationType, ClaimFollows
	notShown := *follows
	notShown.ClaimVerdict = ClaimNotShown
	judged := *follows
	judged.ClaimVerdict, judged.Judge = ClaimJudged, &JudgeReply{Model: "judge-7b", PromptSHA256: strings.Repeat("1f", 32), ReplySHA256: strings.Repeat("2e", 32)}
	bodies := map[string]string{}
	for _, one := range []struct {
		name     string
		citation *Citation
	}{{"follows", follows}, {"not-shown", &notShown}, {"judged", &judged}} {
		data, err := one.citation.Encode()
		if err != nil {
			t.Fatal(err)
		}
		bodies[one.name] = string(data)
		all = append(all, testvectors.New("citation-v2-"+one.name, data, "kind", "citation", "expect", "ok", "id", cid.OfJSON(data).String()))
	}
	for _, bad := range []struct{ name, expect, of, old, new string }{
		{"contradicted", "verdict", "follows", `"follows"`, `"contradicted"`},
		{"no-verdict", "verdict", "follows", `"claim_verdict":"follows",`, ``},
		{"other-verdict", "verdict", "follows", `"follows"`, `"true"`},
		{"judge-of-follows", "verdict", "judged", `"judged"`, `"follows"`},
		{"judged-by-nobody", "verdict", "follows", `"follows"`, `"judged"`},
		{"judge-without-name", "verdict", "judged", `"judge-7b"`, `" "`},
		{"judge-hash", "verdict", "judged", strings.Repeat("2e", 32), strings.Repeat("2E", 32)},
		{"judge-unknown-member", "json", "judged", `"model":`, `"mode":"","model":`},
		{"fuzzy", "verdict", "follows", `"edits":0,"length":30,"match":"exact"`, `"difference":"wording","edits":7,"length":30,"match":"fuzzy"`},
		{"ambiguous", "verdict", "follows", `"match":"exact"`, `"match":"ambiguous"`},
	} {
		if !strings.Contains(bodies[bad.of], bad.old) {
			t.Fatalf("%s: %q is not in %s", bad.name, bad.old, bodies[bad.of])
		}
		all = append(all, testvectors.New("citation-v2-"+bad.name, []byte(strings.Replace(bodies[bad.of], bad.old, bad.new, 1)), "kind", "citation", "expect", bad.expect))
	}
	return all
}

func TestVectors(t *testing.T) {
	testvectors.Generate(t, vectorDir, slices.Concat(spanVectors(), resolveVectors(t), matchVectors(t), citationVectors(t)))
	ran := map[string]int{}
	testvectors.Run(t, vectorDir, 197, func(t *testing.T, v testvectors.Vector) {
		ran[v.Get("kind")]++
		runVector(t, v)
	})
	counts := map[string]int{"span": 24, "metaspan": 11, "mediaspan": 33, "resolve": 11, "match": 37, "citation": 81}
	if !maps.Equal(ran, counts) {
		t.Errorf("ran %v vectors, want %v", ran, counts)
	}
}

// runVector reads a vector as its kind says and compares the outcome with its
// header.
func runVector(t *testing.T, v testvectors.Vector) {
	name, body := v.Name, string(v.Body)
	switch kind := v.Get("kind"); kind {
	default:
		t.Errorf("%s: kind %q", name, kind)
	case "span", "metaspan", "mediaspan":
		s, err := parseAny(kind, body)
		checkReason(t, name, v.Get("expect"), err)
		if err == nil && s.String() != body {
			t.Errorf("%s: %q re-encodes to %q", name, body, s)
		}
	case "resolve":
		s, err := ParseSpan(v.Get("span"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		a, err := AnchorOf(canon.NewDocument([]byte(body)), s)
		checkReason(t, name, v.Get("expect"), err)
		if err == nil && (a.SHA256 != v.Get("sha256") || quoted(a.Prefix) != v.Get("prefix") || quoted(a.Suffix) != v.Get("suffix")) {
			t.Errorf("%s: anchor %+v", name, a)
		}
	case "match":
		var quote string
		if err := json.Unmarshal([]byte(v.Get("quote")), &quote); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		m := findVector(t, body, quote, v.Get("within"))
		if string(m.Status) != v.Get("expect") {
			t.Errorf("%s: %s, want %s", name, m.Status, v.Get("expect"))
		}
		var found testvectors.Vector
		addMatch(&found, m)
		for _, l := range found.Header {
			if v.Get(l.Key) != l.Value {
				t.Errorf("%s: %s %q, want %q", name, l.Key, l.Value, v.Get(l.Key))
			}
		}
	case "citation":
		c, err := ParseCitation([]byte(body))
		checkReason(t, name, v.Get("expect"), err)
		if err != nil {
			return
		}
		if id, err := c.ID(); err != nil || id.String() != v.Get("id") {
			t.Errorf("%s: id %v, %v", name, id, err)
		}
	}
}
