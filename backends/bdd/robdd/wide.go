package robdd

import (
	"context"
	"math/big"
	"math/bits"
)

// Counting in several machine words, for counts past 64 bits: the passes of count.go
// on numbers of k words, least significant first, in flat arrays. k doubles until the
// total fits. It takes 8k bytes per node and pass.

type wide []uint64

// addShifted adds x << shift to n and reports whether the sum still fits.
func (n wide) addShifted(x wide, shift int) bool {
	words, rest := shift/64, uint(shift%64)
	var carry uint64
	for i := len(x) - 1; i >= 0; i-- { // what would be shifted out?
		if x[i] != 0 && (i+words >= len(n) || i+words == len(n)-1 && rest > uint(bits.LeadingZeros64(x[i]))) {
			return false
		}
	}
	for i := words; i < len(n); i++ {
		part := x[i-words] << rest
		if rest > 0 && i > words {
			part |= x[i-words-1] >> (64 - rest)
		}
		n[i], carry = bits.Add64(n[i], part, carry)
	}
	return carry == 0
}

// addProduct adds x*y, which the caller knows to fit.
func (n wide) addProduct(x, y wide) {
	for i, a := range x {
		if a == 0 {
			continue
		}
		var carry uint64
		for j := 0; i+j < len(n); j++ {
			hi, lo := bits.Mul64(a, y[j])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			n[i+j], c = bits.Add64(n[i+j], lo, 0)
			carry = hi + c
		}
	}
}

func (n wide) sub(x wide) {
	var borrow uint64
	for i := range n {
		n[i], borrow = bits.Sub64(n[i], x[i], borrow)
	}
}

func (n wide) isZero() bool {
	for _, x := range n {
		if x != 0 {
			return false
		}
	}
	return true
}

func (n wide) big() *big.Int {
	z, word := new(big.Int), new(big.Int)
	for i := len(n) - 1; i >= 0; i-- {
		z.Lsh(z, 64).Or(z, word.SetUint64(n[i]))
	}
	return z
}

// wideSweep is one attempt with k words per number.
type wideSweep struct {
	*Sweep
	d        *Diagram // what the assumptions leave
	k        int
	up, down wide // number i is words i*k to (i+1)*k
	each     wide // by height
	skip     wide
}

func (w *wideSweep) of(numbers wide, i uint32) wide {
	return numbers[int(i)*w.k : (int(i)+1)*w.k]
}

func (s *Sweep) wideCount(ctx context.Context, d *Diagram) (*big.Int, error) {
	_, total, err := s.wideUp(ctx, d)
	if err != nil {
		return nil, err
	}
	return total.big(), nil
}

func (s *Sweep) wideUp(ctx context.Context, d *Diagram) (*wideSweep, wide, error) {
	for k := 2; ; k *= 2 {
		w := &wideSweep{Sweep: s, d: d, k: k, up: make(wide, (len(d.nodes)+2)*k)}
		total, fits, err := w.countUp(ctx)
		if err != nil || fits {
			return w, total, err
		}
	}
}

func (w *wideSweep) countUp(ctx context.Context) (total wide, fits bool, err error) {
	d := w.d
	w.of(w.up, 1)[0] = 1
	for h := range w.value {
		if err := w.ended(ctx); err != nil {
			return nil, false, err
		}
		for id := d.first[h]; id < d.first[h+1]; id++ {
			e, n := d.nodes[id-2], w.of(w.up, id)
			if !n.addShifted(w.of(w.up, e.Low), w.shift(d, h, e.Low)) ||
				!n.addShifted(w.of(w.up, e.High), w.shift(d, h, e.High)) {
				return nil, false, nil
			}
		}
	}
	total = make(wide, w.k)
	return total, total.addShifted(w.of(w.up, d.root), w.shift(d, len(w.value), d.root)), nil
}

func (s *Sweep) wideEach(ctx context.Context, d *Diagram, each []*big.Int) (*big.Int, []*big.Int, error) {
	w, total, err := s.wideUp(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	if err := w.countDown(ctx, total); err != nil {
		return nil, nil, err
	}
	for i, level := range s.d.levels {
		each[i] = w.of(w.each, uint32(len(s.value)-1-int(level))).big()
	}
	return total.big(), each, nil
}

func (w *wideSweep) countDown(ctx context.Context, total wide) error {
	d, levels := w.d, len(w.value)
	w.down = make(wide, len(w.up))
	w.each = make(wide, levels*w.k)
	w.skip = make(wide, (levels+1)*w.k)
	one := make(wide, w.k)
	one[0] = 1
	w.of(w.down, d.root).addShifted(one, w.shift(d, levels, d.root))
	w.pass(levels, d.root, total)
	flow := make(wide, w.k)
	for h := levels - 1; h >= 0; h-- {
		if err := w.ended(ctx); err != nil {
			return err
		}
		sum := w.of(w.each, uint32(h))
		for id := d.first[h]; id < d.first[h+1]; id++ {
			e, ways := d.nodes[id-2], w.of(w.down, id)
			for i, child := range [2]uint32{e.Low, e.High} {
				below := w.of(w.up, child)
				if below.isZero() {
					continue
				}
				shift := w.shift(d, h, child)
				w.of(w.down, child).addShifted(ways, shift)
				clear(flow)
				flow.addProduct(ways, below)
				if shift > 0 {
					shifted := make(wide, w.k)
					shifted.addShifted(flow, shift)
					copy(flow, shifted)
				}
				w.pass(h, child, flow)
				if i == 1 {
					sum.addShifted(flow, 0)
				}
			}
		}
	}
	passing := make(wide, w.k)
	for h := levels - 1; h >= 0; h-- {
		passing.addShifted(w.of(w.skip, uint32(h)), 0)
		sum := w.of(w.each, uint32(h))
		switch {
		case w.value[h] > 0:
			copy(sum, total)
		case w.value[h] < 0:
			clear(sum)
		case d.kind == BDD:
			half := make(wide, w.k)
			for i := range half {
				half[i] = passing[i] >> 1
				if i+1 < len(half) {
					half[i] |= passing[i+1] << 63
				}
			}
			sum.addShifted(half, 0)
		}
	}
	return nil
}

// pass records that n solutions use an edge from height h to a child.
func (w *wideSweep) pass(h int, child uint32, n wide) {
	lowest := 0
	if child >= 2 {
		lowest = w.d.heightOf(child) + 1
	}
	if lowest < h {
		w.of(w.skip, uint32(h-1)).addShifted(n, 0)
		if lowest > 0 {
			w.of(w.skip, uint32(lowest-1)).sub(n)
		}
	}
}
