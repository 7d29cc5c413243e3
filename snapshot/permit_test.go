package snapshot

import (
	"strings"
	"testing"

	"muniment/sign"
	"muniment/sign/trust"
)

// The newest snapshot of a key that has ended counts as shown only when a key without
// an end has signed since or countersigned it.
func TestEndUnshown(t *testing.T) {
	bob, carol := newSigner('b'), newSigner('c')
	root := must(trust.First(archiveID).With(func(r *trust.Root) {
		r.Keys = []trust.Key{
			{Role: trust.Snapshot, Org: "vale", Key: alice.Key(), From: trust.Seq(1), To: trust.Seq(5)},
			{Role: trust.Snapshot, Org: "vale", Key: bob.Key(), From: trust.Seq(1)},
			{Role: trust.Snapshot, Org: "vale", Key: carol.Key(), From: trust.Seq(1), To: trust.Seq(9)},
			{Role: trust.Policy, Org: "vale", Key: bob.Key(), From: trust.Version(1)}}
	}))
	by := func(keys ...sign.Signer) (out []Countersignature) {
		for _, k := range keys {
			out = append(out, Countersignature{Key: k.Key()})
		}
		return out
	}
	for _, c := range []struct {
		name   string
		signer sign.Signer
		seq    int64
		others []Countersignature
		shown  bool
	}{
		{"a key without an end", bob, 3, nil, true},
		{"a key with an end", alice, 3, nil, false},
		{"a key at its end", alice, 5, nil, false},
		{"a key behind its end, which its axis refuses", alice, 6, nil, true},
		{"countersigned by a key without an end", alice, 3, by(bob), true},
		{"countersigned by another key with an end", alice, 3, by(carol), false},
		{"countersigned by itself", alice, 3, by(alice), false},
		{"countersigned by a stranger", alice, 3, by(newSigner('x')), false},
	} {
		s := &Snapshot{Draft: Draft{Seq: c.seq, Archive: archiveID}, Key: c.signer.Key()}
		err := EndUnshown(root, s, c.others)
		if c.shown != (err == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "nobody else has signed since") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
