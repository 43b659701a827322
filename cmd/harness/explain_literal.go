package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"queens/backends"
	"queens/backends/sat"
	"queens/encode"
	"queens/encode/cnf"
	"queens/explain"
)

// reasonReport is the JSON output of explain for problems other than queens.
type reasonReport struct {
	problemReport
	Assumed             []string          `json:"assumed"`
	Literal             string            `json:"literal"`
	Valid               bool              `json:"valid"`
	Text                string            `json:"text"`
	Blame               []string          `json:"blame"`
	BlameSmallest       bool              `json:"blame_smallest"` // proved: no fewer literals rule it out
	Constraints         []string          `json:"constraints,omitempty"`
	ConstraintsSmallest bool              `json:"constraints_smallest,omitempty"`
	Supposed            bool              `json:"supposed"` // the steps suppose the literal
	Steps               []inferenceReport `json:"steps"`
	Witness             []string          `json:"witness"` // the variables that are true in a solution
	Seconds             float64           `json:"seconds"`
}

type inferenceReport struct {
	Literal    string   `json:"literal,omitempty"` // none: the contradiction
	Constraint string   `json:"constraint"`
	Because    []string `json:"because"`
	Text       string   `json:"text"`
}

// explainLiteral says why a literal of any problem can or cannot be true.
func explainLiteral(
	ctx context.Context, f *problemFlags, p encode.Problem, word string, constraints bool, smallest time.Duration,
) (reasonReport, error) {
	lits, err := assumptions(p, word)
	if err == nil && len(lits) != 1 {
		err = fmt.Errorf("literals %q: expected one", word)
	}
	if err != nil {
		return reasonReport{}, invalid("explain: %w", err)
	}
	report := reasonReport{problemReport: f.report(p), Literal: named(p, lits[0])}
	assumed := p.Fixed
	p.Fixed = nil
	start := time.Now()
	finder := func(p encode.Problem) backends.Finder { return sat.New(p) }
	r, err := explain.Literal(ctx, p, finder, explain.LiteralQuestion{
		Assumed: assumed, Literal: lits[0], Constraints: constraints, Smallest: smallest,
	})
	if err != nil {
		return reasonReport{}, err
	}
	report.Seconds = time.Since(start).Seconds()
	report.Assumed, report.Blame = namedAll(p, assumed), namedAll(p, r.Blame)
	report.Valid, report.Text, report.BlameSmallest = r.Witness != nil, r.Sentence(p), r.Smallest
	report.Supposed, report.ConstraintsSmallest = r.Supposed && len(r.Steps) > 0, r.ConstraintsSmallest
	for _, c := range r.Constraints {
		report.Constraints = append(report.Constraints, explain.Words(p, c))
	}
	report.Steps = []inferenceReport{}
	for _, s := range r.Steps {
		step := inferenceReport{Constraint: explain.Words(p, s.Constraint), Because: namedAll(p, s.Because), Text: s.Sentence(p)}
		if s.Literal != 0 {
			step.Literal = named(p, s.Literal)
		}
		report.Steps = append(report.Steps, step)
	}
	report.Witness = namedAll(p, slices.DeleteFunc(slices.Clone(r.Witness), func(l cnf.Lit) bool { return l < 0 }))
	return report, nil
}

// named writes a literal as --assume takes it.
func named(p encode.Problem, l cnf.Lit) string {
	if l < 0 {
		return "-" + p.VarName(l.Var())
	}
	return p.VarName(l.Var())
}

func namedAll(p encode.Problem, lits []cnf.Lit) []string {
	names := make([]string, len(lits))
	for i, l := range lits {
		names[i] = named(p, l)
	}
	return names
}

func (r *reasonReport) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s.\n", r.Text)
	if r.Valid {
		fmt.Fprintln(w, "A solution:")
		for _, name := range r.Witness {
			_, err = fmt.Fprintf(w, "  %s\n", name)
		}
		return err
	}
	if r.Supposed {
		fmt.Fprintf(w, "Suppose %s:\n", r.Literal)
	}
	for i, s := range r.Steps {
		fmt.Fprintf(w, "%3d. %s.\n", i+1, s.Text)
	}
	if len(r.Steps) == 0 {
		fmt.Fprintln(w, "Unit propagation does not show it; a search does.")
	}
	if len(r.Blame) > 1 && !r.BlameSmallest {
		fmt.Fprintln(w, "Fewer may suffice: the time for proving otherwise ran out (--smallest).")
	}
	if len(r.Constraints) > 0 {
		fmt.Fprintln(w, "It follows from these constraints alone, and not without any of them:")
	}
	for _, c := range r.Constraints {
		_, err = fmt.Fprintf(w, "  %s\n", c)
	}
	return err
}
