package bundle

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"muniment/bundle/leaf"
	"muniment/canon"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// seedKey is a signer whose seed is one repeated byte.
type seedKey struct{ private ed25519.PrivateKey }

func newSeedKey(b byte) seedKey {
	return seedKey{ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(b)), ed25519.SeedSize)))}
}

func (s seedKey) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (s seedKey) SignSSH(data []byte) ([]byte, error) {
	wire := func(b []byte, v []byte) []byte {
		return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return wire(wire(nil, []byte(sign.TypeEd25519)), ed25519.Sign(s.private, data)), nil
}

// memoryLog is an answer log without a disk.
type memoryLog struct {
	signer  sign.Signer
	archive cid.ID
	hashes  []merkle.Hash
}

func (l *memoryLog) Head() (sign.Checkpoint, error) {
	return sign.Checkpoint{
		Origin: sign.AnswerOrigin(l.archive, l.signer.Key().ID(), 1),
		Size:   int64(len(l.hashes)),
		Root:   merkle.Root(l.hashes),
	}, nil
}

func (l *memoryLog) Append(entry [32]byte) ([]byte, error) {
	l.hashes = append(l.hashes, merkle.LeafHash(entry[:]))
	head, _ := l.Head()
	note, err := sign.SignCheckpoint(l.signer, head)
	if err != nil {
		return nil, err
	}
	n := len(l.hashes) - 1
	p := sign.LogProof{Index: int64(n), Hashes: merkle.Prove(l.hashes, n), Note: note}
	return p.Encode(), nil
}

const letterText = `Mill House, 4 March 1871

The new barn stands about seven rods from the stackyard. The masons finished on Tuesday.

I think often of the river, and of who is gone.
`

// fixture is a small archive and what is needed to answer from it.
type fixture struct {
	archive   cid.ID
	archivist seedKey
	answerer  seedKey
	letter    *canon.Document
	record    []byte
	recordID  cid.ID
	proof     *snapshot.Proof
	snap      *snapshot.Snapshot
	tree      *snapshot.Tree
	identity  []byte
	scopes    []access.Scope
	log       *memoryLog
}

// The auditor of the fixture: an age X25519 identity, which is short.
const (
	fixtureIdentity  = "AGE-SECRET-KEY-1RCFPRJ8P4JYS76S3VH5XKCETAKVTPMMK0KHJ5Z7GD3A6GVPLL4HS6LMN3S"
	fixtureRecipient = "age139yev2tl26uhuyepxxl8knked75vakxpdapfx5t9j757fjmfcqyqwzlmx7"
)

var fixtureTime = time.Date(1871, 3, 4, 9, 0, 0, 0, time.UTC).AddDate(150, 0, 0)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newFixture(t testing.TB) *fixture { return newFixtureOf(t, letterText) }

// newFixtureOf is a fixture with another letter.
func newFixtureOf(t testing.TB, text string) *fixture {
	t.Helper()
	f := &fixture{archivist: newSeedKey('s'), answerer: newSeedKey('a'), letter: canon.NewDocument([]byte(text))}
	archiveJSON := must[[]byte](t)(record.Archive{FormatVersion: 1, Name: "Mill House", Random: strings.Repeat("5a", 32), ObjectFormat: "sha1"}.Encode())
	f.archive = cid.OfJSON(archiveJSON)
	artifact := cid.Of(f.letter.Payload())
	pRoot, lRoot := f.letter.Root('p'), f.letter.Root('l')
	f.record = must[[]byte](t)(record.Record{
		Artifact: artifact.String(), Original: artifact.String(), Names: []string{"letters/1871-03-04.txt"},
		MediaType: "text/plain", Canonicalizer: canon.TextForm, Unicode: canon.UnicodeVersion, Charset: "utf-8 valid",
		Size:   int64(len(text)),
		PCount: int64(len(f.letter.Units('p'))), PRoot: hex.EncodeToString(pRoot[:]),
		LCount: int64(len(f.letter.Units('l'))), LRoot: hex.EncodeToString(lRoot[:]),
		Time: "2021-03-04T09:00:00Z", Agent: "Ada Archivist",
		Source: &record.Source{Title: "Letter from Mill House", PublishedAt: "1871-03-04"},
	}.Encode())
	f.recordID = cid.OfJSON(f.record)
	path := layout.RecordPath(artifact, f.recordID)
	tree := must[*snapshot.Tree](t)(snapshot.NewTree([]snapshot.Line{
		{Digest: f.archive.Digest(), Path: layout.PathArchive},
		{Digest: artifact.Digest(), Path: layout.ArtifactPath(artifact)},
		{Digest: f.recordID.Digest(), Path: path},
	}))
	f.tree = tree
	f.proof = must[*snapshot.Proof](t)(tree.Prove(path))
	f.snap = f.commit(t, f.archivist, tree.Root(), 1)
	f.identity = []byte(fixtureIdentity + "\n")
	f.scopes = []access.Scope{{Name: "auditor", Recipients: []string{fixtureRecipient}}}
	f.log = &memoryLog{signer: f.answerer, archive: f.archive}
	return f
}

func (f *fixture) commit(t testing.TB, s sign.Signer, root merkle.Hash, seq int64) *snapshot.Snapshot {
	t.Helper()
	payload := must[[]byte](t)(snapshot.Draft{
		Tree: objects.Hash{1}, Author: snapshot.Author{Name: "Ada Archivist", Email: "ada@example.org"},
		Time: fixtureTime, Text: "First accession", Archive: f.archive, Seq: seq, Root: root, Entries: 3,
	}.Payload())
	armored := must[[]byte](t)(sign.Sign(s, sign.NamespaceGit, payload))
	content := must[[]byte](t)(snapshot.Attach(payload, armored))
	return must[*snapshot.Snapshot](t)(snapshot.Parse(content))
}

// citation cites words of the letter, or a field of its record when field is
// not empty.
func (f *fixture) citation(t testing.TB, relation cite.Relation, claim, words, field string) *cite.Citation {
	t.Helper()
	c := &cite.Citation{
		Type: cite.FirstCitationType, Artifact: cid.Of(f.letter.Payload()).String(), Snapshot: f.snap.ID.String(), Seq: f.snap.Seq,
		Relation: relation, Claim: claim, Match: cite.Exact, Length: len(words),
	}
	if field != "" {
		m := cite.MetaSpan{Field: field, End: len(words)}
		a := must[cite.Anchor](t)(cite.AnchorOfMeta(f.record, m))
		c.Artifact, c.Span = f.recordID.String(), m.String()
		c.QuoteSHA256, c.Prefix, c.Suffix = a.SHA256, a.Prefix, a.Suffix
		return c
	}
	at := strings.Index(letterText, words)
	if at < 0 {
		t.Fatalf("%q is not in the letter", words)
	}
	span := must[cite.Span](t)(cite.SpanAt(f.letter, at, at+len(words)))
	a := must[cite.Anchor](t)(cite.AnchorOf(f.letter, span))
	c.Span, c.QuoteSHA256, c.Prefix, c.Suffix = span.String(), a.SHA256, a.Prefix, a.Suffix
	return c
}

func (f *fixture) source(t testing.TB, c *cite.Citation) *leaf.Source {
	t.Helper()
	return must[*leaf.Source](t)(leaf.NewSource(c, f.letter, f.record, f.proof, f.snap.Content))
}

func coverage(claim int, in cite.GateInput) *leaf.Gate {
	v := cite.Judge(in)
	return &leaf.Gate{Stage: leaf.StageCoverage, Claim: claim, Inputs: in, Rung: v.Rung, Failed: v.Failed}
}

// answer is an answer with every kind of leaf: a supported claim with a gap in
// its excerpt, a restricted one, an inference, a metadata fact, a removed topic.
func (f *fixture) answer(t testing.TB) Answer {
	t.Helper()
	a := Answer{Tier: "public"}
	exact := cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}

	src := a.Add(f.source(t, f.citation(t, cite.DirectQuote, "The barn was about seven rods from the stackyard.", "about seven rods from the stackyard", "")), false)
	k1 := a.Add(&leaf.Chunk{Text: "about seven rods "}, true)
	k2 := a.Add(&leaf.Chunk{Text: "from the "}, false)
	k3 := a.Add(&leaf.Chunk{Text: "stackyard"}, true)
	c := a.Add(&leaf.Cite{Claim: 1, Relation: cite.DirectQuote, Chunks: []int{k1, k2, k3}, Source: src}, true)
	g := a.Add(coverage(1, exact), true)
	a.Add(&leaf.Claim{Claim: 1, Text: "The barn was about seven rods from the stackyard.", Rung: cite.Supported, Cites: []int{c}, Gate: g}, true)

	src = a.Add(f.source(t, f.citation(t, cite.DirectQuote, "The masons finished on a Tuesday.", "The masons finished on Tuesday.", "")), false)
	c = a.Add(&leaf.Cite{Claim: 2, Relation: cite.DirectQuote, Restricted: true, Source: src}, true)
	g = a.Add(coverage(2, exact), true)
	a.Add(&leaf.Claim{Claim: 2, Text: "The masons finished on a Tuesday.", Rung: cite.Supported, Restricted: true, Cites: []int{c}, Gate: g}, true)

	src = a.Add(f.source(t, f.citation(t, cite.InferenceFrom, "The writer may have been lonely.", "Tuesday.\n\nI think often of the river", "")), false)
	k := a.Add(&leaf.Chunk{Text: "I think often of the river"}, true)
	c = a.Add(&leaf.Cite{Claim: 3, Relation: cite.InferenceFrom, Contradicts: true, Chunks: []int{k}, Source: src}, true)
	g = a.Add(coverage(3, cite.GateInput{Relation: cite.InferenceFrom, Match: cite.Exact, SpanResolves: true, Marker: true}), true)
	a.Add(&leaf.Claim{Claim: 3, Text: "The writer may have been lonely.", Rung: cite.Labeled, Cites: []int{c}, Gate: g}, true)

	src = a.Add(f.source(t, f.citation(t, cite.MetadataFact, "The letter is of 4 March 1871.", "1871-03-04", "source.published_at")), false)
	k = a.Add(&leaf.Chunk{Text: "1871-03-04"}, true)
	c = a.Add(&leaf.Cite{Claim: 4, Relation: cite.MetadataFact, Chunks: []int{k}, Source: src}, true)
	g = a.Add(coverage(4, cite.GateInput{Relation: cite.MetadataFact, SpanResolves: true}), true)
	a.Add(&leaf.Claim{Claim: 4, Text: "The letter is of 4 March 1871.", Rung: cite.Supported, Cites: []int{c}, Gate: g}, true)

	a.Add(&leaf.Gate{Stage: leaf.StageCategory, Query: fixtureQuestion, Notes: []string{"no category matches"}}, false)
	a.Add(&leaf.Removed{Topic: "the price of the barn", Reason: "the archive has no evidence"}, true)
	return a
}

// refusal is an answer that refuses the whole question.
func (f *fixture) refusal() Answer {
	a := Answer{Tier: "public"}
	a.Add(&leaf.Gate{Stage: leaf.StageCategory, Query: "Who won the war of 1914?", TrueKind: "category"}, false)
	a.Add(&leaf.Refusal{RefusalKind: "category", Message: "The archive ends in 1871.", Suggestions: []string{"muniment ls"}}, true)
	return a
}

const fixtureQuestion = "How far was the barn from the stackyard, and what did it cost?"

func (f *fixture) env() Env {
	return Env{
		Rand: rand.NewChaCha8([32]byte{7}), Now: fixtureTime, Archive: f.archive,
		Signers: []sign.Signer{f.answerer}, Log: f.log, Scopes: f.scopes,
		PolicyDigest: sha256.Sum256([]byte("policy")), TrustDigest: sha256.Sum256([]byte("trust")),
		RequestMAC: RequestMAC([]byte("nonce"), []byte(fixtureQuestion)),
	}
}

func (f *fixture) allowed(t testing.TB, keys ...sign.Signer) *sign.AllowedSigners {
	t.Helper()
	if len(keys) == 0 {
		keys = []sign.Signer{f.answerer, f.archivist}
	}
	var b strings.Builder
	for _, k := range keys {
		b.WriteString("ada@example.org " + k.Key().Authorized() + "\n")
	}
	return must[*sign.AllowedSigners](t)(sign.ParseAllowedSigners([]byte(b.String())))
}

func (f *fixture) bundle(t testing.TB) *Bundle {
	t.Helper()
	return must[*Bundle](t)(Assemble(f.answer(t), f.env()))
}

func chacha(seed [32]byte) *rand.ChaCha8 { return rand.NewChaCha8(seed) }

func otherArchive() cid.ID { return cid.OfJSON([]byte("another")) }

// unzip returns the files of a zip.
func unzip(data []byte) (map[string][]byte, error) {
	found, err := readZip(&zipInput{r: bufio.NewReader(bytes.NewReader(data))}, true)
	if err != nil {
		return nil, err
	}
	return found.content, nil
}
