package main

import (
	"muniment/archive"
	"sort"
	"strings"
)

func joinArgs(args []string) string { return strings.Join(args, " ") }

func splitLines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// quietNo is the error of a command that worked and whose answer is no.
func quietNo(message string) *archive.Error {
	return &archive.Error{Kind: archive.TypeVerdictNegative, Message: message, Next: archive.Advise("try other words; muniment ls shows what is here")}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
