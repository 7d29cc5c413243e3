package bundle

import (
	"bytes"
	"encoding/hex"
	"muniment/bundle/leaf"
	"strings"
	"testing"

	"muniment/cid/merkle"
)

// statementVectors are one good statement and one defect each.
func statementVectors(good []byte) []vector {
	empty := merkle.Root(nil)
	lines := strings.SplitAfter(string(good), "\n")
	out := []vector{{name: "statement-ok", kind: "statement", expect: expectOK, data: good}}
	add := func(name, expect string, edit func(lines []string) []string) {
		copied := append([]string{}, lines...)
		out = append(out, vector{name: "statement-" + name, kind: "statement", expect: expect, data: []byte(strings.Join(edit(copied), ""))})
	}
	line := func(key string) int {
		for i, l := range lines {
			if strings.HasPrefix(l, key+" ") {
				return i
			}
		}
		panic("no line " + key)
	}
	set := func(name, key, value string) {
		add(name, expectMalformed, func(l []string) []string { l[line(key)] = key + " " + value + "\n"; return l })
	}
	zeros := strings.Repeat("0", 64)
	add("scopes", expectOK, func(l []string) []string {
		l[line("sealed")] = "sealed auditor - " + zeros + "\nsealed board 1-2 " + zeros + "\nsealed board 1-3 " + zeros + "\n"
		return l
	})
	add("log-of-size-4", expectOK, func(l []string) []string {
		l[line("after")] = strings.Replace(strings.Replace(l[line("after")], " 0 ", " 4 ", 1), hex.EncodeToString(empty[:]), zeros, 1)
		return l
	})
	add("no-final-line-end", expectMalformed, func(l []string) []string {
		l[len(l)-2] = strings.TrimSuffix(l[len(l)-2], "\n")
		return l
	})
	add("crlf", expectMalformed, func(l []string) []string { l[1] = strings.Replace(l[1], "\n", "\r\n", 1); return l })
	add("trailing-line", expectMalformed, func(l []string) []string { return append(l, "note x\n") })
	add("trailing-blank", expectMalformed, func(l []string) []string { return append(l, "\n") })
	add("line-missing", expectMalformed, func(l []string) []string { return append(l[:5:5], l[6:]...) })
	add("line-twice", expectMalformed, func(l []string) []string { return append(l[:6:6], l[5:]...) })
	add("order", expectMalformed, func(l []string) []string { l[2], l[3] = l[3], l[2]; return l })
	add("head", expectMalformed, func(l []string) []string { l[0] = "muniment/answer/v2\n"; return l })
	add("two-spaces", expectMalformed, func(l []string) []string { l[2] = strings.Replace(l[2], " ", "  ", 1); return l })
	add("tab", expectMalformed, func(l []string) []string { l[2] = strings.Replace(l[2], " ", "\t", 1); return l })
	add("not-ascii", expectMalformed, func(l []string) []string { l[5] = "outcome réponse\n"; return l })
	add("too-long", expectMalformed, func(l []string) []string { return append(l, strings.Repeat("x", MaxStatement)+"\n") })
	add("empty", expectMalformed, func([]string) []string { return nil })
	set("archive-raw", "archive", "bafkreicxwdmo7tdplbq73cyzcmp7azhvvuih6pfimi2gh5pwte4pcqwnli")
	set("id-upper", "id", "09080700000000000000000000000A00")
	set("id-short", "id", "0908")
	set("issued-offset", "issued", "2021-03-04T09:00:00+00:00")
	set("issued-fraction", "issued", "2021-03-04T09:00:00.5Z")
	set("issued-day", "issued", "2021-02-30T09:00:00Z")
	set("issued-1969", "issued", "1969-12-31T23:59:59Z")
	set("request-short", "request", "00")
	set("outcome-unknown", "outcome", "supported")
	set("leaves-65", "leaves", "65")
	set("leaves-zero-first", "leaves", "064")
	set("leaves-plus", "leaves", "+64")
	set("leaves-8192", "leaves", "8192")
	set("display-beyond", "display", "64")
	set("display-negative", "display", "-1")
	set("root-upper", "root", strings.Repeat("A", 64))
	add("sealed-none", expectMalformed, func(l []string) []string { return append(l[:line("sealed"):line("sealed")], l[line("sealed")+1:]...) })
	set("sealed-scope-upper", "sealed", "Auditor - "+zeros)
	set("sealed-scope-path", "sealed", "../x - "+zeros)
	set("sealed-scope-long", "sealed", strings.Repeat("a", 32)+" - "+zeros)
	set("sealed-subset-one", "sealed", "board 1 "+zeros)
	set("sealed-subset-order", "sealed", "board 2-1 "+zeros)
	set("sealed-subset-6", "sealed", "board 1-6 "+zeros)
	set("sealed-subset-empty", "sealed", "board  "+zeros)
	set("sealed-order", "sealed", "board - "+zeros+"\nsealed auditor - "+zeros)
	set("sealed-twice", "sealed", "board - "+zeros+"\nsealed board - "+zeros)
	set("sealed-whole-and-subset", "sealed", "board - "+zeros+"\nsealed board 1-2 "+zeros)
	set("sealed-17", "sealed", strings.TrimPrefix(strings.TrimSuffix(manyScopes(zeros), "\n"), "sealed "))
	origin := strings.Fields(lines[line("after")])[1]
	set("after-root-of-nothing", "after", origin+" 0 "+zeros)
	set("after-size-negative", "after", origin+" -1 "+zeros)
	set("after-size-huge", "after", origin+" 9007199254740992 "+zeros)
	set("after-other-archive", "after", strings.Replace(origin, "bagaaiera", "bagaaierb", 1)+" 4 "+zeros)
	set("after-epoch-0", "after", strings.TrimSuffix(origin, "/1")+"/0 4 "+zeros)
	set("after-epoch-01", "after", strings.TrimSuffix(origin, "/1")+"/01 4 "+zeros)
	set("after-no-epoch", "after", strings.TrimSuffix(origin, "/1")+" 4 "+zeros)
	return out
}

func manyScopes(sum string) string {
	var b strings.Builder
	for i := range MaxScopes + 1 {
		b.WriteString("sealed " + string(rune('a'+i)) + " - " + sum + "\n")
	}
	return b.String()
}

// leafVectors are a good leaf of every kind and one defect each.
func leafVectors(t *testing.T, files map[string][]byte) []vector {
	g := firstForgery(t)
	g.oneKey(t)
	byKind := make(map[leaf.Kind]string)
	g.leaves = func(t testing.TB, leaves []leaf.Leaf, _ []bool) {
		for _, l := range leaves {
			if byKind[leaf.KindOf(l)] == "" {
				byKind[leaf.KindOf(l)] = string(must[[]byte](t)(leaf.Encode(l)))
			}
		}
	}
	g.make(t)
	f := firstForgery(t)
	f.answer = f.f.refusal()
	f.leaves = func(t testing.TB, leaves []leaf.Leaf, _ []bool) {
		byKind[leaf.KindRefusal] = string(must[[]byte](t)(leaf.Encode(find[*leaf.Refusal](leaves)[0])))
	}
	f.make(t)
	var out []vector
	for _, k := range []leaf.Kind{leaf.KindClaim, leaf.KindCite, leaf.KindSource, leaf.KindChunk, leaf.KindGate, leaf.KindRefusal, leaf.KindRemoved, leaf.KindDisplay, leaf.KindPad} {
		out = append(out, vector{name: "leaf-" + string(k), kind: "leaf", expect: expectOK, data: []byte(byKind[k])})
	}
	bad := func(name string, k leaf.Kind, from, to string) {
		if !strings.Contains(byKind[k], from) {
			t.Fatalf("leaf vector %s: no %q in %s", name, from, byKind[k])
		}
		out = append(out, vector{name: "leaf-" + name, kind: "leaf", expect: expectMalformed, data: []byte(strings.Replace(byKind[k], from, to, 1))})
	}
	bad("kind-unknown", leaf.KindChunk, `"kind":"chunk"`, `"kind":"chunks"`)
	bad("kind-missing", leaf.KindChunk, `"kind":"chunk",`, ``)
	bad("kind-of-other-fields", leaf.KindChunk, `"kind":"chunk"`, `"kind":"pad"`)
	bad("type-v2", leaf.KindChunk, leaf.Type1, "muniment/leaf/v2")
	bad("member-unknown", leaf.KindChunk, `"index":`, `"hint":"","index":`)
	bad("member-missing", leaf.KindRemoved, `"reason":"the archive has no evidence",`, ``)
	bad("member-twice", leaf.KindChunk, `"kind":"chunk"`, `"kind":"chunk","kind":"chunk"`)
	bad("space", leaf.KindChunk, `"kind":`, `"kind": `)
	bad("line-end", leaf.KindChunk, `"}`, "\"}\n")
	bad("null", leaf.KindClaim, `"restricted":false`, `"restricted":null`)
	bad("answer-upper", leaf.KindChunk, `"answer":"09`, `"answer":"0A`)
	bad("salt-short", leaf.KindChunk, `"salt":"`, `"salt":"00`)
	bad("index-negative", leaf.KindPad, `"index":`, `"index":-`)
	bad("index-beyond", leaf.KindPad, `"index":`, `"index":9999`)
	bad("claim-rung", leaf.KindClaim, `"rung":"`, `"rung":"un`)
	bad("claim-zero", leaf.KindClaim, `"claim":`, `"claim":-`)
	bad("claim-text-empty", leaf.KindClaim, byKind[leaf.KindClaim][strings.Index(byKind[leaf.KindClaim], `"text":`):strings.Index(byKind[leaf.KindClaim], `,"type"`)], `"text":""`)
	bad("cite-handle", leaf.KindCite, `"handle":"Source `, `"handle":"Source a`)
	bad("cite-label", leaf.KindCite, `"label":"`, `"label":"not `)
	bad("cite-relation", leaf.KindCite, `"relation":"`, `"relation":"not_`)
	bad("cite-restricted-with-chunks", leaf.KindCite, `"chunks":[]`, `"chunks":[0]`)
	bad("source-artifact", leaf.KindSource, `"artifact":"bafkrei`, `"artifact":"bagaaie`)
	bad("source-quote-sha256", leaf.KindSource, `"quote_sha256":"`, `"quote_sha256":"00`)
	bad("gate-stage", leaf.KindGate, `"stage":"coverage"`, `"stage":"consent"`)
	bad("gate-query", leaf.KindGate, `"query":""`, `"query":"why?"`)
	bad("gate-true-kind", leaf.KindGate, `"true_kind":""`, `"true_kind":"mood"`)
	bad("refusal-kind", leaf.KindRefusal, `"refusal_kind":"category"`, `"refusal_kind":"mood"`)
	bad("refusal-message-empty", leaf.KindRefusal, `"message":"The archive ends in 1871."`, `"message":""`)
	texts := func(n int) string { return `"suggestions":[` + strings.Repeat(`"",`, n-1) + `""]` }
	bad("refusal-suggestions-101", leaf.KindRefusal, `"suggestions":["muniment ls"]`, texts(leaf.MaxTexts+1))
	out = append(out, vector{name: "leaf-refusal-suggestions-100", kind: "leaf", expect: expectOK,
		data: []byte(strings.Replace(byKind[leaf.KindRefusal], `"suggestions":["muniment ls"]`, texts(leaf.MaxTexts), 1))})
	bad("gate-notes-101", leaf.KindGate, `"notes":[]`, strings.Replace(texts(leaf.MaxTexts+1), "suggestions", "notes", 1))
	bad("removed-topic-empty", leaf.KindRemoved, `"topic":"the price of the barn"`, `"topic":""`)
	bad("display-keep-not-shown", leaf.KindDisplay, `"keep":[`, `"keep":[0,`)
	bad("display-tier-empty", leaf.KindDisplay, `"requestor_tier":"public"`, `"requestor_tier":""`)
	long := bytes.Replace([]byte(byKind[leaf.KindChunk]), []byte(`"text":"`), []byte(`"text":"`+strings.Repeat("x", leaf.MaxSize)), 1)
	return append(out, vector{name: "leaf-too-long", kind: "leaf", expect: expectMalformed, data: long})
}
