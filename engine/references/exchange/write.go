package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"

	"muniment/cite/locator"
)

// An Annotation is a citation as a W3C Web Annotation: the claim is the body,
// the cited words are the target.
type Annotation struct {
	ID        string // IRI
	Claim     string
	Relation  string
	Created   string // RFC 3339; "" where it is not known
	Creator   string
	Source    string             // IRI of the artifact
	Canonical string             // address the source was published at, "" when not known
	Snapshot  string             // IRI of the snapshot the words were found in, "" for none
	Selectors []locator.Selector // of the cited words in the text
	Fragment  string             // the span
	Verdicts
}

// Verdicts are the verdicts on a citation's words and on its claim.
type Verdicts struct {
	Match        string // of the words
	ClaimVerdict string // of the claim, "" for a citation from before claims were judged
	Judge        string // the model that judged the claim, "" for none
}

// members returns the verdicts as members of an object.
func (v Verdicts) members() object {
	out := object{{"muniment:match", v.Match}}
	if v.ClaimVerdict != "" {
		out = append(out, member{"muniment:claimVerdict", v.ClaimVerdict})
	}
	if v.Judge != "" {
		out = append(out, member{"muniment:judge", v.Judge})
	}
	return out
}

// WriteAnnotations writes an AnnotationCollection of one page, after the Web
// Annotation Data Model and its JSON-LD context. Positions count code points,
// which the model leaves to implementations. id is the collection's IRI, without
// a fragment; the page's is the same with one.
func WriteAnnotations(id string, list []Annotation) []byte {
	items := make([]any, 0, len(list))
	for _, a := range list {
		target := object{{"source", a.Source}, {"selector", a.Selectors}}
		if a.Canonical != "" {
			target = append(target, member{"canonical", a.Canonical})
		}
		if a.Snapshot != "" {
			target = append(target, member{"state", object{{"type", "State"}, {"cached", a.Snapshot}}})
		}
		one := object{{"id", a.ID}, {"type", "Annotation"}, {"motivation", "linking"}}
		if a.Created != "" {
			one = append(one, member{"created", a.Created})
		}
		if a.Creator != "" {
			one = append(one, member{"creator", object{{"type", "Person"}, {"name", a.Creator}}})
		}
		one = append(one, member{"body", object{{"type", "TextualBody"}, {"value", a.Claim}, {"format", "text/plain"}, {"purpose", "describing"}}},
			member{"target", target}, member{"muniment:relation", a.Relation}, member{"muniment:span", a.Fragment})
		one = append(one, a.members()...)
		items = append(items, one)
	}
	return indent(object{
		{"@context", []any{"http://www.w3.org/ns/anno.jsonld", object{{"muniment", "https://muniment.invalid/ns#"}}}},
		{"id", id}, {"type", "AnnotationCollection"}, {"total", len(items)},
		{"first", object{{"id", id + "#page1"}, {"type", "AnnotationPage"}, {"partOf", id}, {"startIndex", 0}, {"items", items}}},
	})
}

// Provenance is the content of a PROV document: citations, and the accessions of
// their artifacts.
type Provenance struct {
	Citations  []CitationProvenance
	Accessions []AccessionProvenance
}

// A CitationProvenance is a citation as an entity, and the citing as an activity.
type CitationProvenance struct {
	ID, Claim, Relation, Span, Status, Time, Agent, Session, Artifact string
	Inputs                                                            []string // of an aggregation: what it was derived from
	Verdicts
}

// An AccessionProvenance is the accession of an artifact as an activity.
type AccessionProvenance struct {
	Record, Artifact, Original, Canonicalizer, Time, Agent, Title string
	Inputs                                                        []string // what a custom source was made from
}

// WritePROV writes PROV-JSON (W3C member submission of 24 April 2013). IRIs of
// content IDs are entities; accessions and citings are activities.
func WritePROV(p Provenance) []byte {
	w := provWriter{seen: map[string]bool{}, agents: map[string]string{}}
	for i := range p.Accessions {
		w.addAccession(i+1, &p.Accessions[i])
	}
	for i := range p.Citations {
		w.addCiting(i+1, &p.Citations[i])
	}
	// Inputs that were described nowhere above are entities all the same.
	for _, a := range p.Accessions {
		w.addInputs(a.Inputs)
	}
	for _, c := range p.Citations {
		w.addInputs(c.Inputs)
	}
	doc := object{{"prefix", object{{"prov", "http://www.w3.org/ns/prov#"}, {"muniment", "https://muniment.invalid/ns#"}}}}
	for _, part := range []member{{"entity", w.entity}, {"activity", w.activity}, {"agent", w.agent}, {"wasGeneratedBy", w.generated}, {"used", w.used}, {"wasAssociatedWith", w.associated}, {"wasDerivedFrom", w.derived}} {
		if len(part.value.(object)) > 0 {
			doc = append(doc, part)
		}
	}
	return indent(doc)
}

// A provWriter gathers the parts of a document of PROV-JSON.
type provWriter struct {
	entity, activity, agent, generated, used, associated, derived object

	seen   map[string]bool   // entities that were added
	agents map[string]string // IRIs by name
}

// who returns the IRI of an agent.
func (w *provWriter) who(name string) string {
	if id, ok := w.agents[name]; ok {
		return id
	}
	id := fmt.Sprintf("muniment:agent-%d", len(w.agents)+1)
	w.agents[name] = id
	w.agent = append(w.agent, member{id, object{{"prov:label", name}}})
	return id
}

// add adds an entity, once.
func (w *provWriter) add(id string, o object) {
	if id != "" && !w.seen[id] {
		w.seen[id] = true
		w.entity = append(w.entity, member{id, o})
	}
}

// addInputs adds inputs as entities.
func (w *provWriter) addInputs(ids []string) {
	for _, id := range ids {
		w.add(id, object{{"prov:type", "muniment:input"}})
	}
}

// relate adds a relation to the ones of its kind.
func relate(into *object, kind string, o object) {
	*into = append(*into, member{fmt.Sprintf("_:%s%d", kind, len(*into)+1), o})
}

// addAccession adds an accession and what it names.
func (w *provWriter) addAccession(number int, a *AccessionProvenance) {
	act := fmt.Sprintf("muniment:accession-%d", number)
	w.activity = append(w.activity, member{act, object{{"prov:startTime", a.Time}, {"prov:endTime", a.Time}, {"prov:type", "muniment:accession"}, {"muniment:canonicalizer", a.Canonicalizer}, {"muniment:record", a.Record}}})
	label := object{{"prov:type", "muniment:artifact"}}
	if a.Title != "" {
		label = append(label, member{"prov:label", a.Title})
	}
	w.add(a.Artifact, label)
	relate(&w.generated, "g", object{{"prov:entity", a.Artifact}, {"prov:activity", act}, {"prov:time", a.Time}})
	if a.Original != a.Artifact {
		w.add(a.Original, object{{"prov:type", "muniment:original"}})
		relate(&w.used, "u", object{{"prov:activity", act}, {"prov:entity", a.Original}})
		relate(&w.derived, "d", object{{"prov:generatedEntity", a.Artifact}, {"prov:usedEntity", a.Original}, {"prov:activity", act}})
	}
	for _, in := range a.Inputs {
		relate(&w.used, "u", object{{"prov:activity", act}, {"prov:entity", in}})
		relate(&w.derived, "d", object{{"prov:generatedEntity", a.Artifact}, {"prov:usedEntity", in}, {"prov:activity", act}})
	}
	if a.Agent != "" {
		relate(&w.associated, "a", object{{"prov:activity", act}, {"prov:agent", w.who(a.Agent)}})
	}
}

// addCiting adds a citing, its citation and what that names.
func (w *provWriter) addCiting(number int, c *CitationProvenance) {
	act := fmt.Sprintf("muniment:citing-%d", number)
	citing, made := object{{"prov:type", "muniment:citing"}, {"muniment:session", c.Session}}, object{{"prov:entity", c.ID}, {"prov:activity", act}}
	if c.Time != "" { // of one that only a snapshot has nobody knows here when it was made
		citing = append(object{{"prov:startTime", c.Time}, {"prov:endTime", c.Time}}, citing...)
		made = append(made, member{"prov:time", c.Time})
	}
	w.activity = append(w.activity, member{act, citing})
	described := object{{"prov:type", "muniment:citation"}, {"prov:label", c.Claim}, {"muniment:relation", c.Relation}, {"muniment:span", c.Span}, {"muniment:status", c.Status}}
	w.add(c.ID, append(described, c.members()...))
	w.add(c.Artifact, object{{"prov:type", "muniment:artifact"}})
	relate(&w.generated, "g", made)
	relate(&w.used, "u", object{{"prov:activity", act}, {"prov:entity", c.Artifact}})
	relate(&w.derived, "d", object{{"prov:generatedEntity", c.ID}, {"prov:usedEntity", c.Artifact}, {"prov:activity", act}})
	for _, in := range c.Inputs {
		relate(&w.derived, "d", object{{"prov:generatedEntity", c.ID}, {"prov:usedEntity", in}, {"prov:activity", act}})
	}
	if c.Agent != "" {
		relate(&w.associated, "a", object{{"prov:activity", act}, {"prov:agent", w.who(c.Agent)}})
	}
}

// An object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// indent encodes an object with two spaces of indentation.
func indent(o object) []byte {
	compact, err := json.Marshal(o)
	if err != nil { // strings, integers and lists of them always encode
		panic(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		panic(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}
