package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
)

// A wrong answer outweighs runs that failed.
func TestVerdict(t *testing.T) {
	record := func(o experiments.Outcome) experiments.Record {
		return experiments.Record{"outcome": string(o)}
	}
	require.NoError(t, verdict([]experiments.Record{record(experiments.OK)}, "f"))
	for _, o := range experiments.Outcomes()[2:] {
		assert.Equal(t, runsFailed, codeOf(verdict([]experiments.Record{record(experiments.OK), record(o)}, "f")), o)
		assert.Equal(t, wrongAnswer, codeOf(verdict([]experiments.Record{record(o), record(experiments.Wrong)}, "f")), o)
	}
}

func codeOf(err error) int {
	var coded *codedError
	if errors.As(err, &coded) {
		return coded.code
	}
	return 0
}
