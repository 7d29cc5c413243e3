package record

import (
	"errors"
	"fmt"
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
func (a Archive) Encode() ([]byte, error) { return encode(&a, &a.Type, TypeArchive) }

// ParseArchive reads the output of Encode and nothing else.
func ParseArchive(data []byte) (*Archive, error) { return parse[Archive](data, TypeArchive) }

func (a *Archive) check() error {
	if a.FormatVersion != FormatVersion {
		return fmt.Errorf("format_version is %d, want %d", a.FormatVersion, FormatVersion)
	}
	return first(errors.Join(line("name", a.Name), hex64("random", a.Random), among("object_format", a.ObjectFormat, "sha1")))
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
func (w Withdrawal) Encode() ([]byte, error) { return encode(&w, &w.Type, TypeWithdrawal) }

// ParseWithdrawal reads the output of Encode and nothing else.
func ParseWithdrawal(data []byte) (*Withdrawal, error) {
	return parse[Withdrawal](data, TypeWithdrawal)
}

func (w *Withdrawal) check() error {
	return first(errors.Join(
		checkRaw("artifact", w.Artifact),
		line("reason", w.Reason),
		line("authority", w.Authority),
		optional("reference", w.Reference, line),
		instant("time", w.Time),
		line("agent", w.Agent),
	))
}
