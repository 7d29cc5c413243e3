package segment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Claims with | between; ? behind a claim means that an ambiguity was logged for it.
func TestPropositions(t *testing.T) {
	tests := []struct{ lang, draft, want string }{
		{"en", "The mill burned.", "The mill burned."},
		{"en", "The mill burned and the miller left.", "The mill burned|the miller left."},
		{"en", "The mill burned, and the miller left.", "The mill burned|the miller left."},
		{"en", "The mill burned, but the house stood.", "The mill burned|the house stood."},
		{"en", "The mill burned but she stayed.", "The mill burned|she stayed."},
		{"en", "The mill burned; the house stood; she stayed.", "The mill burned|the house stood|she stayed."},
		{"en", "Anna bought the mill and sold the cow.", "Anna bought the mill|Anna sold the cow."},
		{"en", "Anna bought the mill and sold the cow and built a barn.", "Anna bought the mill|Anna sold the cow|Anna built a barn."},
		{"en", "She bought the mill but sold the cow.", "She bought the mill|She sold the cow."},
		{"en", "The old miller planted peas and dug a well.", "The old miller planted peas|The old miller dug a well."},
		{"en", "Anna Brandt bought peas and beans.", "Anna Brandt bought peas and beans."},
		{"en", "She was seen and arrested.", "She was seen and arrested."},
		{"en", "The mill was sold and burned.", "The mill was sold and burned."},
		{"en", "She did not buy the mill and sold the cow.", "She did not buy the mill and sold the cow.?"},
		{"en", "She never bought the mill and sold the cow.", "She never bought the mill and sold the cow.?"},
		{"en", "She said that the mill burned and the miller left.", "She said that the mill burned and the miller left.?"},
		{"en", "If the mill burned, and the miller left, she was alone.", "If the mill burned, and the miller left, she was alone.?"},
		{"en", "Perhaps the mill burned and the miller left.", "Perhaps the mill burned and the miller left.?"},
		{"en", "She walked up and down.", "She walked up and down."},
		{"en", "Bread and butter were dear.", "Bread and butter were dear."},
		{"en", "She wrote “it burned and he left” in May.", "She wrote “it burned and he left” in May."},
		{"en", "She saw the mill (it burned and he left) in May.", "She saw the mill (it burned and he left) in May."},
		{"en", "The mill burned in 1931 and was rebuilt in 1932.", "The mill burned in 1931 and was rebuilt in 1932."},
		{"en", "Peter came late, and he left early.", "Peter came late|he left early."},
		{"en", "Peter came late and, she said, left early.", "Peter came late and, she said, left early."},
		{"en", "Kern & Moser bought it and sold it.", "Kern & Moser bought it|Kern & Moser sold it."},
		{"en", "Because the mill burned, he left and she stayed.", "Because the mill burned, he left and she stayed.?"},
		{"en", "The mill, which burned and fell, was old.", "The mill, which burned and fell, was old.?"},
		{"en", "Who bought the mill and sold the cow?", "Who bought the mill and sold the cow??"},
		{"en", "Both the mill burned and the barn fell.", "Both the mill burned and the barn fell.?"},
		{"de", "Die Mühle brannte ab, und der Müller war fort.", "Die Mühle brannte ab, und der Müller war fort."},
		{"de", "Die Mühle war alt und der Müller war krank.", "Die Mühle war alt|der Müller war krank."},
		{"de", "Die Mühle war alt, aber das Rad war neu.", "Die Mühle war alt|das Rad war neu."},
		{"de", "Sie sagte, dass die Mühle alt war und der Müller krank war.", "Sie sagte, dass die Mühle alt war und der Müller krank war.?"},
		{"de", "Brot und Butter waren teuer.", "Brot und Butter waren teuer."},
	}
	for _, tt := range tests {
		var got []string
		end := 0
		for _, c := range Claims(tt.draft, tt.lang) {
			s := c.Text
			if len(c.Ambiguities) > 0 {
				s += "?"
			}
			if c.Start < end || !strings.HasPrefix(c.Text, c.Subject) {
				t.Errorf("%q: claim %+v after %d", tt.draft, c, end)
			}
			end = c.End
			got = append(got, s)
		}
		if d := cmp.Diff(tt.want, strings.Join(got, "|")); d != "" {
			t.Errorf("%s", d)
		}
	}
}

func TestMarks(t *testing.T) {
	tests := []struct{ draft, want string }{
		{"It burned [1].", "1"}, {"It burned.[1]", "1"}, {"It burned. [1]", "1"}, {"It burned [1][2].", "1 2"},
		{"It burned [1, 2].", "1 2"}, {"It burned [1-3].", "1 2 3"}, {"It burned [2–4, 7].", "2 3 4 7"},
		{"It burned [cite:g3].", "g3"}, {"It burned [cite:g3,g4].", "g3 g4"}, {"It burned [cite:g3, cite:g4].", "g3 g4"},
		{"It burned.[^1]", "^1"}, {"It burned [^note].", "^note"}, {"It burned [sic].", ""}, {"It burned [3-1].", ""},
		{"It burned [1-99].", ""}, {"It burned [see 1].", ""}, {"It burned [].", ""}, {"It burned [x](y).", ""},
		{"It burned [1](y).", ""}, {"It burned [cite:].", ""}, {"It burned [12345].", ""},
	}
	for _, tt := range tests {
		var ids []string
		for _, c := range Claims(tt.draft, "en") {
			for _, m := range c.Markers {
				ids = append(ids, m.ID)
			}
		}
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%q: marks %q, want %q", tt.draft, got, tt.want)
		}
	}
}
