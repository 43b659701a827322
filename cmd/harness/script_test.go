package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"queens/backends/conformance"
)

// Most scripts wait, for processes or for time to pass, so more of them run at a time than there are processors.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"harness": main})
}

// Each file in testdata/script tests one behaviour of the command line: the exit code,
// standard output and standard error.
func TestScripts(t *testing.T) {
	t.Parallel()
	models, err := filepath.Abs("../../configs/models")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: func(e *testscript.Env) error { e.Setenv("MODELS", models); return nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"sub":   sub,
			"tear":  tear,

			"waitfor":    waitFor,
			"peak":       peak,
			"terminal":   terminal,
			"terminated": terminated,
		},
		Condition: func(name string) (bool, error) {
			if name == "root" { // may make devices
				return os.Geteuid() == 0, nil
			}
			if name == "slow" {
				return conformance.Slow, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// exits CODE COMMAND...: the command must end with exactly that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		type coder interface{ ExitCode() int }
		exitErr, ok := err.(coder)
		if !ok {
			ts.Fatalf("%v: %v", args[1:], err)
		}
		code = strconv.Itoa(exitErr.ExitCode())
	}
	if code != args[0] {
		ts.Fatalf("%v: exit code %s, expected %s", args[1:], code, args[0])
	}
}

// sub FILE OLD NEW: replaces the first OLD in the file, which must be there.
func sub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || !strings.Contains(ts.ReadFile(args[0]), args[1]) {
		ts.Fatalf("usage: sub FILE OLD NEW, with OLD in FILE")
	}
	text := strings.Replace(ts.ReadFile(args[0]), args[1], args[2], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// tear FILE: removes the file's last line but one, and cuts the last line in the middle, as
// a crash during a write may.
func tear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tear FILE")
	}
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	torn := strings.Join(lines[:len(lines)-3], "") + lines[len(lines)-2][:20]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(torn), 0o644))
}

// waitfor FILE LINES: waits until the file has at least that many lines.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE LINES")
	}
	lines, err := strconv.Atoi(args[1])
	ts.Check(err)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if data, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Count(string(data), "\n") >= lines {
			return
		}
	}
	ts.Fatalf("%s never had %d lines", args[0], lines)
}
