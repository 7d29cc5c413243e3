// Package access holds the objects by which an archive says who may see what: those below
// policy/ in its tree, and the consent of one artifact.
//
// Each is canonical JSON with a type member "muniment/<kind>/v<n>", checked by the same code when it
// is written and when it is read; an object of which there are two versions is written in the
// first one that can say it, and read in no other. The two calls most people need are
//
//	data, err := consent.Encode()
//	consent, err := access.ParseConsent(data)
//
// A Consent says what may be done with an artifact, and a ConsentDefault what holds where there is
// none. Tiers rank the requestors, Persons and a Subject name those of whom papers speak,
// Auditors may open what an answer withholds. The package decides nothing about a requestor:
// package policy does, from these objects.
//
// The specification is docs/spec/object.md; the vectors are in testvectors/record.
package access

// The types of the objects, as their type member says them. The second type of each has members
// that the first lacks; the type of the member says which.
const (
	TypeConsent        = "muniment/consent/v1"
	TypeSubject        = "muniment/subject/v1"
	TypePersons        = "muniment/persons/v1"
	TypeConsentDefault = "muniment/consent-default/v1"
	TypeTiers          = "muniment/tiers/v1"
	TypeAuditors       = "muniment/auditors/v1"
	TypeFreeform       = "muniment/freeform/v1"

	// TypeSecondSubject is the type of a subject with a date that is not known to the day.
	TypeSecondSubject = "muniment/subject/v2"
	// TypeSecondAuditors is the type of auditors of whom several must come together.
	// Until 24 November 2026 they were written in the first version, and still are read so.
	TypeSecondAuditors = "muniment/auditors/v2"
	// The second types of consent, of the archive's default and of tiers say how papers may be
	// read, what may be sent to other programs, and when a restriction ends.
	TypeSecondConsent        = "muniment/consent/v2"
	TypeSecondConsentDefault = "muniment/consent-default/v2"
	TypeSecondTiers          = "muniment/tiers/v2"
	// TypeSecondPersons is the type of a list that says more of a person than names and a state.
	TypeSecondPersons = "muniment/persons/v2"
)

// MaxProfile is the longest profile in bytes: one that comes with the program has a
// fortieth.
const MaxProfile = 64 << 10

// ProfileTypes are the type members that a profile may have, the newest first. Its
// other members are known to those who go by it.
var ProfileTypes = []string{"muniment/profile/v4", "muniment/profile/v3", "muniment/profile/v2", "muniment/profile/v1"}
