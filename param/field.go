package param

import (
	"cmp"
	"reflect"
	"slices"
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

// Doc returns the field's comment ([Comments]), or what a tag says instead.
func (f Field) Doc() string {
	return cmp.Or(f.Tag.Get("jsonschema_description"), Comments()[f.comment])
}

// Of returns the field of a struct.
func (f Field) Of(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// Optional reports whether the field is left out while it is empty, 0 or false.
func (f Field) Optional() bool { return strings.Contains(f.Tag.Get("json"), ",omit") }

// Fields lists the exported fields of a struct that have a JSON name, those of embedded structs
// among them; anything else has none.
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

// fieldsOf keeps the fields of each type: a grid asks for them at every point, which would take a sixth
// of its time.
var fieldsOf sync.Map
