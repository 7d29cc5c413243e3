package snapshot

import "strings"

// span returns the shard and the places of the lines that begin with prefix,
// which names all of its shard's first directories.
func (t *Tree) span(prefix string) (s *shard, from, to int) {
	s = &t.shard[shardOf(prefix)]
	from, _ = s.find(prefix)
	for to = from; to < len(s.lines) && strings.HasPrefix(s.lines[to].Path, prefix); to++ {
	}
	return s, from, to
}

// under returns the lines that begin with prefix.
func (t *Tree) under(prefix string) []Line {
	s, from, to := t.span(prefix)
	return s.lines[from:to]
}
