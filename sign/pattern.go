package sign

import (
	"fmt"
	"strings"
)

// parsePatterns splits a pattern list. Patterns of namespaces are plain ASCII
// like namespaces themselves; those of principals may hold spaces.
func parsePatterns(what, list string) ([]string, error) {
	patterns := strings.Split(list, ",")
	for _, p := range patterns {
		bare := strings.TrimPrefix(p, "!")
		switch {
		case bare == "":
			return nil, fmt.Errorf("empty %s in %q", what, clip(list))
		case len(bare) > MaxPattern:
			return nil, fmt.Errorf("%s of %d bytes, at most %d", what, len(bare), MaxPattern)
		case what == "namespace" && !plainASCII(bare, MaxPattern):
			return nil, fmt.Errorf("namespace %q, want printable characters without space", clip(p))
		}
	}
	return patterns, nil
}

// matchList is match_pattern_list of OpenSSH.
func matchList(patterns []string, s string) bool {
	found := false
	for _, p := range patterns {
		p, negated := strings.CutPrefix(p, "!")
		if !match(p, s) {
			continue
		}
		if negated {
			return false
		}
		found = true
	}
	return found
}

// match reports whether the whole of s, byte by byte, matches pattern. Only
// the last star is ever retried, so the work is at most len(p) times len(s).
func match(p, s string) bool {
	i, star, retry := 0, -1, 0
	for j := 0; j < len(s); {
		switch {
		case i < len(p) && p[i] == '*':
			star, retry = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0:
			retry++
			i, j = star+1, retry
		default:
			return false
		}
	}
	return strings.Trim(p[i:], "*") == ""
}
