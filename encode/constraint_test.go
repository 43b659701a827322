package encode_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/encode"
	"queens/encode/cnf"
)

// The fingerprint has a part of each field of a constraint but its name: a saved diagram is found by it.
func TestFingerprintKnowsEachField(t *testing.T) {
	of := func(c encode.Constraint) string {
		return encode.Problem{Names: make(encode.List, 3), Constraints: []encode.Constraint{c}}.Fingerprint()
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[encode.Constraint]()) {
		c := encode.Constraint{Least: 0, Most: 2, Lits: []cnf.Lit{1, 2, 3}}
		before := of(c)
		switch value := reflect.ValueOf(&c).Elem().FieldByIndex(field.Index); value.Kind() {
		case reflect.Int:
			value.SetInt(1)
		case reflect.Bool:
			value.SetBool(true)
		case reflect.Slice:
			value.Set(reflect.MakeSlice(field.Type, 3, 3))
			for i := range 3 {
				value.Index(i).SetInt(int64(3 - i))
			}
		default:
			value.SetString("a name")
		}
		assert.Equal(t, field.Name == "Name", before == of(c), field.Name)
	}
}
