package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are command lines, which the help of their commands shows.
const examples = `harness compile -n 12 --order snake
harness compile -n 14 -o q14.zdd
harness compile -n 10 --construction row-wise
harness count -n 13
harness count -n 12 --place a1 --block c3,d4
harness count --problem latin -n 5
harness count --instance q8.param
harness list -n 6
harness list -n 12 --place a1 --number 5
harness list --cnf q8.cnf --assume d1 --json
harness sample -n 8 --number 10 --seed 1
harness valid -n 8 --place a1,b5
harness valid -n 100
harness valid -n 8 --backend sat --method core --json
harness valid --cnf q8.cnf --assume d1,-c4
harness solve -n 1000000
harness solve -n 20 --backend sat --place a1
harness solve -n 100 --method min-conflicts --init random --seed 7
harness encode -n 8 --amo sequential -o q8.cnf
harness encode --problem latin -n 5
harness encode -n 8 --place b4,d5 --format csplib -o q8.param
harness check --cnf q8.cnf --proof q8.drat
harness threshold -n 16
harness threshold -n 12 --queens 3 --json
harness explain -n 8 --place d1,c4,f6 a8
harness export -n 8 --format dddmp -o q8.dddmp
harness export -n 4 --format dot
harness order list -n 5
harness order show -n 8 --order two-ended
harness order search -n 6 --time 2s
harness order search -n 9 --time 1h -o best.order
harness order check order/smallest.csv
harness run configs/ordering.yaml
harness run configs/ordering.yaml --set axes.n=4..6 --out results/small
harness run configs/valid-cells.yaml --dry-run
harness report results/ordering
harness report --check results/reference/ordering
harness docs docs/src/findings.md --out docs/results --check
harness docs configs/core/conclusions.md --records results/core --out -
harness rerun results/reference/ordering
harness rerun results/reference/* --sample 500ms
harness merge results/ordering-1of2 results/ordering-2of2 --out results/ordering
harness compare results/ordering results/reference/ordering
harness play -n 8
harness play --lecture why-not
harness serve
harness serve --addr :8080 --host lecture.example.org
harness serve --diagrams diagrams
harness submit slurm configs/valid-cells.yaml
harness submit slurm configs/valid-cells.yaml --tasks 8
harness help valid
harness help order search
`

// withExamples adds the examples to a command and those below it.
func withExamples(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		withExamples(below)
	}
	if !cmd.HasParent() {
		return
	}
	var own []string
	for line := range strings.Lines(examples) {
		if strings.HasPrefix(strings.TrimSuffix(line, "\n")+" ", cmd.CommandPath()+" ") {
			own = append(own, "  "+strings.TrimSuffix(line, "\n"))
		}
	}
	cmd.Example = strings.Join(own, "\n")
}
