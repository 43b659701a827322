package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends"
	"queens/backends/local"
	"queens/board"
	"queens/choice"
	"queens/encode"
	"queens/lab"
)

// solveReport is the JSON output of solve. Queens[r] is the column of the queen in row r; it
// is empty if no solution was found. None says that there is no solution.
type solveReport struct {
	problemReport
	Found    bool     `json:"found"`
	None     bool     `json:"none"`
	Queens   []int32  `json:"queens"`         // for a board: the column of each row's queen
	True     []string `json:"true,omitempty"` // for other problems: the true variables
	Method   string   `json:"method"`
	Init     string   `json:"init"`
	Seed     uint64   `json:"seed"`
	Steps    int64    `json:"steps"`
	Restarts int      `json:"restarts"`
	Seconds  float64  `json:"seconds"`
}

// exactMethods returns the names of the back-ends that find solutions, and can also prove that
// there are none. They use no initial board and no seed.
func exactMethods() []string { return choice.Names(choice.Able(choice.Finds)) }

// largestExact is the largest board for exact methods: the solver's formula grows with n^3.
const largestExact = 300

// drawnUpTo is the largest board that is drawn in text output.
const drawnUpTo = 40

// solveFlags say how to look for a solution.
type solveFlags struct {
	method, init, limit string
	seed                uint64
	tries               int
	memory              memoryFlag
}

func newSolve() *cobra.Command {
	var (
		b problemFlags
		f solveFlags
	)
	cmd := &cobra.Command{
		Use:   "solve -n N",
		Short: "Find one solution, by local search or an exact method",
		Long: `Find one solution.

Local search (swap, min-conflicts, most-conflicts) repairs a board set up by --init,
and restarts after --limit steps. It may fail to find a solution that exists; it then
says so, and the exit code is 3. The exact methods are back-ends
(` + strings.Join(exactMethods(), ", ") + `): they can also prove that there is no solution,
which is an answer, with exit code 0.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			exact := slices.Contains(exactMethods(), f.method)
			if exact {
				for _, name := range []string{"init", "seed", "limit", "tries"} {
					if cmd.Flags().Changed(name) {
						return invalid("flag --%s: method %s does not use it", name, f.method)
					}
				}
			}
			start := time.Now()
			solve := f.local
			if exact {
				solve = f.exact
			}
			end := working(cmd, "solving by %s", f.method)
			report, err := solve(cmd.Context(), &b)
			end()
			if err != nil {
				return err
			}
			report.Seconds = time.Since(start).Seconds()
			err = show(cmd, report, report.print)
			if err == nil && !report.Found && !report.None {
				err = exit(runsFailed, fmt.Errorf("no solution found in %d tries, but there may be one; an exact "+
					"method (%s) can decide", report.Restarts+1, strings.Join(exactMethods(), ", ")))
			}
			return err
		},
	}
	b.register(cmd)
	solveMethods().register(cmd, &f.method, "method", string(local.Methods()[0]), "method: %s")
	texts(local.Inits()).register(cmd, &f.init, "init", string(local.Inits()[0]), "initial board of local search: %s")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of local search's random choices")
	cmd.Flags().StringVar(&f.limit, "limit", "fit",
		"most steps in one try of local search: fit (fitted to measurements), a number, or a multiple of n as in 20n")
	f.memory.register(cmd)
	cmd.Flags().IntVar(&f.tries, "tries", local.DefaultTries,
		"number of tries, each from a new board, before local search gives up")
	addJSON(cmd)
	return cmd
}

func solveMethods() choices { return append(texts(local.Methods()), exactMethods()...) }

// local looks for a solution by local search.
func (f *solveFlags) local(ctx context.Context, b *problemFlags) (*solveReport, error) {
	if !slices.Contains(local.Methods(), local.Method(f.method)) {
		return nil, solveMethods().unknown("method", f.method)
	}
	if !slices.Contains(local.Inits(), local.Init(f.init)) {
		return nil, texts(local.Inits()).unknown("init", f.init)
	}
	if f.method == string(local.Swap) && f.init == string(local.Random) {
		return nil, invalid("flag --init %s: method %s needs to start with one queen in each row", f.init, f.method)
	}
	if f.tries < 1 {
		return nil, invalid("flag --tries %d: expected 1 or more", f.tries)
	}
	limit, err := f.stepLimit()
	if err != nil {
		return nil, err
	}
	if b.family != "queens" || b.cnf != "" || b.assume != "" {
		return nil, invalid("local search solves only queens; other problems need --method %s",
			strings.Join(exactMethods(), ", "))
	}
	placed, blocked, err := b.cells(local.MaxN)
	if err != nil {
		return nil, err
	}
	if err := f.memory.need(local.LeastBytes(b.n), fmt.Sprintf("a board of %d", b.n)); err != nil {
		return nil, err
	}
	r, err := local.Solve(ctx, local.Board{N: b.n, Placed: placed, Blocked: blocked}, local.Options{
		Method: local.Method(f.method), Init: local.Init(f.init), Seed: f.seed, Limit: limit, Tries: f.tries,
		Watch: f.watch(progressOf(ctx)),
	})
	if err != nil {
		return nil, err
	}
	return &solveReport{
		problemReport: problemReport{
			Problem: "queens",
			N:       b.n,
			Placed:  lab.Names(placed),
			Blocked: lab.Names(blocked),
		}, Found: r.Found, None: r.None, Queens: r.Columns(),
		Method: f.method, Init: f.init, Seed: f.seed, Steps: r.Steps, Restarts: r.Restarts,
	}, nil
}

// watch reports the progress of local search, at most ten times a second.
func (f *solveFlags) watch(p *progress) func(local.Event) {
	next := time.Now()
	return func(e local.Event) {
		if e.Step%64 == 0 && time.Now().After(next) {
			next = time.Now().Add(100 * time.Millisecond)
			p.tell(0, "board %d of at most %d, step %s", e.Try+1, f.tries, thousands(uint64(e.Step)))
		}
	}
}

// stepLimit parses --limit and returns the most steps in one try, by board size.
func (f *solveFlags) stepLimit() (func(n int) int64, error) {
	if f.limit == "fit" {
		return local.FittedLimit, nil
	}
	digits, multiple := strings.CutSuffix(f.limit, "n")
	k, err := strconv.ParseInt(digits, 10, 31)
	if err != nil || k < 1 {
		return nil, invalid("flag --limit %q: expected fit, a number of steps, or a multiple of n as in 20n", f.limit)
	}
	if multiple {
		return local.LinearLimit(int(k)), nil
	}
	return func(int) int64 { return k }, nil
}

// exact solves the problem with a back-end.
func (f *solveFlags) exact(ctx context.Context, b *problemFlags) (*solveReport, error) {
	if b.n > largestExact {
		return nil, invalid("flag -n %d: exact methods support sizes from 1 to %d", b.n, largestExact)
	}
	p, err := b.problem()
	if err != nil {
		return nil, err
	}
	how := choiceFlags{Choice: choice.Choice{Backend: choice.BackendName(f.method)}, memory: f.memory}
	report := &solveReport{problemReport: b.report(p), Method: f.method, Queens: []int32{}}
	return report, how.ask(ctx, p, b, choice.Finds, func(made *choice.Answerer) error {
		answer, err := made.Answers.(backends.Finder).Solve(ctx, p.Fixed)
		report.Found, report.None = answer.Status == backends.Sat, answer.Status == backends.Unsat
		for _, l := range answer.Model {
			switch {
			case l.Positive() && p.IsQueens():
				report.Queens = append(report.Queens, int32(encode.VarCell(p.N, l.Var()).Col))
			case l.Positive():
				report.True = append(report.True, p.VarName(l.Var()))
			}
		}
		return err
	})
}

// print writes the solution as text, with a drawing if the board is small.
func (r *solveReport) print(w io.Writer) error {
	drawn := len(r.Queens) > 0 && r.N <= drawnUpTo
	if drawn {
		fmt.Fprintf(w, "%s\n", fitting(w, board.DrawQueens(r.N, board.Queens(r.Queens))))
	}
	how := r.Method
	if r.Init != "" {
		how = fmt.Sprintf("%s from %s, seed %d: %d steps, %d restarts", r.Method, r.Init, r.Seed, r.Steps, r.Restarts)
	}
	what := "not found"
	switch {
	case drawn:
		what = "found"
	case r.Found && len(r.Queens) == 0:
		what = "found: " + strings.Join(r.True, " ")
	case r.Found:
		what = fmt.Sprintf("found %d queens (--json lists them)", r.N)
	case r.None:
		what = "there is no solution"
	}
	_, err := fmt.Fprintf(w, "%s; %s, %.4g s\n", what, how, r.Seconds)
	return err
}
