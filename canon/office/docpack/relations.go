package docpack

import (
	"encoding/xml"
	"fmt"
	"path"
)

// maxRelations is the longest list of relations in bytes.
const maxRelations = 16 << 20

// A Relation is a line of a part's relations in Office Open XML.
type Relation struct {
	ID, Kind string // Kind is the last part of the type: "worksheet"
	Target   string // an entry of the container
}

// Relations returns the relations of a part to other entries of the container; ""
// is the package itself.
func (c *Pack) Relations(part string) ([]Relation, error) {
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	if !c.Has(name) {
		return nil, nil
	}
	data, err := c.Read(name, maxRelations)
	if err != nil {
		return nil, err
	}
	d, err := NewDecoder(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var list []Relation
	err = d.Each(func(_ xml.StartElement, chars []byte) error {
		if chars != nil {
			return nil
		}
		return d.Each(func(e xml.StartElement, chars []byte) error {
			if chars != nil {
				return nil
			}
			target, ok := c.Resolve(part, Attr(e, "Target"))
			if e.Name.Local == "Relationship" && Attr(e, "TargetMode") != "External" && ok {
				list = append(list, Relation{Attr(e, "Id"), path.Base(Attr(e, "Type")), target})
			}
			return d.Skip()
		})
	})
	return list, err
}

// Target returns the target of the first relation of a kind, or "".
func Target(list []Relation, kind string) string {
	for _, r := range list {
		if r.Kind == kind {
			return r.Target
		}
	}
	return ""
}
