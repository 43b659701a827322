//go:build !unix

package system

import (
	"io"
	"os"
)

// EndWith does nothing: a job object ends a run with its harness, and a browser runs none.
func EndWith(io.Reader) {}

// Signal returns "": signals do not end processes here.
func Signal(*os.ProcessState) string { return "" }

// Load returns "unknown".
func Load() string { return "unknown" }
