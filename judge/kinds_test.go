package judge_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

func TestKinds(t *testing.T) {
	for _, name := range []string{"dev", "held"} {
		data, err := os.ReadFile("testdata/sets/" + name + ".tsv")
		if err != nil {
			continue
		}
		n := map[string]*[5]int{}
		for line := range strings.Lines(strings.TrimSpace(string(data))) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 8 {
				t.Fatalf("%q", line)
			}
			for i := range f {
				f[i] = strings.ReplaceAll(f[i], " ¶ ", "\n")
			}
			doc := canon.NewDocument(canon.Text([]byte(f[5])))
			at := strings.Index(string(doc.Payload()), f[6])
			span, err := cite.SpanAt(doc, at, at+len(f[6]))
			if err != nil {
				t.Fatal(err)
			}
			p, err := judge.At(doc, span, judge.Paper{Title: strings.TrimPrefix(f[4], "-"), Lang: f[2]})
			if err != nil {
				t.Fatal(err)
			}
			j := judge.Judge(f[7], p)
			k := n[f[1]+" "+f[3]]
			if k == nil {
				k = &[5]int{}
				n[f[1]+" "+f[3]] = k
			}
			k[0]++
			switch j.Verdict {
			case cite.ClaimFollows:
				k[1]++
			case cite.ClaimContradicted:
				k[2]++
			}
			if j.Verdict == cite.ClaimNotShown && j.Score >= judge.Likely {
				k[3]++
			}
			if len(judge.Against(f[7], p)) > 0 {
				k[4]++
			}
			want := map[string]cite.ClaimVerdict{"follows": cite.ClaimFollows, "notshown": cite.ClaimNotShown, "contradicted": cite.ClaimContradicted}[f[3]]
			if want != j.Verdict && name == "dev" && os.Getenv("SHOW") != "" {
				t.Logf("%s: %s %s (%s: %s %d)\n\t[%s] %s\n\t%s\n\t%s\n\t%v", f[0], j.Verdict, want, j.Rule, j.Reason, j.Score, f[4], f[5], f[6], f[7], judge.Against(f[7], p))
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(n)) {
			k := n[kind]
			t.Logf("%-5s %-32s all %3d follow %3d contradicted %3d likely %3d found %3d", name, kind, k[0], k[1], k[2], k[3], k[4])
		}
	}
}
