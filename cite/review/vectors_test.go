package review

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/review"

// resign returns a changed review with a signature that holds under a namespace, whatever the change was.
func resign(t testing.TB, data []byte, namespace string, by person, change func(*Review)) []byte {
	r := *mustParse(t, data)
	r.Signature = ""
	change(&r)
	message, err := jcs.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	armored, err := sign.Sign(by, namespace, message)
	if err != nil {
		t.Fatal(err)
	}
	r.Signature = string(armored)
	if data, err = jcs.Marshal(r); err != nil {
		t.Fatal(err)
	}
	return data
}

// A vector is a review with one defect; says is in the error and not in the file.
type vector struct {
	name, says string
	body       []byte
}

func vectors(t testing.TB) []vector {
	ada, s := newPerson("ada"), newSubject(t)
	good := mustSign(t, Review{Verdict: Follows, Day: "2026-05-03"}, s, ada)
	earlier := mustParse(t, good).ID().String()
	all := []vector{
		{"good", "", good},
		{"named", "", mustSign(t, Review{Verdict: Not, Reason: "scope", Day: "2026-05-04", Name: "Ada Vale"}, s, ada)},
		{"replaces", "", mustSign(t, Review{Verdict: Unsure, Reason: "language", Day: "2026-05-05", Replaces: earlier}, s, ada)},
	}
	wrong := func(name, says string, change func(*Review)) {
		all = append(all, vector{name, says, resign(t, good, Namespace, ada, change)})
	}
	wrong("verdict-unknown", "verdict", func(r *Review) { r.Verdict = "perhaps" })
	wrong("reason-of-another-verdict", "reason", func(r *Review) { r.Reason = "missing" })
	wrong("reason-missing", "reason", func(r *Review) { r.Reason = "" })
	wrong("day-of-no-month", "day", func(r *Review) { r.Day = "2026-02-30" })
	wrong("day-with-a-time", "day", func(r *Review) { r.Day = "2026-05-03T00:00:00Z" })
	wrong("subject-upper", "subject", func(r *Review) { r.Subject = strings.ToUpper(r.Subject) })
	wrong("surroundings-short", "surroundings", func(r *Review) { r.Surroundings = "ab" })
	wrong("artifact-missing", "artifact", func(r *Review) { r.Artifact = "" })
	wrong("replaces-a-payload", "replaces", func(r *Review) { r.Replaces = cid.Of([]byte("x")).String() })
	wrong("name-of-two-lines", "name", func(r *Review) { r.Name = "Ada\nVale" })
	wrong("name-too-long", "name", func(r *Review) { r.Name = strings.Repeat("a", MaxName+1) })
	all = append(all,
		vector{"signature-of-another-namespace", "namespace", resign(t, good, sign.NamespaceAnswer, ada, func(*Review) {})},
		vector{"signature-missing", "signature", bytes.Replace(good, []byte(`"signature":"`+strings.ReplaceAll(mustParse(t, good).Signature, "\n", `\n`)+`",`), nil, 1)},
		vector{"verdict-changed-after-signing", "signature", bytes.Replace(bytes.Replace(good, []byte(`"verdict":"follows"`), []byte(`"verdict":"not"`), 1), []byte(`"reason":"meaning"`), []byte(`"reason":"missing"`), 1)},
		vector{"day-changed-after-signing", "signature", bytes.Replace(good, []byte("2026-05-03"), []byte("2026-05-04"), 1)},
		vector{"member-unknown", "", bytes.Replace(good, []byte(`{"artifact"`), []byte(`{"agent":"a","artifact"`), 1)},
		vector{"type-newer", "version 2 of muniment/review reads it", bytes.Replace(good, []byte("review/v1"), []byte("review/v2"), 1)},
		vector{"space", "", bytes.Replace(good, []byte(`"day":`), []byte(`"day": `), 1)},
	)
	return all
}

// run returns ok or wrong, as the vectors say.
func run(data []byte) (string, error) {
	if _, err := Parse(data); err != nil {
		return "wrong", err
	}
	return "ok", nil
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	says := map[string]string{}
	for i, v := range vectors(t) {
		expect := "wrong"
		if i < 3 {
			expect = "ok"
		}
		made, says["review-"+v.name] = append(made, testvectors.New("review-"+v.name, v.body, "kind", "review", "expect", expect)), v.says
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, len(made), func(t *testing.T, v testvectors.Vector) {
		outcome, err := run(v.Body)
		if want := says[v.Name]; outcome != v.Get("expect") || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s (%v), want %s and %q", outcome, err, v.Get("expect"), want)
		}
	})
}

// Whatever is accepted has its ID, and a change of any byte is refused.
func FuzzParse(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.body)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if (err == nil) == (r == nil) {
			t.Fatal("result and error")
		}
		if err != nil {
			return
		}
		if again, err := jcs.Marshal(*r); err != nil || !bytes.Equal(again, data) || cid.OfJSON(data) != r.ID() {
			t.Fatalf("encodes to %s, %v", again, err)
		}
	})
}
