package sat

import (
	"context"
	"math/rand/v2"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode/cnf"
)

// pack assumes queens on many unseen cells at once that do not attack each other,
// so that a model shows all of them: few models show the whole board. An UNSAT
// pack is cut, by an eighth first and by a half at last; a single cell's UNSAT
// refutes it. A model shows its images under the question's symmetries as well, of
// which an empty board has seven and most boards with queens none. Packs begin large, since a full one is refuted by propagation alone
// and one that holds leaves little to search: the first model of an empty board
// of 100 takes gini 2,350 conflicts without a pack and some tens with 75 cells
// assumed.
func pack(ctx context.Context, o *Oracle, assume []cnf.Lit) (backends.Valid, error) {
	return packed(ctx, o, assume, func(p *packer) error {
		for !p.done() {
			if err := p.cut(ctx, p.next()); err != nil {
				return err
			}
		}
		return nil
	})
}

// core does as pack, but an UNSAT pack loses one cell of the core that gini
// names, not half. When packs have come down to a few cells, the rest is one
// chunk: a clause says that some cell of it holds a queen. These are the cores
// and chunks of Janota, Lynce and Marques-Silva, On Computing Backbones of
// Propositional Theories, AI Communications 28, 2015, section 3, where a cell
// without a queen in any solution is a backbone literal.
func core(ctx context.Context, o *Oracle, assume []cnf.Lit) (backends.Valid, error) {
	return packed(ctx, o, assume, func(p *packer) error {
		for !p.done() && p.size >= chunkBelow {
			if err := p.drop(ctx, p.next()); err != nil {
				return err
			}
		}
		return p.askRest(ctx, func() {})
	})
}

const chunkBelow = 4 // packs of fewer cells are not worth a query

func packed(ctx context.Context, o *Oracle, assume []cnf.Lit, settle func(*packer) error) (backends.Valid, error) {
	p := &packer{question: o.question(assume), rng: rand.New(rand.NewPCG(1, 1))}
	p.symmetries = o.symmetries(assume)
	if !p.done() {
		p.build()
		p.size = max(1, p.board.Open()*3/4)
		if err := settle(p); err != nil {
			return backends.Valid{}, err
		}
	}
	return p.cells(), nil
}

// packer is a question that is settled in packs of cells.
type packer struct {
	*question
	rng  *rand.Rand
	size int // cells in the next pack; it follows what succeeds
}

// next picks unseen cells that do not attack each other, at most size of them. It
// is empty when nothing is known yet to be possible at all.
func (p *packer) next() []board.Cell {
	open := p.open()
	p.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	attacked := make(map[board.Line]bool)
	var cells []board.Cell
next:
	for _, c := range open {
		if len(cells) >= p.size {
			break
		}
		lines := c.Lines(p.board.N)
		for _, line := range lines {
			if attacked[line] {
				continue next
			}
		}
		for _, line := range lines {
			attacked[line] = true
		}
		cells = append(cells, c)
	}
	return cells
}

// cut asks for the pack, for less of it if there is no solution, and so on.
func (p *packer) cut(ctx context.Context, cells []board.Cell) error {
	for part := 8; ; part = max(2, part/2) {
		status, failed, err := p.ask(ctx, cells...)
		switch {
		case err != nil:
			return err
		case status == backends.Sat:
			p.grow(cells)
			return nil
		case len(failed) == 0:
			p.none()
			return nil
		case len(failed) == 1:
			p.refute(failed[0])
			return nil
		}
		cells = cells[:len(cells)-(len(cells)+part-1)/part]
		p.size = len(cells)
	}
}

// drop asks for the pack, without one cell of the core if there is no solution,
// and so on.
func (p *packer) drop(ctx context.Context, cells []board.Cell) error {
	for len(cells) > 0 {
		status, failed, err := p.ask(ctx, cells...)
		switch {
		case err != nil:
			return err
		case status == backends.Sat:
			p.grow(cells)
			return nil
		case len(failed) == 0:
			p.none()
			return nil
		case len(failed) == 1:
			p.refute(failed[0])
		}
		out := slices.Index(cells, failed[p.rng.IntN(len(failed))])
		cells = slices.Delete(cells, out, out+1)
		p.size = max(1, min(p.size, len(cells)+len(cells)/8))
	}
	return nil
}

// grow makes the next pack larger after a full one succeeded.
func (p *packer) grow(cells []board.Cell) {
	if len(cells) >= p.size {
		p.size = min(p.size+p.size/10+1, p.board.Open())
	}
}

// none notes that the board has no solution; what is left open is refuted.
func (p *packer) none() {
	p.refuted = p.solution == nil
	for _, c := range p.open() {
		p.refute(c)
	}
}
