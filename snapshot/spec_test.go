package snapshot

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/snapshot/layout"
)

// The example on the first screen of the specification is what it says, and
// goes with the example of the page on objects.
func TestSpecExample(t *testing.T) {
	page := string(must(os.ReadFile("../docs/spec/snapshot.md")))
	objects := string(must(os.ReadFile("../docs/spec/object.md")))
	blocks := strings.Split(page, "```\n")
	s, err := Parse([]byte(blocks[1]))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page, "`"+s.ID.String()+"`") {
		t.Errorf("the page lacks the id %s", s.ID)
	}
	list, shardLines, _ := strings.Cut(blocks[3], "\n\n")
	var lines []Line
	for text := range strings.SplitSeq(list, "\n") {
		digest, path, _ := strings.Cut(text, "  ")
		lines = append(lines, Line{must(parseHex(digest)), path})
		if kind, _ := layout.ClassifyPath(path); kind == layout.KindReadme && lines[len(lines)-1].Digest != cid.Of([]byte(layout.Readme)).Digest() {
			t.Error("README.txt has other bytes now")
		}
		if !strings.Contains(objects, path) {
			t.Errorf("the page on objects lacks %s", path)
		}
	}
	tree, err := NewTree(lines)
	if err != nil {
		t.Fatal(err)
	}
	if tree.Root() != s.Root || tree.Entries() != s.Entries {
		t.Errorf("the lines give the root %x of %d", tree.Root(), tree.Entries())
	}
	empty := 0
	for i := range tree.shard {
		n := len(tree.shard[i].lines)
		line := shardLine(i, int64(n), tree.shard[i].sum())
		if n == 0 {
			empty++
			line = fmt.Sprintf("<shard> 0 %x", tree.shard[i].sum())
		}
		if !strings.Contains(shardLines, line) {
			t.Errorf("the page lacks the shard %q", line)
		}
	}
	if !strings.Contains(shardLines, fmt.Sprintf("and %d shards", empty)) {
		t.Errorf("%d shards are empty", empty)
	}
}
