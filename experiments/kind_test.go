package experiments_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/internal/param"
)

type square struct {
	N int `json:"n" jsonschema_description:"A size."`
}

// Before its clock a run does the same on a small problem, if there is one and the small one exists. It changes no parameter.
func TestWarm(t *testing.T) {
	for _, test := range []struct {
		small func(square) square
		ran   []int
	}{
		{nil, nil},
		{func(square) square { return square{2} }, []int{2}},
		{func(square) square { return square{3} }, nil}, // there is none of 3
	} {
		var ran []int
		task, err := experiments.Kind[square]{
			Name: "square", Small: test.small,
			Normalise: func(s *square) error {
				if s.N == 3 {
					return &param.Unsuited{}
				}
				return nil
			},
			Run: func(s *square, _ context.Context, m *experiments.Meter) (experiments.Finding, error) {
				return experiments.Finding{}, m.Time(experiments.Build, func() error {
					ran = append(ran, s.N)
					return nil
				})
			},
		}.Erase().Task(map[string]string{"n": "9"}, nil)
		require.NoError(t, err)
		task.Warm(t.Context())
		assert.Equal(t, test.ran, ran)
		assert.Equal(t, "9", task.Parameters()["n"])
	}
}
