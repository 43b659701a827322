package param

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

type parameters struct {
	N    int    `json:"n,omitempty"`
	Seed uint64 `json:"seed"`
	Sift bool   `json:"sift"`
	Name string `json:"name"`
	Kept string `json:"-"`
}

// A struct is set again from the texts of its fields.
func TestFieldsAreSetFromTheirTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := parameters{N: rapid.Int().Draw(t, "n"), Seed: rapid.Uint64().Draw(t, "seed"), Sift: rapid.Bool().Draw(t, "sift"),
			Name: rapid.String().Draw(t, "name")}
		var q parameters
		for _, f := range Fields(p) {
			require.NoError(t, f.Set(reflect.ValueOf(&q).Elem(), f.Text(reflect.ValueOf(p))))
		}
		assert.Equal(t, p, q)
	})
	var p parameters
	for i, text := range []string{"1.5", "-1", "yes"} {
		err := Fields(p)[i].Set(reflect.ValueOf(&p).Elem(), text)
		assert.ErrorContains(t, err, `"`+text+`": expected `)
		assert.ErrorAs(t, err, new(*Error))
	}
	assert.Zero(t, p)
}
