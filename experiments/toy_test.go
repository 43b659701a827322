package experiments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// toy is a task that ends in every way there is.
type toy struct {
	N     int   `json:"n" jsonschema:"required,minimum=1,maximum=100" jsonschema_description:"A size."`
	Small int   `json:"small" jsonschema:"minimum=0" jsonschema_description:"A size up to n."`
	How   how   `json:"how" jsonschema_description:"How it ends."`
	Seed  int64 `json:"seed" jsonschema:"minimum=0" jsonschema_description:"Matters only when small is not 0."`
}

type how string

func (how) Values() []string {
	return []string{"well", "slowly", "hungry", "grabbing", "panic", "error", "exit", "shot", "wrong", "disputed", "refuted", "forking"}
}

type toyResult struct {
	Square string `json:"square" jsonschema_description:"n times n."`
	Trace  []int  `json:"trace" jsonschema_description:"1 to n."`
	Never  *int   `json:"never" jsonschema_description:"Nothing."`
}

func (t *toy) Normalise() bool {
	if t.Small == 0 {
		t.Seed = 0
	}
	return t.Small <= t.N
}

func (t *toy) KnownAnswer() (string, string) {
	if t.How == "disputed" {
		return "", ""
	}
	return fmt.Sprint(t.N * t.N), "school"
}

func (t *toy) References() []Task {
	if t.How == "disputed" {
		return []Task{&toy{N: t.N, How: "well"}}
	}
	return nil
}

func (t *toy) String() string { return "toy " + string(t.How) }

func (t *toy) Run(ctx context.Context, m *Meter) (Finding, error) {
	answer := fmt.Sprint(t.N * t.N)
	trace := []int{}
	_ = m.Time(Build, func() error {
		for i := range t.N {
			trace = append(trace, i+1)
		}
		return nil
	})
	switch t.How {
	case "slowly":
		if _, err := os.MkdirTemp("", "toy"); err != nil {
			return Finding{}, err
		}
		time.Sleep(time.Hour)
	case "hungry", "grabbing":
		var hold [][]byte
		for len(hold) < 1<<40 {
			b := bytes.Repeat([]byte{1}, 1<<20)
			hold = append(hold, b)
			if t.How == "hungry" {
				time.Sleep(time.Millisecond)
			}
		}
		runtime.KeepAlive(hold)
	case "panic":
		panic("toy broke\nbadly")
	case "error":
		return Finding{}, errors.New("toy could not")
	case "exit":
		fmt.Fprintln(os.Stderr, "fatal: gone")
		os.Exit(1)
	case "shot":
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "refuted":
		return Finding{}, fmt.Errorf("query 2: %w", &Contradiction{"abacus", errors.New("7 times 7 is not 50")})
	case "wrong", "disputed":
		answer += "1"
	case "forking":
		if err := exec.Command("sleep", fmt.Sprint(100000+t.N)).Start(); err != nil {
			return Finding{}, err
		}
	}
	return Finding{Answer: answer, Values: toyResult{Square: answer, Trace: trace}}, nil
}

var toys = Kinds{{Name: "toy", Doc: "squares a number.", New: func() Task { return &toy{How: "well"} }, Result: toyResult{}}}

// The test binary is also the harness that runs measure with, and the harness
// that the kill tests kill.
func TestMain(m *testing.M) {
	limitFiles()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "run-one":
			if err := RunOne(context.Background(), toys, os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "run-all":
			if err := runAll(context.Background(), os.Args[2], os.Args[3]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// runAll is harness run --resume.
func runAll(ctx context.Context, config, dir string) error {
	spec, _, err := Load(config, nil, toys)
	if err != nil {
		return err
	}
	runs, err := spec.Grid(toys)
	if err != nil {
		return err
	}
	st, err := Open(dir, spec, toys[0].ColumnNames(), runs, Observe(spec), OpenMode{Resume: true})
	if err != nil {
		return err
	}
	defer st.Close()
	self, err := Self("run-one")
	if err != nil {
		return err
	}
	r := Runner{Self: self, Kind: toys[0], Progress: NewProgress(os.Stderr, false, toys[0])}
	return r.Run(ctx, st, runs)
}

// write puts text in a file of a fresh folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func load(t *testing.T, text string, sets ...string) Spec {
	t.Helper()
	spec, _, err := Load(write(t, "x.yaml", text), sets, toys)
	require.NoError(t, err)
	return spec
}

// problems loads a bad configuration and returns the message's lines, the file's
// path as FILE.
func problems(t *testing.T, text string, sets ...string) []string {
	t.Helper()
	path := write(t, "x.yaml", text)
	_, _, err := Load(path, sets, toys)
	require.Error(t, err)
	return strings.Split(strings.ReplaceAll(err.Error(), path, "FILE"), "\n")
}
