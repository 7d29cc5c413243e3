package trust

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/sign"
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/trust"

// A vector is a root with one defect, or one question to a good root. says is
// in the error and not in the file.
type vector struct {
	name, expect string
	head         []string
	body         string
	says         string
}

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	kind, _, _ := strings.Cut(v.name, "-")
	out := testvectors.New(v.name, []byte(v.body), "kind", kind, "expect", v.expect)
	for _, line := range v.head {
		key, value, _ := strings.Cut(line, ": ")
		out.Add(key, value)
	}
	return out
}

func vectors() []vector {
	good := sample()
	valeKey := vale.Key().Authorized()
	v := []vector{{"root-good", "accept", nil, good, ""}}
	bad := func(name, says string, pairs ...string) {
		body := strings.NewReplacer(pairs...).Replace(good)
		if body == good {
			panic(name + " changes nothing")
		}
		v = append(v, vector{"root-" + name, "malformed", nil, body, says})
	}
	add := func(name, says string, lines ...string) {
		v = append(v, vector{"root-" + name, "malformed", nil, good + strings.Join(lines, "\n") + "\n", says})
	}
	small := base64.StdEncoding.EncodeToString(appendStr(appendStr(nil, sign.TypeEd25519), "\x01"+strings.Repeat("\x00", 31)))
	end := strings.Repeat("ab", 32)
	bad("head-v2", "want expires", "trust/v1", "trust/v2")
	bad("head-v3", "keys of the role review: false", "trust/v1", "trust/v3")
	bad("head-v4", "want a witness line", "trust/v1", "trust/v4")
	bad("head-v5", "version 5 of muniment/trust reads it", "trust/v1", "trust/v5")
	expiring := strings.NewReplacer("trust/v1", "trust/v2", "prev -\n", "prev -\nexpires 2027-06-30T00:00:00Z\n").Replace(good)
	v = append(v, vector{"root-expires", "accept", nil, expiring, ""})
	late := func(name, says, value string) {
		v = append(v, vector{"root-expires-" + name, "malformed", nil, strings.Replace(expiring, "2027-06-30T00:00:00Z", value, 1), says})
	}
	late("never", "want a time", "-")
	late("on-no-day", "want a time", "2027-06-31T00:00:00Z")
	late("in-a-leap-second", "want a time", "2016-12-31T23:59:60Z")
	late("with-an-offset", "want a time", "2027-06-30T00:00:00+00:00")
	late("with-a-fraction", "want a time", "2027-06-30T00:00:00.5Z")
	late("before-1970", "want a time", "1969-12-31T23:59:59Z")
	bad("expires-in-v1", "want threshold snapshot", "prev -\n", "prev -\nexpires 2027-06-30T00:00:00Z\n")
	reviewed := strings.Replace(good, "trust/v1", "trust/v3", 1) + key(Review, "court", court, "2", "9") + "\n"
	v = append(v, vector{"root-review", "accept", nil, reviewed, ""},
		vector{"root-review-expires", "accept", nil, strings.Replace(reviewed, "prev -\n", "prev -\nexpires 2027-06-30T00:00:00Z\n", 1), ""},
		vector{"root-review-threshold", "malformed", nil, strings.Replace(reviewed, "policy 2 2\n", "policy 2 2\nthreshold review 1 1\n", 1), "want a key line"})
	add("review-in-v1", "keys of the role review: true", key(Review, "court", court, "2", "9"))
	v = append(v, witnessVectors(good)...)
	bad("crlf", "byte 18", "v1\n", "v1\r\n")
	bad("no-final-line-end", "line end", good, strings.TrimSuffix(good, "\n"))
	bad("two-spaces", "want archive", "archive ", "archive  ")
	bad("archive-raw", "codec", archive.String(), cid.Of([]byte("x")).String())
	bad("version-zero", "from 1", "version 1", "version 0")
	bad("version-leading-zero", "from 1", "version 1", "version 01")
	bad("version-two-without-prev", "sha256 of version 1", "version 1", "version 2")
	bad("first-with-prev", "want -", "prev -", "prev "+end)
	bad("threshold-order", "want threshold snapshot", "threshold snapshot 1 1\nthreshold withdraw 1 1", "threshold withdraw 1 1\nthreshold snapshot 1 1")
	bad("threshold-zero", "1 to 16", "threshold answer 1 1", "threshold answer 0 0")
	bad("threshold-more-organisations", "1 to 16", "threshold answer 1 1", "threshold answer 1 2")
	bad("threshold-unreachable", "3 keys of 3 have the role", "threshold policy 2 2", "threshold policy 4 2")
	bad("threshold-log", "want threshold witness", "threshold witness", "threshold log")
	bad("role-unknown", "role \"archivist\"", "key snapshot", "key archivist")
	bad("role-upper", "role \"Snapshot\"", "key snapshot", "key Snapshot")
	bad("organisation-upper", "organisation \"Vale\"", "key snapshot vale", "key snapshot Vale")
	bad("organisation-hyphen", "first a letter or digit", "key snapshot vale", "key snapshot -vale")
	bad("version-beyond", "want a number", "version 1", "version 9007199254740992")
	bad("small-order", "small order", "key withdraw museum "+museum.Key().Authorized(), "key withdraw museum ssh-ed25519 "+small)
	bad("key-comment", "6 values", "key snapshot vale "+valeKey, "key snapshot vale "+valeKey+" vale@example.org")
	bad("from-open", "want a number", valeKey+" 1 -\nkey withdraw", valeKey+" - -\nkey withdraw")
	bad("from-zero", "not a number from 1", valeKey+" 1 -\nkey withdraw", valeKey+" 0 -\nkey withdraw")
	bad("to-before-from", "not before", valeKey+" 1 -\nkey withdraw", valeKey+" 5 4\nkey withdraw")
	bad("bound-of-no-log", "whose key is not in the root", place("1/5"), Name(thief.Key())+"/1/5", place("2/9"), Name(thief.Key())+"/2/9")
	bad("bound-in-two-logs", "not before", place("2/9"), Name(thief.Key())+"/2/9")
	bad("bound-epoch-zero", "<log>/<epoch>/<index>", place("1/5"), place("0/5"))
	add("key-twice", "twice from 1", key(Snapshot, "vale", vale, "1", "9"))
	add("key-in-two-organisations", "two organisations", key(Witness, "museum", vale, "-", "-"))
	add("key-in-two-wrappings", "count twice", key(Answer, "vale", vale.wrapped(), "-", "-"))
	add("log-of-a-security-key", "plain keys", key(Log, "court", newSigner("sk").wrapped(), "-", "-"))
	add("key-after-revoke", "or after those a revoke line", "revoke witness "+Name(museum.Key())+" -", key(Witness, "court", court, "-", "-"))
	add("revoke-stranger", "no line of role", "revoke snapshot "+Name(thief.Key())+" -")
	add("revoke-other-role", "no line of role", "revoke log "+Name(museum.Key())+" -")
	add("revoke-policy", "ends by its bound", "revoke policy "+Name(vale.Key())+" -")
	add("revoke-twice", "revoked twice", "revoke snapshot "+Name(vale.Key())+" -", "revoke snapshot "+Name(vale.Key())+" 3/"+cid.Of(nil).String())
	add("revoke-snapshot-json", "codec", "revoke snapshot "+Name(vale.Key())+" 3/"+archive.String())
	add("revoke-log-size-zero", "<size>", "revoke log "+Name(vale.Key())+" "+place("1/0/")+end)
	add("revoke-log-no-root", "is not of the form <log>", "revoke log "+Name(vale.Key())+" "+place("1/5"))
	add("revoke-twice-in-a-log", "revoked twice", "revoke answer "+Name(museum.Key())+" "+place("1/5/")+end, "revoke answer "+Name(museum.Key())+" "+place("2/5/")+end)
	add("empty-line", "want a key line", "")
	add("unknown-line", "want a key line", "comment hello")
	v = append(v, vector{"root-trailing-byte", "malformed", nil, good + "x", "line end"})

	revoked := good + "revoke snapshot " + Name(vale.Key()) + " 7/" + cid.Of([]byte("last good")).String() + "\n"
	ask := func(name, expect string, role Role, who signer, at string) {
		v = append(v, vector{"judge-" + name, expect, []string{"role: " + string(role), "key: " + who.Key().Authorized(), "place: " + at}, revoked, ""})
	}
	ask("good", "good", Withdraw, museum, "1")
	ask("wrapped", "good", Withdraw, museum.wrapped(), "1")
	ask("stranger", "stranger", Withdraw, thief, "1")
	ask("other-role", "stranger", Withdraw, vale, "1")
	ask("back-dated", "pinned", Snapshot, vale, "6")
	ask("last-good", "pinned", Snapshot, vale, "7")
	ask("revoked", "revoked", Snapshot, vale, "8")
	inSnapshots := revoked
	revoked = good + key(Log, "court", court, "-", "-") + "\nrevoke answer " + Name(vale.Key()) + " " + place("2/7/") + end + "\n"
	other := func(rest string) string { return Name(court.Key()) + "/" + rest }
	ask("log-last-good", "pinned", Answer, vale, place("2/6"))
	ask("log-after-last", "revoked", Answer, vale, place("2/7"))
	ask("log-older-epoch", "pinned", Answer, vale, place("1/900"))
	ask("log-newer-epoch", "revoked", Answer, vale, place("3/0"))
	ask("log-not-vouched-for", "revoked", Answer, vale, other("1/0"))
	revoked = strings.TrimSuffix(revoked, "\n") + "\nrevoke answer " + Name(vale.Key()) + " " + other("1/3/") + end + "\n"
	ask("log-of-two", "pinned", Answer, vale, other("1/2"))
	revoked = reviewed + "revoke review " + Name(court.Key()) + " 7/" + cid.Of([]byte("last good")).String() + "\n"
	ask("review", "pinned", Review, court, "2")
	ask("review-revoked", "revoked", Review, court, "8")
	ask("review-before-bounds", "bounds", Review, court, "1")
	ask("review-stranger", "stranger", Review, vale, "2")
	revoked = inSnapshots
	ask("in-bounds", "good", Answer, museum, place("1/5"))
	ask("before-bounds", "bounds", Answer, museum, place("1/4"))
	ask("after-bounds", "bounds", Answer, museum, place("2/10"))
	ask("foreign-log", "bounds", Answer, museum, Name(thief.Key())+"/1/6")
	return v
}

// vkey returns the verifier key of a witness.
func vkey(s signer, name string) string {
	c, err := sign.NewCosigner(name, s.Key())
	if err != nil {
		panic(err)
	}
	return c.String()
}

// witnessVectors returns roots that name witnesses of others.
func witnessVectors(plain string) []vector {
	good := strings.Replace(plain, "trust/v1", "trust/v4", 1) +
		"witness harbour " + vkey(newSigner("harbour"), "harbour.example/w1") + " harbour-trust towns\n" +
		"witness port " + vkey(newSigner("port"), "port.example/w") + " harbour-trust towns\n" +
		"witness mill " + vkey(newSigner("mill"), "mill.example/w") + " mill towns\n" +
		"witness court " + vkey(court, "court.example/w") + " court -\n" +
		"group towns any seen\ngroup seen all -\nquorum seen\n"
	v := []vector{{"root-witness", "accept", nil, good, ""},
		{"root-witness-expires", "accept", nil, strings.Replace(good, "prev -\n", "prev -\nexpires 2027-06-30T00:00:00Z\n", 1), ""},
		{"root-witness-review", "accept", nil, strings.Replace(good, "witness harbour ", key(Review, "court", court, "2", "9")+"\nwitness harbour ", 1), ""},
		{"root-witness-of-none", "accept", nil, strings.Replace(good, "quorum seen", "quorum none", 1), ""},
		{"root-witness-revoke", "accept", nil, good + "revoke snapshot " + Name(vale.Key()) + " -\n", ""}}
	bad := func(name, says string, pairs ...string) {
		v = append(v, vector{"root-witness-" + name, "malformed", nil, strings.NewReplacer(pairs...).Replace(good), says})
	}
	bad("in-v3", "want a key line", "trust/v4", "trust/v3")
	bad("in-v1", "want a key line", "trust/v4", "trust/v1")
	bad("without-quorum", "want quorum", "quorum seen\n", "")
	bad("unknown-quorum", "is no witness and no group", "quorum seen", "quorum sea")
	bad("unknown-group", "which is no group", " mill towns", " mill cities")
	bad("group-before-its-members", "which no group after it is named", "group towns any seen\ngroup seen all -", "group seen all -\ngroup towns any seen")
	bad("empty-group", "0 members", "quorum seen", "group sea any -\nquorum seen")
	bad("needs-one-in-digits", "want all, any or 2", "towns any", "towns 1")
	bad("needs-a-leading-zero", "want all, any or 2", "towns any", "towns 02")
	bad("needs-two-of-one-organisation", "of one organisation count once", " mill towns", " mill -", "towns any", "towns 2")
	bad("name-twice", "the name is taken", "witness port", "witness harbour")
	bad("name-of-a-group", "the name is taken", "witness port", "witness towns")
	bad("name-none", "the name is taken", "witness port", "witness none")
	bad("name-upper", "two names", "witness port", "witness Port")
	bad("key-twice", "would count twice", vkey(newSigner("port"), "port.example/w"), vkey(newSigner("harbour"), "port.example/w"))
	bad("line-name-twice", "sign under one name", vkey(newSigner("port"), "port.example/w"), vkey(newSigner("port"), "harbour.example/w1"))
	bad("key-hash", "key hash", "harbour.example/w1+", "harbour.example/w2+")
	bad("key-type", "of type 0x", "+BA", "+AA", "+BB", "+AB", "+BC", "+AC", "+BD", "+AD", "+BE", "+AE", "+BF", "+AF", "+BG", "+AG", "+BH", "+AH", "+BI", "+AI", "+BJ", "+AJ", "+BK", "+AK", "+BL", "+AL", "+BM", "+AM", "+BN", "+AN", "+BO", "+AO", "+BP", "+AP")
	bad("false-name", "ends in the digits of its key", vkey(court, "court.example/w"), vkey(court, "muniment/witness/court"))
	bad("after-revoke", "or after those a revoke line", "quorum seen\n", "quorum seen\nrevoke snapshot "+Name(vale.Key())+" -\nquorum none\n")
	return v
}

var standings = map[Standing]string{Stranger: "stranger", OutOfBounds: "bounds", Revoked: "revoked", Pinned: "pinned", Good: "good"}

// run reads a vector as any implementation would, and returns what came of it.
func run(v testvectors.Vector) (outcome string, err error) {
	r, err := Parse(v.Body)
	if err != nil {
		return "malformed", err
	}
	if !bytes.Equal(r.Encode(), v.Body) {
		return "", fmt.Errorf("encodes to other bytes")
	}
	if v.Get("kind") == "root" {
		return "accept", nil
	}
	k, err := sign.ParseKey(v.Get("key"))
	if err != nil {
		return "", err
	}
	role := Role(v.Get("role"))
	at, err := parsePlace(role, v.Get("place"))
	return standings[r.Judge(role, k, at).Standing], err
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	says := map[string]string{}
	for _, v := range vectors() {
		made, says[v.name] = append(made, v.made()), v.says
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 105, func(t *testing.T, v testvectors.Vector) {
		outcome, err := run(v)
		if want := says[v.Name]; outcome != v.Get("expect") || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s (%v), want %s and %q", outcome, err, v.Get("expect"), want)
		}
	})
}
