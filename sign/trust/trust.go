// Package trust holds the trust root of an archive: the one text that says
// whose signatures count for what, from where to where, and how many of them
// are needed. A verifier brings it along, on paper if need be; a root that
// came inside a bundle is never used.
//
//	muniment/trust/v1
//	archive bagaaiera…
//	version 2
//	prev 64 hex digits of version 1's sha256, or - in version 1
//	threshold snapshot 1 1
//	threshold withdraw 1 1
//	threshold answer 2 2
//	threshold witness 1 1
//	threshold policy 2 2
//	key snapshot vale ssh-ed25519 AAAA… 1 -
//	key answer vale ssh-ed25519 AAAA… - 9c1f00d2a4b6e8f0/1/4711
//	key log vale ssh-ed25519 AAAA… - -
//	key witness museum ssh-ed25519 AAAA… - -
//	key policy museum ssh-ed25519 AAAA… 1 -
//	revoke answer 9c1f00d2a4b6e8f0 9c1f00d2a4b6e8f0/1/4712/64 hex digits
//
// A root that is to be replaced by a newer one before some time has the first line
// muniment/trust/v2 and behind prev a line
//
//	expires 2027-06-30T00:00:00Z
//
// A root with a key of the role review has the first line muniment/trust/v3, and the line
// expires where it expires. One that names witnesses of others, which sign under names of
// their own, has muniment/trust/v4 and between the keys and what is revoked
//
//	witness harbour harbour.example/w1+7e9f1a3c+BAbc…= harbour-trust towns
//	witness court court.example/w+0be1c9d2+BAbc…= court -
//	group towns any -
//	quorum towns
//
// The grammar of every line is in docs/spec/trust-root.md, and so are the
// steps of verification. The two calls most people need:
//
//	root, err := trust.Parse(text)
//	j := root.Judge(trust.Snapshot, key, trust.Seq(12))
//
// Judge asks one key; [Root.Count] then counts keys by their 32 bytes and by
// organisation. [Signed.Verify] accepts a new version only from enough of the
// old and enough of the new policy keys.
//
// # Limits
//
// No time bounds a key: bounds are numbers of snapshots, places in an answer
// log, and versions of the root itself. The package reads no clock: whether a root
// has expired is asked with a time, see [Root.Expired]. That a snapshot lies before the last
// good one of a revoked key is for the caller to show, who has the history;
// Judge says that it must be shown.
package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/quorum"
)

// The first line of a root distinguishes it from an allowed_signers file: Head where nothing
// expires, HeadExpiring where the line expires follows prev, HeadReview where a key has the role
// review, with or without that line.
const (
	Head         = "muniment/trust/v1"
	HeadExpiring = "muniment/trust/v2"
	HeadReview   = "muniment/trust/v3"
	HeadWitness  = "muniment/trust/v4"
)

// TimeForm is the form of the time at which a root expires: UTC, whole seconds.
const TimeForm = "2006-01-02T15:04:05Z"

// Namespace is that of a root's signatures.
const Namespace = "trust@muniment"

// Limits of a root.
const (
	MaxRoot    = 32 << 10 // bytes: every key ever trusted, some 120 each, and what was revoked
	MaxKeys    = 160      // key lines
	MaxRevoked = 64       // revoke lines
	MaxCount   = 16       // of a threshold, as many as a statement can have signatures
	MaxOrg     = 32       // bytes of an organisation's name
)

// A Role is what a key may sign.
type Role string

// The roles, in the order in which a root names them.
const (
	Snapshot Role = "snapshot" // snapshots and their countersignatures
	Withdraw Role = "withdraw" // snapshots that withdraw, drop or loosen something
	Answer   Role = "answer"   // statements of answers
	Log      Role = "log"      // checkpoints of its own answer log; a key that is hot
	Witness  Role = "witness"  // cosignatures of checkpoints
	Policy   Role = "policy"   // the next version of the root
	Review   Role = "review"   // reviews: what a person says of a claim and its words
)

// Roles lists the roles in order.
var Roles = []Role{Snapshot, Withdraw, Answer, Log, Witness, Policy, Review}

// thresholdRoles are the roles with a threshold line: an answer log is always signed by one key,
// its own, and how many people must agree on a claim is said by a profile.
var thresholdRoles = []Role{Snapshot, Withdraw, Answer, Witness, Policy}

// A Root is a parsed trust root. Its lists are not to be changed.
type Root struct {
	Archive    cid.ID
	Version    int64     // from 1
	Prev       [32]byte  // sha256 of the version before; zero in version 1
	Expires    time.Time // UTC; from then on the root alone decides nothing; zero for never
	Thresholds map[Role]Threshold
	Keys       []Key
	Revoked    []Revocation

	// Witnesses are those of others, with no bounds: a version may add, change and drop them.
	// Its Logs are empty. What keys of the role witness must reach is in Thresholds.
	Witnesses quorum.Policy
}

// A Threshold says how many keys, by their points, of how many organisations
// are needed.
type Threshold struct{ Keys, Orgs int }

// A Key is one key line: a key, its role and where it is valid. A key may have
// several roles, and several stretches in one role, but one organisation and
// one type.
type Key struct {
	Role     Role
	Org      string
	Key      sign.Key
	From, To Place // inclusive; zero for no bound
}

// A Revocation ends what a key may do in a role, from the place after the last
// good one.
type Revocation struct {
	Role Role
	Name string // of the key, see Name

	// None says that nothing the key signed in the role is good. Else Last is
	// the last good place.
	None     bool
	Last     Place       // for a log: Number is the size of the last good tree
	Snapshot cid.ID      // of the last good snapshot
	Root     merkle.Hash // of the last good tree of the log
}

// Name returns the short name of a key: the first 16 hexadecimal digits of its
// ID. A root is refused in which two keys share one.
func Name(k sign.Key) string { return k.ID()[:nameLen] }

const nameLen = 16

// Is reports whether data begins like a trust root, and so is not an
// allowed_signers file.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("muniment/trust/")) }

// Digest returns the sha256 of the root's text.
func (r *Root) Digest() [sha256.Size]byte { return sha256.Sum256(r.Encode()) }

// Expired reports whether the root has expired at a time. A root without a line
// expires never does.
func (r *Root) Expired(at time.Time) bool {
	return r != nil && !r.Expires.IsZero() && !at.Before(r.Expires)
}

// Paper returns a digest in 16 groups of four hexadecimal digits, to be
// compared aloud or on paper.
func Paper(digest [sha256.Size]byte) string {
	h := hex.EncodeToString(digest[:])
	groups := make([]string, 0, len(h)/4)
	for ; h != ""; h = h[4:] {
		groups = append(groups, h[:4])
	}
	return strings.Join(groups, " ")
}
