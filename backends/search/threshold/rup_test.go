package threshold

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rup checks proofs of unsatisfiability: each clause that a proof adds must follow by unit propagation
// (reverse unit propagation), and the last is empty. Deleted clauses are dropped, but literals that they
// implied stay. Variables go up to 1<<16.
type rup struct {
	watched map[int][]*[]int // clauses by each of their first two literals; nil ones are deleted
	clauses map[string][]*[]int
	value   [1 << 17]bool // whether a literal is true, by 1<<16 + literal
	trail   []int
	refuted bool
}

func (r *rup) holds(lit int) bool { return r.value[1<<16+lit] }

func (r *rup) assign(lit int) { r.value[1<<16+lit], r.trail = true, append(r.trail, lit) }

// propagate goes through the trail from a place on, and reports whether it met a conflict.
func (r *rup) propagate(from int) bool {
	for ; from < len(r.trail); from++ {
		falsified := -r.trail[from]
		list := r.watched[falsified]
		kept := list[:0]
		for at, clause := range list {
			lits := *clause
			if lits == nil {
				continue
			}
			if lits[0] == falsified {
				lits[0], lits[1] = lits[1], lits[0]
			}
			other := 2
			for other < len(lits) && r.holds(-lits[other]) {
				other++
			}
			switch {
			case r.holds(lits[0]):
			case other < len(lits):
				lits[1], lits[other] = lits[other], lits[1]
				r.watched[lits[1]] = append(r.watched[lits[1]], clause)
				continue
			case r.holds(-lits[0]):
				r.watched[falsified] = append(kept, list[at:]...)
				return true
			default:
				r.assign(lits[0])
			}
			kept = append(kept, clause)
		}
		r.watched[falsified] = kept
	}
	return false
}

// follows reports whether a clause follows by unit propagation.
func (r *rup) follows(lits []int) bool {
	mark := len(r.trail)
	conflict := false
	for _, lit := range lits {
		if conflict = conflict || r.holds(lit); !conflict && !r.holds(-lit) {
			r.assign(-lit)
		}
	}
	conflict = conflict || r.propagate(mark)
	for _, lit := range r.trail[mark:] {
		r.value[1<<16+lit] = false
	}
	r.trail = r.trail[:mark]
	return conflict
}

func (r *rup) add(lits []int) {
	key := fmt.Sprint(slices.Sorted(slices.Values(lits)))
	slices.SortStableFunc(lits, func(a, b int) int { // literals that are not false come first
		return strings.Compare(strconv.FormatBool(r.holds(-a)), strconv.FormatBool(r.holds(-b)))
	})
	clause := &lits
	r.clauses[key] = append(r.clauses[key], clause)
	switch {
	case len(lits) == 0 || r.holds(-lits[0]):
		r.refuted = true
	case len(lits) == 1 || r.holds(-lits[1]):
		if !r.holds(lits[0]) {
			r.assign(lits[0])
			r.refuted = r.refuted || r.propagate(len(r.trail)-1)
		}
	default:
		for _, lit := range lits[:2] {
			r.watched[lit] = append(r.watched[lit], clause)
		}
	}
}

// checkProof returns an error unless a proof in the text form of DRAT refutes a formula in DIMACS.
func checkProof(formula, proof []byte) error {
	r := &rup{watched: map[int][]*[]int{}, clauses: map[string][]*[]int{}}
	for i, text := range [][]byte{formula, proof} {
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() && !r.refuted {
			words := strings.Fields(lines.Text())
			if len(words) == 0 || words[0] == "c" || words[0] == "p" {
				continue
			}
			deleted := words[0] == "d"
			if deleted {
				words = words[1:]
			}
			var lits []int
			for _, word := range words[:len(words)-1] {
				lit, err := strconv.Atoi(word)
				if err != nil {
					return err
				}
				lits = append(lits, lit)
			}
			if key := fmt.Sprint(slices.Sorted(slices.Values(lits))); deleted {
				if list := r.clauses[key]; len(list) > 0 {
					*list[0], r.clauses[key] = nil, list[1:]
				}
				continue
			}
			if i == 1 && !r.follows(lits) {
				return fmt.Errorf("clause %v does not follow by unit propagation", lits)
			}
			r.add(lits)
		}
	}
	if !r.refuted {
		return fmt.Errorf("the empty clause is missing")
	}
	return nil
}
