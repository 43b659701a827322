package order

import (
	"fmt"
	"strconv"
	"strings"
)

// All returns the named orders. It includes each order that takes a seed (see [ByName]) once, so a loop
// over them covers every kind.
func All() []Named {
	return []Named{
		rowMajor,
		columnMajor,
		diagonalInterleaved,
		antiDiagonal,
		diagonalsOutward,
		snake,
		centreRows,
		centreCells,
		rowColumn,
		spiralIn,
		spiralOut,
		hilbert,
		zOrder,
		knightLines,
		natural,
		twoEnded,
		best("bdd", "the smallest ROBDD known: proved for n up to 6, searched for up to 16, two-ended beyond"),
		best("zdd", "the smallest ZDD known: proved for n up to 6, searched for up to 15, two-ended beyond"),
		force("", "natural", natural),
		minFill,
		estimate,
		forceFrom(1),
		random(1),
	}
}

// ByName returns the order with the given name. Two kinds take a seed, a decimal number, after a colon:
// random:SEED and force:SEED. The error lists the valid names.
func ByName(name string) (Named, error) {
	var names []string
	for _, o := range All() {
		if o.Name == name {
			return o, nil
		}
		if !strings.Contains(o.Name, ":") {
			names = append(names, o.Name)
		}
	}
	kind, arg, _ := strings.Cut(name, ":")
	if seeded := map[string]func(uint64) Named{"force": forceFrom, "random": random}[kind]; seeded != nil {
		seed, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			return Named{}, fmt.Errorf("variable order %q: expected a seed after a colon, as in %s:1", name, kind)
		}
		return seeded(seed), nil
	}
	return Named{}, fmt.Errorf("variable order %q: expected one of %s, force:SEED, random:SEED",
		name, strings.Join(names, ", "))
}
