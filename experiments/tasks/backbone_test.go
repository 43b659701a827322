package tasks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/internal/system/program"
)

// An outside backbone extractor stands in the place of a back-end: what it says is compared with our answer, so a
// wrong literal is a wrong run, and the time that it reports is the time without the pipe.
func TestBackbones(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.cnf")
	require.NoError(t, os.WriteFile(file, []byte("p cnf 3 3\n1 0\n-1 2 0\n2 3 0\n"), 0o600)) // 1 and 2 are forced
	kind, err := Kinds().Named("valid-cells")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		says, answer string
		wrong        bool
	}{
		"right": {"b 1\nb 2\nb 0\nc total process time since initialization: 1.25 seconds\n", "valid 1,2,3 forced 1,2", false},
		"wrong": {"b 1\nb 2\nb -3\nb 0\n", "valid 1,2 forced 1,2", true},
	} {
		output := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(output, []byte(c.says), 0o600))
		programs := program.Descriptions{"backbone": {"toy": {Command: "sh -c 'cat " + output + "' {cnf}"}}}
		task, err := kind.Task(map[string]string{"problem": "cnf:" + file, "backbone": "toy", "queries": "1"}, programs)
		require.NoError(t, err)
		require.True(t, exists(t, task))
		assert.Equal(t, "outside", task.Parameters()["backend"])
		require.NoError(t, task.Program().Find())
		f := run(t, task)
		assert.Equal(t, c.answer, f.Answer, name)
		require.NotEmpty(t, task.References())
		for _, other := range task.References() {
			require.True(t, exists(t, other))
			assert.Equal(t, c.wrong, run(t, other).Answer != f.Answer, name)
		}
		net := f.Values.(ValidCellsResult).FirstNet
		if c.wrong {
			assert.Zero(t, net)
		} else {
			assert.Equal(t, 1.25, net)
		}
	}
	missing, err := kind.Task(map[string]string{"problem": "cnf:" + file, "backbone": "no-such {cnf}"}, nil)
	require.NoError(t, err)
	assert.ErrorContains(t, missing.Program().Find(), `program "no-such" is not on the PATH`)
	_, err = kind.Task(map[string]string{"problem": "cnf:" + file, "backbone": "cadibak"},
		program.Descriptions{"backbone": {"cadiback": {Command: "cadiback -q {cnf}"}}})
	assert.ErrorContains(t, err, "did you mean cadiback")
	assert.False(t, exists(t, made(t, "valid-cells", params{"n": 4, "backbone": "x {cnf}", "want": "counts"})))
	none := made(t, "valid-cells", params{"n": 4, "backbone": "none"})
	require.True(t, exists(t, none))
	assert.Empty(t, none.Parameters()["backbone"])
	var _ experiments.Equipped = &ValidCells{}
}
