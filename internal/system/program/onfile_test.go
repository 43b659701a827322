//go:build unix

package program

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program gets the file that was written for it, and the file is gone afterwards.
func TestOnFile(t *testing.T) {
	content := func(w io.Writer) error {
		_, err := io.WriteString(w, "p cnf 0 0\n")
		return err
	}
	out, err := OnFile{Name: "cat", Command: "sh -c 'cat $0; echo $0' {cnf}"}.Run(context.Background(), content)
	require.NoError(t, err)
	text, name, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), "\n")
	assert.Equal(t, "p cnf 0 0", text)
	assert.NoFileExists(t, name)

	_, err = OnFile{Name: "bad", Command: "sh -c 'echo why; exit 7' {cnf}"}.Run(context.Background(), content)
	assert.EqualError(t, err, "expected exit code 0, 10 or 20, not 7: why")
	_, err = OnFile{Name: "sat", Command: "sh -c 'exit 10' {cnf}"}.Run(context.Background(), content)
	assert.NoError(t, err)
	disk := errors.New("disk full")
	_, err = OnFile{Name: "cat", Command: "cat {cnf}"}.Run(context.Background(), func(io.Writer) error { return disk })
	assert.ErrorIs(t, err, disk)

	assert.EqualError(t, OnFile{Name: "a", Command: "ganak"}.Check("counter", "ganak {cnf}"),
		`counter "ganak": expected a command with {cnf} for the file, as in "ganak {cnf}"`)
	assert.EqualError(t, OnFile{Name: "mine", Command: "no-such-program {cnf}"}.Check("counter", "ganak {cnf}"),
		`counter mine: program "no-such-program" is not on the PATH`)
	described := Descriptions{"counter": {"mine": {Command: "cat {cnf}"}}}
	for name, command := range map[string]string{"mine": "cat {cnf}", "other {cnf}": "other {cnf}"} {
		p, is := described.OnFile("counter", name)
		assert.True(t, is)
		assert.Equal(t, OnFile{Name: name, Command: command}, p)
	}
	for _, name := range []string{"", None} {
		_, is := described.OnFile("counter", name)
		assert.False(t, is, "%q", name)
	}
}
