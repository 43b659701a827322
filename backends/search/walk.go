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
	// walk calls found with solutions under the assumptions and one more literal, unless that is 0. It calls it
	// at most once with each, until found returns false. If one solution is wanted, it may look for it in any
	// order. It ends with the context's error, or with errLimit when the cost has reached a limit other than 0;
	// it looks at both every few thousand units.
	walk(ctx context.Context, through cnf.Lit, limit uint64, want wanted, found func(*partial) bool) error
	// cost returns the units of all walks so far, and of a solution that is found without taking anything back.
	cost() (spent, ahead uint64)
	// open makes some literals true that every solution has, adds those that are then open to missing, on request
	// the positive ones only, and returns some of them, of which each solution has one; none if there are no such
	// literals. Until the next start, walks try a literal of missing first where they have a choice. The next
	// call overwrites the result.
	open(missing *literals, positive bool) (split []cnf.Lit)
	// refute adds to the assumptions that a literal is false, since no solution has it. It returns false if that
	// shows that there is no solution; no walk may follow then.
	refute(l cnf.Lit) (consistent bool)
}

// wanted says with which solutions a walk calls found.
type wanted uint8

const (
	one wanted = iota
	every
)

// partial stands for a set of solutions: the held variables are true, the free ones take any values, and all
// others are false. It is valid only during the call.
type partial struct {
	cols       []int8 // on bit masks in place of held: the column of each row's queen
	held, free []cnf.Var
	images     []board.Symmetry // under which these are solutions, too; nil for the identity only
}

// appendHeld appends the held variables.
func (s *partial) appendHeld(vars []cnf.Var) []cnf.Var {
	for row, col := range s.cols {
		vars = append(vars, cnf.Var(row*len(s.cols)+int(col)+1))
	}
	return append(vars, s.held...)
}

// pauseAfter is the cost after which a walk looks at its context and its limit.
const pauseAfter = 1 << 14

// errLimit ends a walk that has reached its limit, errAnew one that starts again in another way.
var (
	errLimit = errors.New("search: the walk's limit is reached")
	errAnew  = errors.New("search: the walk is restarted")
)

// literals is a set of literals. For walks on bit masks it has the positive ones, a word for each row of the board;
// for others those of both signs, two bits for each variable.
type literals struct {
	words []uint64
	n     int // size of the board; 0 where both signs count
}

// at returns a literal's word and bit.
func (s *literals) at(l cnf.Lit) (word int, bit uint64) {
	i := uint32(l.Var() - 1)
	if s.n > 0 {
		return int(i / uint32(s.n)), 1 << (i % uint32(s.n))
	}
	if i *= 2; !l.Positive() {
		i++
	}
	return int(i >> 6), 1 << (i & 63)
}

// lit returns the literal of a bit.
func (s *literals) lit(word, bit int) cnf.Lit {
	if s.n > 0 {
		return cnf.Lit(word*s.n + bit + 1)
	}
	l := cnf.Lit(word*32 + bit/2 + 1)
	if bit%2 == 1 {
		l = -l
	}
	return l
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
