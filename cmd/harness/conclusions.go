package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"queens/experiments/report"
)

func newConclusions() *cobra.Command {
	var records string
	cmd := &cobra.Command{
		Use:   "conclusions [TEMPLATE]",
		Short: "Check whether conclusions follow from records: a verdict on each",
		Long: `Check whether conclusions follow from records, and print them with a verdict on each. TEMPLATE
(default configs/core/conclusions.md) is a template as for harness docs, with claims:

  {{- $sizes := table "orders" "ROBDD nodes" -}}
  {{claim "Row by row is close to the best order known." ($sizes.Ratios "0.9 to 1" "n = 12" "best-bdd")}}

Ratios, Values and Lines name bounds ("< 1", "> 2", "= 4", "0.5 to 2") and choose cells: their ratios to
the table's first column, their numbers, or the number of lines must be within. A claim holds if the
whole 95% interval of every cell is within, and does not hold if the whole interval of one is outside;
otherwise it is not decided, as where runs are missing. The exit code is 1 if a claim does not hold,
and 4 if a record set has wrong answers.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			name := "configs/core/conclusions.md"
			if len(names) > 0 {
				name = names[0]
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return invalid("reading conclusions: %w", err)
			}
			documents := report.NewDocuments(records, readSet)
			judged, err := documents.Fill(name, source)
			switch {
			case errors.Is(err, fs.ErrNotExist) && !cmd.Flags().Changed("records"):
				return invalid("%s lacks record sets: make core, in a clone of the project, measures them in ten minutes", records)
			case err != nil:
				return exit(badInput, err)
			}
			if _, err := cmd.OutOrStdout().Write(judged); err != nil {
				return err
			}
			switch {
			case len(documents.Wrong) > 0:
				return exit(wrongAnswer, fmt.Errorf("record sets of %s have wrong answers: %s", records,
					strings.Join(documents.Wrong, ", ")))
			case documents.Worst == report.Fails:
				return exit(1, fmt.Errorf("a conclusion of %s does not hold in %s", name, records))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&records, "records", "results/core", "folder of the record sets, which make core measures")
	return cmd
}
