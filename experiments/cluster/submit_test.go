package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/experiments"
	"queens/experiments/config"
	"queens/experiments/tasktest"
)

func submission(t *testing.T, dir, out string) Submission {
	t.Helper()
	asked := config.Spec{Name: "x", Task: "toy", Axes: config.Axes{"n": {"1..5"}}, Repeats: 4}
	runs, err := asked.Grid(tasktest.Kinds()[0])
	require.NoError(t, err)
	return Submission{
		Experiment: config.Experiment{Spec: asked, Runs: runs}, Tasks: 3,
		Harness: "/opt/queens/harness", Config: "/home/me/x.yaml", Out: out, Dir: dir,
	}
}

// The shell never runs any part of a word. A real shell runs the
// script, with an sbatch that runs each job at once and writes its arguments to a file.
func TestNoWordOfAPersonIsRun(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	sbatch := "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$WORDS\"\nSLURM_ARRAY_TASK_ID=2 sh\necho 7\n"
	harness := "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$WORDS\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte(sbatch), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "har ness"), []byte(harness), 0o755))
	words := filepath.Join(t.TempDir(), "words")
	for _, evil := range []string{
		"res $(touch P) o", "a`touch P`", "a'; touch P; '", `a"; touch P; "`, "a\\", "$P", "a b", "*", "JOB", "&& touch P",
	} {
		require.NoError(t, os.WriteFile(words, nil, 0o644))
		s := submission(t, dir, evil)
		s.Harness, s.Sets, s.Config = filepath.Join(bin, "har ness"), []string{"question=" + evil}, evil
		s.Options = []string{"--comment=" + evil}
		script, err := s.Slurm()
		require.NoError(t, err)
		cmd := exec.Command("/bin/sh", "-c", string(script))
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "WORDS="+words, "P=expanded")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", evil, out)
		assert.Contains(t, string(out), "records go to "+evil+"\n")
		assert.NoFileExists(t, filepath.Join(dir, "P"), evil)
		got, err := os.ReadFile(words)
		require.NoError(t, err)
		for _, word := range []string{"--comment=" + evil, "question=" + evil, evil + ".shards/2-of-3", evil} {
			assert.Contains(t, strings.Split(string(got), "\n"), word)
		}
	}
}

func TestLineBreaksAreRefused(t *testing.T) {
	const broken = "--a\nJOB\ntouch P"
	for name, change := range map[string]func(*Submission){
		"--sbatch": func(s *Submission) { s.Options = []string{broken} },
		"--set":    func(s *Submission) { s.Sets = []string{broken} },
		"--out":    func(s *Submission) { s.Out = broken },
		"working":  func(s *Submission) { s.Dir = broken },
		"harness":  func(s *Submission) { s.Harness = broken },
		"config":   func(s *Submission) { s.Config = broken },
	} {
		s := submission(t, "/d", "o")
		change(&s)
		_, err := s.Slurm()
		assert.ErrorContains(t, err, "expected no line break", name)
	}
}

// A job asks for as many processors as its runs have workers.
func TestProcessors(t *testing.T) {
	s := submission(t, "/d", "o")
	script, err := s.Slurm()
	require.NoError(t, err)
	assert.Contains(t, string(script), "#SBATCH --cpus-per-task=1\n")
	type parameters struct {
		Workers int `json:"workers"`
	}
	kind := experiments.Kind[parameters]{Name: "busy"}.Erase()
	for _, workers := range []string{"3", "8", "2"} {
		task, err := kind.Task(map[string]string{"workers": workers}, nil)
		require.NoError(t, err)
		s.Runs = append(s.Runs, experiments.Run{Task: task})
	}
	assert.Equal(t, 8, s.workers())
}
