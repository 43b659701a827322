package bdd

import (
	"math/bits"

	"queens/backends/crew"
)

// alike finds which of many things are equal, for several workers: things are divided by
// their hashes among tables, and each worker fills one, in which the first of equal things
// stands for all. Who works when makes no difference to who is first.
type alike struct {
	workers int
	hashes  []uint64 // of each thing; 0 where there is none
	first   []uint32 // by thing: the first one equal to it
	tables  [][]uint32
	ranks   []int // by group: the different things before it
}

const (
	groupSize = 1 << 12 // things that a worker takes at a time
	// alone is how many things are not worth waking another worker for.
	alone = 1 << 11
)

// by returns how many workers to put to so many things.
func (a *alike) by(n int) int {
	if n < alone {
		return 1
	}
	return a.workers
}

// groups calls do for the things 0 to n in groups.
func (a *alike) groups(n int, do func(group, from, to int)) {
	_ = crew.Each(a.by(n), (n+groupSize-1)/groupSize, func(g int) error {
		do(g, g*groupSize, min((g+1)*groupSize, n))
		return nil
	})
}

// find finds out which of n things are equal, and returns how many different ones there
// are. hash fills in the hashes of some of them, and equal compares two with the same hash.
func (a *alike) find(n int, b *budget, hash func(from, to int, into []uint64), equal func(i, k int) bool) (int, error) {
	if n > len(a.hashes) {
		if err := b.take(int64(n-len(a.hashes)) * 12); err != nil {
			return 0, err
		}
		a.hashes, a.first = make([]uint64, n), make([]uint32, n)
	}
	groups := (n + groupSize - 1) / groupSize
	a.ranks = append(a.ranks[:0], make([]int, groups)...)
	if a.by(n) == 1 {
		if err := a.reserve(0, n, b); err != nil {
			return 0, err
		}
		a.groups(n, func(g, from, to int) {
			hash(from, to, a.hashes[from:to])
			a.ranks[g] = a.fill(0, 1, from, to, equal)
		})
		return a.addUp(), nil
	}
	parts := a.workers
	counts := make([]int, groups*parts) // things by group and part, then different ones
	a.groups(n, func(g, from, to int) {
		hash(from, to, a.hashes[from:to])
		for _, h := range a.hashes[from:to] {
			if h != 0 {
				counts[g*parts+part(h, parts)]++
			}
		}
	})
	for k := range parts {
		room := 0
		for g := range groups {
			room += counts[g*parts+k]
		}
		if err := a.reserve(k, room, b); err != nil {
			return 0, err
		}
	}
	_ = crew.Each(parts, parts, func(k int) error {
		for g := range groups {
			counts[g*parts+k] = a.fill(k, parts, g*groupSize, min((g+1)*groupSize, n), equal)
		}
		return nil
	})
	for i, different := range counts {
		a.ranks[i/parts] += different
	}
	return a.addUp(), nil
}

// addUp makes the ranks of the groups' numbers of different things, and returns how many
// there are.
func (a *alike) addUp() (total int) {
	for g, different := range a.ranks {
		a.ranks[g], total = total, total+different
	}
	return total
}

// part returns the table of a hash, by its highest bits.
func part(h uint64, parts int) int {
	high, _ := bits.Mul64(h, uint64(parts))
	return int(high)
}

// reserve makes an empty table with room for so many things.
func (a *alike) reserve(k, room int, b *budget) error {
	for len(a.tables) <= k {
		a.tables = append(a.tables, nil)
	}
	size := 1 << bits.Len(uint(room+room/2))
	if size > cap(a.tables[k]) {
		if err := b.take(int64(size-cap(a.tables[k])) * 4); err != nil {
			return err
		}
		a.tables[k] = make([]uint32, size)
	}
	a.tables[k] = a.tables[k][:size]
	clear(a.tables[k])
	return nil
}

// fill finds the first of equal things for those of one part from a group, and returns how
// many new ones there are.
func (a *alike) fill(k, parts, from, to int, equal func(i, k int) bool) (different int) {
	table := a.tables[k]
	mask := uint64(len(table) - 1)
	for i := from; i < to; i++ {
		h := a.hashes[i]
		if h == 0 || parts > 1 && part(h, parts) != k {
			continue
		}
		for slot := h & mask; ; slot = (slot + 1) & mask {
			other := table[slot]
			if other == 0 {
				table[slot] = uint32(i + 1)
				a.first[i] = uint32(i)
				different++
				break
			}
			if a.hashes[other-1] == h && equal(i, int(other-1)) {
				a.first[i] = other - 1
				break
			}
		}
	}
	return different
}

// isThere and isFirst report whether there is a thing, and whether it is the first of those
// equal to it.
func (a *alike) isThere(i int) bool { return a.hashes[i] != 0 }
func (a *alike) isFirst(i int) bool { return a.first[i] == uint32(i) && a.hashes[i] != 0 }

// number goes through the things in groups twice: first for the first ones, with the
// number of the group's first one among all, then for those that are like one before.
func (a *alike) number(n int, firsts func(from, to, number int), others func(from, to int)) {
	if a.by(n) == 1 {
		a.groups(n, func(g, from, to int) {
			firsts(from, to, a.ranks[g])
			others(from, to)
		})
		return
	}
	a.groups(n, func(g, from, to int) { firsts(from, to, a.ranks[g]) })
	a.groups(n, func(_, from, to int) { others(from, to) })
}
