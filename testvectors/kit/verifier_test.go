package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing/fstest"

	"muniment/bundle"
	"muniment/bundle/evidence"
	"muniment/bundle/leaf"
	"muniment/canon"
	"muniment/canon/forms"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/cite/review"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/edtf"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// errKind is the error of a kind that the verifier below does not know.
var errKind = errors.New("the kind is unknown")

// A question is what a verifier is asked: the body of a vector and its inputs.
type question struct {
	kind   string
	body   []byte
	inputs map[string][]string
}

// get returns the first input of a name.
func (q question) get(key string) string {
	if list := q.inputs[key]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// verifier answers the kit with the packages of this module, as a program of
// somebody else would: it gets the arguments of one call.
func verifier(args []string) int {
	if len(args) < 3 {
		return 2
	}
	q := question{kind: args[1], inputs: map[string][]string{}}
	for _, a := range args[3:] {
		key, value, _ := strings.Cut(a, "=")
		q.inputs[key] = append(q.inputs[key], value)
	}
	answer := map[string]func(question) (string, error){
		"archive": judgeArchive, "bundle": judgeBundle, "cite": judgeCite, "edtf": judgeDate, "evidence": judgeEvidence, "jcs": judgeJSON, "log": judgeLog, "paragraph": judgeParagraph,
		"record": judgeRecord, "sign": judgeSign, "snapshot": judgeSnapshot, "trust": judgeTrust, "review": judgeReview,
		"bagit": judgeBag, "canon-media": judgeMedia, "chunk": judgeChunks, "objects": judgeObject, "sourcemeta": judgeSidecar,
	}[args[0]]
	if answer == nil && strings.HasPrefix(args[0], "canon") {
		answer = judgeForm
	}
	if answer == nil {
		return 2
	}
	var line string
	var err error
	if q.body, err = os.ReadFile(args[2]); err == nil {
		line, err = answer(q)
	}
	switch {
	case errors.Is(err, errKind):
		return 2
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(line)
	return 0
}

// judgeArchive checks an archive in a git bundle: the pack follows its first empty
// line.
func judgeArchive(q question) (string, error) {
	head, pack, ok := bytes.Cut(q.body, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) != 2 {
		return "", errors.New("not a git bundle of one ref")
	}
	tip, err := objects.ParseHash(strings.Fields(lines[1])[0])
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "archive")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	st, err := objects.InitWith(dir+"/archive.git", objects.Hooks{})
	if err != nil {
		return "", err
	}
	defer st.Close()
	if _, err := st.Receive(bytes.NewReader(pack), objects.ReceiveLimits{}); err != nil {
		return "", err
	}
	allowed, err := sign.ParseAllowedSigners([]byte(strings.Join(q.inputs["trust"], "\n") + "\n"))
	if err != nil {
		return "", err
	}
	r, err := snapshot.CheckWith(st, tip, snapshot.Checking{Allowed: allowed})
	switch {
	case err != nil || !r.Sound() || r.NotChecked > 0:
		return "wrong", nil
	case len(r.Untrusted)+len(r.Unauthorized) > 0:
		return "untrusted", nil
	}
	return "ok", nil
}

func judgeBundle(q question) (string, error) {
	switch q.kind {
	case "statement":
		_, err := bundle.ParseStatement(q.body)
		return "", err
	case "leaf":
		_, err := leaf.Parse(q.body)
		return "", err
	case "zip", "page":
	default:
		return "", errKind
	}
	b, err := bundle.ReadPage(q.body)
	if q.kind == "zip" {
		b, err = bundle.Read(bytes.NewReader(q.body))
	}
	if err != nil {
		return "malformed", nil
	}
	var want bundle.Requirements
	if line := q.get("trust"); line != "" {
		if want.Allowed, err = sign.ParseAllowedSigners([]byte(line + "\n")); err != nil {
			return "", err
		}
	}
	if line := q.get("identity"); line != "" {
		want.Identities, want.Require = []byte(line+"\n"), []string{bundle.AxisSealed, bundle.AxisSpan, bundle.AxisGate}
	}
	verdict := bundle.Verify(b, want).Verdict
	if _, reduced, _ := strings.Cut(verdict, ", "); strings.HasPrefix(reduced, "reduced") {
		return "reduced", nil
	}
	return strings.ToLower(verdict), nil
}

func judgeDate(q question) (string, error) {
	d, err := edtf.Parse(string(q.body))
	if err != nil {
		return "", err
	}
	first, last := d.Interval()
	return first.String() + " " + last.String(), nil
}

func judgeEvidence(q question) (string, error) {
	var want bundle.Requirements
	if line := q.get("trust"); line != "" {
		var err error
		if want.Allowed, err = sign.ParseAllowedSigners([]byte(line + "\n")); err != nil {
			return "", err
		}
	}
	return strings.ToLower(evidence.Judge(q.body, want).Verdict), nil
}

func judgeForm(q question) (string, error) {
	form, err := forms.Registry().Canonicalize(read.Input{Name: q.get("name"), MediaType: q.get("media_type_hint"), Data: q.body})
	return cid.Of(form.Payload).String(), err
}

func judgeCite(q question) (string, error) {
	switch q.kind {
	case "span":
		_, err := cite.ParseSpan(string(q.body))
		return "", err
	case "mediaspan":
		_, err := cite.ParseMediaSpan(string(q.body))
		return "", err
	case "metaspan":
		_, err := cite.ParseMetaSpan(string(q.body))
		return "", err
	case "resolve":
		s, err := cite.ParseSpan(q.get("span"))
		if err != nil {
			return "", err
		}
		a, err := cite.AnchorOf(canon.NewDocument(q.body), s)
		return a.SHA256, err
	case "match":
		return judgeMatch(q)
	case "citation":
		_, err := cite.ParseCitation(q.body)
		return cid.OfJSON(q.body).String(), err
	}
	return "", errKind
}

func judgeMatch(q question) (string, error) {
	var quote string
	if err := json.Unmarshal([]byte(q.get("quote")), &quote); err != nil {
		return "", err
	}
	var run *cite.Span
	if within := q.get("within"); within != "" {
		s, err := cite.ParseSpan(within)
		if err != nil {
			return "", err
		}
		run = &s
	}
	m, err := cite.Find(canon.NewDocument(q.body), quote, run)
	return string(m.Status), err
}

// A sample is the object of the vectors of canonical JSON.
type sample struct {
	Type  string            `json:"type"`
	Text  string            `json:"text"`
	Count int64             `json:"count"`
	Yes   bool              `json:"yes,omitempty"`
	List  []string          `json:"list,omitempty"`
	Facts map[string]string `json:"facts,omitempty"`
	Inner *inner            `json:"inner,omitempty"`
}

type inner struct {
	Name  string   `json:"name,omitempty"`
	Inner []*inner `json:"inner,omitempty"`
}

func judgeJSON(q question) (string, error) {
	limit, err := strconv.Atoi(q.get("limit"))
	if err != nil {
		return "", err
	}
	return "", jcs.UnmarshalLimit(q.body, q.get("type"), &sample{}, limit)
}

func judgeLog(q question) (string, error) {
	var key sign.Key
	var err error
	if text := q.get("key"); text != "" {
		if key, err = sign.ParseKey(text); err != nil {
			return "", err
		}
	}
	switch q.kind {
	case "cosigned":
		if _, err := sign.OpenCheckpoint(q.body, key); err != nil {
			return "", err
		}
		list, err := sign.Cosignatures(q.body)
		for _, c := range list {
			if sign.WitnessName(c.Key) == sign.WitnessPrefix+q.get("witness") {
				return "", nil
			}
		}
		return "", errors.Join(errors.New("no cosignature by the witness"), err)
	case "consistency":
		c, err := sign.ParseConsistency(q.body)
		if err != nil {
			return "", err
		}
		from := sign.Checkpoint{Origin: c.Origin, Size: c.From, Root: root(q.get("old"))}
		return "", sign.CheckConsistent(from, sign.Checkpoint{Origin: c.Origin, Size: c.To, Root: root(q.get("new"))}, c.Hashes)
	case "conflict":
		c, err := sign.ParseConflict(q.body)
		if err != nil {
			return "", err
		}
		return "", c.Verify(key)
	case "tile":
		tiles, err1 := strconv.ParseInt(q.get("tiles"), 10, 64)
		size, err2 := strconv.ParseInt(q.get("size"), 10, 64)
		got, err3 := sign.RootFromTiles(fstest.MapFS{q.get("path"): {Data: q.body}}, tiles, size)
		if err := errors.Join(err1, err2, err3); err != nil {
			return "", err
		}
		if got != root(q.get("root")) {
			return "", errors.New("another root")
		}
		return "", nil
	}
	return "", errKind
}

// root reads a root in hex, zero where it is none.
func root(s string) (h merkle.Hash) {
	if n, err := hex.Decode(h[:], []byte(s)); err != nil || n != len(h) {
		return merkle.Hash{}
	}
	return h
}

func judgeParagraph(q question) (string, error) {
	_, _, err := bundle.VerifyParagraph(q.body, bundle.Requirements{})
	return "", err
}

// kinds are the words of the vectors of paths.
var kinds = map[layout.Kind]string{
	layout.KindNone: "none", layout.KindReadme: "readme", layout.KindAttributes: "attributes", layout.KindArchive: "archive",
	layout.KindPolicy: "policy", layout.KindTrust: "trust", layout.KindPayload: "payload", layout.KindPayloadChunk: "payload-chunk",
	layout.KindRecord: "record", layout.KindConsent: "consent", layout.KindHold: "hold", layout.KindWithdrawn: "withdrawn",
	layout.KindOriginal: "original", layout.KindOriginalChunk: "original-chunk", layout.KindLoneRecord: "lone-record", layout.KindCitation: "citation",
	layout.KindPointer: "pointer", layout.KindOriginalPointer: "original-pointer", layout.KindReview: "review",
}

func judgeReview(q question) (string, error) {
	_, err := review.Parse(q.body)
	return "", err
}

func judgeRecord(q question) (string, error) {
	if q.kind == "path" {
		kind, _ := layout.ClassifyPath(string(q.body))
		return kinds[kind], nil
	}
	parse := map[string]func([]byte) error{
		record.TypeArchive: parser(record.ParseArchive), record.TypeRecord: parser(record.ParseRecord), access.TypeConsent: parser(access.ParseConsent),
		record.TypeWithdrawal: parser(record.ParseWithdrawal), record.TypeHold: parser(record.ParseHold), access.TypeSubject: parser(access.ParseSubject),
		record.TypeSecondRecord: parser(record.ParseRecord), access.TypeSecondSubject: parser(access.ParseSubject),
		access.TypePersons: parser(access.ParsePersons), access.TypeConsentDefault: parser(access.ParseConsentDefault),
		access.TypeTiers: parser(access.ParseTiers), access.TypeAuditors: parser(access.ParseAuditors), access.TypeFreeform: parser(access.ParseFreeform),
		record.TypePointer: parser(record.ParsePointer), access.TypeSecondConsent: parser(access.ParseConsent),
		access.TypeSecondConsentDefault: parser(access.ParseConsentDefault), access.TypeSecondTiers: parser(access.ParseTiers), access.TypeSecondPersons: parser(access.ParsePersons),
	}[q.kind]
	if parse == nil {
		return "", errKind
	}
	return "", parse(q.body)
}

// parser returns a parse function without its result.
func parser[T any](parse func([]byte) (*T, error)) func([]byte) error {
	return func(data []byte) error {
		_, err := parse(data)
		return err
	}
}

func judgeSign(q question) (string, error) {
	if q.kind == "sealed" {
		plain, err := sign.Open([]byte(q.get("identity")+"\n"), q.body)
		return string(plain), err
	}
	if q.kind == "key" {
		k, err := sign.ParseKey(string(q.body))
		if err != nil {
			return "", err
		}
		return k.Fingerprint(), nil
	}
	if q.kind == "signature" {
		s, err := sign.ParseSignature(q.body)
		if err != nil {
			return "", err
		}
		return "", s.Verify(q.get("namespace"), []byte(q.get("message")))
	}
	k, err := sign.ParseKey(q.get("key"))
	if err != nil {
		return "", err
	}
	switch q.kind {
	case "allowed":
		a, err := sign.ParseAllowedSigners(q.body)
		if err != nil {
			return "", err
		}
		var archive cid.ID
		if id := q.get("archive"); id != "" {
			if archive, err = cid.Parse(id); err != nil {
				return "", err
			}
		}
		e, ok := a.Allows(k, q.get("namespace"), archive)
		if !ok {
			return "", errors.New("not allowed")
		}
		return strconv.Itoa(e.Line), nil
	case "checkpoint":
		_, err := sign.OpenCheckpoint(q.body, k)
		return "", err
	case "proof":
		p, err := sign.ParseLogProof(q.body)
		if err != nil {
			return "", err
		}
		entry, err := hex.DecodeString(q.get("entry"))
		if err != nil {
			return "", err
		}
		_, err = p.Verify(entry, k)
		return "", err
	}
	return "", errKind
}

func judgeSnapshot(q question) (string, error) {
	switch q.kind {
	case "commit":
		s, err := snapshot.Parse(q.body)
		if err != nil {
			return "", err
		}
		return s.ID.String(), nil
	case "tag":
		_, err := snapshot.ParseTag(q.body)
		return "", err
	case "cosig":
		content, err := os.ReadFile(q.get("snapshot"))
		if err != nil {
			return "", err
		}
		s, err := snapshot.Parse(content)
		if err != nil {
			return "", err
		}
		_, c, err := snapshot.ParseCountersignature(q.get("path"), q.body)
		if err != nil {
			return "", err
		}
		return "", c.Verify(s)
	case "proof":
		return judgeProof(q)
	case "signers":
		return judgeSigners(q)
	case "range":
		return judgeRange(q)
	case "tree":
		return judgeTree(q)
	}
	return "", errKind
}

func judgeProof(q question) (string, error) {
	var w struct {
		Type  string         `json:"type"`
		Proof snapshot.Proof `json:"proof"`
	}
	if err := jcs.Unmarshal(q.body, "muniment/vector/v1", &w); err != nil {
		return "", err
	}
	present, _, err := w.Proof.Verify(root(q.get("root")))
	return map[bool]string{true: "present", false: "absent"}[present], err
}

func judgeRange(q question) (string, error) {
	r, err := snapshot.ParseRange(q.body)
	if err != nil {
		return "", err
	}
	b, err := r.Verify(root(q.get("root")))
	if err != nil {
		return "", err
	}
	var words []string
	add := func(there bool, word string) {
		if there {
			words = append(words, word)
		}
	}
	add(b.Payload, "payload")
	add(len(b.Records) > 0, fmt.Sprintf("records=%d", len(b.Records)))
	add(b.Consent != nil, "consent")
	add(b.Hold != nil, "hold")
	add(b.Withdrawal != nil, "withdrawn")
	add(len(words) == 0, "nothing")
	return strings.Join(words, " "), nil
}

func judgeTree(q question) (string, error) {
	var lines []snapshot.Line
	for text := range strings.Lines(string(q.body)) {
		digest, path, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "  ")
		lines = append(lines, snapshot.Line{Digest: root(digest), Path: path})
	}
	tree, err := snapshot.NewTree(lines)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x %d", tree.Root(), tree.Entries()), nil
}

func judgeTrust(q question) (string, error) {
	r, err := trust.Parse(q.body)
	if err != nil || q.kind == "root" {
		return "", err
	}
	k, err := sign.ParseKey(q.get("key"))
	if err != nil {
		return "", err
	}
	standing := r.Judge(trust.Role(q.get("role")), k, place(q.get("place"))).Standing
	return map[trust.Standing]string{trust.Stranger: "stranger", trust.OutOfBounds: "bounds", trust.Revoked: "revoked", trust.Pinned: "pinned", trust.Good: "good"}[standing], nil
}

// place reads the number of a snapshot, or a log, an epoch and an index.
func place(s string) trust.Place {
	parts := strings.Split(s, "/")
	number, _ := strconv.ParseInt(parts[len(parts)-1], 10, 64)
	if len(parts) < 3 {
		return trust.Seq(number)
	}
	epoch, _ := strconv.ParseInt(parts[1], 10, 64)
	return trust.Entry(parts[0], epoch, number)
}
