package sourcemeta

import (
	"muniment/testvectors"
	"strconv"
	"testing"
)

const vectorDir = "../../testvectors/sourcemeta"

// A vector is a file of header lines, a blank line and the bytes of a sidecar
// or registry.
type vector struct {
	name   string
	kind   string // csv, json, registry
	expect string // ok; defect: exactly one of the file; refused: exactly one of a row
	line   int    // of the defect
	field  string // of the defect, "" when none is meant
	data   string
}

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	out := testvectors.New(v.name, []byte(v.data), "kind", v.kind, "expect", v.expect)
	if v.expect != "ok" {
		out.Add("line", strconv.Itoa(v.line))
	}
	out.AddIf("field", v.field)
	return out
}

// read reads the body of a vector as what its kind says, and returns the rows that are
// refused.
func read(t *testing.T, v testvectors.Vector) (refused []*Error, err error) {
	t.Helper()
	var s *Sidecar
	switch kind := v.Get("kind"); kind {
	default:
		t.Fatalf("vector %s has the kind %q", v.Name, kind)
	case "csv":
		s, err = ReadCSV("f", v.Body)
	case "json":
		s, err = ReadJSON("f", v.Body)
	case "registry":
		_, err = ReadRegistry("f", v.Body)
	}
	if s != nil {
		refused = s.Refused()
	}
	return refused, err
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range vectors() {
		made = append(made, v.made())
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 87, func(t *testing.T, v testvectors.Vector) {
		refused, err := read(t, v)
		switch v.Get("expect") {
		default:
			t.Fatalf("expect is %q", v.Get("expect"))
		case "ok":
			if err != nil || len(refused) > 0 {
				t.Fatalf("%v, %v, want it read", err, refused)
			}
		case "refused":
			if err != nil || len(refused) != 1 || strconv.Itoa(refused[0].Line) != v.Get("line") || refused[0].Field != v.Get("field") {
				t.Errorf("%v, %v; want one refused row in line %s of the field %q", err, refused, v.Get("line"), v.Get("field"))
			}
		case "defect":
			if err == nil {
				t.Fatal("it is read, want a defect")
			}
			list := defectsOf(t, err)
			if e := list[0]; len(list) != 1 || strconv.Itoa(e.Line) != v.Get("line") || e.Field != v.Get("field") {
				t.Errorf("%v with the field %q; want one defect in line %s of the field %q", err, e.Field, v.Get("line"), v.Get("field"))
			}
		}
	})
}
