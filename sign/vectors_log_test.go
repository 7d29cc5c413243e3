package sign

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"muniment/cid/merkle"
)

const vectorOrigin = "muniment/bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am/answers/ab/1"

// testEntry is entry i of the log in the vectors.
func testEntry(i int) [EntrySize]byte { return sha256.Sum256(fmt.Appendf(nil, "statement %d", i)) }

func testLeaves(n int) []merkle.Hash {
	leaves := make([]merkle.Hash, n)
	for i := range leaves {
		e := testEntry(i)
		leaves[i] = merkle.LeafHash(e[:])
	}
	return leaves
}

// mustNote signs any text under any name, checks left aside.
func mustNote(text, name string, s *testSigner) string {
	v, err := newNoteVerifier(name, s.key)
	if err != nil {
		panic(err)
	}
	signed, err := note.Sign(&note.Note{Text: text}, noteSigner{v, s})
	if err != nil {
		panic(err)
	}
	return string(signed)
}

// sigLine writes a signature line over arbitrary bytes.
func sigLine(name string, hash uint32, sig []byte) string {
	return sigPrefix + name + " " + base64.StdEncoding.EncodeToString(append(binary.BigEndian.AppendUint32(nil, hash), sig...)) + "\n"
}

// A witness line of C2SP tlog-cosignature: time and signature, unknown here.
var witnessLine = sigLine("witness.example", 0x12345678, make([]byte, 72))

func checkpointVectors() []vector {
	anna := newTestSigner("anna")
	c := Checkpoint{Origin: vectorOrigin, Size: 5, Root: merkle.Root(testLeaves(5))}
	good := mustNote(c.text(), c.Origin, anna)
	head, line, _ := strings.Cut(good, "\n\n")
	root := base64.StdEncoding.EncodeToString(c.Root[:])
	empty := Checkpoint{Origin: vectorOrigin, Root: merkle.Root(nil)}
	var vectors []vector
	add := func(expect, name, says, body string) {
		vectors = append(vectors, vector{name: "checkpoint/" + name, expect: expect, says: says, body: []byte(body),
			head: []string{"key: " + anna.key.Authorized()}})
	}
	add(accept, "plain", "", good)
	add(accept, "size-0", "", mustNote(empty.text(), empty.Origin, anna))
	add(accept, "witness", "", good+witnessLine)
	add(accept, "witness-first", "", head+"\n\n"+witnessLine+line)
	add(refused, "other-key", "no signature of", mustNote(c.text(), c.Origin, newTestSigner("ben")))
	add(refused, "other-name", "no signature of", mustNote(c.text(), "example.org/log", anna))
	add(refused, "witness-alone", "no signature of", head+"\n\n"+witnessLine)
	add(refused, "size-altered", "invalid signature", strings.Replace(good, "\n5\n", "\n6\n", 1))
	add(refused, "root-altered", "invalid signature", strings.Replace(good, root, base64.StdEncoding.EncodeToString(make([]byte, 32)), 1))
	hash := binary.BigEndian.Uint32(mustDecode(line))
	add(refused, "signature-63-bytes", "invalid signature", head+"\n\n"+sigLine(c.Origin, hash, mustDecode(line)[4:67]))

	// Each of these is signed as it stands, so that only the form is wrong.
	text := func(name, says, body string) { add(malformed, name, says, mustNote(body, c.Origin, anna)) }
	text("extension-line", "an empty line", c.text()+"extension\n")
	text("size-leading-zero", "size", strings.Replace(c.text(), "\n5\n", "\n05\n", 1))
	text("size-plus", "size", strings.Replace(c.text(), "\n5\n", "\n+5\n", 1))
	text("size-negative", "size", strings.Replace(c.text(), "\n5\n", "\n-5\n", 1))
	text("size-2-to-the-63", "size", strings.Replace(c.text(), "\n5\n", "\n9223372036854775808\n", 1))
	text("size-0-with-root", "size 0", strings.Replace(c.text(), "\n5\n", "\n0\n", 1))
	text("root-31-bytes", "root", strings.Replace(c.text(), root, base64.StdEncoding.EncodeToString(c.Root[:31]), 1))
	text("root-spare-bits", "root", strings.Replace(c.text(), root, spareBit(root), 1))
	text("no-root", "an empty line", vectorOrigin+"\n5\n")
	text("origin-space", "origin", "a "+c.text())
	text("origin-plus", "origin", "a+"+c.text())
	text("origin-empty", "origin", strings.TrimPrefix(c.text(), c.Origin))
	text("origin-256-bytes", "origin", strings.Repeat("o", 256)+strings.TrimPrefix(c.text(), c.Origin))
	add(malformed, "no-signature", "an empty line", head+"\n\n")
	add(malformed, "text-after", "signature line 2", good+"more\n")
	add(malformed, "empty-line-after", "signature line 2", good+"\n")
	add(malformed, "no-final-line-end", "line end", strings.TrimSuffix(good, "\n"))
	add(malformed, "crlf", "an empty line", strings.ReplaceAll(good, "\n", "\r\n"))
	add(malformed, "two-empty-lines", "signature line 1", head+"\n\n\n"+line)
	add(malformed, "hyphen", "em dash", strings.Replace(good, "—", "-", 1))
	add(malformed, "signature-twice", "second signature", good+line)
	add(malformed, "second-signature-of-name", "second signature", good+sigLine(c.Origin, hash, make([]byte, 64)))
	add(malformed, "signature-spare-bits", "base64", head+"\n\n"+spareBit(strings.TrimSuffix(line, "\n"))+"\n")
	add(malformed, "signature-4-bytes", "base64", good+sigLine("witness.example", 1, nil))
	add(malformed, "signature-name-plus", "em dash", good+sigLine("witness+example", 1, make([]byte, 72)))
	add(malformed, "not-utf8", "UTF-8", good+sigLine("witn\xe4ss", 1, make([]byte, 72)))
	return vectors
}

// mustDecode returns the bytes of a signature line's base64.
func mustDecode(line string) []byte {
	b, ok := decode64(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]))
	if !ok {
		panic("not base64: " + line)
	}
	return b
}

func proofVectors() []vector {
	anna := newTestSigner("anna")
	leaves := testLeaves(5)
	c := Checkpoint{Origin: vectorOrigin, Size: 5, Root: merkle.Root(leaves)}
	signed := mustNote(c.text(), c.Origin, anna)
	proof := func(i int64) *LogProof {
		return &LogProof{Index: i, Hashes: merkle.Prove(leaves, int(i)), Note: []byte(signed)}
	}
	good := string(proof(2).Encode())
	var vectors []vector
	entry := testEntry(2)
	add := func(expect, name, says, body string) {
		vectors = append(vectors, vector{name: "proof/" + name, expect: expect, says: says, body: []byte(body),
			head: []string{"key: " + anna.key.Authorized(), "entry: " + hex.EncodeToString(entry[:])}})
	}
	add(accept, "plain", "", good)
	add(accept, "witness", "", good+witnessLine)
	entry = testEntry(4)
	add(accept, "last-entry", "", string(proof(4).Encode()))
	entry = testEntry(0)
	one := Checkpoint{Origin: vectorOrigin, Size: 1, Root: merkle.Root(leaves[:1])}
	add(accept, "only-entry", "", string((&LogProof{Note: []byte(mustNote(one.text(), one.Origin, anna))}).Encode()))
	add(refused, "other-entry", "inclusion proof", good)
	entry = testEntry(2)
	none := Checkpoint{Origin: vectorOrigin, Root: merkle.Root(nil)}
	add(refused, "empty-log", "not in a tree", string((&LogProof{Note: []byte(mustNote(none.text(), none.Origin, anna))}).Encode()))
	add(refused, "other-index", "inclusion proof", strings.Replace(good, "index 2", "index 3", 1))
	add(refused, "index-beyond-size", "not in a tree", strings.Replace(good, "index 2", "index 5", 1))
	add(refused, "other-key", "no signature of", strings.Replace(good, signed, mustNote(c.text(), c.Origin, newTestSigner("ben")), 1))
	spoil := func(name, says string, f func(*LogProof)) {
		p := proof(2)
		f(p)
		add(refused, name, says, string(p.Encode()))
	}
	spoil("hash-missing", "inclusion proof", func(p *LogProof) { p.Hashes = p.Hashes[:2] })
	spoil("hash-added", "inclusion proof", func(p *LogProof) { p.Hashes = append(p.Hashes, c.Root) })
	spoil("hashes-swapped", "inclusion proof", func(p *LogProof) { p.Hashes[0], p.Hashes[1] = p.Hashes[1], p.Hashes[0] })
	spoil("hashes-none", "inclusion proof", func(p *LogProof) { p.Hashes = nil })

	bad := func(name, says, from, to string) {
		body := strings.Replace(good, from, to, 1)
		if body == good {
			panic(name + ": nothing replaced")
		}
		add(malformed, name, says, body)
	}
	hash := base64.StdEncoding.EncodeToString(proof(2).Hashes[0][:])
	bad("version-2", "begins with", "@v1\n", "@v2\n")
	bad("extra", "extra", "index 2", "extra AAAA\nindex 2")
	bad("index-leading-zero", "index", "index 2", "index 02")
	bad("index-negative", "index", "index 2", "index -2")
	bad("index-missing", "second line", "index 2\n", "")
	bad("index-twice", "hash 1", "index 2\n", "index 2\nindex 2\n")
	bad("hash-31-bytes", "hash 1", hash, base64.StdEncoding.EncodeToString(make([]byte, 31)))
	bad("hash-spare-bits", "hash 1", hash, spareBit(hash))
	bad("hash-hex", "hash 1", hash, hex.EncodeToString(make([]byte, 32)))
	bad("hashes-64", "more than 63", hash+"\n", strings.Repeat(hash+"\n", 64))
	bad("no-empty-line", "hash 4", "\n\n"+vectorOrigin, "\n"+vectorOrigin)
	bad("two-empty-lines", "checkpoint", "\n\n"+vectorOrigin, "\n\n\n"+vectorOrigin)
	bad("crlf", "begins with", "\n", "\r\n")
	bad("text-before", "begins with", "c2sp", "\nc2sp")
	bad("checkpoint-missing", "line end", signed, "")
	bad("checkpoint-extension", "an empty line", "\n5\n", "\n5\nx\n")
	return vectors
}
