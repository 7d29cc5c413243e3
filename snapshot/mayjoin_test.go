package snapshot

import (
	"strings"
	"testing"

	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// listOf is an allowed_signers file: helper may sign, the others have all roles.
func listOf(helper sign.Signer, all ...sign.Signer) []byte {
	text := ""
	if helper != nil {
		text = `helper namespaces="git" ` + helper.Key().Authorized() + "\n"
	}
	for _, s := range all {
		text += `all namespaces="git,withdraw@muniment" ` + s.Key().Authorized() + "\n"
	}
	return []byte(text)
}

// rootOf is a trust root in which a key may sign snapshots, and which has one
// policy key.
func rootOf(signs, policy sign.Signer) []byte {
	draft := must(trust.First(archiveID).With(func(r *trust.Root) {
		r.Keys = []trust.Key{{Role: trust.Snapshot, Org: "vale", Key: signs.Key(), From: trust.Seq(1)},
			{Role: trust.Policy, Org: "vale", Key: policy.Key(), From: trust.Version(1)}}
	}))
	return draft.Encode()
}

// TestMayJoin: a join of histories that differ in trust/ or policy/ keeps those of
// the first, and takes a key with the role withdraw or policy under both.
func TestMayJoin(t *testing.T) {
	bob, carol := newSigner('b'), newSigner('c')
	tiers := func(name string) []byte {
		return must(access.Tiers{Tiers: []access.Tier{{Name: name}}}.Encode())
	}
	ran := 0
	for name, tc := range map[string]struct {
		first, second map[string][]byte
		by            sign.Signer
		want          string // in the error, "" for none
	}{
		"nothing differs": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)}, map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)}, bob, ""},
		"trust differs, by a key with git alone": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)},
			map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice)}, bob, "trust or policy, and"},
		"trust differs, by a key with the role under both": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)},
			map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice)}, alice, ""},
		"with the role under the first alone": {map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice, bob)},
			map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)}, bob, "under the second"},
		"with the role under the second alone": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice)},
			map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice, bob)}, bob, "trust or policy, and"},
		"policy differs, by a key with git alone": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice), layout.PathTiers: tiers("public")},
			map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice), layout.PathTiers: tiers("staff")}, bob, "trust or policy, and"},
		"policy differs, by a key with the role": {map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice), layout.PathTiers: tiers("public")},
			map[string][]byte{layout.PathAllowedSigners: listOf(bob, alice), layout.PathTiers: tiers("staff")}, alice, ""},
		"the second has a trust root, and the key only a role in its list": {map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice, bob)},
			map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice, bob), layout.PathTrustRoot: rootOf(bob, carol)}, bob, "under the second"},
		"the second has a trust root with that policy key": {map[string][]byte{layout.PathAllowedSigners: listOf(nil, alice, bob)},
			map[string][]byte{layout.PathTrustRoot: rootOf(bob, alice)}, alice, ""},
	} {
		ran++
		c := newChain(t)
		base := c.add(map[string][]byte{layout.PathReadme: []byte(layout.Readme)}, nil)
		c.by = alice
		first := c.add(tc.first, nil)
		c.back(base, carol)
		second := c.add(tc.second, nil)
		c.to(first)
		c.by = tc.by
		joined := c.join(second, nil, nil)
		may := PermitSigners(must(sign.ParseAllowedSigners(tc.first[layout.PathAllowedSigners])))
		err := MayJoin(c.store, may, first, second, joined, nil, []sign.Key{joined.Key})
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
		// Whoever checks the history finds the same.
		report, err := CheckWith(c.store, objects.Sum(objects.Commit, joined.Content), Checking{Permit: may})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range report.Unauthorized {
			found = found || p.Seq == joined.Seq && strings.Contains(p.Reason, "joins histories that differ in trust or policy")
		}
		if found != (tc.want != "") {
			t.Errorf("%s: the history's check says %v", name, report.Unauthorized)
		}
	}
	if ran != 9 {
		t.Errorf("%d joins tried", ran)
	}
}

// A line of the allowed signers that names another archive makes no snapshot, and a
// trust root none of another archive.
func TestPermitOtherArchive(t *testing.T) {
	c := newChain(t)
	s := c.add(map[string][]byte{layout.PathReadme: []byte(layout.Readme)}, nil)
	other := *s
	other.Archive = s.ID // any ID but that of the archive
	line := strings.TrimSuffix(string(listOf(nil, alice)), "\n") + " " + sign.ArchiveWord + archiveID.String() + "\n"
	for name, may := range map[string]Permit{
		"allowed signers": PermitSigners(must(sign.ParseAllowedSigners([]byte(line)))),
		"trust root":      PermitRoot(must(trust.Parse(rootOf(alice, alice))), c.all),
	} {
		if err := may(trust.Snapshot, s, []sign.Key{alice.Key()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := may(trust.Snapshot, &other, []sign.Key{alice.Key()}); err == nil {
			t.Errorf("%s: a snapshot of another archive counts", name)
		}
	}
}
