package param

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Field is a parameter or a result: a struct field by its JSON name.
type Field struct {
	Name    string
	Type    reflect.Type
	Tag     reflect.StructTag
	comment string // its key in Comments
	index   []int
}

// Doc returns the field's comment ([Comments]), or the text of a tag that replaces it; or else what to do.
func (f Field) Doc() string {
	return cmp.Or(f.Tag.Get("jsonschema_description"), Comments()[f.comment], "No comment is known: run make generate.")
}

// Of returns the field of a struct.
func (f Field) Of(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// Text returns the field's value in a struct as a record shows it; a value that is left out is empty.
func (f Field) Text(of reflect.Value) string {
	switch v := f.Of(of); {
	case f.Optional() && v.IsZero():
		return ""
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	default:
		return strconv.FormatInt(v.Int(), 10)
	}
}

// Set parses a text as [Field.Text] writes it, and stores the value in the struct. The error is an
// *Error.
func (f Field) Set(of reflect.Value, text string) (err error) {
	v := f.Of(of)
	switch {
	case v.Kind() == reflect.String:
		v.SetString(f.Was().Now(text))
	case text == "" && f.Optional():
		v.SetZero()
	case v.Kind() == reflect.Bool:
		if text != "true" && text != "false" {
			return &Error{f.Name, fmt.Sprintf("%q: expected true or false", text)}
		}
		v.SetBool(text == "true")
	case v.CanUint():
		var number uint64
		number, err = strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(number)
	default:
		var number int64
		number, err = strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(number)
	}
	if err != nil {
		return &Error{f.Name, fmt.Sprintf("%q: expected an integer", text)}
	}
	return nil
}

// Was says what the field's values were called before; nil if they had no other names.
func (f Field) Was() Was {
	if r, renamed := reflect.Zero(f.Type).Interface().(Renamed); renamed {
		return r.Was()
	}
	return nil
}

// Optional reports whether the field is left out while it is empty, 0 or false.
func (f Field) Optional() bool { return strings.Contains(f.Tag.Get("json"), ",omit") }

// Fields lists the exported fields of a struct that have a JSON name, including fields of embedded structs.
// Other types have none.
func Fields(of any) (fs []Field) {
	t := reflect.TypeOf(of)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	if found, ok := fieldsOf.Load(t); ok {
		return slices.Clone(found.([]Field))
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		owner := t
		if above := f.Index[:len(f.Index)-1]; len(above) > 0 {
			owner = t.FieldByIndex(above).Type
		}
		fs = append(fs, Field{name, f.Type, f.Tag, owner.PkgPath() + "." + owner.Name() + "." + f.Name, f.Index})
	}
	fieldsOf.Store(t, fs)
	return slices.Clone(fs)
}

// fieldsOf caches the fields of each type: a grid needs them at every point, and finding them would take
// a sixth of its time.
var fieldsOf sync.Map
