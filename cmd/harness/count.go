package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"queens/backends"
	"queens/backends/registry"
	"queens/encode"
)

// countReport is the JSON output of count.
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
		b      problemFlags
		f      backendFlags
		asJSON bool
	)
	names := registry.Names[backends.Counter]()
	cmd := &cobra.Command{
		Use:   "count -n N",
		Short: "Count the solutions",
		Long: `Count the solutions.

Back-ends:
` + countHelp(),
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := b.problem()
			if err != nil {
				return err
			}
			suited, err := registry.ForCount(p)
			if err != nil && f.name == "" {
				return exit(badInput, err)
			}
			chosen, err := choose[backends.Counter](&f, cmd, suited)
			if err != nil {
				return err
			}
			report := countReport{problemReport: b.report(p), Backend: chosen.Name, Method: chosen.Counting}
			end := progressOf(cmd.Context()).begin(cmd.ErrOrStderr(), fmt.Sprintf("counting %s", p))
			err = report.count(cmd.Context(), &f, chosen, p, &b)
			end()
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), report)
			} else {
				noun := "solutions"
				if report.Solutions == "1" {
					noun = "solution"
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s %s; %s by %s in %.4g s\n",
					report.Solutions, noun, report.Backend, report.Method, report.Seconds)
			}
			if err != nil {
				return err
			}
			return checkKnown(p, report.Solutions)
		},
	}
	b.register(cmd)
	f.register(cmd, names)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// countHelp returns the descriptions of the back-ends that count.
func countHelp() string {
	var text strings.Builder
	for _, b := range registry.All() {
		if b.Counting != "" {
			fmt.Fprintf(&text, "  %-10s %s\n", b.Name, b.Doc)
		}
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// count creates the back-end, counts the solutions and fills the report.
func (r *countReport) count(
	ctx context.Context,
	f *backendFlags,
	chosen registry.Backend,
	p encode.Problem,
	b *problemFlags,
) (err error) {
	start := time.Now()
	made, err := f.make(ctx, chosen, p, b)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, registry.Close(made)) }()
	solutions, err := made.(backends.Counter).Count(ctx, p.Fixed)
	if err != nil {
		return f.diagram.limited(err)
	}
	r.Solutions, r.Seconds = solutions.String(), time.Since(start).Seconds()
	if peak, tells := made.(registry.PeakCounter); tells {
		r.PeakBytes = peak.PeakBytes()
	}
	return nil
}

// checkKnown compares the number of solutions with the published one, if there is one and
// no cell is fixed.
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
