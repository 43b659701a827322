//go:build linux

package run

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"queens/experiments/config"
	"queens/experiments/record"
	"queens/experiments/tasktest"
)

var toys = tasktest.Kinds()

// The test binary is also the program of each run's process, and the harness that the
// kill tests kill.
func TestMain(m *testing.M) {
	limitFiles()
	if len(os.Args) > 1 {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
		defer stop()
		switch os.Args[1] {
		case "run-one":
			if err := One(ctx, toys, os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		case "run-all":
			if err := runAll(ctx, os.Args[2], os.Args[3]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// runAll is harness run --resume.
func runAll(ctx context.Context, file, dir string) error {
	asked, err := config.Load(file, nil, toys)
	if err != nil {
		return err
	}
	st, err := record.Open(dir, asked, record.Observe(asked.Spec), record.OpenMode{Resume: true})
	if err != nil {
		return err
	}
	defer st.Close()
	self, err := Self("run-one")
	if err != nil {
		return err
	}
	r := Runner{Self: self, Progress: NewProgress(os.Stderr, false, toys[0].Columns())}
	return r.Run(ctx, st, asked.Runs)
}

// write writes text to a file in a new folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func load(t *testing.T, text string, sets ...string) config.Experiment {
	t.Helper()
	asked, err := config.Load(write(t, "x.yaml", text), sets, toys)
	require.NoError(t, err)
	return asked
}
