package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"queens/board"
	"queens/encode"
	"queens/encode/order"
	"queens/ordering"
)

func newOrder() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "order",
		Short: "Show variable orders, look for better ones, prove the best",
	}
	cmd.AddCommand(newOrderList(), newOrderShow(), newOrderSearch(), newOrderProve(), newOrderBound())
	return cmd
}

func newOrderList() *cobra.Command {
	var (
		n      int
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "The named variable orders, with a picture of each",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 || n > encode.MaxN {
				return exit(badInput, fmt.Errorf("flag -n %d: expected a board size from 1 to %d", n, encode.MaxN))
			}
			type listed struct {
				Name   string   `json:"name"`
				Reason string   `json:"reason"`
				Order  []string `json:"order"`
			}
			var list []listed
			for _, o := range order.All() {
				list = append(list, listed{o.Name, o.Reason, cellNames(o.Of(n).Cells(n))})
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"n": n, "orders": list})
			}
			for _, o := range order.All() {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n%s\n", o.Name, o.Reason, o.Of(n).Draw(n)); err != nil {
					return err
				}
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "force and random take any seed after the colon.")
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 4, "board size of the pictures")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// mostListed is the largest board whose solutions are listed to size an order:
// 365,596 of them. The next has six times as many.
const mostListed = 14

// orderSizer lists the solutions of an empty board.
func orderSizer(ctx context.Context, n int) (*ordering.Sizer, error) {
	if n < 1 || n > mostListed {
		return nil, exit(badInput, fmt.Errorf("flag -n %d: expected 1 to %d, as all solutions are listed", n, mostListed))
	}
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, exit(badInput, err)
	}
	return ordering.Of(ctx, p)
}

func newOrderShow() *cobra.Command {
	var (
		n      int
		flags  orderFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show -n N",
		Short: "One order: its picture, and the size of both diagrams level by level",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			o, name, err := flags.order(n)
			if err != nil {
				return err
			}
			bdd, zdd := make([]int, n*n), make([]int, n*n)
			s.Widths(o, bdd, zdd)
			sizes := s.Sizes(o)
			out := cmd.OutOrStdout()
			if asJSON {
				return printJSON(out, map[string]any{
					"n": n, "name": name, "order": cellNames(o.Cells(n)),
					"bdd_nodes": sizes.BDD, "zdd_nodes": sizes.ZDD, "bdd_widths": bdd, "zdd_widths": zdd,
				})
			}
			fmt.Fprintf(out, "%s\nLevels, from 0 at the top:\n%s\n", name, o.Draw(n))
			fmt.Fprintf(out, "Nodes of the ROBDD at each level:\n%s\n", board.Draw(n, func(c board.Cell) string {
				return fmt.Sprint(bdd[o.Levels()[c.Index(n)]])
			}))
			_, err = fmt.Fprintf(out, "%d nodes as ROBDD, %d as ZDD (terminals not counted)\n", sizes.BDD, sizes.ZDD)
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", mostListed))
	flags.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// orderReport is the JSON of order search and order prove.
type orderReport struct {
	N           int      `json:"n"`
	Diagram     string   `json:"diagram"`
	Nodes       int      `json:"nodes"`
	Order       []string `json:"order"`
	Optimal     bool     `json:"optimal"`
	Evaluations int64    `json:"evaluations,omitempty"`
	Seed        *uint64  `json:"seed,omitempty"`
	Ensembles   int      `json:"ensembles,omitempty"`
	Method      string   `json:"method,omitempty"`
	Sets        int      `json:"sets,omitempty"`
	Solved      int      `json:"sets_solved,omitempty"`
	RowMajor    int      `json:"row_major"` // nodes
	Seconds     float64  `json:"seconds"`
}

func (r *orderReport) print(w io.Writer, o order.Order) error {
	proved := "the best met"
	if r.Optimal {
		proved = "the smallest there is, proved"
	}
	fmt.Fprintf(w, "Levels, from 0 at the top:\n%s\n", o.Draw(r.N))
	fmt.Fprintf(w, "n = %d: %s of %d nodes, %s; row-major has %d\n", r.N, r.Diagram, r.Nodes, proved, r.RowMajor)
	if r.Evaluations > 0 {
		fmt.Fprintf(w, "%d orders evaluated with seed %d in %.3g s\n", r.Evaluations, *r.Seed, r.Seconds)
		return nil
	}
	_, err := fmt.Fprintf(w, "%d sets of variables, %d of them solved, in %.3g s\n", r.Sets, r.Solved, r.Seconds)
	return err
}

func newOrderProve() *cobra.Command {
	var (
		n       int
		diagram string
		method  string
		file    string
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "prove -n N",
		Short: "Prove the smallest diagram over all orders, up to n = 6",
		Long: `Prove the smallest diagram over all orders, by dynamic programming over sets of
variables (Friedman and Supowit 1990). Methods, which share no code:
  sets    from the solutions, top down, with interchangeable cells and the board's
          symmetries; up to n = 6 (n = 5 has the most sets and takes longest)
  tables  from the truth table, bottom up, as published; up to n = 4`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := ordering.ParseDiagram(diagram)
			if err != nil {
				return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
			}
			most, known := map[string]int{"sets": 6, "tables": 4}[method]
			if !known {
				return exit(badInput, fmt.Errorf("flag --method %q: expected sets or tables", method))
			}
			if n < 1 || n > most {
				return exit(badInput, fmt.Errorf("flag -n %d: expected 1 to %d for method %s", n, most, method))
			}
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			start := time.Now()
			var proof ordering.Proof
			if method == "tables" {
				proof, err = ordering.MinimumByTables(cmd.Context(), ordering.TruthTable(n), d)
			} else {
				proof, err = ordering.Minimum(cmd.Context(), s, d, ordering.Symmetries(n))
			}
			if err != nil {
				return err
			}
			proof.Order = ordering.Canonical(n, proof.Order)
			report := orderReport{
				N: n, Diagram: diagram, Nodes: proof.Nodes, Order: cellNames(proof.Order.Cells(n)), Optimal: true,
				Method: method, Sets: proof.States, Solved: proof.Solved,
				RowMajor: s.Sizes(rowMajor(n)).Of(d), Seconds: time.Since(start).Seconds(),
			}
			if file != "" {
				if err := writeOrder(file, n, proof.Order, fmt.Sprintf("n = %d, %s of %d nodes, the smallest there is", n, d, proof.Nodes)); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), report)
			}
			return report.print(cmd.OutOrStdout(), proof.Order)
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, "board size (required)")
	cmd.Flags().StringVar(&diagram, "diagram", "bdd", "kind of diagram: bdd or zdd")
	cmd.Flags().StringVar(&method, "method", "sets", "sets or tables")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write the order to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newOrderBound() *cobra.Command {
	var (
		n       int
		diagram string
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "bound -n N",
		Short: "Prove a lower bound on the diagram over all orders, up to n = 8",
		Long: `Prove a lower bound on the diagram over all orders, up to n = 8: one more than the
proved minimum with a queen on one cell, for the best such cell.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := ordering.ParseDiagram(diagram)
			if err != nil {
				return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
			}
			if n < 1 || n > 8 {
				return exit(badInput, fmt.Errorf("flag -n %d: expected 1 to 8", n))
			}
			s, err := orderSizer(cmd.Context(), n)
			if err != nil {
				return err
			}
			start := time.Now()
			bound, err := ordering.LowerBound(cmd.Context(), s, d, ordering.Symmetries(n))
			if err != nil {
				return err
			}
			cell, by := "", "a node for each cell"
			if bound.Cell > 0 {
				cell = encode.VarCell(n, bound.Cell).String()
				by = "a queen on " + cell
			}
			out, seconds := cmd.OutOrStdout(), time.Since(start).Seconds()
			if asJSON {
				return printJSON(out, map[string]any{
					"n": n, "diagram": diagram, "lower_bound": bound.Nodes, "cell": cell, "seconds": seconds,
				})
			}
			_, err = fmt.Fprintf(out, "n = %d: no order gives a %s of fewer than %d nodes (by %s; %.3g s)\n", n, d, bound.Nodes, by, seconds)
			return err
		},
	}
	cmd.Flags().IntVarP(&n, "size", "n", 0, "board size (required)")
	cmd.Flags().StringVar(&diagram, "diagram", "bdd", "kind of diagram: bdd or zdd")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func rowMajor(n int) order.Order {
	o, err := order.ByName("row-major")
	if err != nil {
		panic(err) // the name is ours
	}
	return o.Of(n)
}

// writeOrder writes an order file atomically, with a line that says what it is.
func writeOrder(file string, n int, o order.Order, what string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", what)
	if err := o.Write(&b, n); err != nil {
		return err
	}
	return exit(badInput, renameio.WriteFile(file, b.Bytes(), 0o644))
}

// searchFlags are the flags of order search.
type searchFlags struct {
	n           int
	diagram     string
	seed        uint64
	ensembles   int
	time        time.Duration
	evaluations int64
	resume      string
	output      string
	asJSON      bool
}

func newOrderSearch() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search -n N",
		Short: "Look for a variable order with a smaller diagram",
		Long: `Look for a variable order with a smaller diagram, by parallel tempering from
row-major. The same seed, ensembles and evaluations give the same order. Where it
can be proved (n up to 6) the search ends with the proof, and the answer is
optimal.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().IntVarP(&f.n, "size", "n", 0, fmt.Sprintf("board size, 1 to %d (required)", mostListed))
	cmd.Flags().StringVar(&f.diagram, "diagram", "bdd", "kind of diagram whose nodes count: bdd or zdd")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random numbers")
	cmd.Flags().IntVar(&f.ensembles, "ensembles", 2, "independent searches, each on a core of its own")
	cmd.Flags().DurationVar(&f.time, "time", time.Minute, "stop after this time")
	cmd.Flags().Int64Var(&f.evaluations, "evaluations", 0, "stop after so many orders (default: by time only)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "keep the search in this file, and go on from there when it exists")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "keep the best order so far in this file")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

// provable is how many orders are tried before a proof is.
const provable = 100_000

func (f *searchFlags) run(cmd *cobra.Command) error {
	d, err := ordering.ParseDiagram(f.diagram)
	if err != nil {
		return exit(badInput, fmt.Errorf("flag --diagram: %w", err))
	}
	if f.ensembles < 1 || f.ensembles > 256 {
		return exit(badInput, fmt.Errorf("flag --ensembles %d: expected 1 to 256", f.ensembles))
	}
	if f.time <= 0 {
		return exit(badInput, fmt.Errorf("flag --time %v: expected more than 0", f.time))
	}
	if f.evaluations < 0 {
		return exit(badInput, fmt.Errorf("flag --evaluations %d: expected 1 or more", f.evaluations))
	}
	limit := f.evaluations
	if limit == 0 {
		limit = 1<<63 - 1
	}
	for _, file := range []string{f.output, f.resume} {
		if err := writable(file); err != nil {
			return exit(badInput, err)
		}
	}
	start := time.Now()
	s, err := orderSizer(cmd.Context(), f.n)
	if err != nil {
		return err
	}
	search, err := f.begin(cmd, s, d)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), f.time)
	defer cancel()
	keeper := &keeper{flags: f, search: search, log: cmd.ErrOrStderr()}
	err = search.Run(ctx, min(limit, provable), keeper.look)
	optimal := false
	if err == nil {
		optimal, err = search.Prove(ctx, ordering.Symmetries(f.n))
	}
	if err == nil && !optimal {
		err = search.Run(ctx, limit, keeper.look)
	}
	if saved := keeper.save(); saved != nil {
		return saved
	}
	if cmd.Context().Err() != nil {
		return exit(interrupted, fmt.Errorf("interrupted: %s", keeper.whatIsKept()))
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	best, nodes := search.Best()
	best = ordering.Canonical(f.n, best)
	report := orderReport{
		N: f.n, Diagram: f.diagram, Nodes: nodes, Order: cellNames(best.Cells(f.n)), Optimal: optimal,
		Evaluations: search.Evaluations(), Seed: &f.seed, Ensembles: f.ensembles,
		RowMajor: s.Sizes(rowMajor(f.n)).Of(d), Seconds: time.Since(start).Seconds(),
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), report)
	}
	return report.print(cmd.OutOrStdout(), best)
}

// writable reports what keeps a file from being written, before hours are spent
// on what goes into it. It leaves the file as it is.
func writable(file string) error {
	if file == "" {
		return nil
	}
	pending, err := renameio.NewPendingFile(file)
	if err != nil {
		return err
	}
	return pending.Cleanup()
}

// begin starts the search, or goes on from the file.
func (f *searchFlags) begin(cmd *cobra.Command, s *ordering.Sizer, d ordering.Diagram) (*ordering.Search, error) {
	if f.resume == "" {
		return ordering.NewSearch(s, d, f.seed, f.ensembles), nil
	}
	data, err := os.ReadFile(f.resume)
	if errors.Is(err, fs.ErrNotExist) {
		return ordering.NewSearch(s, d, f.seed, f.ensembles), nil
	}
	if err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --resume: %w", err))
	}
	var state ordering.State
	if err := json.Unmarshal(data, &state); err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --resume: %s: %w", f.resume, err))
	}
	search, err := ordering.ResumeSearch(s, state)
	if err != nil {
		return nil, exit(badInput, fmt.Errorf("flag --resume: %s: %w", f.resume, err))
	}
	// What the file says stands; a flag that says otherwise is a mistake.
	given := func(flag, value, saved string) error {
		if cmd.Flags().Changed(flag) && value != saved {
			return exit(badInput, fmt.Errorf("flag --%s %s: the search in %s has %s", flag, value, f.resume, saved))
		}
		return nil
	}
	if err := errors.Join(
		given("diagram", f.diagram, state.Diagram),
		given("seed", fmt.Sprint(f.seed), fmt.Sprint(state.Seed)),
		given("ensembles", fmt.Sprint(f.ensembles), fmt.Sprint(len(state.Ensembles))),
	); err != nil {
		return nil, err
	}
	f.diagram, f.seed, f.ensembles = state.Diagram, state.Seed, len(state.Ensembles)
	fmt.Fprintf(cmd.ErrOrStderr(), "harness: going on from %s after %d orders\n", f.resume, search.Evaluations())
	return search, nil
}

// keeper reports a search's progress and keeps its files up to date.
type keeper struct {
	flags   *searchFlags
	search  *ordering.Search
	log     io.Writer
	looked  time.Time
	saved   time.Time
	nodes   int // as last reported
	written int // as last written to the order file
}

// look is called after each step.
func (k *keeper) look() error {
	now := time.Now()
	if k.looked.IsZero() {
		k.looked, k.saved = now, now
	}
	if now.Sub(k.looked) < time.Second {
		return nil
	}
	k.looked = now
	if _, nodes := k.search.Best(); nodes != k.nodes {
		fmt.Fprintf(k.log, "harness: %d nodes after %d orders\n", nodes, k.search.Evaluations())
		k.nodes = nodes
	}
	if now.Sub(k.saved) < 10*time.Second {
		return nil
	}
	k.saved = now
	return k.save()
}

// save writes the files that the flags ask for.
func (k *keeper) save() error {
	if best, nodes := k.search.Best(); k.flags.output != "" && (k.written == 0 || nodes < k.written) {
		k.written = nodes
		n := k.flags.n
		what := fmt.Sprintf("n = %d, %s of %d nodes: seed %d, %d ensembles, %d orders",
			n, k.flags.diagram, nodes, k.flags.seed, k.flags.ensembles, k.search.Evaluations())
		if err := writeOrder(k.flags.output, n, ordering.Canonical(n, best), what); err != nil {
			return err
		}
	}
	if k.flags.resume == "" {
		return nil
	}
	data, err := json.Marshal(k.search.State())
	if err != nil {
		return err
	}
	return exit(badInput, renameio.WriteFile(k.flags.resume, append(data, '\n'), 0o644))
}

// whatIsKept says where an interrupted search can be found.
func (k *keeper) whatIsKept() string {
	_, nodes := k.search.Best()
	found := fmt.Sprintf("best %d nodes after %d orders", nodes, k.search.Evaluations())
	if k.flags.resume == "" {
		return found + "; with --resume FILE it could be gone on from"
	}
	return fmt.Sprintf("%s; the same command goes on from %s", found, k.flags.resume)
}
