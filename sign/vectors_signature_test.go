package sign

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

const vectorMessage = "The quick brown fox, as signed by a test key."

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// badPoints are public keys that must not be enrolled, with what is said.
var badPoints = []struct{ name, point, says string }{
	{"small-order-1", "01" + strings.Repeat("00", 31), "small order"},
	{"small-order-2", "ec" + strings.Repeat("ff", 30) + "7f", "small order"},
	{"small-order-4", strings.Repeat("00", 32), "small order"},
	{"small-order-8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "small order"},
	{"small-order-8-other", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", "small order"},
	{"small-order-1-negative-zero", "01" + strings.Repeat("00", 30) + "80", "small order"},
	{"not-canonical", "f0" + strings.Repeat("ff", 30) + "7f", "canonical"}, // y = p + 3
	{"not-on-curve", "02" + strings.Repeat("00", 31), "not on the curve"},
}

func keyVectors() []vector {
	plain, sk := newTestSigner("anna").key, newTestSecurityKey("anna", 1).key
	good := func(name string, k Key) vector {
		return vector{name: "key/" + name, expect: accept, head: []string{"fingerprint: " + k.Fingerprint()}, body: []byte(k.Authorized())}
	}
	vectors := []vector{good("plain", plain), good("security-key", sk)}
	bad := func(name, says, typ string, blob []byte) {
		body := typ + " " + base64Of(blob)
		vectors = append(vectors, vector{name: "key/" + name, expect: malformed, body: []byte(body), says: says})
	}
	for _, p := range badPoints {
		bad(p.name, p.says, TypeEd25519, appendStr(appendStr(nil, TypeEd25519), unhex(p.point)))
	}
	rsa := appendStr(appendStr(appendStr(nil, "ssh-rsa"), "\x01\x00\x01"), append([]byte{0}, bytes.Repeat([]byte{0xc5}, 256)...))
	bad("rsa", "key type", "ssh-rsa", rsa)
	bad("type-differs", "line says", TypeEd25519, sk.Blob())
	bad("point-of-31-bytes", "point of 31 bytes", TypeEd25519, appendStr(appendStr(nil, TypeEd25519), plain.point[:31]))
	bad("trailing-bytes", "after the end", TypeEd25519, append(plain.Blob(), 0))
	bad("cut-short", "cut short", TypeEd25519, plain.Blob()[:40])
	bad("empty-application", "application", TypeSKEd25519, appendStr(appendStr(appendStr(nil, TypeSKEd25519), sk.point[:]), ""))
	bad("length-of-4-gib", "cut short", TypeEd25519, append([]byte{0xff, 0xff, 0xff, 0xff}, TypeEd25519...))
	vectors = append(vectors, vector{name: "key/two-spaces", expect: malformed, says: "base64",
		body: []byte(strings.Replace(plain.Authorized(), " ", "  ", 1))})
	return vectors
}

// signatureVectors spoils signatures of a plain key, one field at a time.
func signatureVectors() []vector {
	anna := newTestSigner("anna")
	base := goodParts(anna, NamespaceAnswer, hashSHA512, []byte(vectorMessage))
	raw := rawOf(base.inner)
	vectors := []vector{}
	add := func(expect, name, says string, body []byte) {
		vectors = append(vectors, vector{name: "signature/" + name, expect: expect, says: says, body: body,
			head: []string{"namespace: " + NamespaceAnswer, "message: " + vectorMessage}})
	}
	add(accept, "sha512", "", base.armored())
	add(accept, "sha256", "", goodParts(anna, NamespaceAnswer, hashSHA256, []byte(vectorMessage)).armored())
	// With this namespace the base64 fills its last line exactly.
	for n := 1; ; n++ {
		p := goodParts(anna, strings.Repeat("n", n), hashSHA512, []byte(vectorMessage))
		if len(base64Of(p.blob()))%armorColumns == 0 {
			vectors = append(vectors, vector{name: "signature/full-last-line", expect: accept, body: p.armored(),
				head: []string{"namespace: " + p.namespace, "message: " + vectorMessage}})
			break
		}
	}

	add(refused, "wrong-namespace", "namespace", goodParts(anna, NamespaceGit, hashSHA512, []byte(vectorMessage)).armored())
	add(refused, "wrong-message", "not by key", goodParts(anna, NamespaceAnswer, hashSHA512, []byte("other")).armored())
	add(refused, "bare-message-signed", "not by key", func() []byte {
		p := base
		p.inner, _ = anna.SignSSH([]byte(vectorMessage))
		return p.armored()
	}())
	spoil := func(expect, name, says string, f func(*parts)) {
		p := base
		f(&p)
		add(expect, name, says, p.armored())
	}
	spoil(refused, "other-key", "not by key", func(p *parts) { p.key = newTestSigner("ben").key.Blob() })
	spoil(refused, "hash-renamed", "not by key", func(p *parts) { p.hash = hashSHA256 })
	spoil(refused, "r-altered", "not by key", func(p *parts) {
		r := bytes.Clone(raw)
		r[3] ^= 1
		p.inner = innerOf(TypeEd25519, r)
	})
	spoil(malformed, "s-plus-order", "group order", func(p *parts) { p.inner = innerOf(TypeEd25519, plusOrder(raw)) })
	spoil(malformed, "magic", "magic", func(p *parts) { p.magic = "SSHSIh" })
	spoil(malformed, "version-0", "version 0", func(p *parts) { p.version = 0 })
	spoil(malformed, "version-2", "version 2", func(p *parts) { p.version = 2 })
	spoil(malformed, "reserved-not-empty", "reserved", func(p *parts) { p.reserved = "x" })
	spoil(malformed, "namespace-empty", "namespace", func(p *parts) { p.namespace = "" })
	spoil(malformed, "namespace-space", "namespace", func(p *parts) { p.namespace = "answer muniment" })
	spoil(malformed, "namespace-nul", "namespace", func(p *parts) { p.namespace = NamespaceAnswer + "\x00" })
	spoil(malformed, "namespace-256-bytes", "namespace", func(p *parts) { p.namespace = strings.Repeat("n", 256) })
	spoil(malformed, "hash-sha1", "hash", func(p *parts) { p.hash = "sha1" })
	spoil(malformed, "hash-upper-case", "hash", func(p *parts) { p.hash = "SHA512" })
	spoil(malformed, "hash-empty", "hash", func(p *parts) { p.hash = "" })
	spoil(malformed, "trailing-byte", "after the end", func(p *parts) { p.after = []byte{0} })
	spoil(malformed, "trailing-byte-in-key", "after the end", func(p *parts) { p.key = append(p.key, 0) })
	spoil(malformed, "trailing-byte-in-signature", "after the end", func(p *parts) { p.inner = append(bytes.Clone(p.inner), 0) })
	spoil(malformed, "signature-63-bytes", "63 bytes", func(p *parts) { p.inner = innerOf(TypeEd25519, raw[:63]) })
	spoil(malformed, "signature-65-bytes", "65 bytes", func(p *parts) { p.inner = innerOf(TypeEd25519, append(bytes.Clone(raw), 0)) })
	spoil(malformed, "signature-type-differs", "signature type", func(p *parts) { p.inner = innerOf(TypeSKEd25519, raw) })
	spoil(malformed, "signature-missing", "cut short", func(p *parts) { p.inner = nil })
	spoil(malformed, "key-rsa", "key type", func(p *parts) {
		p.key = appendStr(appendStr(appendStr(nil, "ssh-rsa"), "\x01\x00\x01"), append([]byte{0}, bytes.Repeat([]byte{0xc5}, 256)...))
	})
	spoil(malformed, "key-ecdsa", "key type", func(p *parts) {
		p.key = appendStr(appendStr(appendStr(nil, "ecdsa-sha2-nistp256"), "nistp256"), append([]byte{4}, bytes.Repeat([]byte{7}, 64)...))
	})
	spoil(malformed, "key-certificate", "key type", func(p *parts) {
		p.key = append(appendStr(nil, "ssh-ed25519-cert-v01@openssh.com"), p.key[4+len(TypeEd25519):]...)
	})
	spoil(malformed, "key-small-order", "small order", func(p *parts) {
		// R = identity and S = 0 verify over every message under this key.
		identity := unhex(badPoints[0].point)
		p.key = appendStr(appendStr(nil, TypeEd25519), identity)
		p.inner = innerOf(TypeEd25519, append(identity, make([]byte, 32)...))
	})
	spoil(malformed, "key-not-on-curve", "not on the curve", func(p *parts) {
		p.key = appendStr(appendStr(nil, TypeEd25519), unhex(badPoints[7].point))
	})
	for _, a := range armorDefects(string(base.armored()), base64Of(base.blob())) {
		add(malformed, a.name, a.says, []byte(a.text))
	}
	return vectors
}

type armorDefect struct{ name, says, text string }

// armorDefects spoils the text around an unspoilt blob.
func armorDefects(good, b64 string) []armorDefect {
	body := wrap(b64, armorColumns)
	return []armorDefect{
		{"armor-empty", "begins with", ""},
		{"armor-text-before", "begins with", "Signed:\n" + good},
		{"armor-line-before", "begins with", "\n" + good},
		{"armor-text-after", "does not end", good + "Anna\n"},
		{"armor-line-after", "does not end", good + "\n"},
		{"armor-no-final-line-end", "does not end", strings.TrimSuffix(good, "\n")},
		{"armor-crlf", "begins with", strings.ReplaceAll(good, "\n", "\r\n")},
		{"armor-indented", "begins with", strings.ReplaceAll(" "+good, "\n-", "\n -")},
		{"armor-no-footer", "does not end", armorHead + body},
		{"armor-no-header", "begins with", body + armorFoot},
		{"armor-pem-header", "base64", armorHead + "Comment: x\n\n" + body + armorFoot},
		{"armor-other-type", "begins with", strings.ReplaceAll(good, "SSH SIGNATURE", "SSH2 SIGNATURE")},
		{"armor-twice", "base64", good + good},
		{"armor-wrapped-at-76", "70 columns", armorHead + wrap(b64, 76) + armorFoot},
		{"armor-wrapped-at-64", "70 columns", armorHead + wrap(b64, 64) + armorFoot},
		{"armor-one-line", "70 columns", armorHead + b64 + "\n" + armorFoot},
		{"armor-empty-line", "70 columns", armorHead + body + "\n" + armorFoot},
		{"armor-space-in-body", "base64", armorHead + " " + body + armorFoot},
		{"armor-no-padding", "base64", armorHead + strings.TrimRight(body, "=\n") + "\n" + armorFoot},
		{"armor-spare-bits", "base64", armorHead + wrap(spareBit(b64), armorColumns) + armorFoot},
		{"armor-url-alphabet", "base64", armorHead + wrap(strings.NewReplacer("/", "_", "+", "-").Replace(b64), armorColumns) + armorFoot},
		{"armor-too-long", "at most", good + strings.Repeat("\n", MaxSignature)},
	}
}

// spareBit sets a bit before the padding that means nothing.
func spareBit(b64 string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	text := strings.TrimRight(b64, "=")
	if text == b64 {
		panic("no padding, hence no spare bits")
	}
	last := strings.IndexByte(alphabet, text[len(text)-1])
	return text[:len(text)-1] + alphabet[last+1:last+2] + b64[len(text):]
}

func base64Of(b []byte) string {
	text := strings.TrimPrefix(string(armor(b)), armorHead)
	return strings.ReplaceAll(strings.TrimSuffix(text, armorFoot), "\n", "")
}

// wrap writes base64 in lines of n columns.
func wrap(b64 string, n int) string {
	var out strings.Builder
	for ; len(b64) > n; b64 = b64[n:] {
		fmt.Fprintln(&out, b64[:n])
	}
	fmt.Fprintln(&out, b64)
	return out.String()
}

// skVectors spoils what only security keys have.
func skVectors() []vector {
	var vectors []vector
	add := func(expect, name, says string, p parts) {
		vectors = append(vectors, vector{name: "signature/sk-" + name, expect: expect, says: says, body: p.armored(),
			head: []string{"namespace: " + NamespaceAnswer, "message: " + vectorMessage}})
	}
	by := func(flags byte) parts {
		return goodParts(newTestSecurityKey("anna", flags), NamespaceAnswer, hashSHA512, []byte(vectorMessage))
	}
	after := func(p parts, f func(end []byte)) parts { // end: flags and counter
		p.inner = bytes.Clone(p.inner)
		f(p.inner[len(p.inner)-5:])
		return p
	}
	add(accept, "present", "", by(0x01))
	add(accept, "verified", "", by(0x05))
	add(refused, "flags-altered", "not by key", after(by(0x01), func(end []byte) { end[0] = 0x05 }))
	add(refused, "counter-altered", "not by key", after(by(0x01), func(end []byte) { binary.BigEndian.PutUint32(end[1:], 8) }))
	p := by(0x01)
	other := newTestSecurityKey("anna", 1).key
	other.application = "ssh:other"
	p.key = other.Blob()
	add(refused, "application-altered", "not by key", p)
	add(malformed, "not-present", "not present", by(0x00))
	add(malformed, "verified-not-present", "not present", by(0x04))
	add(malformed, "attested", "no place", by(0x41))
	add(malformed, "extension", "no place", by(0x81))
	p = by(0x01)
	p.inner = p.inner[:len(p.inner)-4]
	add(malformed, "no-counter", "cut short", p)
	return vectors
}
