package verifiers_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"muniment/bundle/leaf"
	"slices"
	"strings"
	"testing"

	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/sign"
)

// object is a leaf before it is bytes. Numbers are int.
type object = map[string]any

// A sketch is a bundle before it is bytes, open to any change. Its build makes
// a bundle in which everything follows from what the sketch says: a change of a
// leaf is committed to, signed and logged.
type sketch struct {
	r       *rand.Rand
	leaves  []object
	at      int               // index of the display leaf
	shown   []int             // indexes of what is disclosed, in rendering order
	raw     map[int][]byte    // the bytes of a leaf, in the place of its object's
	sealed  map[string][]byte // file name: content
	signers []signer
	logKey  signer
	before  []merkle.Hash // the entries of the log
	omit    []int         // leaves that this copy leaves out

	lines     func(lines []string) []string           // of the statement, before it is signed
	text      func(statement []byte) []byte           // likewise, all of it
	sums      func(sums []byte) []byte                // SHA256SUMS, before its sha256 is taken
	signature func(s signer, armored []byte) []byte   // each signature file
	namespace string                                  // "" for that of answers
	signs     func(statement []byte) []byte           // what is signed in the statement's place
	proof     func(p *sign.LogProof, entry *[32]byte) // what log.proof says
	origin    func(origin string) string              // of the checkpoint
	proofText func(text string) string                // log.proof as a text
	files     func(files map[string][]byte)           // at the end
	zip       func(files map[string][]byte) []byte    // in the place of canonicalZip
	bytes     func(zip []byte) []byte                 // the zip
}

// A signer signs with a key whose seed is one repeated byte, as a plain key or
// as a security key would.
type signer struct {
	private ed25519.PrivateKey
	app     string // of a security key
}

func newSigner(seed byte, app string) signer {
	return signer{ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)), app}
}

func wire(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(p))), p...)
	}
	return out
}

func (s signer) point() []byte { return s.private.Public().(ed25519.PublicKey) }

func (s signer) blob() []byte {
	if s.app != "" {
		return wire([]byte(sign.TypeSKEd25519), s.point(), []byte(s.app))
	}
	return wire([]byte(sign.TypeEd25519), s.point())
}

func (s signer) id() string { sum := sha256.Sum256(s.blob()); return hex.EncodeToString(sum[:]) }

// Key and SignSSH make a plain signer a sign.Signer.
func (s signer) Key() sign.Key {
	k, err := sign.ParseKeyBlob(s.blob())
	if err != nil {
		panic(err)
	}
	return k
}

func (s signer) SignSSH(data []byte) ([]byte, error) {
	return wire([]byte(sign.TypeEd25519), ed25519.Sign(s.private, data)), nil
}

// sshsig is a signature file over message.
func (s signer) sshsig(namespace, message string) []byte {
	sum := sha256.Sum256([]byte(message))
	data := append([]byte("SSHSIG"), wire([]byte(namespace), nil, []byte("sha256"), sum[:])...)
	inner := wire([]byte(sign.TypeEd25519), ed25519.Sign(s.private, data))
	if s.app != "" {
		application, body, rest := sha256.Sum256([]byte(s.app)), sha256.Sum256(data), []byte{1, 0, 0, 0, 7}
		inner = append(wire([]byte(sign.TypeSKEd25519), ed25519.Sign(s.private, slices.Concat(application[:], rest, body[:]))), rest...)
	}
	return armor(append([]byte("SSHSIG\x00\x00\x00\x01"), wire(s.blob(), []byte(namespace), nil, []byte("sha256"), inner)...))
}

func armor(blob []byte) []byte {
	var out strings.Builder
	out.WriteString("-----BEGIN SSH SIGNATURE-----\n")
	for text := base64.StdEncoding.EncodeToString(blob); text != ""; {
		n := min(70, len(text))
		out.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return []byte(out.String() + "-----END SSH SIGNATURE-----\n")
}

func unarmor(armored []byte) []byte {
	lines := strings.Split(string(armored), "\n")
	raw, err := base64.StdEncoding.DecodeString(strings.Join(lines[1:len(lines)-2], ""))
	if err != nil {
		panic(err)
	}
	return raw
}

// canonical writes RFC 8785 for what leaves are made of.
func canonical(v any) []byte {
	switch v := v.(type) {
	default:
		panic(fmt.Sprintf("%T in a leaf", v))
	case bool, int:
		return fmt.Append(nil, v)
	case string:
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range []byte(v) {
			switch {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(rune(c)))
			case c >= 8 && c <= 13 && c != 11:
				b.WriteString(`\` + string("btn.fr"[c-8]))
			case c < 32:
				fmt.Fprintf(&b, `\u%04x`, c)
			default:
				b.WriteByte(c)
			}
		}
		return []byte(b.String() + `"`)
	case []any:
		parts := make([][]byte, len(v))
		for i, x := range v {
			parts[i] = canonical(x)
		}
		return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
	case object:
		var parts [][]byte
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, slices.Concat(canonical(k), []byte(":"), canonical(v[k])))
		}
		return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
	}
}

// toObject turns a leaf of the library into an object.
func toObject(l leaf.Leaf) object {
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	var o object
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		panic(err)
	}
	return plain(o).(object)
}

// plain turns json.Number into int, and null into the empty list it stands for.
func plain(v any) any {
	switch v := v.(type) {
	default:
		return v
	case nil:
		return []any{}
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			panic(err)
		}
		return int(n)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	case object:
		for k := range v {
			v[k] = plain(v[k])
		}
		return v
	}
}

// indexes are a list in an object.
func indexes(list []int) []any {
	out := []any{}
	for _, i := range list {
		out = append(out, i)
	}
	return out
}

// build makes the zip.
func (s *sketch) build(t testing.TB) []byte {
	t.Helper()
	encoded := make([][]byte, len(s.leaves))
	commitments := make([]merkle.Hash, len(s.leaves))
	var sums []byte
	for i, l := range s.leaves {
		encoded[i] = canonical(l)
		if raw, ok := s.raw[i]; ok {
			encoded[i] = raw
		}
		commitments[i] = sha256.Sum256(encoded[i])
		sums = fmt.Appendf(sums, "%x  leaves/%05d.json\n", commitments[i], i)
	}
	if s.sums != nil {
		sums = s.sums(sums)
	}
	files := map[string][]byte{"SHA256SUMS": sums}
	disclosed := append(slices.Clone(s.shown), s.at)
	for _, i := range disclosed {
		if !slices.Contains(s.omit, i) {
			files[fmt.Sprintf("leaves/%05d.json", i)] = encoded[i]
		}
	}
	statement := s.statement(sums, leaf.Root(commitments))
	files["statement"] = statement
	signed, namespace := statement, sign.NamespaceAnswer
	if s.signs != nil {
		signed = s.signs(statement)
	}
	if s.namespace != "" {
		namespace = s.namespace
	}
	for _, k := range s.signers {
		armored := k.sshsig(namespace, string(signed))
		if s.signature != nil {
			armored = s.signature(k, armored)
		}
		files["sigs/"+k.id()+".sshsig"] = armored
	}
	maps.Copy(files, s.sealed)
	files["log.proof"] = s.logProof(t, statement)
	if s.files != nil {
		s.files(files)
	}
	var out []byte
	if s.zip != nil {
		out = s.zip(files)
	} else {
		out = canonicalZip(files)
	}
	if s.bytes != nil {
		out = s.bytes(out)
	}
	return out
}

func (s *sketch) display() object { return s.leaves[s.at] }

// archiveID is the archive of every sketch.
const archiveID = "bagaaieraezlpx4hbbkwrahkzlz6fcfle7idlqaxyuoymkuh5aprrtoac2sha"

// otherArchive is an archive that no sketch is of.
const otherArchive = "bagaaieraaus2ryi64dzmhuderb3boochtno7yhk5ltjicqpsiww4baoz2hcq"

const answerID = "09080700000000000000000000000000"

func (s *sketch) statement(sums []byte, root merkle.Hash) []byte {
	outcome, _ := s.outcome()
	lines := []string{
		"muniment/answer/v1", "archive " + archiveID, "id " + answerID, "issued 2021-03-04T09:00:00Z",
		"request " + strings.Repeat("61", 32), "outcome " + outcome, fmt.Sprint("leaves ", len(s.leaves)),
		fmt.Sprintf("root %x", root), fmt.Sprintf("sums %x", sha256.Sum256(sums)), fmt.Sprint("display ", s.at),
	}
	var sealed []string
	for name, data := range s.sealed {
		scope, subset, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "sealed/"), ".age"), ".")
		if !ok {
			subset = "-"
		}
		sealed = append(sealed, fmt.Sprintf("sealed %s %s %x", scope, subset, sha256.Sum256(data)))
	}
	slices.Sort(sealed)
	lines = append(append(lines, sealed...), "policy "+strings.Repeat("70", 32), "trust "+strings.Repeat("74", 32),
		fmt.Sprintf("after %s %d %x", s.logOrigin(), len(s.before), merkle.Root(s.before)))
	if s.lines != nil {
		lines = s.lines(lines)
	}
	text := []byte(strings.Join(lines, "\n") + "\n")
	if s.text != nil {
		text = s.text(text)
	}
	return text
}

func (s *sketch) logOrigin() string {
	return "muniment/" + archiveID + "/answers/" + s.logKey.id() + "/1"
}

// logProof makes the log with the statement as its last entry but for those
// that a proof function asks for.
func (s *sketch) logProof(t testing.TB, statement []byte) []byte {
	t.Helper()
	entry := sha256.Sum256(statement)
	p := &sign.LogProof{}
	if s.proof != nil {
		s.proof(nil, &entry)
	}
	hashes := append(slices.Clone(s.before), merkle.LeafHash(entry[:]))
	for range s.r.IntN(4) { // answers that came in the same batch
		hashes = append(hashes, merkle.LeafHash([]byte("later")))
	}
	p.Index, p.Hashes = int64(len(s.before)), merkle.Prove(hashes, len(s.before))
	origin := s.logOrigin()
	if s.origin != nil {
		origin = s.origin(origin)
	}
	p.Note = s.checkpoint(origin, len(hashes), merkle.Root(hashes))
	if s.proof != nil {
		s.proof(p, &entry)
	}
	text := string(p.Encode())
	if s.proofText != nil {
		text = s.proofText(text)
	}
	return []byte(text)
}

// checkpoint is a signed note of the log.
func (s *sketch) checkpoint(origin string, size int, root merkle.Hash) []byte {
	text := fmt.Sprintf("%s\n%d\n%s\n", origin, size, base64.StdEncoding.EncodeToString(root[:]))
	hash := sha256.Sum256(append([]byte(origin+"\n\x01"), s.logKey.point()...))
	sig := append(hash[:4:4], ed25519.Sign(s.logKey.private, []byte(text))...)
	return []byte(text + "\n— " + origin + " " + base64.StdEncoding.EncodeToString(sig) + "\n")
}

// outcome is what the statement and the display leaf have to say.
func (s *sketch) outcome() (outcome, rung string) {
	claims, labeled, cut := 0, false, false
	for _, i := range s.shown {
		switch l := s.leaves[i]; l["kind"] {
		case "claim":
			claims++
			labeled = labeled || l["rung"] == string(cite.Labeled)
			cut = cut || l["rung"] == string(cite.Narrowed)
		case "refusal", "removed":
			cut = true
		}
	}
	switch {
	case claims == 0:
		return "refusal", "refused"
	case cut && labeled:
		return "partial", "labeled"
	case cut:
		return "partial", "narrowed"
	case labeled:
		return "answer", "labeled"
	}
	return "answer", "supported"
}

// canonicalZip writes the one form of a zip.
func canonicalZip(files map[string][]byte) []byte {
	return zipOf(files, slices.Sorted(maps.Keys(files)), nil)
}

// A zipEntry is what a zip says of one file.
type zipEntry struct {
	madeBy, version, flags, method, time, date uint16
	crc, size, packed, attributes              uint32
	extra, comment                             []byte
}

// zipOf writes names in their order; edit may change what is said of each.
func zipOf(files map[string][]byte, names []string, edit func(name string, e *zipEntry)) []byte {
	var out, directory []byte
	le := binary.LittleEndian
	for _, name := range names {
		data := files[name]
		e := zipEntry{madeBy: 3<<8 | 20, version: 10, date: 33, crc: crc32.ChecksumIEEE(data), size: uint32(len(data)), packed: uint32(len(data)), attributes: 0o100644 << 16}
		if edit != nil {
			edit(name, &e)
		}
		var common []byte
		for _, v := range []uint16{e.version, e.flags, e.method, e.time, e.date} {
			common = le.AppendUint16(common, v)
		}
		for _, v := range []uint32{e.crc, e.packed, e.size} {
			common = le.AppendUint32(common, v)
		}
		common = le.AppendUint16(le.AppendUint16(common, uint16(len(name))), uint16(len(e.extra)))
		directory = append(le.AppendUint16(append(directory, "PK\x01\x02"...), e.madeBy), common...)
		directory = le.AppendUint16(directory, uint16(len(e.comment)))
		directory = le.AppendUint32(le.AppendUint32(le.AppendUint32(directory, 0), e.attributes), uint32(len(out)))
		directory = append(append(append(directory, name...), e.extra...), e.comment...)
		out = append(append(append(append(append(out, "PK\x03\x04"...), common...), name...), e.extra...), data...)
	}
	start := len(out)
	out = append(append(out, directory...), "PK\x05\x06\x00\x00\x00\x00"...)
	out = le.AppendUint16(le.AppendUint16(out, uint16(len(names))), uint16(len(names)))
	out = le.AppendUint32(le.AppendUint32(out, uint32(len(directory))), uint32(start))
	return le.AppendUint16(out, 0)
}
