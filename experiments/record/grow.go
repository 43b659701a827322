package record

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"queens/experiments"
	"queens/experiments/config"
)

// growth is what a set becomes when its grid changes: an axis or the repeats get more values, say. A run is
// named by its parameters, so records of runs that both grids have stay valid.
type growth struct {
	kept []Row // with their positions in the new grid
	lost int   // records of runs that the new grid lacks
}

// grown returns what stays of a set's records in the grid of another specification; nil if all do, with their
// positions, or none does, or the two specifications measure differently. A part of a grid does not grow, since its
// runs would go to other parts.
func (st *Store) grown(old Set, runs []experiments.Run) *growth {
	if st.env.Shard != "" || !sameButRuns(old.Spec, st.Spec) {
		return nil
	}
	positions := make(map[string]int, len(runs))
	for _, r := range runs {
		positions[r.ID] = r.Position
	}
	g, moved := &growth{}, false
	for _, r := range old.Rows {
		position, stays := positions[r.ID()]
		if !stays {
			g.lost++
			continue
		}
		if now := strconv.Itoa(position); r.Cell("position") != now {
			moved = true
			r.Set("position", now)
		}
		g.kept = append(g.kept, r)
	}
	if g.kept == nil || g.lost == 0 && !moved && len(Differences(old.Spec.Measurement(), st.Spec.Measurement(), "")) == 0 {
		return nil
	}
	return g
}

// sameButRuns reports whether two specifications differ at most in which runs there are: in axes, exclusions,
// repeats, or a program that only one of them describes.
func sameButRuns(a, b config.Spec) bool {
	was, is := a.Measurement(), b.Measurement()
	either := maps.Clone(was)
	maps.Copy(either, is)
	for key := range either {
		if was[key] == is[key] {
			continue
		}
		group, _, _ := strings.Cut(key, ".")
		program := slices.Contains([]string{"solvers", "engines", "counters", "backbones", "compilers"}, group) && (was[key] == "" || is[key] == "")
		if !program && !slices.Contains([]string{"axes", "exclude", "repeats"}, group) {
			return false
		}
	}
	return true
}

// grow gives the set the grid's records. If some of its records are lost to the grid, the whole old set is
// first moved aside.
func (st *Store) grow(g *growth) error {
	st.Rows = g.kept
	st.Kept = len(g.kept)
	if g.lost == 0 {
		return st.replace()
	}
	st.Close()
	if err := st.moveAside(); err != nil {
		return err
	}
	if err := st.begin(); err != nil {
		return err
	}
	if err := st.describe(); err != nil {
		return err
	}
	return st.replace()
}
