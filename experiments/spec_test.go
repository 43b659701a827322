package experiments

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExclusionOfBigNumbers(t *testing.T) {
	var e Exclusion
	require.NoError(t, json.Unmarshal([]byte(`{"n": [1000000, 10000000]}`), &e))
	for n, want := range map[string]bool{"100000": false, "1000000": true, "10000000": true} {
		out, err := e.excludes(map[string]string{"n": n}, nil)
		require.NoError(t, err)
		assert.Equal(t, want, out, n)
	}
}
