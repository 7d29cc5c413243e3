package examination_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/audit/examination"
)

// manyQuotations returns the papers and a text with n quotations, each a sentence of a paper, one in four with a word changed, and the paper named.
func manyQuotations(t testing.TB, n int) (files map[string]string, text string) {
	t.Helper()
	files = map[string]string{}
	all, err := filepath.Glob("testdata/dev/archive/*")
	if err != nil || len(all) == 0 {
		t.Fatalf("no papers: %v", err)
	}
	var sentences, names []string
	for _, f := range all {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(f)] = string(data)
		for _, s := range strings.Split(strings.Join(strings.Fields(string(data)), " "), ". ") {
			if len(s) > 40 && len(s) < 300 && !strings.ContainsAny(s, "\"“”„«»") {
				sentences, names = append(sentences, s), append(names, filepath.Base(f))
			}
		}
	}
	r := rand.New(rand.NewSource(1))
	var b strings.Builder
	for i := range n {
		k := r.Intn(len(sentences))
		words := strings.Fields(sentences[k])
		if i%4 == 0 {
			words[r.Intn(len(words))] = "harbour"
		}
		fmt.Fprintf(&b, "In the matter of the %dth year the writer says: “%s” [%s](%s). It was the opinion of the time, and nobody has doubted it since.", i, strings.Join(words, " "), names[k], names[k])
		if i%3 == 2 {
			b.WriteString("\n\n")
		} else {
			b.WriteString(" ")
		}
	}
	return files, b.String()
}

// BenchmarkExamine prints what a quotation costs in texts of growing length: the cost stays about the same.
//
//	go test ./audit/examination -run xxx -bench Examine -benchtime 1x
func BenchmarkExamine(b *testing.B) {
	for _, n := range []int{250, 500, 1000, 2000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files, text := manyQuotations(b, n)
			a, s := archivetest.New(b, files)
			archivetest.Seal(b, a, s)
			for b.Loop() {
				r, err := examination.Examine(context.Background(), examination.Input{Name: "text.md", Data: []byte(text)}, examination.Options{Places: []examination.Place{{Archive: a}}})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Items) != n {
					b.Fatalf("%d items of %d", len(r.Items), n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(n*b.N), "ms/quotation")
		})
	}
}
