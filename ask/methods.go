package ask

import (
	"slices"

	"queens/backends/bdd"
	"queens/backends/mdd"
	"queens/backends/search"
	"queens/backends/table"
)

// Method is one of a back-end's methods for finding what is possible.
type Method struct {
	Name  string // as in a Choice
	Title string // for people; empty if the back-end's title says enough
	// LargestBoard is the largest board on which the method is fast enough for interactive use; 0 for any.
	LargestBoard int
}

// methods returns the methods of a back-end, the generally best one first.
func methods(of BackendName) []Method {
	switch of {
	case Diagram:
		return []Method{
			{bdd.SweepZDD, "ZDD sweep", 0}, {bdd.Annotated, "ZDD annotated", 0}, {bdd.Sweep, "BDD sweep", 12}, {bdd.Restrict, "a restrict for each cell", 10},
			{bdd.Session, "a restrict for each queen more", 10}, {bdd.AnySat, "a solution for each cell", 10},
			{bdd.AllSat, "all solutions searched", 10},
		}
	case MDD:
		return []Method{{mdd.Annotated, "MDD annotated", 13}, {mdd.Sweep, "MDD sweep", 12}}
	case SAT:
		return []Method{
			{"pack", "pack", 60}, {"core", "core", 60}, {"reuse", "reuse", 40}, {"per-cell", "a solve for each cell", 24},
		}
	case Search:
		return []Method{
			{search.Supports, "supports", 60}, {search.Reuse, "reuse", 40}, {search.PerCell, "per-cell", 24},
			{search.Enumerate, "enumerate", 9},
		}
	case Portfolio:
		return []Method{{"staged", "", 0}}
	case Table:
		return []Method{{table.Scan, "all solutions, listed", 13}}
	}
	return nil
}

// MethodName is a back-end's method for finding what is possible.
type MethodName string

// bestMethod stands for the back-end's best method.
const bestMethod = "default"

// Values lists the methods of all back-ends.
func (MethodName) Values() []string {
	names := []string{bestMethod}
	for _, b := range BackendName("").Values() {
		for _, m := range methods(BackendName(b)) {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}
