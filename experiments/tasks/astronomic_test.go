package tasks

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
)

// A mean of completions that no float64 holds is left out, since no record can hold it.
func TestAstronomicCompletions(t *testing.T) {
	for vars, has := range map[int]bool{1000: true, 1200: false} {
		got, err := completions(context.Background(), encode.Problem{Names: make(encode.List, vars)}, [][]cnf.Var{nil})
		require.NoError(t, err)
		require.Equal(t, has, got != nil, "2^%d", vars)
	}
}
