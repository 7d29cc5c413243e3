package sourcemeta

import (
	"fmt"
	"strings"
	"testing"
)

// A row with an address that has a secret is refused; the others are used.
func TestSidecarAddresses(t *testing.T) {
	s, err := ReadCSV("a.csv", []byte("path,url,related,download\na.txt,https://example.org/a,,\nb.txt,https://example.org/b?token=millwheel,,\nc.txt,,https://ada:millwheel@example.org/,\nd.txt,,,https://example.org/d?key=millwheel\ne.txt,,A letter of key=1,\n"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, r := range s.Refused() {
		lines = append(lines, r.Line)
		if strings.Contains(r.Error(), "millwheel") || !strings.Contains(r.Error(), "which an archive must not keep") {
			t.Error(r)
		}
	}
	if fmt.Sprint(lines) != "[3 4 5]" {
		t.Errorf("refused are the rows in lines %v", lines)
	}
}
