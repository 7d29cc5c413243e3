package record

import (
	"strings"

	"muniment/cid/jcs"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
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
	consent := access.Consent{Type: access.TypeConsent, Artifact: artifactID.String(), Inclusion: true, Reason: "asked by the family",
		Time: "2024-05-01T09:30:00Z", Agent: "Ada Vale"}
	withdrawal := Withdrawal{TypeWithdrawal, artifactID.String(), "court order 12", "District Court", "", "2024-05-01T09:30:00Z", "Ada Vale"}
	hold := Hold{TypeHold, artifactID.String(), "litigation", "District Court", "12 C 34/24", "2024-05-01T09:30:00Z", "Ada Vale"}
	subject := access.Subject{Type: access.TypeSubject, Name: "Ada Vale", Aliases: []string{"A. V."}, Born: "1881-02-03", Died: "1951-06-07",
		CoversFrom: "1900-01-01", CoversTo: "1950-12-31"}
	person := access.Person{Name: "Ben Ost", Aliases: []string{"B. O."}, State: access.PersonSealed}
	persons := func(p ...access.Person) access.Persons {
		return access.Persons{Type: access.TypePersons, ThirdParties: access.ThirdPartiesListed, Persons: p}
	}
	withPersons := func(p ...access.Person) access.Persons {
		return access.Persons{Type: access.TypeSecondPersons, ThirdParties: access.ThirdPartiesListed, Persons: p}
	}
	tiers := func(t ...access.Tier) access.Tiers { return access.Tiers{Type: access.TypeTiers, Tiers: t} }
	scope := access.Scope{Name: "audit", Recipients: []string{"age1pq1qqqq"}, Default: true}
	sources := access.Scope{Name: "court", Holds: []string{"source", "chunk"}, Recipients: []string{"age1qqqq"}}
	auditors := func(s ...access.Scope) access.Auditors { return access.Auditors{Type: access.TypeAuditors, Scopes: s} }

	withArchive := func(change func(*Archive)) string { a := archive; change(&a); return one(a) }
	withConsent := func(change func(*access.Consent)) string { c := consent; change(&c); return one(c) }
	withWithdrawal := func(change func(*Withdrawal)) string { w := withdrawal; change(&w); return one(w) }
	withHold := func(change func(*Hold)) string { h := hold; change(&h); return one(h) }
	withSubject := func(change func(*access.Subject)) string { s := subject; change(&s); return one(s) }
	withScope := func(change func(*access.Scope)) string { s := scope; change(&s); return one(auditors(s)) }
	return []vector{
		{"archive", "ok", TypeArchive, "the identity of an archive", one(archive)},
		{"archive-version", "value", TypeArchive, "a later format version", withArchive(func(a *Archive) { a.FormatVersion = 2 })},
		{"archive-name-empty", "value", TypeArchive, "no name", withArchive(func(a *Archive) { a.Name = "" })},
		{"archive-name-lines", "value", TypeArchive, "a name of two lines", withArchive(func(a *Archive) { a.Name = "a\nb" })},
		{"archive-random-short", "value", TypeArchive, "31 random bytes", withArchive(func(a *Archive) { a.Random = sixtyFour[2:] })},
		{"archive-sha256", "value", TypeArchive, "another object format", withArchive(func(a *Archive) { a.ObjectFormat = "sha256" })},
		{"archive-not-json", "form", TypeArchive, "no bytes", ""},

		{"consent", "ok", access.TypeConsent, "inclusion only", one(consent)},
		{"consent-full", "ok", access.TypeConsent, "every member", withConsent(func(c *access.Consent) {
			c.Surfacing, c.Display, c.Existence, c.MinTier, c.Persons = true, true, true, "family", []string{"Ben Ost"}
		})},
		{"consent-artifact-json", "id", access.TypeConsent, "a json id for the artifact", withConsent(func(c *access.Consent) { c.Artifact = recordID.String() })},
		{"consent-no-reason", "value", access.TypeConsent, "an empty reason", withConsent(func(c *access.Consent) { c.Reason = "" })},
		{"consent-time", "time", access.TypeConsent, "a day for the time", withConsent(func(c *access.Consent) { c.Time = "2024-05-01" })},
		{"consent-no-display", "form", access.TypeConsent, "display is missing", strings.Replace(one(consent), `"display":false,`, "", 1)},
		{"consent-number", "form", access.TypeConsent, "1 for true", strings.Replace(one(consent), `"display":false`, `"display":1`, 1)},

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

		{"subject", "ok", access.TypeSubject, "every member", one(subject)},
		{"subject-nobody", "ok", access.TypeSubject, "an archive of nobody in particular", one(access.Subject{Type: access.TypeSubject})},
		{"subject-died-first", "time", access.TypeSubject, "died before born", withSubject(func(s *access.Subject) { s.Died = "1881-02-02" })},
		{"subject-year", "time", access.TypeSubject, "a year for a day", withSubject(func(s *access.Subject) { s.Born = "1881" })},
		{"subject2", "ok", access.TypeSecondSubject, "dates that are not days", withSubject(func(s *access.Subject) {
			s.Type, s.Born, s.Died, s.CoversFrom, s.CoversTo = access.TypeSecondSubject, "1881~", "1951-06", "1900/1905", "195X"
		})},
		{"subject2-died-first", "time", access.TypeSecondSubject, "died before born", withSubject(func(s *access.Subject) { s.Type, s.Died = access.TypeSecondSubject, "1880" })},
		{"subject2-needless", "form", access.TypeSecondSubject, "days alone", withSubject(func(s *access.Subject) { s.Type = access.TypeSecondSubject })},
		{"subject2-words", "time", access.TypeSecondSubject, "words for a date", withSubject(func(s *access.Subject) { s.Type, s.Born = access.TypeSecondSubject, "about 1881" })},
		{"subject-covers", "time", access.TypeSubject, "covers ends before it begins", withSubject(func(s *access.Subject) { s.CoversTo = "1899-12-31" })},
		{"subject-alias-twice", "value", access.TypeSubject, "one alias twice", withSubject(func(s *access.Subject) { s.Aliases = []string{"A", "A"} })},
		{"subject-alias-nobody", "value", access.TypeSubject, "an alias without a name", withSubject(func(s *access.Subject) { s.Name = "" })},

		{"persons", "ok", access.TypePersons, "one person", one(persons(person))},
		{"persons-none", "ok", access.TypePersons, "nobody listed", one(persons())},
		{"persons-rule", "value", access.TypePersons, "another rule for third parties", strings.Replace(one(persons()), "listed", "some", 1)},
		{"persons-state", "value", access.TypePersons, "another state", one(persons(access.Person{Name: "Ben Ost", State: "dead"}))},
		{"persons-twice", "value", access.TypePersons, "one person twice", one(persons(person, person))},
		{"persons2", "ok", access.TypeSecondPersons, "dates, relations and who the person is not", one(withPersons(access.Person{Name: "Ivy Brigg", State: access.PersonAnonymized, Born: "1902~", Died: "1990-05-01",
			Relations: []access.Relation{{Is: "mother", Of: "Tom Brigg"}}, Not: []string{"Nathan Brigg", "Brigg Hall"}}))},
		{"persons2-needless", "form", access.TypeSecondPersons, "no member of the second version", one(withPersons(person))},
		{"persons2-first", "form", access.TypePersons, "a member of the second version in the first", one(persons(access.Person{Name: "Ivy Brigg", State: access.PersonCleared, Born: "1902"}))},
		{"persons2-dates", "value", access.TypeSecondPersons, "death before birth", one(withPersons(access.Person{Name: "Ivy Brigg", State: access.PersonCleared, Born: "1902", Died: "1901"}))},
		{"persons2-born", "value", access.TypeSecondPersons, "words for a date", one(withPersons(access.Person{Name: "Ivy Brigg", State: access.PersonCleared, Born: "in May"}))},
		{"persons2-not", "value", access.TypeSecondPersons, "a person who is not the person", one(withPersons(access.Person{Name: "Ivy Brigg", State: access.PersonCleared, Not: []string{"Ivy Brigg"}}))},
		{"persons2-relation", "value", access.TypeSecondPersons, "a relation to nobody", one(withPersons(access.Person{Name: "Ivy Brigg", State: access.PersonCleared, Relations: []access.Relation{{Is: "mother"}}}))},
		{"persons-unnamed", "value", access.TypePersons, "a person without a name", one(persons(access.Person{State: access.PersonSealed}))},

		{"consent-default-open", "ok", access.TypeConsentDefault, "open", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: access.ConsentOpen})},
		{"consent-default-closed", "ok", access.TypeConsentDefault, "closed", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: access.ConsentClosed})},
		{"consent-default-other", "value", access.TypeConsentDefault, "another word", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: "ajar"})},
		{"consent-default-labels", "ok", access.TypeConsentDefault, "two rules for labels", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: access.ConsentOpen, Sensitive: []access.SensitiveRule{{Kind: "faith", Rule: access.SensitiveOpen}, {Kind: "health", Rule: access.SensitiveHidden}}})},
		{"consent-default-labels-order", "value", access.TypeConsentDefault, "rules out of order", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: access.ConsentOpen, Sensitive: []access.SensitiveRule{{Kind: "health", Rule: access.SensitiveOpen}, {Kind: "faith", Rule: access.SensitiveHidden}}})},
		{"consent-default-rule", "value", access.TypeConsentDefault, "a rule that does not exist", one(access.ConsentDefault{Type: access.TypeConsentDefault, Default: access.ConsentOpen, Sensitive: []access.SensitiveRule{{Kind: "health", Rule: "maybe"}}})},
		{"consent-labels", "ok", access.TypeConsent, "labels", withConsent(func(c *access.Consent) { c.Sensitive = []string{"crime", "health"} })},
		{"consent-label-unknown", "value", access.TypeConsent, "a label that does not exist", withConsent(func(c *access.Consent) { c.Sensitive = []string{"gossip"} })},
		{"consent-label-twice", "value", access.TypeConsent, "a label twice", withConsent(func(c *access.Consent) { c.Sensitive = []string{"health", "health"} })},

		{"consent2", "ok", access.TypeSecondConsent, "every member", withConsent(func(c *access.Consent) {
			c.Type, c.Reading, c.Processing, c.Until, c.Review = access.TypeSecondConsent, access.ReadingExcerpts, access.ProcessingNone, "2048", "2030-05"
			c.Authority, c.Rights = "the family council", "CC BY 4.0"
		})},
		{"consent2-endpoint", "ok", access.TypeSecondConsent, "an endpoint by its host", withConsent(func(c *access.Consent) { c.Type, c.Processing = access.TypeSecondConsent, "models.example.org" })},
		{"consent2-needless", "form", access.TypeSecondConsent, "no member of the second version", withConsent(func(c *access.Consent) { c.Type = access.TypeSecondConsent })},
		{"consent2-first", "form", access.TypeConsent, "a member of the second version in the first", withConsent(func(c *access.Consent) { c.Reading = access.ReadingWhole })},
		{"consent2-reading", "value", access.TypeSecondConsent, "a reading that does not exist", withConsent(func(c *access.Consent) { c.Type, c.Reading = access.TypeSecondConsent, "half" })},
		{"consent2-processing", "value", access.TypeSecondConsent, "an address for an endpoint", withConsent(func(c *access.Consent) {
			c.Type, c.Processing = access.TypeSecondConsent, "https://models.example.org/"
		})},
		{"consent2-until-words", "value", access.TypeSecondConsent, "words for a date", withConsent(func(c *access.Consent) { c.Type, c.Until = access.TypeSecondConsent, "in 2048" })},
		{"consent2-until-open", "value", access.TypeSecondConsent, "an interval without an end", withConsent(func(c *access.Consent) { c.Type, c.Until = access.TypeSecondConsent, "2048/.." })},
		{"consent-default2", "ok", access.TypeSecondConsentDefault, "papers are read whole", one(access.ConsentDefault{Type: access.TypeSecondConsentDefault, Default: access.ConsentOpen, Reading: access.ReadingWhole})},
		{"consent-default2-processing", "ok", access.TypeSecondConsentDefault, "nothing is sent to other programs", one(access.ConsentDefault{Type: access.TypeSecondConsentDefault, Default: access.ConsentClosed, Processing: access.ProcessingNone})},
		{"consent-default2-needless", "form", access.TypeSecondConsentDefault, "no member of the second version", one(access.ConsentDefault{Type: access.TypeSecondConsentDefault, Default: access.ConsentOpen})},
		{"consent-default2-reading", "value", access.TypeSecondConsentDefault, "a reading that does not exist", one(access.ConsentDefault{Type: access.TypeSecondConsentDefault, Default: access.ConsentOpen, Reading: "half"})},

		{"tiers2", "ok", access.TypeSecondTiers, "no cap, and excerpts for one of them", strings.Replace(one(tiers(access.Tier{Name: "public", Uncapped: true, Reading: access.ReadingExcerpts}, access.Tier{Name: "family", Uncapped: true})), access.TypeTiers, access.TypeSecondTiers, 1)},
		{"tiers2-needless", "form", access.TypeSecondTiers, "no member of the second version", strings.Replace(one(tiers(access.Tier{Name: "public", Excerpt: 140})), access.TypeTiers, access.TypeSecondTiers, 1)},
		{"tiers2-capped", "value", access.TypeSecondTiers, "an excerpt and no cap", strings.Replace(one(tiers(access.Tier{Name: "public", Excerpt: 140, Uncapped: true})), access.TypeTiers, access.TypeSecondTiers, 1)},
		{"tiers2-reading", "value", access.TypeSecondTiers, "a reading that does not exist", strings.Replace(one(tiers(access.Tier{Name: "public", Reading: "half"})), access.TypeTiers, access.TypeSecondTiers, 1)},

		{"tiers", "ok", access.TypeTiers, "two tiers", one(tiers(access.Tier{Name: "public", Excerpt: 140}, access.Tier{Name: "family", Excerpt: 2000}))},
		{"tiers-none", "value", access.TypeTiers, "no tier", one(tiers())},
		{"tiers-twice", "value", access.TypeTiers, "one tier twice", one(tiers(access.Tier{Name: "public", Excerpt: 1}, access.Tier{Name: "public", Excerpt: 2}))},
		{"tiers-minus", "value", access.TypeTiers, "an excerpt below 0", one(tiers(access.Tier{Name: "public", Excerpt: -1}))},
		{"tiers-upper", "value", access.TypeTiers, "a name in upper case", one(tiers(access.Tier{Name: "Public", Excerpt: 1}))},
		{"tiers-budget", "ok", access.TypeTiers, "a tier with a budget of its own", one(tiers(access.Tier{Name: "public", Excerpt: 140, Daily: 7000}))},
		{"tiers-budget-minus", "value", access.TypeTiers, "a budget below 0", one(tiers(access.Tier{Name: "public", Excerpt: 140, Daily: -7}))},

		{"auditors", "ok", access.TypeAuditors, "two scopes", one(auditors(scope, sources))},
		{"auditors-none", "ok", access.TypeAuditors, "no scope", one(auditors())},
		{"auditors-no-general", "value", access.TypeAuditors, "no scope for all other leaves", one(auditors(sources))},
		{"auditors-two-general", "value", access.TypeAuditors, "two scopes for all other leaves", one(auditors(scope, access.Scope{Name: "b", Recipients: scope.Recipients}))},
		{"auditors-name-twice", "value", access.TypeAuditors, "one name twice", one(auditors(scope, access.Scope{Name: "audit", Holds: []string{"gate"}, Recipients: scope.Recipients}))},
		{"auditors-kind-twice", "value", access.TypeAuditors, "one leaf kind in two scopes", one(auditors(scope, sources, access.Scope{Name: "b", Holds: []string{"chunk"}, Recipients: scope.Recipients}))},
		{"auditors-kind", "value", access.TypeAuditors, "a leaf kind that is always disclosed", one(auditors(scope, access.Scope{Name: "b", Holds: []string{"refusal"}, Recipients: scope.Recipients}))},
		{"auditors-nobody", "value", access.TypeAuditors, "a scope that nobody can open", withScope(func(s *access.Scope) { s.Recipients = nil })},
		{"auditors-threshold", "value", access.TypeAuditors, "three people of one", withScope(func(s *access.Scope) { s.Threshold = 3 })},
		{"auditors-threshold-one", "value", access.TypeAuditors, "a threshold of one", withScope(func(s *access.Scope) { s.Threshold = 1 })},
		{"auditors-recipient", "value", access.TypeAuditors, "an ssh key for a recipient", withScope(func(s *access.Scope) { s.Recipients = []string{"ssh-ed25519 AAAA"} })},
		{"auditors-scope-path", "value", access.TypeAuditors, "a scope named like a path", withScope(func(s *access.Scope) { s.Name = "a/b" })},
	}
}

// pointerVectors are pointers to payloads in a store.
func pointerVectors() []vector {
	small := Pointer{TypePointer, originalID.String(), 1 << 20, "application/pdf", KeyRule, nil}
	large := Pointer{TypePointer, artifactID.String(), 2*layout.MaxBlob - 1, "audio/flac", KeyRule, []string{sixtyFour, strings.Repeat("a0", 32)}}
	from := func(p Pointer, change func(*Pointer)) string { change(&p); return one(p) }
	return []vector{
		{"pointer", "ok", TypePointer, "a payload in one object", one(small)},
		{"pointer-chunks", "ok", TypePointer, "a payload in two objects", one(large)},
		{"pointer-same-chunks", "ok", TypePointer, "one chunk twice, as in a payload of zeros", from(large, func(p *Pointer) { p.Chunks = []string{sixtyFour, sixtyFour} })},
		{"pointer-largest-blob", "ok", TypePointer, "the largest payload in one object", from(small, func(p *Pointer) { p.Size = layout.MaxBlob })},
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
		{"pointer-chunks-small", "chunk", TypePointer, "chunks of a payload of 8 MiB", from(large, func(p *Pointer) { p.Size = layout.MaxBlob })},
		{"pointer-chunks-none", "chunk", TypePointer, "a payload above 8 MiB without chunks", from(small, func(p *Pointer) { p.Size = layout.MaxBlob + 1 })},
		{"pointer-chunks-one", "chunk", TypePointer, "one chunk", from(large, func(p *Pointer) { p.Chunks = p.Chunks[:1] })},
		{"pointer-chunks-full", "chunk", TypePointer, "more bytes than two chunks hold", from(large, func(p *Pointer) { p.Size = 2*layout.MaxBlob + 1 })},
		{"pointer-chunks-upper", "value", TypePointer, "upper case in a digest", from(large, func(p *Pointer) { p.Chunks = []string{sixtyFour, strings.Repeat("A0", 32)} })},
	}
}

// pathVectors are paths with the kind they have.
func pathVectors() []vector {
	art, orig := layout.ArtifactPath(artifactID), layout.OriginalPath(originalID)
	lone, cit := layout.LoneRecordPath(recordID), layout.CitationPath(recordID)
	list := []struct{ name, expect, path string }{
		{"readme", "readme", "README.txt"},
		{"attributes", "attributes", ".gitattributes"},
		{"archive", "archive", "archive.json"},
		{"policy", "policy", "policy/persons.json"},
		{"policy-deep", "policy", "policy/profiles/engine.json"},
		{"trust", "trust", "trust/allowed_signers"},
		{"payload", "payload", art},
		{"payload-chunk", "payload-chunk", layout.ChunkPath(art, 1001)},
		{"record", "record", layout.RecordPath(artifactID, recordID)},
		{"consent", "consent", layout.ConsentPath(artifactID)},
		{"pointer", "pointer", layout.PointerPath(art)},
		{"pointer-original", "original-pointer", layout.PointerPath(orig)},
		{"pointer-chunk", "none", layout.PointerPath(layout.ChunkPath(art, 0))},
		{"pointer-citation", "none", strings.TrimSuffix(cit, ".json") + ".pointer.json"},
		{"pointer-record", "none", strings.TrimSuffix(lone, ".json") + ".pointer.json"},
		{"hold", "hold", layout.HoldPath(artifactID)},
		{"withdrawn", "withdrawn", layout.WithdrawnPath(artifactID)},
		{"original", "original", orig},
		{"original-chunk", "original-chunk", layout.ChunkPath(orig, 0)},
		{"lone-record", "lone-record", lone},
		{"citation", "citation", cit},
		{"review", "review", layout.ReviewPath(recordID, recordID)},
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
