package search

import (
	"context"
	"errors"
	"math/bits"

	"queens/board"
	"queens/encode/cnf"
)

// walker walks over the solutions under one set of assumptions at a time.
type walker interface {
	// start sets the assumptions. It returns false if they are obviously inconsistent; no walk may follow then.
	start(assume []cnf.Lit) (consistent bool)
	// walk calls found with the solutions under the assumptions and the literal through, which may be 0 for
	// none. It visits each solution at most once, and stops when found returns false. If want is one, it may
	// search in any order. It ends with the context's error, or with errLimit when the cost has reached a
	// limit other than 0; it may check both only every pauseAfter units.
	walk(ctx context.Context, through cnf.Lit, limit uint64, want wanted, found func(*partial) bool) error
	// cost returns the cost of all walks so far, and that of a solution found without backtracking.
	cost() (spent, ahead uint64)
	// open sets some literals that are true in every solution, and adds the remaining open literals to
	// missing, only the positive ones if positive is set. It returns open literals such that
	// each solution contains one of them, or none if it knows no such set; the next call overwrites them. Until the next start,
	// walks that have a choice try literals of missing first.
	open(missing *literals, positive bool) (split []cnf.Lit)
	// refute adds the assumption that a literal is false, since no solution contains it. It returns false if
	// that shows that there is no solution; no walk may follow then.
	refute(l cnf.Lit) (consistent bool)
}

// wanted says whether a walk looks for one solution or for all.
type wanted uint8

const (
	one wanted = iota
	every
)

// partial stands for a set of solutions: the held variables are true, the free ones take any values, and all
// others are false. It is valid only during the call.
type partial struct {
	cols       []int8 // on bit masks, instead of held: the column of each row's queen
	held, free []cnf.Var
	images     []board.Symmetry // symmetries whose images count as well; nil for the identity only
}

// appendHeld appends the held variables.
func (s *partial) appendHeld(vars []cnf.Var) []cnf.Var {
	for row, col := range s.cols {
		vars = append(vars, cnf.Var(row*len(s.cols)+int(col)+1))
	}
	return append(vars, s.held...)
}

// pauseAfter is the largest cost between a walk's checks of its context and its limit.
const pauseAfter = 1 << 14

// errLimit ends a walk that has reached its limit; errAnew ends one that will restart.
var (
	errLimit = errors.New("search: the walk's limit is reached")
	errAnew  = errors.New("search: the walk is restarted")
)

// literals is a set of literals. For walks on bit masks it holds positive literals only, one word for each
// row of the board; for others it holds literals of both signs, two bits for each variable.
type literals struct {
	words []uint64
	n     int // size of the board; 0 for literals of both signs
}

// at returns a literal's word and bit.
func (s *literals) at(l cnf.Lit) (word int, bit uint64) {
	i := uint32(l.Var() - 1)
	if s.n > 0 {
		return int(i / uint32(s.n)), 1 << (i % uint32(s.n))
	}
	i = uint32(l.Index())
	return int(i >> 6), 1 << (i & 63)
}

// lit returns the literal of a bit.
func (s *literals) lit(word, bit int) cnf.Lit {
	if s.n > 0 {
		return cnf.Lit(word*s.n + bit + 1)
	}
	return cnf.Var(word*32 + bit/2 + 1).Lit(bit%2 == 0)
}

func (s *literals) has(l cnf.Lit) bool {
	word, bit := s.at(l)
	return s.words[word]&bit != 0
}

func (s *literals) add(l cnf.Lit) {
	word, bit := s.at(l)
	s.words[word] |= bit
}

// size returns the number of literals.
func (s *literals) size() (size int) {
	for _, word := range s.words {
		size += bits.OnesCount64(word)
	}
	return size
}
