package jcs

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
)

// decode puts n into v, which lies at path.
func decode(n *node, v reflect.Value, path string) error {
	if v.Kind() != reflect.Pointer && v.CanAddr() {
		if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
			if n.kind != kindString {
				return wrong(n, path, kindString)
			}
			if err := u.UnmarshalText([]byte(n.str)); err != nil {
				return at(path, err)
			}
			return nil
		}
	}
	switch v.Kind() {
	default:
		return at(path, fmt.Errorf("%v has no canonical form", v.Type()))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decode(n, v.Elem(), path)
	case reflect.Struct:
		return decodeObject(n, v, path)
	case reflect.Map:
		return decodeDict(n, v, path)
	case reflect.Slice:
		return decodeArray(n, v, path)
	case reflect.String:
		if n.kind != kindString {
			return wrong(n, path, kindString)
		}
		v.SetString(n.str)
	case reflect.Bool:
		if n.kind != kindBool {
			return wrong(n, path, kindBool)
		}
		v.SetBool(n.yes)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n.kind != kindInt {
			return wrong(n, path, kindInt)
		}
		if v.OverflowInt(n.num) {
			return at(path, fmt.Errorf("number %d does not fit %v", n.num, v.Type()))
		}
		v.SetInt(n.num)
	}
	return nil
}

func decodeObject(n *node, v reflect.Value, path string) error {
	if n.kind != kindObject {
		return wrong(n, path, kindObject)
	}
	fields, err := fieldsOf(v.Type())
	if err != nil {
		return at(path, err)
	}
	// Both lists are sorted, so one pass finds unknown and missing members.
	for i, key := range n.keys {
		for len(fields) > 0 && fields[0].name < key {
			if err := fields[0].missing(path); err != nil {
				return err
			}
			fields = fields[1:]
		}
		if len(fields) == 0 || fields[0].name != key {
			return at(path, fmt.Errorf("the member %q is unknown", key))
		}
		if err := decode(n.vals[i], v.FieldByIndex(fields[0].index), join(path, key)); err != nil {
			return err
		}
		fields = fields[1:]
	}
	for _, f := range fields {
		if err := f.missing(path); err != nil {
			return err
		}
	}
	return nil
}

// missing is the error of a member that must be there and is not.
func (f field) missing(path string) error {
	if f.omitEmpty || f.omitZero {
		return nil
	}
	return at(path, fmt.Errorf("the member %q is missing", f.name))
}

func decodeDict(n *node, v reflect.Value, path string) error {
	if n.kind != kindObject {
		return wrong(n, path, kindObject)
	}
	t := v.Type()
	if t.Key().Kind() != reflect.String || t.Elem().Kind() != reflect.String {
		return at(path, fmt.Errorf("%v has no canonical form, want map[string]string", t))
	}
	if len(n.keys) == 0 {
		return nil
	}
	m := reflect.MakeMapWithSize(t, len(n.keys))
	for i, key := range n.keys {
		elem := reflect.New(t.Elem()).Elem()
		if err := decode(n.vals[i], elem, join(path, key)); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), elem)
	}
	v.Set(m)
	return nil
}

func decodeArray(n *node, v reflect.Value, path string) error {
	if n.kind != kindArray {
		return wrong(n, path, kindArray)
	}
	if len(n.vals) == 0 {
		return nil
	}
	out := reflect.MakeSlice(v.Type(), len(n.vals), len(n.vals))
	for i, val := range n.vals {
		if err := decode(val, out.Index(i), path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	v.Set(out)
	return nil
}

// wrong is the error of a value of another kind than the Go type wants.
func wrong(n *node, path string, want kind) error {
	return at(path, fmt.Errorf("saw %s, want %s", n.kind, want))
}
