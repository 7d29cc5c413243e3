package answer_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
)

// BenchmarkAsk is the whole way of an answer, one after the other: retrieval,
// gates, sealing, signature, the answer log with its fsync, and the bundle's
// file.
func BenchmarkAsk(b *testing.B) {
	a, s := archivetest.New(b, map[string]string{"letter-1.txt": "Tobias Lunt repaired the mill wheel in March.\n", "letter-2.txt": "The barn was painted.\n"})
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "test", Signer: s}); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		r, err := answer.Ask(b.Context(), a, "Who repaired the mill wheel?", answer.AskOptions{Signer: s, BundleFile: filepath.Join(dir, fmt.Sprint(n, ".zip"))})
		if err != nil {
			b.Fatal(err)
		}
		if r.Outcome != "supported" {
			b.Fatalf("outcome %s", r.Outcome)
		}
	}
}

// BenchmarkTwins asks two archives in turn that differ in one artifact: one has
// it and hides it, the other never had it. It reports the middle of the times
// of each, and how often the first of a pair took longer: half the time when
// the times tell a requestor nothing.
func BenchmarkTwins(b *testing.B) {
	without := map[string]string{}
	for name, text := range archivetest.Papers {
		if name != "1937-01-09.txt" {
			without[name] = text
		}
	}
	hidden, s := archivetest.New(b, archivetest.Papers)
	archivetest.Seal(b, hidden, s, history.ConsentOptions{Artifacts: []string{"1937-01-09.txt"}, Preset: "hidden"})
	absent, s2 := archivetest.New(b, without)
	archivetest.Seal(b, absent, s2)
	dir := b.TempDir()
	n := 0
	ask := func(a *archive.Archive, s sign.Signer) time.Duration {
		n++
		begun := time.Now()
		r, err := answer.Ask(b.Context(), a, "Where did the brass telescope come from?", answer.AskOptions{Signer: s, BundleFile: filepath.Join(dir, fmt.Sprint(n, ".zip"))})
		took := time.Since(begun)
		if err != nil || r.Outcome != "refused" {
			b.Fatal(r, err)
		}
		return took
	}
	var with, none []time.Duration
	for b.Loop() {
		if n%4 == 0 { // either goes first
			with = append(with, ask(hidden, s))
			none = append(none, ask(absent, s2))
		} else {
			none = append(none, ask(absent, s2))
			with = append(with, ask(hidden, s))
		}
	}
	slower := 0
	for i := range with {
		if with[i] > none[i] {
			slower++
		}
	}
	slices.Sort(with)
	slices.Sort(none)
	b.ReportMetric(float64(with[len(with)/2].Microseconds()), "hidden-us")
	b.ReportMetric(float64(none[len(none)/2].Microseconds()), "absent-us")
	b.ReportMetric(float64(slower)/float64(len(with)), "hidden-slower")
}
