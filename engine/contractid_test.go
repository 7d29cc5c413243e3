package engine

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"muniment/cid"
	"muniment/ledger"
)

// The id of a citation in the contract states its number, and is another one in another
// archive, for another claim and for another number.
func TestContractID(t *testing.T) {
	form := regexp.MustCompile(`^cite_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	at := time.Date(2026, 2, 11, 8, 0, 0, 5, time.UTC)
	seen, tried := map[string]bool{}, 0
	for _, archive := range []cid.ID{cid.Of([]byte("a")), cid.Of([]byte("b"))} {
		for _, n := range []int64{1, 2, 300, 1 << 40} {
			for _, claim := range []string{"The Fed held rates.", "The Fed raised rates."} {
				c := ledger.Citation{Ordinal: n, Entry: ledger.Entry{Time: at, Claim: claim, Agent: "reader"}}
				id := ContractID(archive, &c)
				c.Time = at.In(time.FixedZone("", 3600)).Truncate(time.Second) // as another database gives it back
				if again := ContractID(archive, &c); again != id || seen[id] || !form.MatchString(id) {
					t.Errorf("%d: %s, and again %s", n, id, again)
				}
				seen[id] = true
				for _, ref := range []string{id, strings.ToUpper(id)} {
					if got, ok := contractNumber(ref); !ok || got != n {
						t.Errorf("%s: %d %t, want %d", ref, got, ok, n)
					}
				}
				tried++
			}
		}
	}
	if tried != 16 {
		t.Error(tried)
	}
	for _, ref := range []string{"", "1", "cite_", "cite_1", "cite_00000000-0000-8000-8000-000000000000", "cite_0000000g-0001-8000-8000-000000000000", "cite_00000000000018000800000000000000000000"} {
		if n, ok := contractNumber(ref); ok {
			t.Errorf("%q is %d", ref, n)
		}
	}
	for _, n := range []int64{0, -1, 1 << 48} {
		if id := ContractID(cid.Of(nil), &ledger.Citation{Ordinal: n}); id != "" {
			t.Errorf("%d: %s", n, id)
		}
	}
}
