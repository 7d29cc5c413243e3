package verifiers_test

import (
	"bytes"
	"fmt"
	"maps"
	"muniment/bundle/leaf"
	"slices"
	"strings"
)

// onLeaf changes a disclosed leaf of one of the kinds; what follows from it is
// committed to and signed.
func onLeaf(name string, edit func(s *sketch, l object), kinds ...string) defect {
	return defect{name, func(s *sketch) bool {
		i, ok := s.some(kinds...)
		if ok {
			edit(s, s.leaves[i])
		}
		return ok
	}}
}

var everyKind = []string{"claim", "cite", "chunk", "gate", "refusal", "removed", "display"}

func put(member string, v any) func(*sketch, object) {
	return func(_ *sketch, l object) { l[member] = v }
}

// inputs changes the inputs of a gate.
func inputs(member string, v any) func(*sketch, object) {
	return func(_ *sketch, l object) { l["inputs"].(object)[member] = v }
}

// list is a list in a leaf.
func list(l object, member string) []any { return l[member].([]any) }

var leafDefects = []defect{
	onLeaf("answer another", put("answer", "19080700000000000000000000000000"), everyKind...),
	onLeaf("index another", func(s *sketch, l object) { l["index"] = (l["index"].(int) + 1) % 64 }, everyKind...),
	onLeaf("index beyond", put("index", 4096), everyKind...),
	onLeaf("salt short", put("salt", "00"), everyKind...),
	onLeaf("salt in capitals", put("salt", strings.Repeat("AB", 32)), everyKind...),
	onLeaf("type of version 4", put("type", "muniment/leaf/v4"), everyKind...),
	onLeaf("kind unknown", put("kind", "note"), everyKind...),
	onLeaf("kind another", func(s *sketch, l object) {
		l["kind"] = pick(s.r, "claim", "cite", "chunk", "gate", "refusal", "removed", "display", "pad", "source")
	}, everyKind...),
	onLeaf("member unknown", put("weight", 1), everyKind...),
	onLeaf("member of another case", put("Text", "x"), everyKind...),
	onLeaf("member missing", func(s *sketch, l object) {
		names := slices.Sorted(maps.Keys(l))
		delete(l, names[s.r.IntN(len(names))])
	}, everyKind...),
	onLeaf("member of another kind", func(s *sketch, l object) {
		names := slices.Sorted(maps.Keys(l))
		l[names[s.r.IntN(len(names))]] = pick[any](s.r, 7, "x", true, []any{}, object{}, []any{"x"}, -1)
	}, everyKind...),
	onLeaf("member empty", func(s *sketch, l object) {
		names := slices.Sorted(maps.Keys(l))
		n := names[s.r.IntN(len(names))]
		switch l[n].(type) {
		case string:
			l[n] = ""
		case []any:
			l[n] = []any{}
		case int:
			l[n] = 0
		}
	}, everyKind...),
	onLeaf("claim 0", put("claim", 0), "claim", "cite"),
	onLeaf("claim negative", put("claim", -1), "claim", "cite", "gate"),
	onLeaf("claim of another ordinal", put("claim", 9), "claim", "cite", "gate"),
	onLeaf("claim at the limit", put("claim", 9007199254740991), "claim"),
	onLeaf("claim refused", put("rung", "refused"), "claim"),
	onLeaf("claim of another rung", func(s *sketch, l object) { l["rung"] = pick(s.r, "supported", "narrowed", "labeled", "certain") }, "claim"),
	onLeaf("claim restricted", put("restricted", true), "claim"),
	onLeaf("cites a gate", func(s *sketch, l object) { l["cites"] = []any{l["gate"]} }, "claim"),
	onLeaf("cites twice", func(s *sketch, l object) { l["cites"] = append(list(l, "cites"), list(l, "cites")...) }, "claim"),
	onLeaf("cites beyond", func(s *sketch, l object) { l["cites"] = []any{len(s.leaves)} }, "claim"),
	onLeaf("cites beyond every leaf", put("cites", []any{4096}), "claim"),
	onLeaf("cites below", put("cites", []any{-1}), "claim"),
	onLeaf("cites itself", func(s *sketch, l object) { l["cites"] = []any{l["index"]} }, "claim"),
	onLeaf("gate is a claim", func(s *sketch, l object) { l["gate"] = l["index"] }, "claim"),
	onLeaf("gate of another stage", func(s *sketch, l object) {
		for i, g := range s.leaves {
			if g["kind"] == "gate" && g["stage"] != "coverage" {
				l["gate"] = i
			}
		}
	}, "claim"),
	onLeaf("gate sealed", func(s *sketch, l object) {
		for i, g := range s.leaves {
			if g["kind"] == "pad" {
				l["gate"] = i
			}
		}
	}, "claim"),
	onLeaf("handle small", put("handle", "Source a"), "cite"),
	onLeaf("handle of four", put("handle", "Source AAAA"), "cite"),
	onLeaf("handle of three", put("handle", "Source ZZZ"), "cite"),
	onLeaf("handle with LF", put("handle", "Source A\n"), "cite"),
	onLeaf("label another", put("label", "their own words"), "cite"),
	onLeaf("relation unknown", put("relation", "hearsay"), "cite"),
	onLeaf("relation without label", func(s *sketch, l object) {
		l["relation"] = pick(s.r, "direct_quote", "paraphrase", "aggregation")
	}, "cite"),
	onLeaf("relation with label", func(s *sketch, l object) { l["relation"], l["label"] = "metadata_fact", "record of the archive" }, "cite"),
	onLeaf("restricted with chunks", put("restricted", true), "cite"),
	onLeaf("contradicts another", func(s *sketch, l object) { l["contradicts"] = l["contradicts"] != true }, "cite"),
	onLeaf("chunks twice", func(s *sketch, l object) { l["chunks"] = append(list(l, "chunks"), list(l, "chunks")...) }, "cite"),
	onLeaf("chunks a cite", func(s *sketch, l object) { l["chunks"] = []any{l["index"]} }, "cite"),
	onLeaf("source beyond", func(s *sketch, l object) { l["source"] = len(s.leaves) }, "cite"),
	onLeaf("source is a cite", func(s *sketch, l object) { l["source"] = l["index"] }, "cite"),
	onLeaf("words changed", put("text", "other words"), "chunk", "claim"),
	onLeaf("bidirectional words", put("text", "\u202egnorw\u202c"), "chunk", "claim"),
	onLeaf("refusal kind unknown", put("refusal_kind", "boredom"), "refusal"),
	onLeaf("refusal kind empty", put("refusal_kind", ""), "refusal"),
	onLeaf("suggestions of numbers", put("suggestions", []any{1}), "refusal"),
	onLeaf("stage unknown", put("stage", "tier"), "gate"),
	onLeaf("stage another", func(s *sketch, l object) { l["stage"] = pick(s.r, "category", "consent", "coverage") }, "gate"),
	onLeaf("query at another stage", put("query", "who?"), "gate"),
	onLeaf("table unknown", put("table", "muniment/gate/v9"), "gate"),
	onLeaf("table empty", put("table", ""), "gate"),
	onLeaf("true kind unknown", put("true_kind", "boredom"), "gate"),
	onLeaf("true kind consent", put("true_kind", "consent"), "gate"),
	onLeaf("gate of another rung", func(s *sketch, l object) { l["rung"] = pick(s.r, "supported", "narrowed", "labeled", "refused") }, "gate"),
	onLeaf("failed without one", func(s *sketch, l object) { l["failed"] = list(l, "failed")[:max(len(list(l, "failed"))-1, 0)] }, "gate"),
	onLeaf("failed with one more", func(s *sketch, l object) {
		l["failed"] = append(list(l, "failed"), object{"rung": "refused", "test": "marked"})
	}, "gate"),
	onLeaf("failed another test", func(s *sketch, l object) {
		if f := list(l, "failed"); len(f) > 0 {
			f[0].(object)["test"] = "whole_claims"
		}
	}, "gate"),
	onLeaf("failed with empty strings", func(s *sketch, l object) {
		l["failed"] = append(list(l, "failed"), object{"rung": "", "test": ""})
	}, "gate"),
	onLeaf("input relation unknown", inputs("relation", "hearsay"), "gate"),
	onLeaf("input relation another", func(s *sketch, l object) {
		l["inputs"].(object)["relation"] = pick(s.r, "direct_quote", "paraphrase", "inference_from", "metadata_fact", "aggregation", "")
	}, "gate"),
	onLeaf("input match unknown", inputs("match", "similar"), "gate"),
	onLeaf("input match another", func(s *sketch, l object) {
		l["inputs"].(object)["match"] = pick(s.r, "exact", "normalized", "fuzzy", "ambiguous", "absent", "")
	}, "gate"),
	onLeaf("input entailed unknown", inputs("entailed", "perhaps"), "gate"),
	onLeaf("input entailed another", func(s *sketch, l object) {
		l["inputs"].(object)["entailed"] = pick(s.r, "yes", "no", "contradiction", "")
	}, "gate"),
	onLeaf("input flag another", func(s *sketch, l object) {
		in := l["inputs"].(object)
		n := pick(s.r, "aligned", "inputs_resolve", "marker", "narrowed", "span_resolves")
		in[n] = in[n] != true
	}, "gate"),
	onLeaf("input missing", func(s *sketch, l object) {
		delete(l["inputs"].(object), pick(s.r, "aligned", "entailed", "match", "relation"))
	}, "gate"),
	onLeaf("input unknown", inputs("mood", "good"), "gate"),
	onLeaf("inputs empty", put("inputs", object{}), "gate"),
	onLeaf("keep empty", put("keep", []any{}), "display"),
	onLeaf("keep all", func(s *sketch, l object) { l["keep"] = indexes(slices.Sorted(slices.Values(s.shown))) }, "display"),
	onLeaf("keep descending", func(s *sketch, l object) { slices.Reverse(list(l, "keep")) }, "display"),
	onLeaf("keep twice", func(s *sketch, l object) {
		if k := list(l, "keep"); len(k) > 0 {
			l["keep"] = append([]any{k[0]}, k...)
		}
	}, "display"),
	onLeaf("keep what is not shown", func(s *sketch, l object) {
		for i := range s.leaves {
			if !slices.Contains(s.shown, i) {
				l["keep"] = []any{i}
			}
		}
	}, "display"),
	onLeaf("shown without one", func(s *sketch, l object) { l["shown"] = list(l, "shown")[1:] }, "display"),
	onLeaf("shown with a sealed one", func(s *sketch, l object) {
		for i := range s.leaves {
			if !slices.Contains(s.shown, i) && i != l["index"] {
				l["shown"] = append(list(l, "shown"), i)
				return
			}
		}
	}, "display"),
	onLeaf("shown with itself", func(s *sketch, l object) { l["shown"] = append(list(l, "shown"), l["index"]) }, "display"),
	onLeaf("shown twice", func(s *sketch, l object) { l["shown"] = append(list(l, "shown"), list(l, "shown")[0]) }, "display"),
	onLeaf("shown beyond", func(s *sketch, l object) { l["shown"] = append(list(l, "shown"), len(s.leaves)) }, "display"),
	onLeaf("shown below", func(s *sketch, l object) { l["shown"] = append(list(l, "shown"), -1) }, "display"),
	onLeaf("shown in another order", func(s *sketch, l object) { slices.Reverse(list(l, "shown")) }, "display"),
	onLeaf("outcome_rung another", func(s *sketch, l object) {
		l["outcome_rung"] = pick(s.r, "supported", "narrowed", "labeled", "refused", "certain")
	}, "display"),
	onLeaf("tier empty", put("requestor_tier", ""), "display"),
	{"two displays", func(s *sketch) bool {
		for i, l := range s.leaves {
			if l["kind"] == "pad" {
				d := maps.Clone(s.display())
				d["index"], d["salt"] = i, s.salt()
				s.leaves[i] = d
				s.shown = append(s.shown, i)
				return true
			}
		}
		return false
	}},
	{"pad shown", func(s *sketch) bool { return s.show("pad") }},
	{"source shown", func(s *sketch) bool { return s.show("source") }},
	{"gate shown", func(s *sketch) bool { return s.show("gate") }},
	{"pad disclosed", func(s *sketch) bool { return s.disclose("pad") }},
	{"gate disclosed", func(s *sketch) bool { return s.disclose("gate") }},
	{"ordinals twice", func(s *sketch) bool {
		var claims []object
		for _, l := range s.leaves {
			if l["kind"] == "claim" {
				claims = append(claims, l)
			}
		}
		if len(claims) < 2 {
			return false
		}
		claims[0]["claim"], claims[0]["cites"], claims[0]["gate"] = claims[1]["claim"], claims[1]["cites"], claims[1]["gate"]
		return true
	}},
	{"nothing shown", func(s *sketch) bool {
		d := s.display()
		d["shown"], d["keep"], s.shown = []any{}, []any{}, nil
		d["outcome_rung"] = "refused"
		return true
	}},
	{"only removed topics shown", func(s *sketch) bool {
		only := slices.DeleteFunc(slices.Clone(s.shown), func(i int) bool { return s.leaves[i]["kind"] != "removed" })
		if len(only) == 0 {
			return false
		}
		d := s.display()
		s.shown = only
		d["shown"], d["keep"], d["outcome_rung"] = indexes(s.shown), indexes(s.keep()), "refused"
		return true
	}},
}

// show lists and discloses a leaf that was sealed.
func (s *sketch) show(kind string) bool {
	if !s.disclose(kind) {
		return false
	}
	s.display()["shown"] = indexes(s.shown)
	return true
}

// disclose discloses one that the display leaf does not list.
func (s *sketch) disclose(kind string) bool {
	for i, l := range s.leaves {
		if l["kind"] == kind && !slices.Contains(s.shown, i) {
			s.shown = append(s.shown, i)
			return true
		}
	}
	return false
}

// onJSON changes the bytes of a leaf.
func onJSON(name string, edit func(s *sketch, leaf string) string) defect {
	return defect{name, func(s *sketch) bool {
		i, ok := s.some(everyKind...)
		if ok {
			s.raw[i] = []byte(edit(s, string(canonical(s.leaves[i]))))
		}
		return ok
	}}
}

func swap(from, to string) func(*sketch, string) string {
	return func(_ *sketch, l string) string { return strings.Replace(l, from, to, 1) }
}

var jsonDefects = []defect{
	onJSON("byte of a leaf changed", func(s *sketch, l string) string { return string(flip(s, []byte(l))) }),
	onJSON("space in a leaf", swap(`":`, `": `)),
	onJSON("LF behind a leaf", func(s *sketch, l string) string { return l + "\n" }),
	onJSON("something behind a leaf", func(s *sketch, l string) string { return l + "{}" }),
	onJSON("mark before a leaf", func(s *sketch, l string) string { return "\ufeff" + l }),
	onJSON("member twice", swap(`"answer":`, `"answer":"x","answer":`)),
	onJSON("members out of order", func(s *sketch, l string) string {
		return strings.Replace(strings.Replace(l, `"type":"muniment/leaf/v1"`, "", 1), "{", `{"type":"muniment/leaf/v1",`, 1)
	}),
	onJSON("case variant of a member", swap(`"answer":`, `"Answer":"x","answer":`)),
	onJSON("escaped member", swap(`"answer":`, `"\u0061nswer":`)),
	onJSON("needless escape", swap(`muniment/leaf`, `muniment\/leaf`)),
	onJSON("needless unicode escape", swap(`muniment/leaf`, `\u006duniment/leaf`)),
	onJSON("escape in capitals", swap(`\u0001`, `\U0001`)),
	onJSON("escaped text", swap(`"text":"`, `"text":"\u00e9`)),
	onJSON("escape of a surrogate", swap(`"text":"`, `"text":"\ud83d\ude00`)),
	onJSON("lone surrogate", swap(`"text":"`, `"text":"\ud83d`)),
	onJSON("escape of a control in capitals", swap(`"text":"`, `"text":"\u001F`)),
	onJSON("long escape of a tab", swap(`"text":"`, `"text":"\u0009`)),
	onJSON("raw control", swap(`"text":"`, "\"text\":\"\x01")),
	onJSON("raw tab", swap(`"text":"`, "\"text\":\"\t")),
	onJSON("not UTF-8", swap(`"text":"`, "\"text\":\"\xff")),
	onJSON("surrogate in UTF-8", swap(`"text":"`, "\"text\":\"\xed\xa0\x80")),
	onJSON("overlong UTF-8", swap(`"text":"`, "\"text\":\"\xc0\xaf")),
	onJSON("beyond Unicode", swap(`"text":"`, "\"text\":\"\xf4\x90\x80\x80")),
	onJSON("noncharacter", swap(`"text":"`, "\"text\":\"\uffff")),
	onJSON("delete character", swap(`"text":"`, "\"text\":\"\x7f")),
	onJSON("number with fraction", swapNumber("%d.0")),
	onJSON("number with exponent", swapNumber("%de0")),
	onJSON("number with a zero before", swapNumber("0%d")),
	onJSON("number with a plus", swapNumber("+%d")),
	onJSON("minus zero", swapNumber("-0%[2]s")),
	onJSON("number beyond", swapNumber("9007199254740992%[2]s")),
	onJSON("number that rounds", swapNumber("9007199254740993%[2]s")),
	onJSON("number without end", swapNumber("1e999%[2]s")),
	onJSON("number of 400 digits", swapNumber(strings.Repeat("9", 400)+"%[2]s")),
	onJSON("NaN", swapNumber("NaN%[2]s")),
	onJSON("null", swapNumber("null%[2]s")),
	onJSON("comment in a leaf", swap(`{`, `{/**/`)),
	onJSON("trailing comma", func(s *sketch, l string) string { return l[:len(l)-1] + ",}" }),
	onJSON("list for a leaf", func(s *sketch, l string) string { return "[" + l + "]" }),
	onJSON("string for a leaf", func(s *sketch, l string) string { return `"leaf"` }),
	onJSON("leaf empty", func(s *sketch, l string) string { return "" }),
	onJSON("object empty", func(s *sketch, l string) string { return "{}" }),
	onJSON("prototype", swap(`{`, `{"__proto__":{},`)),
	onJSON("constructor", swap(`,"index"`, `,"constructor":{},"index"`)),
	onJSON("leaf deep", swap(`"text":"`, `"text":`+strings.Repeat("[", 3000)+strings.Repeat("]", 3000)+`,"u":"`)),
	onJSON("leaf at the limit", func(s *sketch, l string) string { return pad(s, l, 64<<10) }),
	onJSON("leaf beyond the limit", func(s *sketch, l string) string { return pad(s, l, 64<<10+1) }),
	{"leaves swapped", func(s *sketch) bool {
		i, ok1 := s.some("claim")
		j, ok2 := s.some("refusal", "removed", "chunk")
		if ok1 && ok2 {
			s.raw[i], s.raw[j] = canonical(s.leaves[j]), canonical(s.leaves[i])
		}
		return ok1 && ok2
	}},
}

func swapNumber(format string) func(*sketch, string) string {
	return func(s *sketch, l string) string {
		i := strings.Index(l, `"index":`) + len(`"index":`)
		j := i + strings.Index(l[i:], ",")
		var n int
		fmt.Sscan(l[i:j], &n)
		text := fmt.Sprintf(strings.ReplaceAll(format, "%d", "%[1]d"), n, "")
		if k := strings.Index(text, "%!"); k >= 0 {
			text = text[:k]
		}
		return l[:i] + text + l[j:]
	}
}

// pad makes a leaf n bytes long, where it has a text.
func pad(_ *sketch, l string, n int) string {
	return strings.Replace(l, `"text":"`, `"text":"`+strings.Repeat("x", max(n-len(l), 0)), 1)
}

var fileDefects = []defect{
	afterSigning("leaf changed after signing", "leaves/", flip),
	afterSigning("sealed file changed", "sealed/", flip),
	onFiles("file missing", func(s *sketch, files map[string][]byte) {
		names := slices.Sorted(maps.Keys(files))
		delete(files, names[s.r.IntN(len(names))])
	}),
	onFiles("file emptied", func(s *sketch, files map[string][]byte) {
		names := slices.Sorted(maps.Keys(files))
		files[names[s.r.IntN(len(names))]] = nil
	}),
	onFiles("statement missing", func(s *sketch, files map[string][]byte) { delete(files, "statement") }),
	onFiles("kept leaf left out", func(s *sketch, files map[string][]byte) {
		if k := s.keep(); len(k) > 0 {
			delete(files, fmt.Sprintf("leaves/%05d.json", k[s.r.IntN(len(k))]))
		}
	}),
	onFiles("leaves left out", func(s *sketch, files map[string][]byte) {
		for _, i := range s.shown {
			if s.coin() {
				delete(files, fmt.Sprintf("leaves/%05d.json", i))
			}
		}
	}),
	onFiles("display left out", func(s *sketch, files map[string][]byte) {
		delete(files, fmt.Sprintf("leaves/%05d.json", s.at))
	}),
	onFiles("two leaves swapped after signing", func(s *sketch, files map[string][]byte) {
		a, b := fmt.Sprintf("leaves/%05d.json", s.shown[0]), fmt.Sprintf("leaves/%05d.json", s.at)
		if files[a] != nil {
			files[a], files[b] = files[b], files[a]
		}
	}),
	onFiles("leaf beyond", func(s *sketch, files map[string][]byte) {
		files[fmt.Sprintf("leaves/%05d.json", len(s.leaves))] = []byte("{}")
	}),
	onFiles("leaf of another answer", func(s *sketch, files map[string][]byte) {
		for i, l := range s.leaves {
			if l["kind"] == "pad" {
				l = maps.Clone(l)
				l["answer"] = strings.Repeat("0", 32)
				files[fmt.Sprintf("leaves/%05d.json", i)] = canonical(l)
				return
			}
		}
	}),
	onFiles("sealed leaf disclosed", func(s *sketch, files map[string][]byte) {
		for i := range s.leaves {
			if name := fmt.Sprintf("leaves/%05d.json", i); files[name] == nil && !slices.Contains(s.shown, i) {
				files[name] = canonical(s.leaves[i])
				return
			}
		}
	}),
	onFiles("sealed file of nobody", func(s *sketch, files map[string][]byte) { files["sealed/nobody.age"] = []byte("x") }),
	onFiles("sealed file of an odd subset", func(s *sketch, files map[string][]byte) { files["sealed/court.2-1.age"] = []byte("x") }),
	onFiles("all sealed files there", func(s *sketch, files map[string][]byte) { maps.Copy(files, s.sealed) }),
	onFiles("file of another name", func(s *sketch, files map[string][]byte) {
		files[pick(s.r, "README", "STATEMENT", "leaves/0.json", "leaves/00000.JSON", "leaves/000000.json", "leaves/../statement", "sigs/x.sshsig", "/statement",
			"statement ", "sealed/.age", "a\\b", "leaves/", "sealed/Auditor.age", "sha256sums", "log.proof\u202e", "leaves/00000.json\x00", "\xff", "sealed/"+strings.Repeat("a", 40)+".age", "")] = []byte("x")
	}),
}

// onZip writes the zip in another form.
func onZip(name string, write func(s *sketch, files map[string][]byte, names []string) []byte) defect {
	return defect{name, func(s *sketch) bool {
		s.zip = func(files map[string][]byte) []byte { return write(s, files, slices.Sorted(maps.Keys(files))) }
		return true
	}}
}

func entry(name string, edit func(e *zipEntry)) defect {
	return onZip(name, func(s *sketch, files map[string][]byte, names []string) []byte {
		which := names[s.r.IntN(len(names))]
		return zipOf(files, names, func(n string, e *zipEntry) {
			if n == which {
				edit(e)
			}
		})
	})
}

var zipDefects = []defect{
	onZip("files out of order", func(s *sketch, files map[string][]byte, names []string) []byte {
		i := s.r.IntN(len(names) - 1)
		names[i], names[i+1] = names[i+1], names[i]
		return zipOf(files, names, nil)
	}),
	onZip("file twice", func(s *sketch, files map[string][]byte, names []string) []byte {
		i := s.r.IntN(len(names))
		return zipOf(files, slices.Insert(names, i, names[i]), nil)
	}),
	onZip("zip of nothing", func(s *sketch, files map[string][]byte, names []string) []byte { return zipOf(nil, nil, nil) }),
	onZip("nothing", func(s *sketch, files map[string][]byte, names []string) []byte { return nil }),
	onZip("directory missing", func(s *sketch, files map[string][]byte, names []string) []byte {
		z := zipOf(files, names, nil)
		return z[:bytes.Index(z, []byte("PK\x01\x02"))]
	}),
	entry("method deflate", func(e *zipEntry) { e.method = 8 }),
	entry("flag of UTF-8", func(e *zipEntry) { e.flags = 1 << 11 }),
	entry("flag of a descriptor", func(e *zipEntry) { e.flags = 8 }),
	entry("another day", func(e *zipEntry) { e.date = 34 }),
	entry("another time", func(e *zipEntry) { e.time = 1 }),
	entry("another version", func(e *zipEntry) { e.version = 20 }),
	entry("made by another", func(e *zipEntry) { e.madeBy = 20 }),
	entry("another mode", func(e *zipEntry) { e.attributes = 0o100755 << 16 }),
	entry("link", func(e *zipEntry) { e.attributes = 0o120777 << 16 }),
	entry("wrong checksum", func(e *zipEntry) { e.crc++ }),
	entry("size too large", func(e *zipEntry) { e.size, e.packed = e.size+1, e.packed+1 }),
	entry("size of 4 GiB", func(e *zipEntry) { e.size, e.packed = 1<<32-1, 1<<32-1 }),
	entry("two sizes", func(e *zipEntry) { e.size++ }),
	entry("extra field", func(e *zipEntry) { e.extra = []byte{1, 0, 0, 0} }),
	entry("comment of a file", func(e *zipEntry) { e.comment = []byte("x") }),
}

// generate makes the n-th bundle: every seventh is good, the others have the
// defects in their turn.
func generate(n uint64, sources []*leaf.Source, all []defect) (s *sketch, name string) {
	s = newSketch(n, sources)
	if n%7 == 0 {
		return s, "good"
	}
	for at := n - n/7 - 1; ; at++ {
		d := all[at%uint64(len(all))]
		if d.edit(s) {
			return s, d.name
		}
	}
}
