package ask

import (
	"cmp"
	"context"
	"slices"

	"queens/backends"
	"queens/backends/bdd"
	"queens/backends/ddnnf"
	"queens/backends/mdd"
	"queens/backends/near"
	"queens/backends/portfolio"
	"queens/backends/sat"
	"queens/backends/search"
	"queens/backends/table"
	"queens/encode"
	"queens/internal/param"
)

// describe returns the descriptor of a back-end.
func describe(name BackendName) Descriptor {
	const all, counts = Valid | Solve | Sample, Count | CountEach
	anything := func(encode.Problem) error { return nil }
	asks := func(name BackendName) func(encode.Problem, Want) []BackendName {
		return func(encode.Problem, Want) []BackendName { return []BackendName{name} }
	}
	d := Descriptor{Name: string(name), Can: all, Accepts: anything}
	switch name {
	case Diagram:
		d.Title, d.Doc = "Diagram", "compiles a decision diagram, which then answers every question"
		d.Methods, d.Uses = bdd.Methods(), []string{"order", "construction", "diagram", "sift", "workers"}
		d.Can, d.Counting, d.AtOnce, d.Builds, d.Weights = all|counts, "diagram", true, true, true
		d.Cost, d.Checks = []string{"nodes visited", "nodes created"}, 12
		d.Accepts, d.Open = compilable, openDiagram
	case MDD:
		d.Title, d.Doc = "Multi-valued diagram", "compiles a diagram with one variable for each exactly-one constraint of a partition, as a board's rows"
		d.Methods, d.Uses = mdd.Methods(), []string{"order", "construction", "workers"}
		d.Can, d.Counting, d.AtOnce, d.Builds, d.Weights = all|counts, "diagram", true, true, true
		d.Cost, d.Asks = []string{"nodes visited"}, asks(Diagram)
		d.Accepts, d.Open = func(p encode.Problem) error { return cmp.Or(compilable(p), mdd.Takes(p)) }, openMDD
	case SAT:
		d.Title, d.Doc = "SAT", "asks a SAT solver under assumptions"
		d.Methods, d.Uses = sat.Methods(), []string{"solver", "amo", "formula"}
		d.WorkVaries, d.Cost, d.Checks = true, []string{"solves"}, AnySize
		d.Open = openSAT
	case Search:
		d.Title, d.Doc = "Search", "backtracks; counts by visiting the solutions"
		d.Methods, d.Uses, d.Weights = search.Methods(), []string{"workers"}, true
		d.Cost, d.Checks = []string{"queens", "literals"}, 24
		d.Can, d.Counting = all|counts, "enumerate"
		d.Open = func(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
			return search.New(p).Parallel(c.Workers, r.searching()), nil
		}
	case Portfolio:
		d.Title = "Portfolio"
		d.Doc = "lets others take turns: on boards of queens local search and backtracking; on other problems near and sat; to count " +
			"and sample, ddnnf, bdd and search"
		d.Methods, d.WorkVaries, d.Checks, d.Weights = portfolio.Methods(), true, AnySize, true
		d.Can, d.Counting = all|counts, "contest"
		d.Asks, d.Open = contestants, openPortfolio
	case Near:
		d.Title, d.Doc = "Near a solution", "changes a solution by flips and by searches near it that learn clauses; asks no solver"
		d.Methods, d.WorkVaries, d.Cost, d.Checks = near.Methods(), true, []string{"steps"}, 24
		d.Open = func(_ context.Context, p encode.Problem, c Choice, r Resources) (backends.Backend, error) {
			made := near.New(p)
			made.Proof, made.Settled = r.Proof, r.Settled
			return made, r.suffices(c, p, near.LeastBytes(p))
		}
	case Table:
		d.Title, d.Doc = "Table", "lists all solutions, and looks answers up; for problems with few"
		d.Can, d.Counting, d.Builds, d.Weights = all|counts, "scan", true, true
		d.Methods, d.Cost = table.Methods(), []string{"matches"}
		d.Accepts = table.Takes
		d.Asks = func(p encode.Problem, _ Want) []BackendName {
			if table.ByRows(p) {
				return nil
			}
			return []BackendName{Search}
		}
		d.Open = func(ctx context.Context, p encode.Problem, _ Choice, r Resources) (backends.Backend, error) {
			return table.New(ctx, p, search.New(p).Solutions(ctx, nil), r.Bytes)
		}
	case DDNNF:
		d.Title, d.Doc = "d-DNNF", "compiles a d-DNNF, which splits a formula into parts that share no variable, and answers every question from it"
		d.Can, d.Counting, d.AtOnce, d.Builds, d.Weights = all|counts, "passes", true, true, true
		d.Methods, d.Cost = ddnnf.Methods(), []string{"nodes visited"}
		d.Open = openDDNNF
	}
	return d
}

// All describes all back-ends.
func All() (list []Descriptor) {
	for _, name := range BackendName("").Values() {
		list = append(list, describe(BackendName(name)))
	}
	return list
}

// Able lists the back-ends that can answer everything in want.
func Able(want Want) []Descriptor {
	return slices.DeleteFunc(All(), func(d Descriptor) bool { return want&^d.Can != 0 })
}

// Names lists the names of back-ends.
func Names(list []Descriptor) []string {
	return namesOf(list, func(d Descriptor) string { return d.Name })
}

// Named returns the named back-end if it can answer everything in want. The error is a param.Error that
// lists the back-ends that can.
func Named(name string, want Want) (Descriptor, error) {
	if d := describe(BackendName(name)); d.Open != nil && want&^d.Can == 0 {
		return d, nil
	}
	return Descriptor{}, &param.Error{Field: "backend", Text: param.Expected(name, Names(Able(want)), "")}
}
