package tasktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"queens/experiments"
	"queens/internal/param"
)

// Toy is a task that can end in every possible way.
type Toy struct {
	N     int   `json:"n" jsonschema:"required,minimum=1,maximum=100" jsonschema_description:"A size."`
	Small int   `json:"small" jsonschema:"minimum=0" jsonschema_description:"A size up to n."`
	How   How   `json:"how" jsonschema_description:"How it ends."`
	Seed  int64 `json:"seed" jsonschema:"minimum=0" jsonschema_description:"Matters only when small is not 0."`
}

// How is a way to end.
type How string

// Awaited is the environment variable that names the file for which an awaiting Toy waits.
const Awaited = "TOY_AWAITED"

// Values lists the ways.
func (How) Values() []string {
	return []string{"well", "slowly", "hungry", "grabbing", "panic", "error", "exit", "shot", "wrong", "disputed",
		"refuted", "confirmed", "forking", "escaping", "hiding", "awaiting", "endless",
		"twice", "twisted", "halting"}
}

// Result is what a Toy found.
type Result struct {
	Square string `json:"square" jsonschema_description:"n times n."`
	Trace  []int  `json:"trace" jsonschema_description:"1 to n."`
	Never  *int   `json:"never" jsonschema_description:"Nothing."`
}

func (t *Toy) normalise() error {
	if t.Small == 0 {
		t.Seed = 0
	}
	if t.Small > t.N {
		return &param.Unsuited{}
	}
	return nil
}

func (t *Toy) known() experiments.Known {
	if slices.Contains([]How{"disputed", "confirmed", "twice", "twisted", "halting"}, t.How) {
		return experiments.Known{}
	}
	return experiments.Known{Answer: fmt.Sprint(t.N * t.N), Source: "school"}
}

func (t *Toy) references() []Toy {
	switch t.How {
	case "disputed", "confirmed":
		return []Toy{{N: t.N, How: "well"}}
	case "twice", "twisted":
		return []Toy{{N: t.N, How: "halting"}}
	}
	return nil
}

// run squares n, or fails to.
func (t *Toy) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	answer := fmt.Sprint(t.N * t.N)
	trace := []int{}
	_ = m.Time(experiments.Build, func() error {
		for i := range t.N {
			trace = append(trace, i+1)
		}
		return nil
	})
	switch t.How {
	case "slowly":
		if _, err := os.MkdirTemp("", "toy"); err != nil {
			return experiments.Finding{}, err
		}
		err := m.Time(experiments.FirstQuery, func() error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Hour):
				return nil
			}
		})
		if err != nil {
			return experiments.Finding{}, err
		}
	case "awaiting": // waits until the file exists
		if _, err := os.MkdirTemp("", "toy"); err != nil {
			return experiments.Finding{}, err
		}
		_ = m.Time(experiments.FirstQuery, func() error {
			for ctx.Err() == nil {
				if _, err := os.Stat(os.Getenv(Awaited)); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			return nil
		})
	case "endless":
		for ctx.Err() == nil {
			if _, err := os.Stdout.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
				return experiments.Finding{}, err
			}
		}
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
		return experiments.Finding{}, errors.New("toy could not")
	case "exit":
		fmt.Fprintln(os.Stderr, "fatal: gone")
		os.Exit(1)
	case "shot":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(syscall.SIGTERM)
		}
		if err != nil {
			return experiments.Finding{}, err
		}
		<-ctx.Done()
		return experiments.Finding{}, ctx.Err()
	case "refuted":
		return experiments.Finding{}, fmt.Errorf("query 2: %w",
			&experiments.Contradiction{By: "abacus", Err: errors.New("7 times 7 is not 50")})
	case "confirmed":
		return experiments.Finding{CheckedBy: "abacus", Proved: true, Values: Result{Square: answer, Trace: trace}}, nil
	case "wrong", "disputed":
		answer += "1"
	case "twice": // two questions
		answer += experiments.Between + answer
	case "twisted":
		answer += "1" + experiments.Between + answer
	case "halting": // after the first of them
		m.Answered(answer)
		<-ctx.Done()
	case "forking":
		if err := exec.Command("sleep", fmt.Sprint(100000+t.N)).Start(); err != nil {
			return experiments.Finding{}, err
		}
	case "escaping": // a process of another session, whose parent has ended
		if err := escape(fmt.Sprintf("sleep %d", 100000+t.N)); err != nil {
			return experiments.Finding{}, err
		}
	case "hiding":
		if err := escape("(head -c 500000000 /dev/zero; sleep 100) | tail"); err != nil { // tail keeps the last line
			return experiments.Finding{}, err
		}
		<-ctx.Done()
	}
	return experiments.Finding{Answer: answer, Values: Result{Square: answer, Trace: trace}}, nil
}

// escape runs a shell command outside the process tree of this process.
func escape(command string) error {
	return exec.Command("sh", "-c", `setsid sh -c "$0" >/dev/null 2>&1 </dev/null &`, command).Run()
}

// Kinds is the toy alone.
func Kinds() experiments.Kinds {
	return experiments.Kinds{experiments.Kind[Toy]{
		Name: "toy", Doc: "squares a number.", Default: Toy{How: "well"}, Result: Result{},
		Normalise: (*Toy).normalise, Known: (*Toy).known, References: (*Toy).references, Run: (*Toy).run,
		Kin:   func(*Toy) []string { return []string{"twin"} },
		Title: func(t *Toy) string { return "toy " + string(t.How) },
	}.Erase()}
}
