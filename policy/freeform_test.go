package policy

import (
	"testing"

	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// TestFreeformIsOffByDefault: a tier is let by the archive's signed policy alone.
func TestFreeformIsOffByDefault(t *testing.T) {
	files, err := DefaultFiles(Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, tier := range append(DefaultTiers(), access.Tier{}) {
		if p.Freeform(Requestor{Name: "Ann", Tier: tier.Name}) {
			t.Errorf("tier %q is let by default", tier.Name)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d tiers", n)
	}
	if files[layout.PathFreeform], err = (access.Freeform{Tiers: []string{"family"}}).Encode(); err != nil {
		t.Fatal(err)
	}
	files[layout.ProfilePath("mine")] = []byte("{}")
	before := p.Digest()
	if p, err = Load(files); err != nil {
		t.Fatal(err)
	}
	if !p.Freeform(Requestor{Name: "Ann", Tier: "family"}) || p.Freeform(Requestor{Name: "Ann", Tier: "researcher"}) || p.Freeform(Requestor{Tier: "family"}) ||
		p.Freeform(Requestor{Name: "Ann", Tier: "nobody"}) {
		t.Error("another tier is let, or the named one is not")
	}
	if p.Digest() == before {
		t.Error("the digest does not change")
	}
	files[layout.PathFreeform] = []byte(`{"tiers":["family"],"type":"muniment/freeform/v1","x":1}`)
	if _, err := Load(files); err == nil {
		t.Error("an unknown member is read")
	}
}
