package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"queens/experiments/report"
)

func newConclusions() *cobra.Command {
	var records string
	cmd := &cobra.Command{
		Use:   "conclusions FILE",
		Short: "Check whether conclusions follow from records: a verdict for each",
		Long: `Check whether conclusions follow from records. FILE is YAML:

  conclusions:
    - claim: Row by row is close to the best order known.
      shown:
        - {set: orders, table: ROBDD nodes, where: [n = 12], columns: [best-bdd], ratio: 0.9 to 1}

names a record set's folder and a table of its report, as for harness docs, and says what the
chosen cells must be: their value, or their ratio to the table's first column, "< 1", "> 2", "= 4"
or "0.5 to 2". A conclusion holds if the whole 95% interval of every cell is within, and does not
hold if the whole interval of one is outside; else it is not decided. The exit code is 1 if one
does not hold.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			list, err := report.ReadConclusions(names[0])
			if err != nil {
				return exit(badInput, err)
			}
			out := cmd.OutOrStdout()
			worst, err := report.NewDocuments(records, readSet).Judge(out, names[0], list, widthOf(out))
			if err != nil {
				return exit(badInput, err)
			}
			if worst == report.Fails {
				return exit(1, fmt.Errorf("a conclusion of %s does not hold in %s", names[0], records))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&records, "records", "results/reference", "folder of the record sets")
	return cmd
}
