package gate

import "strings"

// Shown returns the exact words of the shown pieces, with " … " in place of what is withheld
// between two of them and nothing at the ends.
func (e Excerpt) Shown() string {
	var shown []string
	for _, p := range e.Pieces {
		if p.Shown {
			shown = append(shown, p.Text)
		}
	}
	return strings.Join(shown, " … ")
}
