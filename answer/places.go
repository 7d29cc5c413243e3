package answer

import (
	"muniment/archive"
	"muniment/ledger"
)

// A ShownPlace is where the words of a citation are that an answer showed.
type ShownPlace struct {
	Artifact, Span string
}

// Places returns the place of each citation of an answer whose words were shown, by handle; none
// where this copy of the archive has no ledger.
func Places(a *archive.Archive, r *Result) (map[string]ShownPlace, error) {
	l, err := ledger.Find(a)
	if l == nil || r == nil || err != nil {
		return nil, err
	}
	places := map[string]ShownPlace{}
	for _, claim := range r.Claims {
		for _, one := range claim.Citations {
			if shown, err := l.ShownUnder(r.BundleID, one.Handle); err == nil && len(shown) > 0 && !one.Restricted {
				places[one.Handle] = ShownPlace{shown[0].Artifact, shown[0].Span}
			}
		}
	}
	return places, nil
}
