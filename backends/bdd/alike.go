package bdd

import (
	"math/bits"
	"sync/atomic"
)

// alike finds which of many things are equal, using several workers: things are divided
// among tables by their hashes, and each worker fills one table, in which the first of
// equal things represents all of them. Scheduling does not affect which one is first.
type alike struct {
	workers int
	hashes  []uint64 // of each thing; 0 where there is none
	order   []uint16 // by group: its things, less the first one's number, sorted by part
	tables  [][]uint32
}

const (
	groupSize = 1 << 12 // things that a worker takes at once
	// alone is the number of things up to which waking another worker does not pay: no level of
	// queens n = 12 has more.
	alone = 1 << 14
)

// by returns how many workers to use for n things.
func (a *alike) by(n int) int {
	if n < alone {
		return 1
	}
	return a.workers
}

// groups calls do for the things 0 to n in groups.
func (a *alike) groups(n int, do func(group, from, to int)) {
	_ = each(a.by(n), (n+groupSize-1)/groupSize, func(g int) error {
		do(g, g*groupSize, min((g+1)*groupSize, n))
		return nil
	})
}

// find determines which of n things are equal, and returns how many different ones there
// are. hash fills in the hashes of some of them, and equal compares two with the same hash.
// For each thing, first gets the number of the first one equal to it.
func (a *alike) find(
	n int, b *budget, first []uint32, hash func(from, to int, into []uint64), equal func(i, k int) bool,
) (different int, err error) {
	if n > len(a.hashes) {
		if err := b.take(int64(n-len(a.hashes)) * 8); err != nil {
			return 0, err
		}
		a.hashes = make([]uint64, n)
	}
	if a.by(n) == 1 {
		if err := a.reserve(0, n, b); err != nil {
			return 0, err
		}
		clear(a.tables[0])
		a.groups(n, func(g, from, to int) {
			hash(from, to, a.hashes[from:to])
			different += a.fill(0, from, to-from, nil, first, equal)
		})
		return different, nil
	}
	if n > len(a.order) {
		if err := b.take(int64(n-len(a.order)) * 2); err != nil {
			return 0, err
		}
		a.order = make([]uint16, n)
	}
	groups, parts := (n+groupSize-1)/groupSize, a.workers
	counts := make([]int, groups*parts) // things by group and part
	a.groups(n, func(g, from, to int) {
		hash(from, to, a.hashes[from:to])
		a.sort(from, to, counts[g*parts:][:parts])
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
	var sum atomic.Int64
	_ = each(parts, parts, func(k int) error {
		clear(a.tables[k])
		for g := range groups {
			start, here := g*groupSize, counts[g*parts:][:parts]
			order := a.order[start:]
			for _, before := range here[:k] {
				order = order[before:]
			}
			sum.Add(int64(a.fill(k, start, here[k], order, first, equal)))
		}
		return nil
	})
	return int(sum.Load()), nil
}

// part returns the table of a hash, by its highest bits.
func part(h uint64, parts int) int {
	high, _ := bits.Mul64(h, uint64(parts))
	return int(high)
}

// sort sorts the things of a group by their parts, and counts them.
func (a *alike) sort(from, to int, counts []int) {
	parts := len(counts)
	for _, h := range a.hashes[from:to] {
		if h != 0 {
			counts[part(h, parts)]++
		}
	}
	next := make([]int, parts)
	for k := range parts - 1 {
		next[k+1] = next[k] + counts[k]
	}
	order := a.order[from:to]
	for i, h := range a.hashes[from:to] {
		if h != 0 {
			to := &next[part(h, parts)]
			order[*to] = uint16(i)
			*to++
		}
	}
}

// reserve makes a table with room for the given number of things, to be cleared before use.
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
	return nil
}

// fill finds the first thing equal to it for each of n things of a group, those that order
// lists or else the first ones, and returns how many new ones there are.
func (a *alike) fill(k, from, n int, order []uint16, first []uint32, equal func(i, k int) bool) (different int) {
	table := a.tables[k]
	mask := uint64(len(table) - 1)
	for i := from; i < from+n; i++ {
		i := i
		if order != nil {
			i = from + int(order[i-from])
		}
		h := a.hashes[i]
		if h == 0 {
			continue
		}
		for slot := h & mask; ; slot = (slot + 1) & mask {
			other := table[slot]
			if other == 0 {
				table[slot] = uint32(i + 1)
				first[i] = uint32(i)
				different++
				break
			}
			if a.hashes[other-1] == h && equal(i, int(other-1)) {
				first[i] = other - 1
				break
			}
		}
	}
	return different
}

// isThere reports whether thing i exists.
func (a *alike) isThere(i int) bool { return a.hashes[i] != 0 }
