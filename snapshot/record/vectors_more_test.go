package record

import (
	"strings"

	"muniment/jcs"
)

// one returns the canonical bytes of v, unchecked.
func one(v any) string {
	data, err := jcs.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// otherVectors are the vectors of every object but the record.
func otherVectors() []vector {
	archive := Archive{TypeArchive, 1, "Vale Papers", sixtyFour, "sha1"}
	consent := Consent{Type: TypeConsent, Artifact: artifactID.String(), Inclusion: true, Reason: "asked by the family",
		Time: "2024-05-01T09:30:00Z", Agent: "Ada Vale"}
	withdrawal := Withdrawal{TypeWithdrawal, artifactID.String(), "court order 12", "District Court", "", "2024-05-01T09:30:00Z", "Ada Vale"}
	hold := Hold{TypeHold, artifactID.String(), "litigation", "District Court", "12 C 34/24", "2024-05-01T09:30:00Z", "Ada Vale"}
	subject := Subject{TypeSubject, "Ada Vale", []string{"A. V."}, "1881-02-03", "1951-06-07", "1900-01-01", "1950-12-31"}
	person := Person{Name: "Ben Ost", Aliases: []string{"B. O."}, State: PersonSealed}
	persons := func(p ...Person) Persons { return Persons{TypePersons, ThirdPartiesListed, p} }
	withPersons := func(p ...Person) Persons { return Persons{TypeSecondPersons, ThirdPartiesListed, p} }
	tiers := func(t ...Tier) Tiers { return Tiers{TypeTiers, t} }
	scope := Scope{Name: "audit", Recipients: []string{"age1pq1qqqq"}, Default: true}
	sources := Scope{Name: "court", Holds: []string{"source", "chunk"}, Recipients: []string{"age1qqqq"}}
	auditors := func(s ...Scope) Auditors { return Auditors{TypeAuditors, s} }

	withArchive := func(change func(*Archive)) string { a := archive; change(&a); return one(a) }
	withConsent := func(change func(*Consent)) string { c := consent; change(&c); return one(c) }
	withWithdrawal := func(change func(*Withdrawal)) string { w := withdrawal; change(&w); return one(w) }
	withHold := func(change func(*Hold)) string { h := hold; change(&h); return one(h) }
	withSubject := func(change func(*Subject)) string { s := subject; change(&s); return one(s) }
	withScope := func(change func(*Scope)) string { s := scope; change(&s); return one(auditors(s)) }
	return []vector{
		{"archive", "ok", TypeArchive, "the identity of an archive", one(archive)},
		{"archive-version", "value", TypeArchive, "a later format version", withArchive(func(a *Archive) { a.FormatVersion = 2 })},
		{"archive-name-empty", "value", TypeArchive, "no name", withArchive(func(a *Archive) { a.Name = "" })},
		{"archive-name-lines", "value", TypeArchive, "a name of two lines", withArchive(func(a *Archive) { a.Name = "a\nb" })},
		{"archive-random-short", "value", TypeArchive, "31 random bytes", withArchive(func(a *Archive) { a.Random = sixtyFour[2:] })},
		{"archive-sha256", "value", TypeArchive, "another object format", withArchive(func(a *Archive) { a.ObjectFormat = "sha256" })},
		{"archive-not-json", "form", TypeArchive, "no bytes", ""},

		{"consent", "ok", TypeConsent, "inclusion only", one(consent)},
		{"consent-full", "ok", TypeConsent, "every member", withConsent(func(c *Consent) {
			c.Surfacing, c.Display, c.Existence, c.MinTier, c.Persons = true, true, true, "family", []string{"Ben Ost"}
		})},
		{"consent-artifact-json", "id", TypeConsent, "a json id for the artifact", withConsent(func(c *Consent) { c.Artifact = recordID.String() })},
		{"consent-no-reason", "value", TypeConsent, "an empty reason", withConsent(func(c *Consent) { c.Reason = "" })},
		{"consent-time", "time", TypeConsent, "a day for the time", withConsent(func(c *Consent) { c.Time = "2024-05-01" })},
		{"consent-no-display", "form", TypeConsent, "display is missing", strings.Replace(one(consent), `"display":false,`, "", 1)},
		{"consent-number", "form", TypeConsent, "1 for true", strings.Replace(one(consent), `"display":false`, `"display":1`, 1)},

		{"withdrawal", "ok", TypeWithdrawal, "a withdrawal", one(withdrawal)},
		{"withdrawal-artifact", "id", TypeWithdrawal, "a name for the artifact", withWithdrawal(func(w *Withdrawal) { w.Artifact = "letter-07" })},
		{"withdrawal-no-authority", "value", TypeWithdrawal, "nobody's authority", withWithdrawal(func(w *Withdrawal) { w.Authority = " " })},
		{"withdrawal-time", "time", TypeWithdrawal, "another time zone", withWithdrawal(func(w *Withdrawal) { w.Time = "2024-05-01T09:30:00+02:00" })},

		{"withdrawal-reference", "ok", TypeWithdrawal, "the decision's place on file", withWithdrawal(func(w *Withdrawal) { w.Reference = "12 C 34/24" })},

		{"hold", "ok", TypeHold, "every member", one(hold)},
		{"hold-artifact", "id", TypeHold, "a json id for the artifact", withHold(func(h *Hold) { h.Artifact = recordID.String() })},
		{"hold-no-reason", "value", TypeHold, "an empty reason", withHold(func(h *Hold) { h.Reason = "" })},
		{"hold-reference-lines", "value", TypeHold, "a reference of two lines", withHold(func(h *Hold) { h.Reference = "a\nb" })},
		{"hold-time", "time", TypeHold, "a day for the time", withHold(func(h *Hold) { h.Time = "2024-05-01" })},
		{"hold-type", "form", TypeHold, "a withdrawal in the place of a hold", one(withdrawal)},

		{"subject", "ok", TypeSubject, "every member", one(subject)},
		{"subject-nobody", "ok", TypeSubject, "an archive of nobody in particular", one(Subject{Type: TypeSubject})},
		{"subject-died-first", "time", TypeSubject, "died before born", withSubject(func(s *Subject) { s.Died = "1881-02-02" })},
		{"subject-year", "time", TypeSubject, "a year for a day", withSubject(func(s *Subject) { s.Born = "1881" })},
		{"subject2", "ok", TypeSecondSubject, "dates that are not days", withSubject(func(s *Subject) {
			s.Type, s.Born, s.Died, s.CoversFrom, s.CoversTo = TypeSecondSubject, "1881~", "1951-06", "1900/1905", "195X"
		})},
		{"subject2-died-first", "time", TypeSecondSubject, "died before born", withSubject(func(s *Subject) { s.Type, s.Died = TypeSecondSubject, "1880" })},
		{"subject2-needless", "form", TypeSecondSubject, "days alone", withSubject(func(s *Subject) { s.Type = TypeSecondSubject })},
		{"subject2-words", "time", TypeSecondSubject, "words for a date", withSubject(func(s *Subject) { s.Type, s.Born = TypeSecondSubject, "about 1881" })},
		{"subject-covers", "time", TypeSubject, "covers ends before it begins", withSubject(func(s *Subject) { s.CoversTo = "1899-12-31" })},
		{"subject-alias-twice", "value", TypeSubject, "one alias twice", withSubject(func(s *Subject) { s.Aliases = []string{"A", "A"} })},
		{"subject-alias-nobody", "value", TypeSubject, "an alias without a name", withSubject(func(s *Subject) { s.Name = "" })},

		{"persons", "ok", TypePersons, "one person", one(persons(person))},
		{"persons-none", "ok", TypePersons, "nobody listed", one(persons())},
		{"persons-rule", "value", TypePersons, "another rule for third parties", strings.Replace(one(persons()), "listed", "some", 1)},
		{"persons-state", "value", TypePersons, "another state", one(persons(Person{Name: "Ben Ost", State: "dead"}))},
		{"persons-twice", "value", TypePersons, "one person twice", one(persons(person, person))},
		{"persons2", "ok", TypeSecondPersons, "dates, relations and who the person is not", one(withPersons(Person{Name: "Ivy Brigg", State: PersonAnonymized, Born: "1902~", Died: "1990-05-01",
			Relations: []Relation{{Is: "mother", Of: "Tom Brigg"}}, Not: []string{"Nathan Brigg", "Brigg Hall"}}))},
		{"persons2-needless", "form", TypeSecondPersons, "no member of the second version", one(withPersons(person))},
		{"persons2-first", "form", TypePersons, "a member of the second version in the first", one(persons(Person{Name: "Ivy Brigg", State: PersonCleared, Born: "1902"}))},
		{"persons2-dates", "value", TypeSecondPersons, "death before birth", one(withPersons(Person{Name: "Ivy Brigg", State: PersonCleared, Born: "1902", Died: "1901"}))},
		{"persons2-born", "value", TypeSecondPersons, "words for a date", one(withPersons(Person{Name: "Ivy Brigg", State: PersonCleared, Born: "in May"}))},
		{"persons2-not", "value", TypeSecondPersons, "a person who is not the person", one(withPersons(Person{Name: "Ivy Brigg", State: PersonCleared, Not: []string{"Ivy Brigg"}}))},
		{"persons2-relation", "value", TypeSecondPersons, "a relation to nobody", one(withPersons(Person{Name: "Ivy Brigg", State: PersonCleared, Relations: []Relation{{Is: "mother"}}}))},
		{"persons-unnamed", "value", TypePersons, "a person without a name", one(persons(Person{State: PersonSealed}))},

		{"consent-default-open", "ok", TypeConsentDefault, "open", one(ConsentDefault{Type: TypeConsentDefault, Default: ConsentOpen})},
		{"consent-default-closed", "ok", TypeConsentDefault, "closed", one(ConsentDefault{Type: TypeConsentDefault, Default: ConsentClosed})},
		{"consent-default-other", "value", TypeConsentDefault, "another word", one(ConsentDefault{Type: TypeConsentDefault, Default: "ajar"})},
		{"consent-default-labels", "ok", TypeConsentDefault, "two rules for labels", one(ConsentDefault{Type: TypeConsentDefault, Default: ConsentOpen, Sensitive: []SensitiveRule{{"faith", SensitiveOpen}, {"health", SensitiveHidden}}})},
		{"consent-default-labels-order", "value", TypeConsentDefault, "rules out of order", one(ConsentDefault{Type: TypeConsentDefault, Default: ConsentOpen, Sensitive: []SensitiveRule{{"health", SensitiveOpen}, {"faith", SensitiveHidden}}})},
		{"consent-default-rule", "value", TypeConsentDefault, "a rule that does not exist", one(ConsentDefault{Type: TypeConsentDefault, Default: ConsentOpen, Sensitive: []SensitiveRule{{"health", "maybe"}}})},
		{"consent-labels", "ok", TypeConsent, "labels", withConsent(func(c *Consent) { c.Sensitive = []string{"crime", "health"} })},
		{"consent-label-unknown", "value", TypeConsent, "a label that does not exist", withConsent(func(c *Consent) { c.Sensitive = []string{"gossip"} })},
		{"consent-label-twice", "value", TypeConsent, "a label twice", withConsent(func(c *Consent) { c.Sensitive = []string{"health", "health"} })},

		{"consent2", "ok", TypeSecondConsent, "every member", withConsent(func(c *Consent) {
			c.Type, c.Reading, c.Processing, c.Until, c.Review = TypeSecondConsent, ReadingExcerpts, ProcessingNone, "2048", "2030-05"
			c.Authority, c.Rights = "the family council", "CC BY 4.0"
		})},
		{"consent2-endpoint", "ok", TypeSecondConsent, "an endpoint by its host", withConsent(func(c *Consent) { c.Type, c.Processing = TypeSecondConsent, "models.example.org" })},
		{"consent2-needless", "form", TypeSecondConsent, "no member of the second version", withConsent(func(c *Consent) { c.Type = TypeSecondConsent })},
		{"consent2-first", "form", TypeConsent, "a member of the second version in the first", withConsent(func(c *Consent) { c.Reading = ReadingWhole })},
		{"consent2-reading", "value", TypeSecondConsent, "a reading that does not exist", withConsent(func(c *Consent) { c.Type, c.Reading = TypeSecondConsent, "half" })},
		{"consent2-processing", "value", TypeSecondConsent, "an address for an endpoint", withConsent(func(c *Consent) { c.Type, c.Processing = TypeSecondConsent, "https://models.example.org/" })},
		{"consent2-until-words", "value", TypeSecondConsent, "words for a date", withConsent(func(c *Consent) { c.Type, c.Until = TypeSecondConsent, "in 2048" })},
		{"consent2-until-open", "value", TypeSecondConsent, "an interval without an end", withConsent(func(c *Consent) { c.Type, c.Until = TypeSecondConsent, "2048/.." })},
		{"consent-default2", "ok", TypeSecondConsentDefault, "papers are read whole", one(ConsentDefault{Type: TypeSecondConsentDefault, Default: ConsentOpen, Reading: ReadingWhole})},
		{"consent-default2-processing", "ok", TypeSecondConsentDefault, "nothing is sent to other programs", one(ConsentDefault{Type: TypeSecondConsentDefault, Default: ConsentClosed, Processing: ProcessingNone})},
		{"consent-default2-needless", "form", TypeSecondConsentDefault, "no member of the second version", one(ConsentDefault{Type: TypeSecondConsentDefault, Default: ConsentOpen})},
		{"consent-default2-reading", "value", TypeSecondConsentDefault, "a reading that does not exist", one(ConsentDefault{Type: TypeSecondConsentDefault, Default: ConsentOpen, Reading: "half"})},

		{"tiers2", "ok", TypeSecondTiers, "no cap, and excerpts for one of them", strings.Replace(one(tiers(Tier{Name: "public", Uncapped: true, Reading: ReadingExcerpts}, Tier{Name: "family", Uncapped: true})), TypeTiers, TypeSecondTiers, 1)},
		{"tiers2-needless", "form", TypeSecondTiers, "no member of the second version", strings.Replace(one(tiers(Tier{Name: "public", Excerpt: 140})), TypeTiers, TypeSecondTiers, 1)},
		{"tiers2-capped", "value", TypeSecondTiers, "an excerpt and no cap", strings.Replace(one(tiers(Tier{Name: "public", Excerpt: 140, Uncapped: true})), TypeTiers, TypeSecondTiers, 1)},
		{"tiers2-reading", "value", TypeSecondTiers, "a reading that does not exist", strings.Replace(one(tiers(Tier{Name: "public", Reading: "half"})), TypeTiers, TypeSecondTiers, 1)},

		{"tiers", "ok", TypeTiers, "two tiers", one(tiers(Tier{Name: "public", Excerpt: 140}, Tier{Name: "family", Excerpt: 2000}))},
		{"tiers-none", "value", TypeTiers, "no tier", one(tiers())},
		{"tiers-twice", "value", TypeTiers, "one tier twice", one(tiers(Tier{Name: "public", Excerpt: 1}, Tier{Name: "public", Excerpt: 2}))},
		{"tiers-minus", "value", TypeTiers, "an excerpt below 0", one(tiers(Tier{Name: "public", Excerpt: -1}))},
		{"tiers-upper", "value", TypeTiers, "a name in upper case", one(tiers(Tier{Name: "Public", Excerpt: 1}))},
		{"tiers-budget", "ok", TypeTiers, "a tier with a budget of its own", one(tiers(Tier{Name: "public", Excerpt: 140, Daily: 7000}))},
		{"tiers-budget-minus", "value", TypeTiers, "a budget below 0", one(tiers(Tier{Name: "public", Excerpt: 140, Daily: -7}))},

		{"auditors", "ok", TypeAuditors, "two scopes", one(auditors(scope, sources))},
		{"auditors-none", "ok", TypeAuditors, "no scope", one(auditors())},
		{"auditors-no-general", "value", TypeAuditors, "no scope for all other leaves", one(auditors(sources))},
		{"auditors-two-general", "value", TypeAuditors, "two scopes for all other leaves", one(auditors(scope, Scope{Name: "b", Recipients: scope.Recipients}))},
		{"auditors-name-twice", "value", TypeAuditors, "one name twice", one(auditors(scope, Scope{"audit", []string{"gate"}, scope.Recipients, false, 0}))},
		{"auditors-kind-twice", "value", TypeAuditors, "one leaf kind in two scopes", one(auditors(scope, sources, Scope{"b", []string{"chunk"}, scope.Recipients, false, 0}))},
		{"auditors-kind", "value", TypeAuditors, "a leaf kind that is always disclosed", one(auditors(scope, Scope{"b", []string{"refusal"}, scope.Recipients, false, 0}))},
		{"auditors-nobody", "value", TypeAuditors, "a scope that nobody can open", withScope(func(s *Scope) { s.Recipients = nil })},
		{"auditors-threshold", "value", TypeAuditors, "three people of one", withScope(func(s *Scope) { s.Threshold = 3 })},
		{"auditors-threshold-one", "value", TypeAuditors, "a threshold of one", withScope(func(s *Scope) { s.Threshold = 1 })},
		{"auditors-recipient", "value", TypeAuditors, "an ssh key for a recipient", withScope(func(s *Scope) { s.Recipients = []string{"ssh-ed25519 AAAA"} })},
		{"auditors-scope-path", "value", TypeAuditors, "a scope named like a path", withScope(func(s *Scope) { s.Name = "a/b" })},
	}
}

// pointerVectors are pointers to payloads in a store.
func pointerVectors() []vector {
	small := Pointer{TypePointer, originalID.String(), 1 << 20, "application/pdf", KeyRule, nil}
	large := Pointer{TypePointer, artifactID.String(), 2*MaxBlob - 1, "audio/flac", KeyRule, []string{sixtyFour, strings.Repeat("a0", 32)}}
	from := func(p Pointer, change func(*Pointer)) string { change(&p); return one(p) }
	return []vector{
		{"pointer", "ok", TypePointer, "a payload in one object", one(small)},
		{"pointer-chunks", "ok", TypePointer, "a payload in two objects", one(large)},
		{"pointer-same-chunks", "ok", TypePointer, "one chunk twice, as in a payload of zeros", from(large, func(p *Pointer) { p.Chunks = []string{sixtyFour, sixtyFour} })},
		{"pointer-largest-blob", "ok", TypePointer, "the largest payload in one object", from(small, func(p *Pointer) { p.Size = MaxBlob })},
		{"pointer-type", "form", TypePointer, "the type of a later version", strings.Replace(one(small), "pointer/v1", "pointer/v2", 1)},
		{"pointer-no-media-type", "form", TypePointer, "media_type is missing", strings.Replace(one(small), `"media_type":"application/pdf",`, "", 1)},
		{"pointer-empty-chunks", "form", TypePointer, "an empty list of chunks", strings.Replace(one(small), `{"key_rule"`, `{"chunks":[],"key_rule"`, 1)},
		{"pointer-address", "form", TypePointer, "the address of a store", strings.Replace(one(small), `,"size"`, `,"url":"s3://museum/letters","size"`, 1)},
		{"pointer-space", "form", TypePointer, "a line feed at the end", one(small) + "\n"},
		{"pointer-size-text", "form", TypePointer, "a size in quotes", strings.Replace(one(small), "1048576", `"1048576"`, 1)},
		{"pointer-payload-json", "id", TypePointer, "a json id for the payload", from(small, func(p *Pointer) { p.Payload = recordID.String() })},
		{"pointer-payload-hex", "id", TypePointer, "a bare digest for the payload", from(small, func(p *Pointer) { p.Payload = artifactID.Hex() })},
		{"pointer-size-zero", "value", TypePointer, "a payload of no bytes", from(small, func(p *Pointer) { p.Size = 0 })},
		{"pointer-media-type", "value", TypePointer, "a media type with a parameter", from(small, func(p *Pointer) { p.MediaType = "text/plain; charset=utf-8" })},
		{"pointer-key-rule", "value", TypePointer, "a rule that no store has", from(small, func(p *Pointer) { p.KeyRule = "sha512@1" })},
		{"pointer-key-rule-empty", "value", TypePointer, "an empty rule", from(small, func(p *Pointer) { p.KeyRule = "" })},
		{"pointer-chunks-small", "chunk", TypePointer, "chunks of a payload of 8 MiB", from(large, func(p *Pointer) { p.Size = MaxBlob })},
		{"pointer-chunks-none", "chunk", TypePointer, "a payload above 8 MiB without chunks", from(small, func(p *Pointer) { p.Size = MaxBlob + 1 })},
		{"pointer-chunks-one", "chunk", TypePointer, "one chunk", from(large, func(p *Pointer) { p.Chunks = p.Chunks[:1] })},
		{"pointer-chunks-full", "chunk", TypePointer, "more bytes than two chunks hold", from(large, func(p *Pointer) { p.Size = 2*MaxBlob + 1 })},
		{"pointer-chunks-upper", "value", TypePointer, "upper case in a digest", from(large, func(p *Pointer) { p.Chunks = []string{sixtyFour, strings.Repeat("A0", 32)} })},
	}
}

// pathVectors are paths with the kind they have.
func pathVectors() []vector {
	art, orig := ArtifactPath(artifactID), OriginalPath(originalID)
	lone, cit := LoneRecordPath(recordID), CitationPath(recordID)
	list := []struct{ name, expect, path string }{
		{"readme", "readme", "README.txt"},
		{"attributes", "attributes", ".gitattributes"},
		{"archive", "archive", "archive.json"},
		{"policy", "policy", "policy/persons.json"},
		{"policy-deep", "policy", "policy/profiles/engine.json"},
		{"trust", "trust", "trust/allowed_signers"},
		{"payload", "payload", art},
		{"payload-chunk", "payload-chunk", ChunkPath(art, 1001)},
		{"record", "record", RecordPath(artifactID, recordID)},
		{"consent", "consent", ConsentPath(artifactID)},
		{"pointer", "pointer", PointerPath(art)},
		{"pointer-original", "original-pointer", PointerPath(orig)},
		{"pointer-chunk", "none", PointerPath(ChunkPath(art, 0))},
		{"pointer-citation", "none", strings.TrimSuffix(cit, ".json") + ".pointer.json"},
		{"pointer-record", "none", strings.TrimSuffix(lone, ".json") + ".pointer.json"},
		{"hold", "hold", HoldPath(artifactID)},
		{"withdrawn", "withdrawn", WithdrawnPath(artifactID)},
		{"original", "original", orig},
		{"original-chunk", "original-chunk", ChunkPath(orig, 0)},
		{"lone-record", "lone-record", lone},
		{"citation", "citation", cit},
		{"review", "review", ReviewPath(recordID, recordID)},
		{"review-alone", "none", strings.Replace(cit, "citations/", "reviews/", 1)},
		{"empty", "none", ""},
		{"readme-lower", "none", "readme.txt"},
		{"readme-inside", "none", "policy/README.txt"},
		{"attributes-inside", "none", "policy/.gitattributes"},
		{"policy-itself", "none", "policy"},
		{"policy-slash", "none", "policy/"},
		{"policy-upper", "none", "policy/Persons.json"},
		{"policy-dots", "none", "policy/../trust/a"},
		{"policy-hidden", "none", "policy/.hidden"},
		{"policy-space", "none", "policy/a b"},
		{"policy-utf8", "none", "policy/é.json"},
		{"absolute", "none", "/" + art},
		{"unknown-top", "none", "attic/a.json"},
		{"unknown-file", "none", "notes.txt"},
		{"payload-upper", "none", strings.ToUpper(art)},
		{"payload-short", "none", art[:len(art)-1]},
		{"payload-long", "none", art + "0"},
		{"payload-flat", "none", "artifacts/" + artifactID.Hex()},
		{"payload-one-level", "none", "artifacts/" + artifactID.Hex()[:2] + "/" + artifactID.Hex()[2:]},
		{"payload-not-hex", "none", art[:len(art)-1] + "g"},
		{"payload-extension", "none", art + ".txt"},
		{"payload-chunk-flat", "none", art + "/000"},
		{"payload-chunk-deep", "none", art + "/000/000/000"},
		{"payload-chunk-four", "none", art + "/000/0000"},
		{"record-short", "none", art + ".r." + recordID.Hex()[1:] + ".json"},
		{"record-no-json", "none", art + ".r." + recordID.Hex()},
		{"record-original", "none", orig + ".r." + recordID.Hex() + ".json"},
		{"consent-original", "none", orig + ".consent.json"},
		{"lone-record-no-json", "none", strings.TrimSuffix(lone, ".json")},
		{"citation-payload", "none", strings.TrimSuffix(cit, ".json")},
	}
	out := make([]vector, len(list))
	for i, p := range list {
		out[i] = vector{"path-" + p.name, p.expect, "path", "a path and what lies there", p.path}
	}
	return out
}
