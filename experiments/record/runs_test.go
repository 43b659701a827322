package record

import (
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/tasktest"
)

// fourRuns returns an experiment of four runs.
func fourRuns(t *testing.T) (experiments.Kinds, config.Experiment, Environment) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(file, []byte("name: x\ntask: toy\naxes: {n: 1..4}\n"), 0o644))
	asked, err := config.Load(file, nil, tasktest.Kinds())
	require.NoError(t, err)
	return tasktest.Kinds(), asked, Observe(asked.Spec)
}

func rowOf(run experiments.Run, env Environment) Row {
	r := map[string]string{"schema": SchemaVersion, "id": run.ID, "task": "toy", "repeat": strconv.Itoa(run.Repeat),
		"position": strconv.Itoa(run.Position), "outcome": "ok", "started": Now(), "environment": env.ID}
	maps.Copy(r, run.Task.Parameters())
	return NewRow(tasktest.Kinds()[0].Columns(), r)
}
