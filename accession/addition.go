package accession

import (
	"bytes"
	"context"
	"encoding/hex"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/accession/ocr"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/canon/forms"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// An addition is one input in canonical form. Its new files lie in the batch:
// an add keeps the additions of all inputs until the last one is read, so an
// addition holds neither bytes nor a record.
type addition struct {
	name     string             // as the record has it
	encoded  bool               // see Input.Encoded
	artifact cid.ID             // of its canonical payload
	result   AddedArtifact      // its line in the result of the add
	existing holding            // what the tree had of it that was staged when it was read
	large    []string           // paths of its payload or original where these are large and in the batch
	edits    []objects.Edit     // its record, payload and original, where they are in the batch
	parts    []addition         // of what lay inside: pictures, attachments
	stated   []sourcemeta.Layer // what people say of its source; of use until it is looked up
	named    bool               // somebody named the scan of which it is the text
	web      bool               // it is, or holds, a web archive: what holds it is not kept as received
	corrects cid.ID             // the record that its own supersedes, zero for none
	err      error              // why it is not taken, or nil
}

// readers are the readers of the forms that a file may have.
var readers = forms.Registry()

// An intake is one call of Add: what every input is read with.
type intake struct {
	archive      *archive.Archive
	batch        *objects.Batch   // receives payloads, originals and records
	lookup       *holdings.Lookup // into the tree that is staged
	now          string           // RFC 3339, the time in every record
	options      AddOptions
	payloadStore *payloads.Store // nil where everything stays in the repository
	ocr          *ocr.Tool       // nil where no letters are recognised
	large        sync.Mutex      // held while an input above maxWhole is in memory
}

// A storeError is a failure of the archive rather than of an input.
type storeError struct{ err error }

// Error implements error.
func (e storeError) Error() string { return e.err.Error() }

// maxDepth is how deep containers may lie in each other: a mail in a mail in a
// mailbox is three, and deeper ones are hostile or lost.
const maxDepth = 4

// maxListedParts is how many parts a record names: it has a megabyte, and a
// mailbox may hold a hundred thousand mails, which its payload lists.
const maxListedParts = 4000

// read reads one input, puts its payload and original into the batch, and
// describes it with whatever lies inside.
func (in *intake) read(ctx context.Context, input Input, j readJob) addition {
	got, err := j.got, j.err
	locked := false
	waitIfLarge := func(size int64) {
		if size > maxWhole && !locked {
			in.large.Lock()
			locked = true
		}
	}
	defer func() {
		if locked {
			in.large.Unlock()
		}
	}()
	switch {
	case input.Fetch == nil:
		got, err = readStable(input.Path, waitIfLarge)
	case got.stream != nil:
		waitIfLarge(got.stream.size)
	default:
		waitIfLarge(int64(len(got.Data)))
	}
	if err == nil && !in.options.AllowSecrets {
		err = checkSecret(got.Data)
	}
	if err != nil {
		return addition{name: input.Name, encoded: input.Encoded, err: err}
	}
	return in.take(ctx, input, got, in.options, 1)
}

// take puts the body of an input into the batch as read does. depth counts the containers around
// it that were opened for what they hold, from 1; o are the options that hold at that depth.
func (in *intake) take(ctx context.Context, input Input, got Body, o AddOptions, depth int) addition {
	input.url, input.fetchedAt = got.source.URL, got.source.FetchedAt
	input.Facts = maps.Clone(input.Facts) // the files of a packed folder share them
	for k, v := range got.Facts {
		if input.Facts == nil {
			input.Facts = map[string]string{}
		}
		input.Facts[k] = v
	}
	if got.stream != nil {
		return in.addStream(ctx, input, got, o, depth)
	}
	if input.textOf != nil && input.textOf.textType != "" {
		got.MediaType = input.textOf.textType
	}
	return in.addBytes(ctx, input, in.withMediaType(got.MediaType, read.Input{Name: input.Name, Data: got.Data}), o, depth)
}

// withMediaType returns an input with the media type that its sender stated or, without one,
// with what the caller says of all inputs, as far as that counts: a charset does not where
// the input states its own.
func (in *intake) withMediaType(stated string, what read.Input) read.Input {
	if what.MediaType = stated; stated != "" || in.options.MediaType == "" {
		return what
	}
	hinted := readers.Hint(what, in.options.MediaType)
	if _, charset := read.ParseMediaType(hinted.MediaType); charset != "" {
		form, err := canonicalizeWithin(what)
		if _, how, _ := strings.Cut(form.Charset, " "); err == nil && (how == "hint" || how == "declared" || statedCharset(form, what) != "") {
			return what
		}
	}
	return hinted
}

// checkMediaType requires the form of a media type of what somebody says of inputs, and a
// charset that is known, if it names one.
func checkMediaType(said string) error {
	if said == "" {
		return nil
	}
	bare, charset := read.ParseMediaType(said)
	if bare == "" {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "media-type", "text/plain; charset=windows-1250"), "%q is no media type", legible.Printable(said))
	}
	if charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") && !read.KnownCharset(charset) {
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "media-type", "text/plain; charset=windows-1250"), "no charset %q is known", legible.Printable(charset))
	}
	return nil
}

// addBytes returns the addition of bytes that are in memory. depth counts the
// containers around them, from 1; o are the options that hold at that depth.
func (in *intake) addBytes(ctx context.Context, input Input, what read.Input, o AddOptions, depth int) (add addition) {
	add = addition{name: input.Name, encoded: input.Encoded}
	if !input.scrubbed && mayHold(what.Name, what.Data[:min(len(what.Data), headLen)]) && exposes(ctx, what.Name, bytes.NewReader(what.Data), int64(len(what.Data))) {
		return in.addExposed(ctx, input, bytes.NewReader(what.Data), o, depth)
	}
	form, err := canonicalizeWithin(what)
	if err != nil {
		add.err = err
		return add
	}
	if stated := statedCharset(form, what); stated != "" {
		what.MediaType = form.MediaType + "; charset=" + stated
		if again, err := canonicalizeWithin(what); err == nil && again.Canonicalizer == form.Canonicalizer {
			form = again
		}
	}
	if add.err = checkSecret(form.Payload); add.err != nil && !o.AllowSecrets { // in base64 of a mail, or in a document
		return add
	}
	add.err = nil
	add.artifact = cid.Of(form.Payload)
	original := add.artifact
	if !bytes.Equal(form.Payload, what.Data) {
		original = cid.Of(what.Data)
	}
	rec := in.newRecord(input, form, add.artifact, original)
	if len(form.Payload) > layout.MaxBlob {
		c, err := splitChunks(ctx, bytes.NewReader(form.Payload), nil)
		if err != nil {
			add.err = err
			return add
		}
		c.describe(rec)
	}
	if input.textOf != nil {
		input.textOf.describe(rec)
		add.named = in.options.TextOf != ""
	}
	if add.stated, add.err = o.describeSource(rec, input, form.Source); add.err != nil {
		return add
	}
	if input.textOf != nil {
		markTitle(rec, input.textOf.label)
	}
	findDate(rec, form.Payload, o.TakeFound)
	if original != add.artifact && beginsMail(what.Data[:min(len(what.Data), headLen)]) { // also what its reader does not decode
		search := newExposureSearch(ctx)
		if search.carve(bytes.NewReader(form.Payload), int64(len(form.Payload)), 0) {
			return in.addExposed(ctx, input, bytes.NewReader(what.Data), o, maxNested+1)
		}
		add.web = search.carve(bytes.NewReader(what.Data), int64(len(what.Data)), 0)
	}
	in.addParts(ctx, &add, rec, form.Parts, o, depth)
	if add.web && original != add.artifact {
		original, rec.Original = add.artifact, rec.Artifact
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[factScrubbed] = "it is not kept as received, as a web archive is in it: its text and its parts are"
	}
	if depth == 1 && !input.hasText {
		defer func() { in.recognise(ctx, &add, form, o) }()
	}
	encoded := add.encodeRecord(rec, in.lookup)
	if add.err != nil || o.DryRun || add.needsNothing(o) {
		return add
	}
	add.put(ctx, in.batch, layout.RecordPath(add.artifact, cid.OfJSON(encoded)), encoded)
	if !add.corrects.IsZero() {
		return add // the archive has the rest
	}
	in.put(ctx, &add, layout.ArtifactPath(add.artifact), add.artifact, form.Payload, rec)
	if original != add.artifact {
		in.put(ctx, &add, layout.OriginalPath(original), original, what.Data, rec)
	}
	return add
}

// maxStated is how many of the first bytes of a text are searched for a charset that
// it states: programs write that into the head.
const maxStated = 2048

var charsetStatement = regexp.MustCompile(`(?i)\b(?:charset|encoding|coding)\s*[=:]\s*["']?([a-z0-9][a-z0-9_.:-]{2,30})`)

// statedCharset returns the charset that a text states in its head, in words of mail,
// XML, HTML or an editor, where its reader had to guess; else "".
func statedCharset(form read.Form, what read.Input) string {
	if _, _, guessed := strings.Cut(form.Charset, " guess "); !guessed || what.MediaType != "" {
		return ""
	}
	m := charsetStatement.FindSubmatch(what.Data[:min(len(what.Data), maxStated)])
	if m == nil || !read.KnownCharset(string(m[1])) {
		return ""
	}
	return string(m[1])
}

// addParts adds the parts inside an addition, and names the addition in their records.
func (in *intake) addParts(ctx context.Context, add *addition, rec *record.Record, parts []read.Part, o AddOptions, depth int) {
	for _, part := range parts {
		if depth == maxDepth || len(part.Data) == 0 || len(part.Data) > maxRead {
			add.parts = append(add.parts, addition{name: partName(add.name, part.Name), err: errPart})
			add.web = add.web || exposes(ctx, part.Name, bytes.NewReader(part.Data), int64(len(part.Data)))
			continue
		}
		name, encoded := record.EncodeName(partName(add.name, part.Name))
		if err := checkSecret(part.Data); err != nil && !o.AllowSecrets {
			add.parts = append(add.parts, addition{name: name, encoded: encoded, err: err})
			continue
		}
		whole := map[string]string{holdings.FactPartOf: add.artifact.String()}
		if by := rec.Facts[holdings.FactSourceType]; by != "" { // what lies in a program's own words is its own too
			whole[holdings.FactSourceType] = by
		}
		inner := in.addBytes(ctx, Input{Name: name, Encoded: encoded, Facts: whole}, read.Input(part), o.forParts(), depth+1)
		if inner.result.ID != "" && len(rec.Parts) < maxListedParts {
			rec.Parts = append(rec.Parts, record.Part{Artifact: inner.result.ID, Name: part.Name, MediaType: inner.result.MediaType})
		}
		add.parts = append(add.parts, inner)
		add.web = add.web || inner.web
	}
}

// encodeRecord returns the bytes of the record, describes the addition for the
// result, and looks up what the archive already holds of it.
func (add *addition) encodeRecord(rec *record.Record, lookup *holdings.Lookup) (encoded []byte) {
	encoded, add.err = rec.Encode()
	if add.err != nil {
		return nil
	}
	add.result = AddedArtifact{ID: rec.Artifact, Original: rec.Original, Path: add.name, MediaType: rec.MediaType,
		Canonicalizer: rec.Canonicalizer, Paragraphs: int(rec.PCount), Status: "added", Record: cid.OfJSON(encoded)}
	add.result.Note, add.result.Next = recordNote(rec)
	if add.encoded {
		add.result.Note = strings.TrimSuffix("the name is percent-encoded: it holds bytes that are not printable UTF-8; "+add.result.Note, "; ")
	}
	var err error
	if add.existing, err = findHolding(lookup, add); err != nil {
		add.err = storeError{err}
		return nil
	}
	stated := add.stated
	defer func() { add.existing.current.Record = nil }() // an add keeps the additions of all inputs
	if add.stated = nil; !add.existing.recorded || add.existing.withdrawn {
		return encoded
	}
	facts := newFacts(rec, add.existing.current.Record, add.named)
	if len(stated) == 0 && facts == nil {
		return encoded
	}
	next, data, err := supersede(add.existing.current, rec.Time, rec.Agent, facts, nil, stated...)
	if err != nil {
		add.err = err
		return nil
	}
	if next != nil {
		encoded, add.corrects = data, add.existing.current.ID
		add.result.Corrections = holdings.Corrections(add.existing.current.Record, next)
	}
	return encoded
}

// needsNothing reports whether an add with the options o writes nothing of the
// addition.
func (add *addition) needsNothing(o AddOptions) bool {
	return add.corrects.IsZero() && add.existing.needsNothing(o)
}

// A holding is what a tree already holds of an addition.
type holding struct {
	withdrawn bool // the artifact was withdrawn
	recorded  bool // the artifact has a record of the same original and name

	current holdings.StoredRecord // that record, as it was corrected last; where it is recorded
}

// needsNothing reports whether an add with the options o writes nothing of an
// addition that the tree holds so.
func (h holding) needsNothing(o AddOptions) bool {
	return h.recorded && !h.withdrawn || h.withdrawn && !o.Reinstate
}

// findHolding looks an addition up in a tree.
func findHolding(tree *holdings.Lookup, add *addition) (holding, error) {
	art, err := tree.Artifact(add.artifact)
	if art == nil || err != nil {
		return holding{}, err
	}
	h := holding{withdrawn: art.Withdrawn}
	same := &holdings.Artifact{}
	for _, r := range art.Records {
		if r.Record.Original == add.result.Original && slices.Contains(r.Record.Names, add.name) {
			same.Records = append(same.Records, r)
		}
	}
	h.current, h.recorded = same.FirstRecord()
	return h, nil
}

// readDeadline is how long one input may take a reader: the slowest honest
// ones, large PDF files, take a minute.
const readDeadline = 2 * time.Minute

// canonicalizeWithin returns the canonical form of an input, or errDeadline. A
// reader cannot be stopped from outside: after the deadline its own limits end
// it, and its result is dropped.
func canonicalizeWithin(what read.Input) (read.Form, error) {
	if readers.Plain(what) { // takes no longer than hashing it
		return readers.Canonicalize(what)
	}
	type result struct {
		form read.Form
		err  error
	}
	done := make(chan result, 1)
	go func() {
		form, err := readers.Canonicalize(what)
		done <- result{form, err}
	}()
	timer := time.NewTimer(readDeadline)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.form, r.err
	case <-timer.C:
		return read.Form{}, errDeadline
	}
}

// partName returns the name of a part inside a container. "!/" keeps it apart
// from the name of a file in a folder of the container's name.
func partName(container, part string) string { return container + "!/" + part }

// flatten returns the additions in order, the parts of each after it.
func flatten(additions []addition) iter.Seq[*addition] {
	return func(yield func(*addition) bool) { visitAdditions(additions, yield) }
}

// visitAdditions calls yield on each addition and its parts, until yield returns
// false; it reports whether yield never did.
func visitAdditions(additions []addition, yield func(*addition) bool) bool {
	for i := range additions {
		if !yield(&additions[i]) || !visitAdditions(additions[i].parts, yield) {
			return false
		}
	}
	return true
}

// newRecord returns the record of an input, before its source is described.
func (in *intake) newRecord(input Input, f read.Form, artifact, original cid.ID) *record.Record {
	id := artifact.String()
	rec := &record.Record{
		Time: in.now, Agent: in.archive.World().Author,
		Artifact: id, Original: id, Names: []string{input.Name}, NamesEncoded: input.Encoded,
		MediaType: f.MediaType, Canonicalizer: f.Canonicalizer, Unicode: f.Unicode, Extractor: f.Extractor,
		Charset: f.Charset, Reason: f.Reason, Size: int64(len(f.Payload)), Facts: f.Facts,
	}
	if original != artifact {
		rec.Original = original.String()
	}
	if rec.Textual() {
		m := canon.MeasureText(f.Payload)
		rec.PCount, rec.PRoot = m.Paragraphs, hex.EncodeToString(m.PRoot[:])
		rec.LCount, rec.LRoot = m.Lines, hex.EncodeToString(m.LRoot[:])
	}
	for k, v := range input.Facts {
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[k] = v
	}
	return rec
}

// forParts returns the options for what lies inside an input: what the caller
// says of the source and the media type of the whole does not hold for a part.
func (o AddOptions) forParts() AddOptions {
	o.Source = sourcemeta.Layer{From: sourcemeta.CommandLine}
	o.MediaType = ""
	return o
}

// documentLayer returns the metadata that a document holds about itself.
func documentLayer(m read.Meta) sourcemeta.Layer {
	return sourcemeta.Layer{From: sourcemeta.Document, Values: sourcemeta.Values{Title: m.Title, Creators: m.Creators, Publisher: m.Publisher,
		URL: m.URL, PublishedAt: m.PublishedAt, Language: m.Language}}
}

// describeSource sets the source of the record, merged from the options, the
// document, the name of the input, the address it was fetched from, the sidecar
// and the registry. The facts name the origin of each value. It returns what people
// state. An input whose body may not be kept is an error.
func (o *AddOptions) describeSource(rec *record.Record, input Input, m read.Meta) ([]sourcemeta.Layer, error) {
	layers := []sourcemeta.Layer{o.Source, documentLayer(m), sourcemeta.FromName(input.Name)}
	if input.url != "" {
		layers = append(layers, sourcemeta.Layer{From: sourcemeta.Fetch, Values: sourcemeta.Values{URL: input.url, FetchedAt: input.fetchedAt}})
	}
	if o.Sidecar != nil {
		l, ok, err := o.Sidecar.For(input.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			layers = append(layers, l)
		}
	}
	if o.Registry != nil {
		l, ok, err := o.Registry.Layer(layers...)
		if err != nil {
			return nil, err
		}
		if ok {
			layers = append(layers, l)
		}
	}
	src, facts := sourcemeta.Merge(layers...)
	if src.PaywallPolicy == record.PaywallMetadataOnly {
		return nil, errMetadataOnly
	}
	if !src.IsZero() {
		rec.Source = &src
	}
	for k, v := range facts {
		if src.IsZero() && !strings.HasPrefix(k, "other_") {
			continue
		}
		if rec.Facts == nil {
			rec.Facts = map[string]string{}
		}
		rec.Facts[k] = v
	}
	return statedLayers(layers), nil
}
