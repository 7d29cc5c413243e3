package sign

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid/merkle"
	"muniment/testvectors"
)

const logVectorDir = "../testvectors/log"

func logVectors(t *testing.T) []vector {
	log, museum, court := newTestSigner("log"), newTestSigner("museum"), newTestSigner("court")
	honest, forked := newTestLog(9, "entry"), newTestLog(9, "forked")
	var out []vector
	add := func(expect, name string, body []byte, head ...string) {
		out = append(out, vector{name: name, expect: expect, body: body, head: head})
	}
	must := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	swap := func(b []byte, old, new string) []byte {
		t.Helper()
		if bytes.Count(b, []byte(old)) != 1 {
			t.Fatalf("%q is not once in %q", old, b)
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}

	// Cosigned checkpoints.
	const at = 1772528400
	plain := honest.signed(t, log, 5)
	one := must(Cosign(museum, plain, at))
	two := must(Cosign(court, one, at+1))
	who := []string{"key: " + log.key.Authorized(), "witness: " + WitnessName(museum.key)[len(WitnessPrefix):]}
	cosigned := func(expect, name string, body []byte) { add(expect, "cosigned/"+name, body, who...) }
	line := strings.TrimSuffix(string(one[len(plain):]), "\n")
	prefix := line[:strings.LastIndexByte(line, ' ')+1]
	raw := mustDecode(line)
	alter := func(i int) []byte {
		b := bytes.Clone(raw)
		b[i] ^= 1
		return swap(one, line, prefix+base64.StdEncoding.EncodeToString(b))
	}
	cosigned(accept, "one", one)
	cosigned(accept, "two", two)
	cosigned(accept, "time-zero", must(Cosign(museum, plain, 0)))
	cosigned(refused, "none", plain)
	cosigned(refused, "other-witness", must(Cosign(court, plain, at)))
	cosigned(refused, "of-another-size", append(bytes.Clone(honest.signed(t, log, 6)), line+"\n"...))
	cosigned(refused, "key-hash", alter(0))
	cosigned(refused, "time-altered", alter(11))
	cosigned(refused, "signature-altered", alter(20))
	cosigned(refused, "time-beyond-9999", alter(5))
	cosigned(refused, "short", swap(one, line, prefix+base64.StdEncoding.EncodeToString(raw[:75])))
	cosigned(refused, "name-upper", swap(one, prefix, sigPrefix+WitnessPrefix+strings.ToUpper(strings.TrimSuffix(strings.TrimPrefix(prefix, sigPrefix+WitnessPrefix), " "))+" "))
	cosigned(refused, "small-order-name", swap(one, prefix, sigPrefix+WitnessPrefix+"01"+strings.Repeat("0", 62)+" "))
	cosigned(refused, "log-signature-of-another", must(Cosign(museum, honest.signed(t, court, 5), at)))
	cosigned(malformed, "twice", append(bytes.Clone(one), line+"\n"...))
	cosigned(malformed, "no-line-end", bytes.TrimSuffix(one, []byte("\n")))

	// Consistency between sizes 5 and 9.
	_, tiles := honest.stored(t)
	hashes, err := ProveFromTiles(tiles, 9, 5, 9)
	if err != nil {
		t.Fatal(err)
	}
	root := func(l testLog, n int) string { r := l.at(n).Root; return hex.EncodeToString(r[:]) }
	roots := []string{"old: " + root(honest, 5), "new: " + root(honest, 9)}
	good := Consistency{Origin: testOrigin, From: 5, To: 9, Hashes: hashes}
	text := good.Encode()
	consistency := func(expect, name string, body []byte) { add(expect, "consistency/"+name, body, roots...) }
	first := base64.StdEncoding.EncodeToString(hashes[0][:])
	consistency(accept, "good", text)
	add(refused, "consistency/other-old-root", text, "old: "+root(forked, 5), roots[1])
	add(refused, "consistency/other-new-root", text, roots[0], "new: "+root(forked, 9))
	bad := good
	bad.Hashes = hashes[:len(hashes)-1]
	consistency(refused, "hash-missing", bad.Encode())
	bad.Hashes = append(append([]merkle.Hash{}, hashes...), merkle.Hash{1})
	consistency(refused, "hash-more", bad.Encode())
	bad.Hashes = append([]merkle.Hash{hashes[1], hashes[0]}, hashes[2:]...)
	consistency(refused, "hashes-swapped", bad.Encode())
	consistency(malformed, "head-v2", swap(text, "consistency/v1", "consistency/v2"))
	consistency(malformed, "from-leading-zero", swap(text, "from 5", "from 05"))
	consistency(malformed, "from-zero", swap(text, "from 5", "from 0"))
	consistency(malformed, "from-not-below-to", swap(text, "from 5", "from 9"))
	consistency(malformed, "order", swap(text, "from 5\nto 9", "to 9\nfrom 5"))
	consistency(malformed, "hash-spare-bits", swap(text, first, spareBit(first)))
	consistency(malformed, "hash-31-bytes", swap(text, first, base64.StdEncoding.EncodeToString(hashes[0][:31])))
	consistency(malformed, "no-line-end", bytes.TrimSuffix(text, []byte("\n")))
	consistency(malformed, "empty-line", append(bytes.Clone(text), '\n'))
	consistency(malformed, "origin-space", swap(text, testOrigin, "a b"))

	// Evidence.
	_, tiles = forked.stored(t)
	if hashes, err = ProveFromTiles(tiles, 9, 5, 9); err != nil {
		t.Fatal(err)
	}
	conflict := func(expect, name string, body []byte) {
		add(expect, "conflict/"+name, body, "key: "+log.key.Authorized())
	}
	evidence := Conflict{Prefix: forked.at(5).Root, Hashes: hashes, First: honest.signed(t, log, 5), Second: forked.signed(t, log, 9)}
	with := func(change func(*Conflict)) []byte {
		c := evidence
		change(&c)
		return c.Encode()
	}
	text = evidence.Encode()
	conflict(accept, "two-sizes", text)
	conflict(accept, "one-size", with(func(c *Conflict) { c.Hashes, c.Second = nil, forked.signed(t, log, 5) }))
	conflict(refused, "one-log", with(func(c *Conflict) { c.First = forked.signed(t, log, 5) }))
	conflict(refused, "no-hashes", with(func(c *Conflict) { c.Hashes = nil }))
	conflict(refused, "other-prefix", with(func(c *Conflict) { c.Prefix = honest.at(4).Root }))
	conflict(refused, "larger-first", with(func(c *Conflict) { c.First, c.Second = c.Second, c.First }))
	conflict(refused, "first-of-another-key", with(func(c *Conflict) { c.First = honest.signed(t, court, 5) }))
	conflict(refused, "second-of-another-key", with(func(c *Conflict) { c.Second = forked.signed(t, court, 9) }))
	conflict(refused, "hashes-for-one-size", with(func(c *Conflict) { c.Second = forked.signed(t, log, 5) }))
	conflict(malformed, "head-v2", swap(text, "conflict/v1", "conflict/v2"))
	conflict(malformed, "no-second", text[:bytes.LastIndex(text, []byte("\n\n"))])
	conflict(malformed, "text-after", append(bytes.Clone(text), "x\n"...))
	conflict(malformed, "prefix-missing", swap(text, "prefix ", ""))
	conflict(malformed, "crlf", bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))

	// The only tile of a log of nine entries.
	_, tiles = honest.stored(t)
	name := TilePath(tlog.Tile{H: TileHeight, L: 0, N: 0, W: 9})
	data := tiles[name].Data
	tile := func(expect, what string, body []byte, size int, want string) {
		add(expect, "tile/"+what, body, "path: "+name, "tiles: 9", "size: "+strconv.Itoa(size), "root: "+want)
	}
	tile(accept, "whole", data, 9, root(honest, 9))
	tile(accept, "past", data, 5, root(honest, 5))
	tile(refused, "other-root", data, 9, root(forked, 9))
	tile(refused, "altered", append([]byte{data[0] ^ 1}, data[1:]...), 9, root(honest, 9))
	tile(refused, "hashes-swapped", append(append(bytes.Clone(data[32:64]), data[:32]...), data[64:]...), 9, root(honest, 9))
	tile(malformed, "short", data[:len(data)-1], 9, root(honest, 9))
	tile(malformed, "long", append(bytes.Clone(data), 0), 9, root(honest, 9))
	tile(malformed, "size-beyond", data, 10, root(honest, 9))
	// One level up: the two roots of 256 entries each in a log of 600.
	large := newTestLog(600, "entry")
	_, tiles = large.stored(t)
	name = TilePath(tlog.Tile{H: TileHeight, L: 1, N: 0, W: 2})
	upper := func(expect, what string, body []byte, size int) {
		add(expect, "tile/"+what, body, "path: "+name, "tiles: 600", "size: "+strconv.Itoa(size), "root: "+root(large, size))
	}
	data = tiles[name].Data
	upper(accept, "upper", data, 512)
	upper(accept, "upper-past", data, 256)
	upper(refused, "upper-swapped", append(bytes.Clone(data[32:]), data[:32]...), 512)
	upper(malformed, "upper-lower-missing", data, 513)
	return out
}

// TestLogVectors compares testvectors/log with its generator, and reads and
// verifies every file as its header asks.
func TestLogVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range logVectors(t) {
		made = append(made, v.made())
	}
	testvectors.Generate(t, logVectorDir, made)
	testvectors.Run(t, logVectorDir, 58, func(t *testing.T, v testvectors.Vector) {
		if got, err := runLog(v); got != v.Get("expect") {
			t.Errorf("%s, want %s: %v", got, v.Get("expect"), err)
		}
	})
}

// runLog reads and verifies a vector and returns what came of it.
func runLog(v testvectors.Vector) (outcome string, err error) {
	var key Key
	if text := v.Get("key"); text != "" {
		if key, err = ParseKey(text); err != nil {
			return "", err
		}
	}
	switch v.Get("kind") {
	default:
		return "", fmt.Errorf("unknown kind %q", v.Get("kind"))
	case "cosigned":
		if _, err := ReadCheckpoint(v.Body); err != nil {
			return malformed, err
		}
		if _, err := OpenCheckpoint(v.Body, key); err != nil {
			return refused, err
		}
		list, err := Cosignatures(v.Body)
		for _, c := range list {
			if WitnessName(c.Key) == WitnessPrefix+v.Get("witness") {
				return accept, nil
			}
		}
		return refused, err
	case "consistency":
		c, err := ParseConsistency(v.Body)
		if err != nil {
			return malformed, err
		}
		if !bytes.Equal(c.Encode(), v.Body) {
			return "", fmt.Errorf("encodes to %q", c.Encode())
		}
		from, to := Checkpoint{Origin: c.Origin, Size: c.From, Root: hexRoot(v.Get("old"))}, Checkpoint{Origin: c.Origin, Size: c.To, Root: hexRoot(v.Get("new"))}
		if err := CheckConsistent(from, to, c.Hashes); err != nil {
			return refused, err
		}
		return accept, nil
	case "conflict":
		c, err := ParseConflict(v.Body)
		if err != nil {
			return malformed, err
		}
		if !bytes.Equal(c.Encode(), v.Body) {
			return "", fmt.Errorf("encodes to %q", c.Encode())
		}
		if err := c.Verify(key); err != nil {
			return refused, err
		}
		return accept, nil
	case "tile":
		tiles, err1 := strconv.ParseInt(v.Get("tiles"), 10, 64)
		size, err2 := strconv.ParseInt(v.Get("size"), 10, 64)
		if err1 != nil || err2 != nil {
			return "", fmt.Errorf("sizes: %v, %v", err1, err2)
		}
		root, err := RootFromTiles(fstest.MapFS{v.Get("path"): {Data: v.Body}}, tiles, size)
		switch {
		case err != nil:
			return malformed, err
		case root != hexRoot(v.Get("root")):
			return refused, nil
		}
		return accept, nil
	}
}

func hexRoot(s string) (h merkle.Hash) {
	if n, err := hex.Decode(h[:], []byte(s)); err != nil || n != len(h) {
		return merkle.Hash{}
	}
	return h
}
