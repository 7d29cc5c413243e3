package bundle

import (
	"errors"
	"fmt"
	"testing"

	"filippo.io/age"

	"muniment/sign"
	"muniment/snapshot/access"
)

// Of a scope that needs two of three people, any two open everything and
// nobody opens it alone.
func TestSharedScope(t *testing.T) {
	f := newFixture(t)
	var recipients []string
	var identities [][]byte
	for range 3 {
		id := must[*age.X25519Identity](t)(age.GenerateX25519Identity())
		recipients = append(recipients, id.Recipient().String())
		identities = append(identities, []byte(id.String()+"\n"))
	}
	f.scopes = []access.Scope{{Name: "court", Recipients: recipients, Threshold: 2}}
	b := f.bundle(t)
	if n := len(b.Statement().Sealed); n != 3 {
		t.Fatalf("%d sealed files, want one for each two of three", n)
	}
	for _, name := range []string{"sealed/court.1-2.age", "sealed/court.1-3.age", "sealed/court.2-3.age"} {
		if b.files[name] == nil {
			t.Errorf("no file %s", name)
		}
	}
	ran := 0
	for mask := range 8 {
		var have []byte
		people := 0
		for i, id := range identities {
			if mask>>i&1 == 1 {
				have = append(have, id...)
				people++
			}
		}
		if people == 0 {
			continue
		}
		ran++
		o, err := b.Open(have)
		switch {
		case people < 2 && !errors.Is(err, sign.ErrNoIdentity):
			t.Errorf("group %03b: %v", mask, err)
		case people >= 2 && (err != nil || !o.Complete):
			t.Errorf("group %03b: %v", mask, err)
		}
		v := Verify(b, Requirements{Allowed: f.allowed(t), Identities: have, Require: []string{AxisSealed}})
		if want := map[bool]string{true: Valid, false: Incomplete}[people >= 2]; v.Verdict != want {
			t.Errorf("group %03b: %s, want %s", mask, v.Verdict, want)
		}
	}
	if ran != 7 {
		t.Errorf("%d groups", ran)
	}
}

func TestGroups(t *testing.T) {
	for n := 2; n <= access.MaxSharing; n++ {
		for k := 2; k <= n; k++ {
			s := access.Scope{Recipients: make([]string, n), Threshold: k}
			want := 1
			for i := range k {
				want = want * (n - i) / (i + 1)
			}
			got := subsets(s)
			if len(got) != want {
				t.Errorf("%d of %d: %d groups, want %d", k, n, len(got), want)
			}
			for i, name := range got {
				if !isSubset(name) || i > 0 && got[i-1] >= name {
					t.Errorf("%d of %d: group %q after %v", k, n, name, fmt.Sprint(got[:i]))
				}
			}
		}
	}
}
