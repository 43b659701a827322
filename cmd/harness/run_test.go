package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/record"
	"queens/experiments/tasks"
)

// A wrong answer outweighs runs that failed.
func TestVerdict(t *testing.T) {
	row := func(o record.Outcome) record.Row {
		return record.NewRow(tasks.Kinds()[0].Columns(), map[string]string{"outcome": string(o)})
	}
	require.NoError(t, verdict([]record.Row{row(record.OK)}, "f"))
	assert.Equal(t, wrongAnswer, codeOf(verdict([]record.Row{row(record.OK), row(record.Contradicted)}, "f")))
	for _, o := range record.Outcomes()[3:] {
		assert.Equal(t, runsFailed, codeOf(verdict([]record.Row{row(record.OK), row(o)}, "f")), o)
		assert.Equal(t, wrongAnswer, codeOf(verdict([]record.Row{row(o), row(record.Wrong)}, "f")), o)
	}
}

func codeOf(err error) int {
	var coded *codedError
	if errors.As(err, &coded) {
		return coded.code
	}
	return 0
}
