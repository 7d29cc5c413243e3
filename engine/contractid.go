package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"muniment/cid"
	"muniment/ledger"
)

// contractPrefix begins the id that a citation has in the citation contract.
const contractPrefix = "cite_"

// ContractID returns the id of a citation in the shape of the citation contract:
// cite_ and a UUID of version 8 (RFC 9562). Its first 48 bits are the citation's number;
// the others are of a sha256 over the archive's ID and what was registered, so that the
// same number of another ledger has another id. It is "" for a citation without a number.
func ContractID(archive cid.ID, c *ledger.Citation) string {
	const numberBits = 48
	if c.Ordinal <= 0 || c.Ordinal >= 1<<numberBits {
		return ""
	}
	data, err := json.Marshal([]any{archive.String(), c.Ordinal, c.Time.UTC().Format(time.RFC3339), c.Project, c.Session, c.Agent, c.Claim, c.Quote})
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	u := sha256.Sum256(data)
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(c.Ordinal))
	copy(u[:], number[8-numberBits/8:])
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("%s%x-%x-%x-%x-%x", contractPrefix, u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
}

// contractNumber returns the number that an id of the contract states. Whether the
// citation of that number has the id is for the caller to compare.
func contractNumber(ref string) (n int64, ok bool) {
	hex, ok := strings.CutPrefix(strings.ToLower(ref), contractPrefix)
	if !ok || len(hex) != len("01234567-89ab-8def-8123-456789abcdef") || hex[8] != '-' {
		return 0, false
	}
	_, err := fmt.Sscanf(hex[:8]+hex[9:13], "%012x", &n)
	return n, err == nil && n > 0
}

// getNumbered returns the citation whose number or ContractID ref is. A citation with
// that number and another id is ErrNotFound.
func getNumbered(archive cid.ID, l *ledger.Ledger, ref string) (ledger.Citation, error) {
	n, named := contractNumber(ref)
	if !named {
		var err error
		if n, err = strconv.ParseInt(ref, 10, 64); err != nil {
			return ledger.Citation{}, err
		}
	}
	c, err := l.Get(n)
	if err == nil && named && ContractID(archive, &c) != strings.ToLower(ref) {
		return ledger.Citation{}, ledger.ErrNotFound // of another ledger
	}
	return c, err
}
