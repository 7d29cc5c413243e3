package verifiers_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// A defect is one thing done to a good bundle; edit reports whether there was
// anything to do it to. Not every one is a fault: what counts is that all
// verifiers judge alike.
type defect struct {
	name string
	edit func(s *sketch) bool
}

// defects returns all of them; generate picks by turns.
func defects() []defect {
	return slices.Concat(byteDefects, statementDefects, sumsDefects, leafDefects, jsonDefects, signatureDefects, logDefects, fileDefects, zipDefects)
}

func onBytes(name string, edit func(s *sketch, zip []byte) []byte) defect {
	return defect{name, func(s *sketch) bool {
		s.bytes = func(zip []byte) []byte { return edit(s, zip) }
		return true
	}}
}

var byteDefects = []defect{
	onBytes("byte changed", func(s *sketch, z []byte) []byte { z[s.r.IntN(len(z))] ^= byte(1 + s.r.IntN(255)); return z }),
	onBytes("byte changed at the end", func(s *sketch, z []byte) []byte {
		z[len(z)-1-s.r.IntN(min(len(z), 3000))] ^= byte(1 << s.r.IntN(8))
		return z
	}),
	onBytes("byte inserted", func(s *sketch, z []byte) []byte { return slices.Insert(z, s.r.IntN(len(z)), byte(s.r.Uint32())) }),
	onBytes("byte removed", func(s *sketch, z []byte) []byte { i := s.r.IntN(len(z)); return slices.Delete(z, i, i+1) }),
	onBytes("cut off", func(s *sketch, z []byte) []byte { return z[:s.r.IntN(len(z))] }),
	onBytes("trailing bytes", func(s *sketch, z []byte) []byte { return append(z, make([]byte, 1+s.r.IntN(4))...) }),
	onBytes("prefix", func(s *sketch, z []byte) []byte { return append([]byte("MZ"), z...) }),
	onBytes("comment of the zip", func(s *sketch, z []byte) []byte { z[len(z)-2] = 1; return append(z, '!') }),
}

// afterSigning changes a file without signing again.
func afterSigning(name string, prefix string, edit func(s *sketch, data []byte) []byte) defect {
	return onFiles(name, func(s *sketch, files map[string][]byte) {
		for _, n := range slices.Sorted(maps.Keys(files)) {
			if strings.HasPrefix(n, prefix) {
				files[n] = edit(s, bytes.Clone(files[n]))
				return
			}
		}
	})
}

// onFiles changes the files at the end, after what the sketch does to them.
func onFiles(name string, edit func(s *sketch, files map[string][]byte)) defect {
	return defect{name, func(s *sketch) bool {
		before := s.files
		s.files = func(files map[string][]byte) {
			if before != nil {
				before(files)
			}
			edit(s, files)
		}
		return true
	}}
}

func flip(s *sketch, data []byte) []byte {
	if len(data) == 0 {
		return []byte{0}
	}
	data[s.r.IntN(len(data))] ^= byte(1 << s.r.IntN(8))
	return data
}

func set(v string) func(string) string { return func(string) string { return v } }

// maxInt is the largest number of a statement.
const maxInt = "9007199254740991"

var statementDefects = []defect{
	afterSigning("statement changed after signing", "statement", flip),
	{"archive of another codec", line("archive", set("bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am"))},
	{"archive with spare bits", line("archive", func(v string) string { return v[:60] + "b" })},
	{"archive in capitals", line("archive", strings.ToUpper)},
	{"archive is another", line("archive", func(v string) string { return strings.Replace(v, "ezlpx", "ezlpy", 1) })},
	{"id too short", line("id", func(v string) string { return v[2:] })},
	{"id of another answer", line("id", func(v string) string { return "1" + v[1:] })},
	{"id in capitals", line("id", set("ABCDEF00000000000000000000000000"))},
	{"issued not a day", line("issued", set("2021-02-29T09:00:00Z"))},
	{"issued on a leap day", line("issued", set("2020-02-29T09:00:00Z"))},
	{"issued in a leap second", line("issued", set("2016-12-31T23:59:60Z"))},
	{"issued at 24 hours", line("issued", set("2021-03-04T24:00:00Z"))},
	{"issued before 1970", line("issued", set("1969-12-31T23:59:59Z"))},
	{"issued in 1970", line("issued", set("1970-01-01T00:00:00Z"))},
	{"issued in 9999", line("issued", set("9999-12-31T23:59:59Z"))},
	{"issued in year 10000", line("issued", set("10000-01-01T00:00:00Z"))},
	{"issued with fraction", line("issued", set("2021-03-04T09:00:00.0Z"))},
	{"issued with offset", line("issued", set("2021-03-04T09:00:00+00:00"))},
	{"issued with a small z", line("issued", set("2021-03-04T09:00:00z"))},
	{"issued with one digit", line("issued", set("2021-03-04T9:00:00Z"))},
	{"request in capitals", line("request", func(v string) string { return strings.ReplaceAll(v, "61", "AB") })},
	{"outcome another", line("outcome", func(v string) string {
		return map[string]string{"answer": "partial", "partial": "refusal", "refusal": "answer"}[v]
	})},
	{"outcome unknown", line("outcome", set("maybe"))},
	{"leaves another step", line("leaves", set("1024"))},
	{"leaves no step", line("leaves", set("128"))},
	{"leaves with a zero before", line("leaves", set("064"))},
	{"root changed", line("root", func(v string) string { return v[1:] + v[:1] })},
	{"sums changed", line("sums", func(v string) string { return v[1:] + v[:1] })},
	{"display another", line("display", func(v string) string { return map[bool]string{true: "1", false: "0"}[v == "0"] })},
	{"display beyond", line("display", set("64"))},
	{"display negative", line("display", set("-1"))},
	{"display with a plus", line("display", func(v string) string { return "+" + v })},
	{"sealed scope in capitals", line("sealed", func(v string) string { return strings.ToUpper(v[:1]) + v[1:] })},
	{"sealed scope of 31", line("sealed", func(v string) string { return strings.Repeat("a", 31) + v[strings.Index(v, " "):] })},
	{"sealed scope of 32", line("sealed", func(v string) string { return strings.Repeat("a", 32) + v[strings.Index(v, " "):] })},
	{"sealed scope with a digit first", line("sealed", func(v string) string { return "0" + v[strings.Index(v, " "):] })},
	{"sealed subset of one", line("sealed", func(v string) string { return strings.Replace(v, " - ", " 1 ", 1) })},
	{"sealed subset of five", line("sealed", func(v string) string { return strings.Replace(v, " - ", " 1-2-3-4-5 ", 1) })},
	{"sealed subset of six", line("sealed", func(v string) string { return strings.Replace(v, " - ", " 1-2-3-4-5-6 ", 1) })},
	{"sealed subset not ascending", line("sealed", func(v string) string { return strings.Replace(v, " - ", " 2-1 ", 1) })},
	{"sealed subset twice the same", line("sealed", func(v string) string { return strings.Replace(v, " - ", " 2-2 ", 1) })},
	{"sealed subset empty", line("sealed", func(v string) string { return strings.Replace(v, " - ", "  ", 1) })},
	{"policy too short", line("policy", func(v string) string { return v[1:] })},
	{"after another archive", line("after", func(v string) string { return strings.Replace(v, "ezlpx", "ezlpy", 1) })},
	{"after another key", line("after", func(v string) string { return strings.Replace(v, answerer.id(), custodian.id(), 1) })},
	{"after epoch 0", line("after", func(v string) string { return strings.Replace(v, "/1 ", "/0 ", 1) })},
	{"after epoch 2", line("after", func(v string) string { return strings.Replace(v, "/1 ", "/2 ", 1) })},
	{"after epoch 01", line("after", func(v string) string { return strings.Replace(v, "/1 ", "/01 ", 1) })},
	{"after epoch at the limit", line("after", func(v string) string { return strings.Replace(v, "/1 ", "/"+maxInt+" ", 1) })},
	{"after epoch beyond the limit", line("after", func(v string) string { return strings.Replace(v, "/1 ", "/9007199254740992 ", 1) })},
	{"after size 0", line("after", func(v string) string { f := strings.Fields(v); return f[0] + " 0 " + f[2] })},
	{"after size beyond the index", line("after", func(v string) string { f := strings.Fields(v); return f[0] + " 99 " + f[2] })},
	{"after size at the limit", line("after", func(v string) string { f := strings.Fields(v); return f[0] + " " + maxInt + " " + f[2] })},
	{"after size beyond the limit", line("after", func(v string) string { f := strings.Fields(v); return f[0] + " 9007199254740992 " + f[2] })},
	{"after root of nothing at size", line("after", func(v string) string {
		f := strings.Fields(v)
		return f[0] + " 1 " + strings.Repeat("0", 64)
	})},
	onLines("line doubled", func(s *sketch, l []string) []string { i := s.r.IntN(len(l)); return slices.Insert(l, i, l[i]) }),
	onLines("line removed", func(s *sketch, l []string) []string { i := s.r.IntN(len(l)); return slices.Delete(l, i, i+1) }),
	onLines("lines swapped", func(s *sketch, l []string) []string {
		i := s.r.IntN(len(l) - 1)
		l[i], l[i+1] = l[i+1], l[i]
		return l
	}),
	onLines("line added", func(s *sketch, l []string) []string { return append(l, "note hello") }),
	onLines("space doubled", func(s *sketch, l []string) []string {
		i := 1 + s.r.IntN(len(l)-1)
		l[i] = strings.Replace(l[i], " ", "  ", 1)
		return l
	}),
	onLines("space behind a line", func(s *sketch, l []string) []string { i := s.r.IntN(len(l)); l[i] += " "; return l }),
	onLines("tab for a space", func(s *sketch, l []string) []string {
		i := 1 + s.r.IntN(len(l)-1)
		l[i] = strings.Replace(l[i], " ", "\t", 1)
		return l
	}),
	onLines("key in capitals", func(s *sketch, l []string) []string {
		i := 1 + s.r.IntN(len(l)-1)
		l[i] = strings.ToUpper(l[i][:1]) + l[i][1:]
		return l
	}),
	onLines("version 2", func(s *sketch, l []string) []string { l[0] = "muniment/answer/v2"; return l }),
	onLines("version 0", func(s *sketch, l []string) []string { l[0] = "muniment/answer/v0"; return l }),
	onLines("seventeen scopes", func(s *sketch, l []string) []string {
		l = slices.DeleteFunc(l, func(x string) bool { return strings.HasPrefix(x, "sealed ") })
		for i := range 17 {
			l = slices.Insert(l, 10+i, fmt.Sprintf("sealed a%02d - %064x", i, i))
		}
		return l
	}),
	onLines("sixteen scopes", func(s *sketch, l []string) []string {
		l = slices.DeleteFunc(l, func(x string) bool { return strings.HasPrefix(x, "sealed ") })
		for i := range 16 {
			l = slices.Insert(l, 10+i, fmt.Sprintf("sealed a%02d - %064x", i, i))
		}
		s.sealed = nil
		return l
	}),
	onLines("no scope", func(s *sketch, l []string) []string {
		return slices.DeleteFunc(l, func(x string) bool { return strings.HasPrefix(x, "sealed ") })
	}),
	onText("statement without its last LF", func(s *sketch, b []byte) []byte { return b[:len(b)-1] }),
	onText("statement with CRLF", func(s *sketch, b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }),
	onText("statement with an empty line", func(s *sketch, b []byte) []byte { return append(b, '\n') }),
	onText("statement with a mark", func(s *sketch, b []byte) []byte { return append([]byte("\ufeff"), b...) }),
	onText("statement not ASCII", func(s *sketch, b []byte) []byte {
		return bytes.Replace(b, []byte("outcome "), []byte("outcome\u00a0"), 1)
	}),
	onText("statement with a zero byte", func(s *sketch, b []byte) []byte { return append(b, 0) }),
	onText("statement with other bytes", flip),
	onText("statement empty", func(*sketch, []byte) []byte { return nil }),
}

func onLines(name string, edit func(s *sketch, lines []string) []string) defect {
	return defect{name, func(s *sketch) bool {
		s.lines = func(l []string) []string { return edit(s, l) }
		return true
	}}
}

func onText(name string, edit func(s *sketch, text []byte) []byte) defect {
	return defect{name, func(s *sketch) bool {
		s.text = func(b []byte) []byte { return edit(s, b) }
		return true
	}}
}

func onSums(name string, edit func(s *sketch, sums string) string) defect {
	return defect{name, func(s *sketch) bool {
		s.sums = func(b []byte) []byte { return []byte(edit(s, string(b))) }
		return true
	}}
}

var sumsDefects = []defect{
	afterSigning("SHA256SUMS changed after signing", "SHA256SUMS", flip),
	onSums("commitments swapped", func(s *sketch, v string) string {
		l := strings.SplitAfter(v, "\n")
		a, b := l[0], l[1]
		l[0], l[1] = b[:64]+a[64:], a[:64]+b[64:]
		return strings.Join(l, "")
	}),
	onSums("lines of SHA256SUMS swapped", func(s *sketch, v string) string {
		l := strings.SplitAfter(v, "\n")
		l[0], l[1] = l[1], l[0]
		return strings.Join(l, "")
	}),
	onSums("commitment twice", func(s *sketch, v string) string { return v[:64] + v[64:84] + v[:64] + v[84+64:] }),
	onSums("commitment in capitals", func(s *sketch, v string) string { return strings.ToUpper(v[:64]) + v[64:] }),
	onSums("star before the name", func(s *sketch, v string) string { return strings.Replace(v, "  ", " *", 1) }),
	onSums("SHA256SUMS without last LF", func(s *sketch, v string) string { return v[:len(v)-1] }),
	onSums("SHA256SUMS with a line too many", func(s *sketch, v string) string { return v + v[len(v)-84:] }),
	onSums("SHA256SUMS with a line too few", func(s *sketch, v string) string { return v[84:] }),
	onSums("SHA256SUMS with CRLF", func(s *sketch, v string) string { return strings.ReplaceAll(v, "\n", "\r\n") }),
	onSums("SHA256SUMS not UTF-8", func(s *sketch, v string) string { return "\xff" + v[1:] }),
	onSums("SHA256SUMS with a wide digit", func(s *sketch, v string) string { return v[:71] + "\uff10" + v[74:] }),
}

// onSignature changes the file of one signature.
func onSignature(name string, edit func(s *sketch, k signer, armored []byte) []byte) defect {
	return defect{name, func(s *sketch) bool {
		k := s.signers[s.r.IntN(len(s.signers))].id()
		s.signature = func(by signer, armored []byte) []byte {
			if by.id() != k {
				return armored
			}
			return edit(s, by, armored)
		}
		return true
	}}
}

func onBlob(name string, edit func(s *sketch, k signer, blob []byte) []byte) defect {
	return onSignature(name, func(s *sketch, k signer, armored []byte) []byte { return armor(edit(s, k, unarmor(armored))) })
}

// groupOrder is that of Ed25519.
var groupOrder, _ = new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)

// addOrder adds the group order to the scalar S, the last 32 bytes of sig.
func addOrder(sig []byte) {
	n := slices.Clone(sig[32:64])
	slices.Reverse(n)
	sum := new(big.Int).Add(new(big.Int).SetBytes(n), groupOrder).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	copy(sig[32:], sum)
}

// smallPoints are of small order, or encode none.
var smallPoints = [][]byte{
	append([]byte{1}, make([]byte, 31)...), make([]byte, 32), append(make([]byte, 31), 0x80),
	append([]byte{0xec}, append(bytes.Repeat([]byte{0xff}, 30), 0x7f)...), append([]byte{0xee}, append(bytes.Repeat([]byte{0xff}, 30), 0x7f)...),
	append([]byte{2}, make([]byte, 31)...), bytes.Repeat([]byte{0xff}, 32),
}

var signatureDefects = []defect{
	afterSigning("signature changed", "sigs/", flip),
	onBlob("signature of other bytes", func(s *sketch, k signer, b []byte) []byte { b[len(b)-70+s.r.IntN(50)] ^= 4; return b }),
	onBlob("malleated", func(s *sketch, k signer, b []byte) []byte {
		if k.app != "" {
			addOrder(b[len(b)-69 : len(b)-5])
		} else {
			addOrder(b[len(b)-64:])
		}
		return b
	}),
	onBlob("R of small order", func(s *sketch, k signer, b []byte) []byte {
		end := len(b)
		if k.app != "" {
			end -= 5
		}
		copy(b[end-64:], smallPoints[s.r.IntN(len(smallPoints))])
		return b
	}),
	onBlob("trailing bytes in the blob", func(s *sketch, k signer, b []byte) []byte { return append(b, 0) }),
	onBlob("SSHSIG version 2", func(s *sketch, k signer, b []byte) []byte { b[9] = 2; return b }),
	onBlob("reserved field", func(s *sketch, k signer, b []byte) []byte {
		return bytes.Replace(b, wire([]byte("answer@muniment"), nil), wire([]byte("answer@muniment"), []byte("x")), 1)
	}),
	onBlob("hash sha512 named only", func(s *sketch, k signer, b []byte) []byte {
		return bytes.Replace(b, []byte("sha256"), []byte("sha512"), 1)
	}),
	onBlob("hash unknown", func(s *sketch, k signer, b []byte) []byte {
		return bytes.Replace(b, []byte("sha256"), []byte("sha384"), 1)
	}),
	onBlob("key of small order", func(s *sketch, k signer, b []byte) []byte {
		return bytes.Replace(b, k.point(), smallPoints[s.r.IntN(len(smallPoints))], 1)
	}),
	onBlob("key of another person", func(s *sketch, k signer, b []byte) []byte { return bytes.Replace(b, k.point(), stranger.point(), 1) }),
	onBlob("flags of the security key", func(s *sketch, k signer, b []byte) []byte {
		if k.app != "" {
			b[len(b)-5] = byte(s.r.Uint32())
		}
		return b
	}),
	onBlob("counter of the security key", func(s *sketch, k signer, b []byte) []byte { b[len(b)-1] ^= 1; return b }),
	onSignature("text before the armor", func(s *sketch, k signer, a []byte) []byte { return append([]byte("hello\n"), a...) }),
	onSignature("text behind the armor", func(s *sketch, k signer, a []byte) []byte { return append(a, "\n"...) }),
	onSignature("armor with CRLF", func(s *sketch, k signer, a []byte) []byte { return bytes.ReplaceAll(a, []byte("\n"), []byte("\r\n")) }),
	onSignature("armor wrapped at 64", func(s *sketch, k signer, a []byte) []byte {
		text := strings.ReplaceAll(string(a[30:len(a)-29]), "\n", "")
		out := "-----BEGIN SSH SIGNATURE-----\n"
		for text != "" {
			n := min(64, len(text))
			out, text = out+text[:n]+"\n", text[n:]
		}
		return []byte(out + "-----END SSH SIGNATURE-----\n")
	}),
	onSignature("armor without last LF", func(s *sketch, k signer, a []byte) []byte { return a[:len(a)-1] }),
	onSignature("armor with a space", func(s *sketch, k signer, a []byte) []byte { return slices.Insert(a, 60, ' ') }),
	onSignature("armor empty", func(*sketch, signer, []byte) []byte { return []byte{} }),
	{"namespace file", func(s *sketch) bool { s.namespace = "file"; return true }},
	{"namespace git", func(s *sketch) bool { s.namespace = "git"; return true }},
	{"namespace in capitals", func(s *sketch) bool { s.namespace = "Answer@muniment"; return true }},
	{"signed another statement", func(s *sketch) bool {
		s.signs = func(b []byte) []byte { return bytes.Replace(b, []byte("leaves"), []byte("LEAVES"), 1) }
		return true
	}},
	{"signed by a stranger only", func(s *sketch) bool { s.signers = []signer{stranger}; return true }},
	{"signed by a stranger with a log", func(s *sketch) bool { s.signers, s.logKey = []signer{stranger}, stranger; return true }},
	{"signed by the custodian only", func(s *sketch) bool { s.signers = []signer{custodian}; return true }},
	{"log of a security key", func(s *sketch) bool { s.signers, s.logKey = []signer{hardware}, hardware; return true }},
	{"one point as two keys", func(s *sketch) bool {
		s.signers = []signer{answerer, hardware, {hardware.private, ""}, {hardware.private, "ssh:other"}}
		return true
	}},
	{"sixteen signers", func(s *sketch) bool { s.signers = many(16); return true }},
	{"seventeen signers", func(s *sketch) bool { s.signers = many(17); return true }},
	onFiles("no signature", func(s *sketch, files map[string][]byte) {
		maps.DeleteFunc(files, func(n string, _ []byte) bool { return strings.HasPrefix(n, "sigs/") })
	}),
	onFiles("signature under another name", func(s *sketch, files map[string][]byte) {
		n := "sigs/" + answerer.id() + ".sshsig"
		if data, ok := files[n]; ok {
			delete(files, n)
			files["sigs/"+stranger.id()+".sshsig"] = data
		}
	}),
}

func many(n int) []signer {
	out := []signer{answerer}
	for i := 1; i < n; i++ {
		out = append(out, newSigner(byte(i), ""))
	}
	return out
}
