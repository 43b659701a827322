package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// go run starts a program from a folder of its work the first time, and from its cache afterwards.
func TestGoRunIsRecognised(t *testing.T) {
	for executable, want := range map[string]bool{
		"/tmp/go-build308772705/b001/exe/harness":                           true,
		"/home/u/.cache/go-build/b1/b1b8c2cb16ca0f8e9e89f8d1a38f-d/harness": true,
		"/usr/local/bin/harness":                                            false,
		"/home/u/queens/harness":                                            false,
	} {
		assert.Equal(t, want, underGoRun(executable), executable)
	}
	// This test is such a program itself.
	self, err := os.Executable()
	require.NoError(t, err)
	if !underGoRun(self) {
		t.Skip("the test was built by go test -c")
	}
	assert.Regexp(t, "^go run [^ ]+/cmd/harness", invoked())
	t.Chdir("../..")
	assert.Equal(t, "go run ./cmd/harness", invoked())
}
