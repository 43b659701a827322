package bdd

import (
	"math/bits"
	"sync/atomic"
)

// distinct finds which of many things are equal, using several workers. Things are divided among tables
// by their hashes, and each worker fills one table. The first of several equal things represents all of
// them; scheduling does not affect which one is first. Finding equal states and nodes takes a fifth of
// free-set's time.
type distinct struct {
	workers int
	hashes  []uint64   // of each thing; 0 where there is none
	tables  [][]uint32 // of the first of each set of equal things: its number plus one; 0: empty
}

const (
	groupSize = 1 << 12 // things that a worker takes at once
	// alone is the number of things up to which waking another worker does not pay: every level of
	// queens n = 12 has fewer. It saves a tenth of the CPU time at n = 13 with two workers.
	alone = 1 << 14
)

// by returns how many workers to use for n things.
func (d *distinct) by(n int) int {
	if n < alone {
		return 1
	}
	return d.workers
}

// find determines which of n things are equal, and returns the number of different ones. hash computes
// the hashes of the things from <= i < to, and equal compares two things with the same hash. For each
// thing, find sets first to the number of the first thing equal to it.
func (d *distinct) find(
	n int, b *budget, first []uint32, hash func(from, to int, into []uint64), equal func(i, k int) bool,
) (different int, err error) {
	if n > len(d.hashes) {
		if err := b.take(int64(n-len(d.hashes)) * 8); err != nil {
			return 0, err
		}
		d.hashes = make([]uint64, n)
	}
	parts := d.by(n)
	_ = each(parts, (n+groupSize-1)/groupSize, func(g int) error {
		from, to := g*groupSize, min((g+1)*groupSize, n)
		hash(from, to, d.hashes[from:to])
		return nil
	})
	for len(d.tables) < parts {
		d.tables = append(d.tables, nil)
	}
	var sum atomic.Int64
	err = each(parts, parts, func(k int) error {
		found, err := d.fill(k, parts, n, b, first, equal)
		sum.Add(int64(found))
		return err
	})
	return int(sum.Load()), err
}

// part returns the number of the table for a hash, by its highest bits.
func part(h uint64, parts int) int {
	high, _ := bits.Mul64(h, uint64(parts))
	return int(high)
}

// fill finds, for each thing in table k, the first thing equal to it. It returns the number of different
// ones.
func (d *distinct) fill(
	k, parts, n int, b *budget, first []uint32, equal func(i, k int) bool,
) (different int, err error) {
	// Parts are nearly equal, and a table is at most two thirds full.
	room := n/parts + n/parts/8
	size := 1 << bits.Len(uint(room+room/2))
	if had := cap(d.tables[k]); size > had {
		if err := b.take(int64(size-had) * 4); err != nil {
			return 0, err
		}
		d.tables[k] = make([]uint32, size)
	}
	table := d.tables[k][:size]
	clear(table)
	mask := uint64(len(table) - 1)
	for i, h := range d.hashes[:n] {
		if h == 0 || part(h, parts) != k {
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
			if d.hashes[other-1] == h && equal(i, int(other-1)) {
				first[i] = other - 1
				break
			}
		}
	}
	return different, nil
}

// Factors that hashes are mixed with.
const (
	mix1 = 0x9e3779b97f4a7c15
	mix2 = 0xd6e8feb86659fd93
)
