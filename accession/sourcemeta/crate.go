package sourcemeta

import (
	"strings"
)

// crateFields are the properties of an entity of RO-Crate that state a field, those that
// count first before the others.
var crateFields = []struct{ field, property string }{
	{"title", "name"}, {"creators", "author"}, {"creators", "creator"}, {"published_at", "dateCreated"}, {"published_at", "datePublished"}, {"publisher", "publisher"},
	{"language", "inLanguage"}, {"description", "description"}, {"subjects", "about"}, {"subjects", "keywords"}, {"rights", "license"}, {"rights", "conditionsOfAccess"},
	{"rights", "usageInfo"}, {"place", "contentLocation"}, {"place", "spatialCoverage"}, {"extent", "materialExtent"}, {"identifier", "identifier"},
}

// ReadCrate reads the descriptions of files in the graph of an RO-Crate. name returns the name that
// the file of an entity is added under, "" for an entity that is none. A value that is not valid is
// kept as a fact, with a note. file is the name in errors.
func ReadCrate(file string, graph []map[string]any, name func(entity map[string]any) string) (*Sidecar, error) {
	d := &defects{file: file}
	s := &Sidecar{file: file}
	r := &descriptionReader{out: s, defects: d}
	byID := map[string]map[string]any{}
	for _, e := range graph {
		if id, _ := e["@id"].(string); id != "" {
			byID[id] = e
		}
	}
	for i, e := range graph {
		at := name(e)
		if at == "" {
			continue
		}
		var v Values
		for _, f := range crateFields {
			for _, text := range crateTexts(e[f.property], byID) {
				values := []string{text}
				if f.property == "keywords" {
					values = strings.Split(text, ",")
				}
				for _, one := range values {
					if one = strings.Join(strings.Fields(one), " "); one != "" {
						r.set(&v, f.field, one, i+1)
					}
				}
			}
		}
		if err := s.add(i+1, literalPattern(at), v); err != nil {
			d.addRow(i+1, "path", "%s", err)
		}
	}
	s.index(d)
	if err := d.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// crateTexts returns the values of a property: texts, and of entities their names, else
// their identifiers.
func crateTexts(value any, byID map[string]map[string]any) (out []string) {
	switch value := value.(type) {
	case string:
		out = append(out, value)
	case []any:
		for _, one := range value {
			if _, nested := one.([]any); !nested {
				out = append(out, crateTexts(one, byID)...)
			}
		}
	case map[string]any:
		id, _ := value["@id"].(string)
		for _, named := range []any{value["name"], byID[id]["name"], value["@value"], id} {
			if text, _ := named.(string); text != "" {
				return []string{text}
			}
		}
	}
	return out
}
