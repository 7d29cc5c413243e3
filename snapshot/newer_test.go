package snapshot

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"testing"

	"muniment/cid"
	"muniment/cite"
	"muniment/internal/casecount"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// newerFiles returns a file of each type that lies in an archive's tree, whose version is
// one that nobody knows, by a name for it. Each is at the path that its bytes give it.
func newerFiles(s *Snapshot, version int) map[string]map[string][]byte {
	artifact := artifactOf(firstFiles()).String()
	bump := func(data []byte) []byte {
		return regexp.MustCompile(`("type":"muniment/[a-z-]+/v)\d+"`).ReplaceAll(data, fmt.Appendf(nil, `${1}%d"`, version))
	}
	at := func(path string, data []byte) map[string][]byte { return map[string][]byte{path: bump(data)} }
	id := must(cid.ParseAs(cid.Raw, artifact))
	const when, who = "2024-05-01T00:00:00Z", "Ada Vale"
	out := map[string]map[string][]byte{
		"consent":         at(layout.ConsentPath(id), must(access.Consent{Artifact: artifact, Inclusion: true, Reason: "asked", Time: when, Agent: who}.Encode())),
		"hold":            at(layout.HoldPath(id), must(record.Hold{Artifact: artifact, Reason: "litigation", Authority: "District Court", Time: when, Agent: who}.Encode())),
		"consent default": at(layout.PathConsent, must(access.ConsentDefault{Default: access.ConsentOpen}.Encode())),
		"freeform":        at(layout.PathFreeform, must(access.Freeform{Tiers: []string{"staff"}}.Encode())),
		"profile":         at(layout.ProfilePath("mine"), []byte(`{"type":"muniment/profile/v3"}`)),
	}
	for path, data := range citationOf(firstText, s, func(*cite.Citation) {}) {
		_ = path
		out["citation"] = map[string][]byte{layout.CitationPath(cid.OfJSON(bump(data))): bump(data)}
	}
	out["persons"] = map[string][]byte{"persons/ab/cd.json": []byte("whatever it holds")}
	said := bump([]byte(`{"type":"muniment/review/v1"}`))
	out["review"] = map[string][]byte{layout.ReviewPath(id, cid.OfJSON(said)): said}
	first := firstFiles()
	rec := bump(first[one(first, layout.KindRecord)])
	out["record"] = map[string][]byte{layout.RecordPath(id, cid.OfJSON(rec)): rec}
	return out
}

// TestNewerFiles adds to an archive a file of a version that nobody knows: it is not
// checked, and nothing fails. With one byte changed it does, as the root is that of the
// file that was signed.
func TestNewerFiles(t *testing.T) {
	whole, damaged := 0, 0
	names := newerFiles(must(Parse(twoLetters(t).all[0].Content)), 5)
	for round := range casecount.Of(1, 20) {
		for name := range names {
			good := twoLetters(t)
			files := newerFiles(good.all[0], 5+round)[name]
			signed := good.add(files, nil)
			report, err := CheckWith(good.store, good.tip, Checking{Allowed: allowedSigners(alice)})
			if err != nil || !report.Sound() || report.NotChecked == 0 || report.Summary != nil {
				t.Errorf("%s of a newer version: %+v, %v", name, report, err)
			}
			whole++
			bad, spoilt := twoLetters(t), maps.Clone(files)
			for path, data := range files {
				data = bytes.Clone(data)
				data[(round*7+len(data)/2)%len(data)] ^= 1
				spoilt[path] = data
			}
			bad.add(spoilt, func(d *Draft) { d.Root, d.Entries = signed.Root, signed.Entries })
			if report, err = CheckWith(bad.store, bad.tip, Checking{Allowed: allowedSigners(alice)}); err != nil || report.Sound() {
				t.Errorf("%s of a newer version, damaged: %+v, %v", name, report, err)
			}
			damaged++
		}
	}
	if whole < 7 {
		t.Errorf("%d mutants, want one of each type", whole)
	}
	t.Logf("%d archives with a newer file: none VALID, none INVALID; %d damaged: all INVALID", whole, damaged)
}

// twoLetters returns an archive of two snapshots.
func twoLetters(t *testing.T) *chain {
	c := newChain(t)
	c.add(firstFiles(), nil)
	c.add(letter("Four.\r\n", "2.txt"), nil)
	return c
}

// TestNewerSnapshot reads trailers of a newer program, where the signature is over them.
func TestNewerSnapshot(t *testing.T) {
	payload := must(twoLetters(t).all[1].Draft.Payload())
	more := func(text string) []byte { return append(bytes.Clone(payload), text...) }
	content := signed(alice, more("Muniment-Version: 2\nMuniment-Until: 2031-01-01 for ever\n"))
	s, err := Parse(content)
	if err != nil || s.Newer == nil || s.Seq != 2 || s.ID != cid.Of(content) {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range content {
		spoilt := bytes.Clone(content)
		spoilt[i] ^= 1
		if s, err := Parse(spoilt); err == nil {
			t.Errorf("byte %d changed: it is snapshot %d", i, s.Seq)
		}
	}
	for _, text := range []string{"Muniment-Version: 1\n", "Muniment-Until: 2031\n", "Muniment-Version: 2\nUntil: 2031\n", "Muniment-Version: 02\n", "Muniment-Version: 2\nMuniment-Until: a\x01b\n", "Muniment-Version: 2\n\n"} {
		if _, err := Parse(signed(alice, more(text))); err == nil {
			t.Errorf("%q is a snapshot", text)
		}
	}
}
