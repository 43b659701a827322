package tasks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments/spec"
)

const configs = "../../configs"

// The schema that editors read is the one that the Go types give.
// UPDATE_SCHEMA=1 writes it.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := spec.Schema(Kinds())
	require.NoError(t, err)
	path := filepath.Join(configs, "schema.json")
	if os.Getenv("UPDATE_SCHEMA") != "" {
		require.NoError(t, os.WriteFile(path, want, 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "UPDATE_SCHEMA=1 go test ./experiments/tasks writes it anew")
}

// Every configuration loads, has runs, names the schema in its first line, and
// says what it is to answer.
func TestConfigsLoad(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(configs, "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(data), "# yaml-language-server: $schema=schema.json\n"), file)
		asked, notes, err := spec.Load(file, nil, Kinds())
		require.NoError(t, err, file)
		assert.Empty(t, notes)
		assert.NotEmpty(t, asked.Question, file)
		assert.Equal(t, asked.Name+".yaml", filepath.Base(file))
		runs, err := asked.Grid(Kinds())
		require.NoError(t, err, file)
		assert.NotEmpty(t, runs, file)
	}
}
