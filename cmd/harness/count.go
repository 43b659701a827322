package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/search"
	"queens/encode"
)

// countReport is the JSON of the command.
type countReport struct {
	problemReport
	Solutions string  `json:"solutions"`
	Backend   string  `json:"backend"`
	Method    string  `json:"method"`
	PeakBytes uint64  `json:"peak_bytes,omitempty"`
	Seconds   float64 `json:"seconds"`
}

func newCount() *cobra.Command {
	var (
		b       problemFlags
		d       diagramFlags
		backend string
		method  string
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions.

The back-end bdd counts by free-set, the sweep of that construction without keeping
a diagram, or by diagram, from one compiled or saved; search visits every solution.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			if method, err = countMethod(backend, method, d.file != ""); err != nil {
				return err
			}
			if method == "enumerate" {
				if err := d.unused(cmd, "method enumerate builds no diagram"); err != nil {
					return err
				}
			}
			if method == "free-set" && cmd.Flags().Changed("construction") {
				return exit(badInput, errors.New("flag --construction: method free-set takes none"))
			}
			start := time.Now()
			solutions, peak, err := count(cmd.Context(), p, &b, method, &d)
			if err != nil {
				return err
			}
			report := countReport{
				problemReport: b.report(p),
				Solutions:     solutions.String(), Backend: backend, Method: method,
				PeakBytes: peak, Seconds: time.Since(start).Seconds(),
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), report)
			} else {
				noun := "solutions"
				if report.Solutions == "1" {
					noun = "solution"
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s %s; %s by %s in %.4g s\n", report.Solutions, noun, backend, method, report.Seconds)
			}
			if err != nil {
				return err
			}
			return checkKnown(p, report.Solutions)
		},
	}
	b.register(cmd)
	d.register(cmd)
	cmd.Flags().StringVar(&backend, "backend", "bdd", "back-end: bdd or search")
	cmd.Flags().StringVar(&method, "method", "", "how the back-end counts: free-set, diagram; enumerate (default: its first)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// countMethod settles the method of a back-end; a saved diagram settles it too.
func countMethod(backend, method string, saved bool) (string, error) {
	methods, known := map[string][]string{"bdd": {"free-set", "diagram"}, "search": {"enumerate"}}[backend]
	switch {
	case !known:
		return "", exit(badInput, fmt.Errorf("flag --backend %q: expected bdd or search", backend))
	case method != "" && !slices.Contains(methods, method):
		return "", exit(badInput, fmt.Errorf("flag --method %q: back-end %s has %s", method, backend, strings.Join(methods, ", ")))
	case saved && (backend != "bdd" || method == "free-set"):
		return "", exit(badInput, errors.New("flag --diagram-file: it goes with --backend bdd --method diagram"))
	case saved:
		return "diagram", nil
	case method == "":
		return methods[0], nil
	}
	return method, nil
}

// count counts by a method. It also returns the bytes that the method held, where
// it knows.
func count(ctx context.Context, p encode.Problem, b *problemFlags, method string, d *diagramFlags) (*big.Int, uint64, error) {
	switch method {
	case "free-set":
		if p.N > bdd.MaxN {
			return nil, 0, exit(badInput, fmt.Errorf("%s: diagrams are built for sizes up to %d", p, bdd.MaxN))
		}
		o, _, err := d.order.order(p, b.cnfOrder)
		if err != nil {
			return nil, 0, err
		}
		n, stats, err := bdd.Count(ctx, p, o, robdd.Config{MaxBytes: int64(d.memory)})
		return new(big.Int).SetUint64(n), stats.PeakBytes, d.limited(err)
	case "diagram":
		c, err := d.diagram(ctx, p, b)
		if err != nil {
			return nil, 0, err
		}
		n, err := bdd.New(c).Count(ctx, p.Fixed)
		return n, c.Stats.PeakBytes, err
	}
	n, err := search.New(p).Count(ctx, nil)
	return n, 0, err
}

// checkKnown compares the number of solutions, where nothing is fixed, with the published
// one, where there is one.
func checkKnown(p encode.Problem, solutions string) error {
	family, err := encode.FamilyNamed(p.Family)
	if err != nil || len(p.Fixed) > 0 {
		return nil
	}
	if known, ok := family.Known(p.N); ok && known.String() != solutions {
		return exit(wrongAnswer, fmt.Errorf("%s: %s solutions, but %s has %s", p, solutions, family.Source, known))
	}
	return nil
}
