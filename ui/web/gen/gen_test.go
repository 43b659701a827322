package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The embedded files match their sources.
func TestFilesAreInStep(t *testing.T) {
	t.Chdir("..")
	require.NoError(t, run(true))
}

// Every operation is described, and nothing else.
func TestEveryOperationIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../api/openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			Summary     string
			RequestBody struct {
				Content map[string]struct {
					Schema struct{ Properties map[string]any }
				}
			}
			Responses map[string]struct {
				Content map[string]struct {
					Schema struct {
						Description string
						Properties  map[string]any
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &document))
	assert.Len(t, document.Paths, len(calls())+1) // and /healthz
	for _, c := range calls() {
		name := c.Name
		call, described := document.Paths["/api/v1/"+name]["post"]
		require.True(t, described, name)
		assert.NotEmpty(t, call.Summary)
		schema := call.Responses["200"].Content["application/json"].Schema
		assert.NotEmpty(t, schema.Properties, name)
		assert.NotEmpty(t, schema.Description, "%s: no comment", name)
	}
	board := document.Paths["/api/v1/board"]["post"].RequestBody.Content["application/json"].Schema.Properties
	for _, field := range []string{"n", "placed", "blocked", "backend", "order", "counts"} {
		assert.Contains(t, board, field)
	}
}
