package record

import (
	"errors"
	"fmt"

	"muniment/snapshot/member"
)

// FormatVersion is the version of the archive format that this package knows.
const FormatVersion = 1

// An Archive is the identity of an archive: the json ID of its bytes is the
// archive ID. It is written once.
type Archive struct {
	Type          string `json:"type"`           // TypeArchive; set by Encode when empty
	FormatVersion int    `json:"format_version"` // FormatVersion
	Name          string `json:"name"`
	Random        string `json:"random"`        // 32 random bytes in hex: two archives never share an ID
	ObjectFormat  string `json:"object_format"` // of the git repository: sha1
}

// Encode returns the canonical bytes of a after checking it.
func (a Archive) Encode() ([]byte, error) {
	return member.Encode(&a, &a.Type, TypeArchive, (*Archive).check)
}

// ParseArchive reads the output of Encode and nothing else.
func ParseArchive(data []byte) (*Archive, error) {
	return member.Parse(data, TypeArchive, (*Archive).check)
}

func (a *Archive) check() error {
	if a.FormatVersion != FormatVersion {
		return fmt.Errorf("format_version is %d, want %d", a.FormatVersion, FormatVersion)
	}
	return member.FirstOf(errors.Join(member.Line("name", a.Name), member.Digest("random", a.Random), member.OneOf("object_format", a.ObjectFormat, "sha1")))
}

// A Withdrawal says why an artifact is no longer in the tree.
type Withdrawal struct {
	Type      string `json:"type"`     // TypeWithdrawal; set by Encode when empty
	Artifact  string `json:"artifact"` // raw ID
	Reason    string `json:"reason"`
	Authority string `json:"authority"`           // who decided
	Reference string `json:"reference,omitempty"` // where the decision is on file
	Time      string `json:"time"`                // RFC 3339 UTC seconds
	Agent     string `json:"agent"`               // who carried it out
}

// Encode returns the canonical bytes of w after checking it.
func (w Withdrawal) Encode() ([]byte, error) {
	return member.Encode(&w, &w.Type, TypeWithdrawal, (*Withdrawal).check)
}

// ParseWithdrawal reads the output of Encode and nothing else.
func ParseWithdrawal(data []byte) (*Withdrawal, error) {
	return member.Parse(data, TypeWithdrawal, (*Withdrawal).check)
}

func (w *Withdrawal) check() error {
	return member.FirstOf(errors.Join(
		member.RawID("artifact", w.Artifact),
		member.Line("reason", w.Reason),
		member.Line("authority", w.Authority),
		member.Optional("reference", w.Reference, member.Line),
		member.Instant("time", w.Time),
		member.Line("agent", w.Agent),
	))
}
