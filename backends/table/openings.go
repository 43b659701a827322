package table

import (
	"context"
	"math/bits"
	"slices"

	"queens/backends"
	"queens/encode/cnf"
)

// The method openings is scan for a person's session. The book knows the boards of queens without or with one queen;
// after a blocked cell it knows nothing. A further decision leaves some of the solutions that the last question left,
// so only these are looked at; and a decision that is taken back leads to an answer that is kept.

// narrowed is a question, the solutions that it left, and its answer.
type narrowed struct {
	assume []cnf.Lit
	rows   []int32
	valid  backends.Valid
}

// mostKept returns how many solutions openings keeps at most: each of the list's four times, in four bytes, or fewer if
// the memory is bounded.
func (t *Oracle) mostKept() int {
	most := 4 * t.count
	if t.maxBytes > 0 {
		most = min(most, int(t.maxBytes-t.listBytes())/4)
	}
	return most
}

func (t *Oracle) keptRows() (rows int) {
	for _, k := range t.kept {
		rows += len(k.rows)
	}
	return rows
}

// opened is the method openings.
func (t *Oracle) opened(ctx context.Context, assume []cnf.Lit) (backends.Valid, error) {
	if valid, known, err := t.book.Answer(ctx, assume); known || err != nil {
		valid.Work = t.looked(0)
		return valid, err
	}
	more := assume // what the last kept question did not assume
	for ; len(t.kept) > 0; t.kept = t.kept[:len(t.kept)-1] {
		last := t.kept[len(t.kept)-1]
		if within(last.assume, assume) {
			more = slices.DeleteFunc(slices.Clone(assume), func(l cnf.Lit) bool { return slices.Contains(last.assume, l) })
			if len(more) == 0 {
				last.valid.Work = t.looked(0)
				return last.valid, nil
			}
			break
		}
	}
	rows, looked := t.narrow(more)
	valid := t.summed(func(yield func([]uint64) bool) {
		for _, s := range rows {
			yield(t.row(int(s)))
		}
	})
	valid.Work = t.looked(looked)
	t.kept = append(t.kept, narrowed{slices.Clone(assume), rows, valid})
	for kept, most := t.keptRows(), t.mostKept(); kept > most && len(t.kept) > 0; t.kept = t.kept[1:] {
		kept -= len(t.kept[0].rows)
	}
	return valid, nil
}

// within reports whether all contains each of some literals. Both are short: they are decisions.
func within(some, all []cnf.Lit) bool {
	return !slices.ContainsFunc(some, func(l cnf.Lit) bool { return !slices.Contains(all, l) })
}

// narrow returns those of the last kept solutions, or of all if none are kept, that agree with more literals, and at
// how many it looked.
func (t *Oracle) narrow(more []cnf.Lit) (rows []int32, looked int64) {
	if len(t.kept) == 0 {
		for i, w := range t.under(more) {
			for ; w != 0; w &= w - 1 {
				rows = append(rows, int32(i*64+bits.TrailingZeros64(w)))
			}
		}
		return rows, int64(len(rows))
	}
	from := t.kept[len(t.kept)-1].rows
	for _, s := range from {
		if agrees(t.row(int(s)), more) {
			rows = append(rows, s)
		}
	}
	return rows, int64(len(from))
}

// agrees reports whether a row's solution has the literals.
func agrees(row []uint64, lits []cnf.Lit) bool {
	for _, l := range lits {
		v := int(l.Var()) - 1
		if row[v/64]>>(v%64)&1 == 1 != l.Positive() {
			return false
		}
	}
	return true
}
