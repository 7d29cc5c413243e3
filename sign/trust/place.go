package trust

import (
	"fmt"
	"strconv"
	"strings"
)

// A Place is where something was signed, in the one order that bounds its role:
// the number of a snapshot, an entry of an answer log, a version of the root.
// The zero Place stands for no bound.
type Place struct {
	Log    string // name of the log's key, see Name; "" for snapshots and roots
	Epoch  int64  // of the log, from 1
	Number int64  // Seq or version, from 1; in a log the index of an entry, from 0
}

// Seq is the place of a snapshot.
func Seq(n int64) Place { return Place{Number: n} }

// Version is the place of a root, for the role policy.
func Version(n int64) Place { return Place{Number: n} }

// Entry is the place of an entry of the answer log whose key has the given
// name.
func Entry(log string, epoch, index int64) Place { return Place{log, epoch, index} }

// IsZero reports whether p is no bound.
func (p Place) IsZero() bool { return p == Place{} }

// String returns the place as a root writes it.
func (p Place) String() string {
	switch {
	default:
		return strconv.FormatInt(p.Number, 10)
	case p.IsZero():
		return "-"
	case p.Log != "":
		return fmt.Sprintf("%s/%d/%d", p.Log, p.Epoch, p.Number)
	}
}

// notAfter reports whether p is at or before q, both in one order. Two logs
// have none.
func (p Place) notAfter(q Place) bool {
	return p.Log == q.Log && (p.Epoch < q.Epoch || p.Epoch == q.Epoch && p.Number <= q.Number)
}

// logged reports whether places of the role lie in an answer log.
func (role Role) logged() bool { return role == Answer || role == Log || role == Witness }

// parsePlace reads a bound of a role that is not "-".
func parsePlace(role Role, s string) (Place, error) {
	if !role.logged() {
		n, ok := parseNumber(s)
		if !ok || n < 1 {
			return Place{}, fmt.Errorf("%q is not a number from 1 to %d", clip(s), maxNumber)
		}
		return Place{Number: n}, nil
	}
	parts := strings.Split(s, "/")
	if len(parts) != 3 {
		return Place{}, fmt.Errorf("%q is not of the form <log>/<epoch>/<index>", clip(s))
	}
	epoch, ok1 := parseNumber(parts[1])
	index, ok2 := parseNumber(parts[2])
	if !isHex(parts[0], nameLen) || !ok1 || !ok2 || epoch < 1 {
		return Place{}, fmt.Errorf("%q is not of the form <log>/<epoch>/<index>", clip(s))
	}
	return Place{parts[0], epoch, index}, nil
}

// maxNumber bounds every number, so that it fits JSON elsewhere.
const maxNumber = 1<<53 - 1

func parseNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && n <= maxNumber && strconv.FormatInt(n, 10) == s
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// clip keeps an error line readable whatever was read.
func clip(s string) string {
	const most = 72
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
