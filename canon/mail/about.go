package mail

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
)

// describe returns the metadata of a mail, and the facts.
func (m *message) describe(h header) (read.Meta, map[string]string) {
	if m.day == "" {
		m.defects[defectDate]++
	}
	facts := map[string]string{
		"date":        m.day,
		"message_id":  messageIDs(m.decodeField(h.get("message-id"))),
		"in_reply_to": messageIDs(m.decodeField(h.get("in-reply-to"))),
		"references":  messageIDs(m.decodeField(h.get("references"))),
		"body":        strings.Join(m.kinds, ", "),
		"stub":        m.stub,
	}
	for key, name := range map[string]string{"sender": "sender", "reply_to": "reply-to"} {
		list, _ := m.formatAddresses(h.get(name))
		facts[key] = cutFact(list)
	}
	addCount(facts, "alternatives", m.alternatives)
	addCount(facts, "attachments", len(m.parts))
	facts["defects"] = m.defectList()
	maps.DeleteFunc(facts, func(_, v string) bool { return v == "" })
	meta := read.Meta{Title: cutFact(m.subject), PublishedAt: m.day}
	for _, name := range m.creators {
		name = cutFact(oneLine(name))
		if canon.Text([]byte(name)) != nil && !slices.Contains(meta.Creators, name) && len(meta.Creators) < maxCreators {
			meta.Creators = append(meta.Creators, name)
		}
	}
	return meta, facts
}

// defectList returns the kinds of defects with their counts, sorted.
func (m *message) defectList() string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(m.defects)) {
		list = append(list, fmt.Sprintf("%s %d", kind, m.defects[kind]))
	}
	return strings.Join(list, ", ")
}

// messageIDs returns the message IDs of a field in angle brackets, or its text where
// it has none.
func messageIDs(s string) string {
	var list []string
	for rest := s; len(list) < maxIDs; {
		_, after, ok := strings.Cut(rest, "<")
		id, next, closed := strings.Cut(after, ">")
		if !ok || !closed {
			break
		}
		if id = strings.ReplaceAll(id, " ", ""); id != "" && len(id) <= maxFact {
			list = append(list, "<"+id+">")
		}
		rest = next
	}
	if len(list) == 0 {
		return cutFact(s)
	}
	return strings.Join(list, " ")
}
