package portfolio

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/oracletest"
	"queens/encode"
)

func TestConformance(t *testing.T) {
	oracletest.Run(t, func(p encode.Problem) any { return must(New(p)) })
}

func TestOtherProblemsAreRefused(t *testing.T) {
	for _, family := range encode.Families() {
		p, err := family.Build(6)
		require.NoError(t, err)
		o, err := New(p)
		if family.Name == "queens" {
			require.NoError(t, err)
			continue
		}
		assert.Nil(t, o)
		assert.ErrorContains(t, err, "sat takes any problem", family.Name)
	}
}

func TestUnknownMethod(t *testing.T) {
	_, err := must(New(queens(t, 4, "", ""))).Valid(context.Background(), nil, "pack")
	assert.ErrorContains(t, err, "back-end portfolio has staged")
}
