package contract

import (
	"slices"
	"strings"
	"time"
)

// References writes the references section, a line for each citation:
//
//	[2] Reuters. "Fed holds rates steady". Published Feb 10, 2026. https://… [Paywall]
//
// "" for none. A source of tier 4 is marked [Monitor-only source]. Where there is a paywalled one, a last
// line says what such a citation rests on.
func References(cited []Evidence) string {
	if len(cited) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## References\n\n")
	for i := range cited {
		b.WriteString(reference(&cited[i]) + "\n")
	}
	if slices.ContainsFunc(cited, func(e Evidence) bool { return e.Paywall }) {
		b.WriteString("\n" + paywallLine + "\n")
	}
	return b.String()
}

// paywallLine says below the references what a paywalled citation rests on.
const paywallLine = "Source is paywalled: a citation marked [Paywall] is based on headline or snippet."

func reference(e *Evidence) string {
	parts := []string{"[" + strings.TrimPrefix(e.ID, "^") + "]"}
	if e.Publisher != "" {
		parts = append(parts, stop(plain(e.Publisher)))
	}
	if e.Title != "" {
		parts = append(parts, `"`+strings.ReplaceAll(plain(e.Title), `"`, "'")+`".`)
	}
	if e.PublishedAt != "" {
		parts = append(parts, "Published "+date(e.PublishedAt)+".")
	}
	if e.URL != "" {
		parts = append(parts, e.URL)
	}
	if e.Paywall {
		parts = append(parts, "[Paywall]")
	}
	if e.Tier == 4 {
		parts = append(parts, "[Monitor-only source]")
	}
	return strings.Join(parts, " ")
}

// date writes a day as readers of a brief do; what is no day stays as it is.
func date(s string) string {
	if len(s) >= len(time.DateOnly) {
		if t, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err == nil {
			return t.Format("Jan 2, 2006")
		}
	}
	return plain(s)
}

// plain is a text in one line without marks of markdown that would end it.
func plain(s string) string {
	return strings.NewReplacer("[", "(", "]", ")", "<", "‹", ">", "›").Replace(strings.Join(strings.Fields(s), " "))
}

func stop(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
