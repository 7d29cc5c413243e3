package trust

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/sign"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample()))
	f.Add([]byte(sample() + "revoke witness " + Name(museum.Key()) + " -\n"))
	f.Add([]byte(sample() + "revoke answer " + Name(vale.Key()) + " " + place("1/100/") + strings.Repeat("ab", 32) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if (err == nil) == (r == nil) {
			t.Fatal("result and error")
		}
		if err == nil && !bytes.Equal(r.Encode(), data) {
			t.Fatal("encodes to other bytes")
		}
	})
}

// Whatever signs, a threshold is reached exactly when enough points of enough
// organisations are among the signers; wrapping a key otherwise or signing
// twice changes nothing.
func TestThresholds(t *testing.T) {
	people := []signer{vale, museum, court, newSigner("d"), newSigner("e")}
	rapid.Check(t, func(t *rapid.T) {
		org := make([]string, len(people))
		var lines []string
		orgs := map[string]bool{}
		for i, p := range people {
			org[i] = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "org")
			orgs[org[i]] = true
			lines = append(lines, key(Policy, org[i], p, "1", "-"))
		}
		keys := rapid.IntRange(1, len(people)).Draw(t, "keys")
		want := Threshold{keys, rapid.IntRange(1, min(keys, len(orgs))).Draw(t, "orgs")}
		r, err := Parse([]byte(text(strings.Replace(ones, "policy 1 1", "policy "+Version(int64(want.Keys)).String()+" "+Version(int64(want.Orgs)).String(), 1), lines...)))
		if err != nil {
			t.Fatal(err)
		}
		var by []sign.Key
		points, seen := map[int]bool{}, map[string]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "signatures") {
			i := rapid.IntRange(0, len(people)).Draw(t, "who")
			if i == len(people) {
				by = append(by, thief.Key())
				continue
			}
			k := people[i].Key()
			if rapid.Bool().Draw(t, "wrapped") {
				k = people[i].wrapped().Key()
			}
			by = append(by, k)
			points[i], seen[org[i]] = true, true
		}
		if got := r.Reached(Policy, by); got != (len(points) >= want.Keys && len(seen) >= want.Orgs) {
			t.Fatalf("%d points of %d organisations: reached %v, want %v", len(points), len(seen), got, want)
		}
	})
}
