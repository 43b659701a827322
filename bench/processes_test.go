package bench

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// model is a file of a feature model, and the processor time of the processes that found its backbone, in milliseconds.
type model struct {
	name, path   string
	ours, theirs []float64
	same         bool // the backbones are equal
}

// least and long are the milliseconds from which on a file's ratio may be at most 1.1 and 1: below, both start and end.
const least, long = 10.0, 20.0

// BenchmarkProcesses finds the backbone of every DIMACS file below the folder MODELS, and of five of those that are zipped, by
// two whole processes in turn: the program HARNESS and CadiBack, which must be on the PATH. It compares their backbones and
// their processor time, children included. Where a ratio is near 1 or above, it takes medians of REPEATS (5) pairs.
func BenchmarkProcesses(b *testing.B) {
	root, harness := os.Getenv("MODELS"), os.Getenv("HARNESS")
	if root == "" || harness == "" {
		b.Skip("MODELS and HARNESS name no folder of feature models and no program: see make processes")
	}
	repeats := 5
	if text := os.Getenv("REPEATS"); text != "" {
		number, err := strconv.Atoi(text)
		noError(b, err)
		repeats = number
	}
	models, err := modelsBelow(root, b.TempDir())
	noError(b, err)
	for b.Loop() {
		for i := range models {
			m := &models[i]
			noError(b, m.measure(harness))
			for m.most() >= least && m.ratio() > .7 && len(m.ours) < repeats {
				noError(b, m.measure(harness))
			}
			if !m.same || m.most() >= least {
				fmt.Printf("%-70s %8.1f %8.1f ms  %.2f of %d  same: %v\n", m.name, median(m.ours), median(m.theirs), m.ratio(), len(m.ours), m.same)
			}
		}
		report(b, models)
	}
}

// modelsBelow lists the models below a folder. The zipped ones go into the folder for files that are unpacked.
func modelsBelow(root, unpacked string) (models []model, err error) {
	var zipped []model
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".dimacs"), strings.HasSuffix(path, ".cnf"):
			models = append(models, model{name: name, path: path})
		case strings.HasSuffix(path, ".dimacs.zip"):
			zipped = append(zipped, model{name: name, path: path})
		}
		return nil
	})
	const some = 5
	for i := range some {
		if len(zipped) < some || err != nil {
			break
		}
		m := zipped[i*(len(zipped)-1)/(some-1)]
		archive := m.path
		m.path = filepath.Join(unpacked, fmt.Sprint(i)+".cnf")
		err = unpack(archive, m.path)
		models = append(models, m)
	}
	return models, err
}

// unpack writes the first file of an archive.
func unpack(archive, to string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	from, err := r.File[0].Open()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(from)
	return cmp.Or(err, os.WriteFile(to, text, 0o600))
}

// measure runs both programs once.
func (m *model) measure(harness string) error {
	took, ours, err := backbone(harness, "valid", "--format", "backbone", "--cnf", m.path)
	if err != nil {
		return err
	}
	m.ours = append(m.ours, took)
	took, theirs, err := backbone("cadiback", "-q", m.path)
	m.theirs = append(m.theirs, took)
	m.same = slices.Equal(ours, theirs)
	return err
}

// backbone runs a program that prints a backbone. It returns its processor time in milliseconds, and its lines b LITERAL, or
// the one that says that there is no solution, in sorted order.
func backbone(command ...string) (took float64, lines []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode()%10 != 0 {
		return 0, nil, fmt.Errorf("running %s: %w", strings.Join(command, " "), err)
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "b ") || line == "s UNSATISFIABLE" {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds()) / 1000, lines, nil
}

// report prints what all models say together.
func report(b *testing.B, models []model) {
	logs, number, quicker, different := 0.0, 0, 0, 0
	var ours, theirs float64
	for _, m := range models {
		ours, theirs = ours+median(m.ours), theirs+median(m.theirs)
		if m.ratio() < 1 {
			quicker++
		}
		if m.most() >= long {
			logs, number = logs+math.Log(m.ratio()), number+1
		}
		if !m.same {
			different++
			b.Errorf("%s: the backbones differ", m.name)
		}
		if m.most() >= long && m.ratio() > 1 || m.most() >= least && m.ratio() > 1.1 {
			fmt.Printf("over: %s %.2f\n", m.name, m.ratio())
		}
	}
	fmt.Printf("%d models, %d with different backbones; ours %.1f s, CadiBack %.1f s; ours is quicker on %d\n", len(models), different,
		ours/1000, theirs/1000, quicker)
	b.ReportMetric(math.Exp(logs/float64(number)), fmt.Sprintf("of-CadiBack-on-%d-from-%.0f-ms", number, long))
}

func (m *model) ratio() float64 { return median(m.ours) / median(m.theirs) }

// most returns the time of the slower program.
func (m *model) most() float64 { return max(median(m.ours), median(m.theirs)) }

func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}
