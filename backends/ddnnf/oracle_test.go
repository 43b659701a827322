package ddnnf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"queens/backends"
	"queens/backends/conformance"
	"queens/backends/ddnnf"
	"queens/encode"
)

func TestConformance(t *testing.T) {
	conformance.RunAny(t, ddnnf.Methods(), func(p encode.Problem) backends.Backend {
		g, err := ddnnf.Compile(t.Context(), p, ddnnf.Options{})
		require.NoError(t, err)
		return ddnnf.New(g, 0)
	})
}
