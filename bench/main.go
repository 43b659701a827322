package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measurement is what a child process prints.
type measurement struct {
	Nodes     int     `json:"nodes"`
	Solutions string  `json:"solutions"`
	Seconds   float64 `json:"seconds"`
	PeakKiB   int64   `json:"peak_kib"`
}

// contest is one question put to several engines.
type contest struct {
	construction string
	n            int
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	sizes := flag.String("n", "10,11,12", "board sizes")
	constructions := flag.String("construction", "bdd-benchmark,row-wise",
		"constructions: bdd-benchmark and row-wise also by other packages, others by ours alone")
	order := flag.String("order", "row-major", "variable order; other packages always use row-major")
	repeats := flag.Int("repeats", 7, "measurements of each engine")
	buddyNodes := flag.Int("buddy-nodes", 0, "initial nodes of BuDDy's table; 0: try several sizes and use the fastest")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the sequence of measurements")
	child := flag.String("child", "", "measure this engine, once, and print JSON")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	var contests []contest
	for _, c := range strings.Split(*constructions, ",") {
		for _, s := range strings.Split(*sizes, ",") {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return fmt.Errorf("flag -n: board size %q", s)
			}
			contests = append(contests, contest{c, n})
		}
	}
	if *child != "" {
		m, err := measure(*child, contests[0], *order)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(m)
	}
	dir, err := os.MkdirTemp("", "queens-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	buddy, err := buildBuddy(dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: without BuDDy: %v\n", err)
	}
	fmt.Printf("%s, %s, seed %d, %d measurements of each\n\n", cpuModel(), runtime.Version(), *seed, *repeats)
	fmt.Println("| construction | n | engine | nodes | CPU seconds, median (least to most) | against ours " +
		"| peak MiB | against ours |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, c := range contests {
		if err := c.hold(buddy, *buddyNodes, *order, *repeats, *seed); err != nil {
			return err
		}
	}
	return nil
}

// hold measures every engine that knows the construction, and prints one row for
// each.
func (c contest) hold(buddy string, buddyNodes int, order string, repeats int, seed uint64) error {
	engines := []string{"queens"}
	if c.construction == "bdd-benchmark" || c.construction == "row-wise" {
		engines = append(engines, "rudd")
		if buddy != "" {
			engines = append(engines, "buddy")
			if buddyNodes == 0 {
				var err error
				if buddyNodes, err = c.tuneBuddy(buddy); err != nil {
					return err
				}
			}
		}
	}
	var turns []string
	for range repeats {
		turns = append(turns, engines...)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(c.n)))
	rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	self, err := os.Executable()
	if err != nil {
		return err
	}
	results := map[string][]measurement{}
	for _, engine := range turns {
		cmd := exec.Command(self, "-child", engine, "-construction", c.construction, "-order", order, "-n",
			strconv.Itoa(c.n))
		if engine == "buddy" {
			cmd = c.buddy(buddy, buddyNodes)
		}
		m, err := measurementOf(cmd)
		if err != nil {
			return fmt.Errorf("%s, %s, n = %d: %w", engine, c.construction, c.n, err)
		}
		results[engine] = append(results[engine], m)
	}
	first := results[engines[0]][0]
	var ours, oursPeak float64
	for _, engine := range engines {
		var seconds, peaks []float64
		for _, m := range results[engine] {
			if m.Nodes != first.Nodes || m.Solutions != first.Solutions {
				return fmt.Errorf("%s, %s, n = %d: %d nodes, %s solutions; queens has %d, %s", engine, c.construction,
					c.n, m.Nodes, m.Solutions, first.Nodes, first.Solutions)
			}
			seconds = append(seconds, m.Seconds)
			peaks = append(peaks, float64(m.PeakKiB)/1024)
		}
		slices.Sort(seconds)
		name := engine
		if engine == "buddy" {
			name = fmt.Sprintf("buddy, %d Ki nodes", buddyNodes>>10)
		}
		s, p := median(seconds), median(peaks)
		if engine == engines[0] {
			ours, oursPeak = s, p
		}
		fmt.Printf("| %s | %d | %s | %d | %.3g (%.3g to %.3g) | %.2f | %.1f | %.2f |\n",
			c.construction, c.n, name, first.Nodes, s, seconds[0], seconds[len(seconds)-1], s/ours, p, p/oursPeak)
	}
	return nil
}

// measurementOf runs a program that prints a measurement.
func measurementOf(cmd *exec.Cmd) (m measurement, err error) {
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, fmt.Errorf("its output %q: %w", out, err)
	}
	return m, nil
}

func (c contest) buddy(program string, nodes int) *exec.Cmd {
	return exec.Command(program, c.construction, strconv.Itoa(c.n), strconv.Itoa(nodes))
}

// tuneBuddy returns the initial size of BuDDy's node table, from 2^14 to 2^22, with which
// it is fastest, by the least of three times unless they are too long.
func (c contest) tuneBuddy(program string) (nodes int, err error) {
	best := 0.0
	for size := 1 << 14; size <= 1<<22; size <<= 1 {
		least := 0.0
		for try := 0; try < 3 && (try == 0 || least < 3); try++ {
			m, err := measurementOf(c.buddy(program, size))
			if err != nil {
				return 0, fmt.Errorf("tuning buddy, %s, n = %d: %w", c.construction, c.n, err)
			}
			if try == 0 || m.Seconds < least {
				least = m.Seconds
			}
		}
		if nodes == 0 || least < best {
			nodes, best = size, least
		}
	}
	return nodes, nil
}

func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// buildBuddy compiles the driver.
func buildBuddy(dir string) (string, error) {
	source, err := filepath.Abs("buddy/queens.c")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(source); err != nil {
		return "", errors.New("run it in the folder bench")
	}
	binary := filepath.Join(dir, "queens-buddy")
	if out, err := exec.Command("cc", "-O3", "-o", binary, source, "-lbdd").CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling buddy/queens.c (Debian: gcc, libbdd-dev): %w: %s", err,
			strings.TrimSpace(string(out)))
	}
	return binary, nil
}

// cpuModel names the processor, if the system reports it.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return fmt.Sprintf("%s, %d cores", strings.TrimSpace(value), runtime.NumCPU())
		}
	}
	return runtime.GOARCH
}
