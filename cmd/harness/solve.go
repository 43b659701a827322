package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/backends"
	"queens/backends/localsearch"
	"queens/board"
	"queens/configure/lesson"
	"queens/encode"
)

// solveReport is the JSON output of solve. Queens[r] is the column of the queen in row r; it
// is empty if no solution was found. None says that there is no solution.
type solveReport struct {
	about
	Found    bool     `json:"found"`
	None     bool     `json:"none"`
	Queens   []int32  `json:"queens"` // for queens: the column of each row's queen, counted from 0
	True     []string `json:"true"`   // the true variables: the cells with queens
	Method   string   `json:"method"`
	By       string   `json:"by,omitempty"`      // the portfolio's back-end that answered
	Solver   string   `json:"solver,omitempty"`  // outside this process
	Checked  *bool    `json:"checked,omitempty"` // whether the constraints confirm its solution, or the portfolio that there is none
	Init     string   `json:"init"`
	Seed     uint64   `json:"seed"`
	Steps    int64    `json:"steps"`
	Restarts int      `json:"restarts"`
	Seconds  float64  `json:"seconds"`

	dimacs func(io.Writer) error // writes the solution of an exact method
	asked  encode.Problem        // of an exact method
	why    *literalReport        // for text: why the assumptions leave no solution; nil if it is not known
}

// drawnUpTo is the size of the largest board that text output draws.
const drawnUpTo = 40

// solveFlags are the flags of solve.
type solveFlags struct {
	flags
	method, limit string
	decide        bool   // after a few tries of local search the portfolio answers
	format        string // output format
	local         localsearch.Options
}

func newSolve() *cobra.Command {
	s := solveFlags{method: string(localsearch.Methods()[0]), format: "text", local: localsearch.Options{Init: localsearch.Inits()[0]}}
	able := ask.Able(ask.Solve)
	cmd := &cobra.Command{
		Use:   "solve -n N",
		Short: "Find one solution, by local search or an exact method",
		Long: `Find one solution.

Local search (--method) repairs a board set up by --init, and restarts after --limit steps. It may fail to
find a solution that exists; it then says so, and the exit code is 3. Back-ends are exact: they can also prove
that there is no solution, which is an answer, with exit code 0. If an outside --solver says that there is none, the
portfolio checks it, in at most five times the solver's time or a second; the exit code is 4 if it finds one.

Local search solves boards of queens, unless a back-end or one of its options is given. On boards up to ` + fmt.Sprint(mostDecided) + `
it has ` + fmt.Sprint(fewTries) + ` tries, and then the portfolio decides; with --method, --init, --limit or --tries it goes on alone.
Every other problem, and any question with --assume or --format dimacs, goes to the back-end that suits it.

With --format dimacs the command is a SAT solver like others: it prints a status and the values of all variables
of the file, and ends with exit code 10 (satisfiable) or 20 (unsatisfiable).

Back-ends:
` + backendHelp(able, false),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.decide = s.N <= mostDecided &&
				!slices.ContainsFunc([]string{"method", "init", "limit", "tries"}, cmd.Flags().Changed)
			exactly, err := s.exact(cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return s.solve(cmd.Context(), consoleOf(cmd), exactly)
		},
	}
	s.register(cmd, ask.Solve, ask.Fields(ask.Solve)...)
	nameFlag(cmd, &s.method, "method", "method of local search", localsearch.Methods())
	cmd.MarkFlagsMutuallyExclusive("method", "backend")
	nameFlag(cmd, (*string)(&s.local.Init), "init", "initial board of local search", localsearch.Inits())
	cmd.Flags().Uint64Var(&s.local.Seed, "seed", 1, "seed of local search's random choices")
	cmd.Flags().StringVar(&s.limit, "limit", "fit",
		"most steps in one try of local search: fit (fitted to measurements), a number, or a multiple of n as in 20n")
	cmd.Flags().IntVar(&s.local.Tries, "tries", localsearch.DefaultTries,
		"number of tries, each from a new board, before local search gives up")
	nameFlag(cmd, &s.format, "format", "output format; dimacs is that of SAT competitions", []string{"text", "dimacs"})
	addJSON(cmd)
	cmd.MarkFlagsMutuallyExclusive("format", "json")
	return cmd
}

// solve solves the problem, by a back-end or by local search.
func (s *solveFlags) solve(ctx context.Context, c console, exactly bool) error {
	solve := s.byLocalSearch
	if s.decide {
		solve = s.decided
	}
	if exactly {
		s.method, solve = "", s.exactly
	}
	s.whole = s.format == "dimacs"
	working(ctx, "solving by %s", cmp.Or(s.method, string(s.Backend), "what suits the problem"))
	start := time.Now()
	report, err := solve(ctx, c)
	if err != nil {
		return err
	}
	if report.Checked == nil { // a check is not part of the answer's time
		report.Seconds = time.Since(start).Seconds()
	}
	if c.json && len(report.Queens) > 0 { // not in text
		report.True = lesson.Names(board.Queens(report.Queens))
	}
	print := report.print
	if s.format == "dimacs" {
		print = report.dimacs
	} else if report.None && !c.json {
		if report.why, err = contradiction(ctx, report.asked, patience(report.Seconds)); err != nil {
			return err
		}
	}
	err = c.show(ctx, report, print)
	if err == nil && s.format == "dimacs" {
		err = exit(map[bool]int{true: hasModel, false: hasNone}[report.Found], errDone)
	}
	if err == nil && !report.Found && !report.None {
		err = exit(runsFailed, fmt.Errorf("no solution found in %d tries, but there may be one; "+
			"--backend portfolio decides", report.Restarts+1))
	}
	return err
}

// exact reports whether a back-end solves the problem, not local search; given tells which flags are given.
func (s *solveFlags) exact(given func(flag string) bool) (bool, error) {
	asked := s.Choice != (ask.Choice{})
	if !asked && (given("method") || s.Problem == ask.Queens && s.assume == "" && s.format != "dimacs") {
		return false, nil
	}
	who := "a back-end"
	if s.Backend != "" {
		who = "back-end " + string(s.Backend)
	}
	for _, name := range []string{"method", "init", "seed", "limit", "tries"} {
		if given(name) {
			return true, invalid("flag --%s: only local search uses it, and %s is asked", name, who)
		}
	}
	return true, nil
}

// fewTries is the number of tries by local search after which the portfolio decides. On boards without a solution
// the portfolio says so in .3 ms, where a hundred tries take 40 ms and decide nothing. Beyond mostDecided it may take
// seconds; at 1,000 and 2,000 it is 5 to 17 times as slow as local search, which therefore comes first.
const (
	fewTries    = 3
	mostDecided = 2000
)

// decided finds a solution by a few tries of local search, or by the portfolio, which also proves that there is none.
func (s *solveFlags) decided(ctx context.Context, c console) (*solveReport, error) {
	s.local.Tries = fewTries
	report, err := s.byLocalSearch(ctx, c)
	if err != nil || report.Found || report.None {
		return report, err
	}
	s.Backend = ask.Portfolio
	return s.exactly(ctx, c)
}

// byLocalSearch looks for a solution by local search.
func (s *solveFlags) byLocalSearch(ctx context.Context, _ console) (*solveReport, error) {
	if s.Problem != ask.Queens || s.assume != "" || s.format == "dimacs" {
		return nil, invalid("local search solves only boards of queens, which it shows as boards; a --backend does more")
	}
	limit, err := s.stepLimit()
	if err != nil {
		return nil, err
	}
	queens, blocked, err := s.readInstance()
	if err != nil {
		return nil, exit(badInput, err)
	}
	on := localsearch.Board{N: s.N}
	if on.Placed, err = board.ParseCells(s.N, s.place); err != nil {
		return nil, invalid("flag --place: %w", err)
	}
	if on.Blocked, err = board.ParseCells(s.N, s.block); err != nil {
		return nil, invalid("flag --block: %w", err)
	}
	on.Placed, on.Blocked = union(on.Placed, queens), union(on.Blocked, blocked)
	work := workOf(ctx)
	if needs := localsearch.LeastBytes(s.N); needs > work.room() {
		return nil, exit(runsFailed, fmt.Errorf("a board of %d needs at least %s of memory, and the limit is %s: %s",
			s.N, amount(uint64(needs)), amount(uint64(work.room())), work.roomy()))
	}
	s.local.Method, s.local.Limit = localsearch.Method(s.method), limit
	next := time.Now()
	s.local.Watch = func(e localsearch.Event) {
		if e.Step%64 == 0 && time.Now().After(next) {
			next = time.Now().Add(100 * time.Millisecond)
			work.tell(0, "board %d of at most %d, step %d", e.Try+1, s.local.Tries, e.Step)
		}
	}
	r, err := localsearch.Solve(ctx, on, s.local)
	if err != nil && ctx.Err() == nil {
		return nil, exit(badInput, err)
	}
	return &solveReport{
		True:  []string{},
		about: about{Problem: string(s.Problem), N: s.N, Placed: lesson.Names(on.Placed), Blocked: lesson.Names(on.Blocked)},
		Found: r.Found, None: r.None, Queens: r.Columns(), Method: s.method, Init: string(s.local.Init), Seed: s.local.Seed,
		Steps: r.Steps, Restarts: r.Restarts,
	}, err
}

// union returns the cells of a and those of b that are not in a.
func union(a, b []board.Cell) []board.Cell {
	return append(a, slices.DeleteFunc(b, func(c board.Cell) bool { return slices.Contains(a, c) })...)
}

// stepLimit parses --limit and returns the maximum number of steps in one try; 0 means the fitted limit.
func (s *solveFlags) stepLimit() (int64, error) {
	if s.limit == "fit" {
		return 0, nil
	}
	digits, multiple := strings.CutSuffix(s.limit, "n")
	k, err := strconv.ParseInt(digits, 10, 31)
	if err != nil || k < 1 {
		return 0, invalid("flag --limit %q: expected fit, a number of steps, or a multiple of n as in 20n", s.limit)
	}
	if multiple {
		k *= int64(s.N)
	}
	return k, nil
}

// exactly solves the problem with a back-end.
func (s *solveFlags) exactly(ctx context.Context, c console) (*solveReport, error) {
	p, err := s.problem(c)
	if err != nil {
		return nil, err
	}
	answer, err := s.ask(ctx, p, ask.Question{Want: ask.Solve})
	var checked *bool
	if err == nil {
		checked, err = s.checkSolved(ctx, p, answer.By, answer.Status, answer.Seconds)
	}
	report := &solveReport{about: s.about(p), Method: string(answer.By.Backend), By: answer.How, Queens: []int32{}, True: []string{}, asked: p}
	report.Seconds = answer.Seconds
	if report.Checked = checked; outside(answer.By) {
		report.Solver = string(answer.By.Solver)
	}
	report.dimacs = func(w io.Writer) error {
		if checked != nil && !*checked {
			fmt.Fprintln(w, "c not checked")
		}
		return printDIMACS(w, p, answer.Status, answer.Model)
	}
	report.Found, report.None = answer.Status == backends.Sat, answer.Status == backends.Unsat
	if !p.IsQueens() {
		report.True = trueNames(p, answer.Model)
		return report, err
	}
	for _, cell := range encode.CellsOf(p.N, answer.Model) {
		report.Queens = append(report.Queens, int32(cell.Col))
	}
	return report, err
}

// print writes the solution as text, with a drawing if the board is small.
func (r *solveReport) print(w io.Writer) error {
	what := "found"
	switch {
	case len(r.Queens) > 0 && r.N <= drawnUpTo:
		fmt.Fprintf(w, "%s\n", fitWidth(w, board.DrawQueens(r.N, board.Queens(r.Queens))))
	case len(r.Queens) > 0:
		what = fmt.Sprintf("found %d queens (--json lists them)", r.N)
	case r.Found:
		what = "found: " + cmp.Or(strings.Join(r.True, " "), "no variable is true")
	case r.None:
		what = "there is no solution"
	default:
		what = "not found"
	}
	how := r.Method
	if r.By != "" {
		how += " by " + r.By
	}
	if r.Solver != "" {
		how += " (" + r.Solver + ")" + opinion(r.Checked, map[bool]string{true: "the constraints", false: "the portfolio"}[r.Found])
	}
	if r.Init != "" {
		how = fmt.Sprintf("%s from %s, seed %d: %d steps, %d restarts", r.Method, r.Init, r.Seed, r.Steps, r.Restarts)
	}
	_, err := fmt.Fprintf(w, "%s; %s, %s\n", what, strings.TrimSuffix(how, ","), took(r.Seconds))
	if err == nil && r.why != nil {
		err = r.why.print(w)
	}
	return err
}
