package configure

import (
	"fmt"
	"slices"

	"queens/backends"
	"queens/board"
	"queens/encode"
)

// Reason says why a cell is forced, given the placed queens and the forced cells
// before it.
type Reason struct {
	Cell board.Cell
	Line board.Line
	// LastFree says that every other cell of the line is attacked or blocked.
	// Otherwise some are free but in no solution.
	LastFree bool
}

// Sentence puts the reason in words, without a full stop.
func (r Reason) Sentence(n int) string {
	if r.LastFree {
		return fmt.Sprintf("%s is the last free cell of %s", r.Cell, r.Line.Name(n))
	}
	return fmt.Sprintf("%s is the only valid cell of %s", r.Cell, r.Line.Name(n))
}

// View is everything that follows from a state. It is immutable.
type View struct {
	State State
	// Marks holds each cell's mark, row by row.
	Marks []Mark
	// Valid holds the empty valid cells, forced ones included, row by row.
	Valid []board.Cell
	// Forced holds the empty forced cells with their reasons, ordered so that each
	// follows from those before it. In mode Place they hold queens.
	//
	// A forced cell is in every completion, so placing its queen does not change
	// the completions: nothing more becomes forced, and when one solution is left,
	// the forced cells are all of it.
	Forced []Reason
	// Satisfiable says whether there is a completion.
	Satisfiable bool
	// Complete says whether the queens on the board are a solution.
	Complete bool
	// Method is the method that the back-end used, and Work the work it reports.
	Method string
	Work   backends.Work
}

// Mark returns the mark of a cell.
func (v *View) Mark(c board.Cell) Mark { return v.Marks[c.Index(v.State.N)] }

// Queens returns the queens on the board: the placed ones in order of placing,
// then those placed automatically.
func (v *View) Queens() []board.Cell {
	queens := append([]board.Cell(nil), v.State.Placed...)
	if v.State.Mode == Place {
		for _, f := range v.Forced {
			queens = append(queens, f.Cell)
		}
	}
	return queens
}

// Bare returns the view of a state without a completion: its queens and the cells
// they attack, without valid cells.
func Bare(state State) *View { return view(state, backends.Valid{}) }

func view(state State, found backends.Valid) *View {
	n := state.N
	v := &View{
		State: state, Marks: make([]Mark, n*n),
		Satisfiable: found.Satisfiable, Method: found.Method, Work: found.Work,
	}
	isPlaced := make([]bool, n*n)
	for _, c := range state.Placed {
		isPlaced[c.Index(n)] = true
	}
	var forced []board.Cell
	for _, x := range found.Forced {
		if c := encode.VarCell(n, x); !isPlaced[c.Index(n)] {
			forced = append(forced, c)
		}
	}
	v.Forced = reasons(state, forced)

	queens := v.Queens()
	p := board.NewPosition(n, queens, nil)
	for i := range v.Marks {
		if !p.IsFree(board.At(n, i)) {
			v.Marks[i] = Attacked
		}
	}
	for _, c := range state.Blocked {
		v.Marks[c.Index(n)] = Blocked
	}
	v.Valid = slices.Grow(v.Valid, max(0, len(found.Possible)-len(state.Placed)))
	for _, x := range found.Possible {
		if c := encode.VarCell(n, x); !isPlaced[c.Index(n)] {
			v.Valid = append(v.Valid, c)
			v.Marks[c.Index(n)] = Valid
		}
	}
	for _, f := range v.Forced {
		v.Marks[f.Cell.Index(n)] = [...]Mark{Off: Valid, Suggest: Forced, Place: Auto}[state.Mode]
	}
	for _, c := range state.Placed {
		v.Marks[c.Index(n)] = Queen
	}
	v.Complete = v.Satisfiable && len(queens) == n
	return v
}

// reasons orders the forced cells and says why each is forced. A cell that is the last free one of a row
// or column comes first, and its queen may make other cells the last free ones. Only when there is no
// such cell comes one that takes search to see.
func reasons(state State, forced []board.Cell) []Reason {
	if len(forced) == 0 {
		return nil
	}
	p := board.NewPosition(state.N, state.Placed, state.Blocked)
	var chain []Reason
	rest := append([]board.Cell(nil), forced...)
	for len(rest) > 0 {
		at := 0
		reason := Reason{Cell: rest[0], Line: board.Line{Kind: board.Row, Index: rest[0].Row}}
		for i, c := range rest {
			if line, last := lastFree(p, c); last {
				at, reason = i, Reason{Cell: c, Line: line, LastFree: true}
				break
			}
		}
		chain = append(chain, reason)
		p.Put(rest[at])
		rest = append(rest[:at], rest[at+1:]...)
	}
	return chain
}

// lastFree reports whether the cell is the only free one of its row or column, and
// returns that line.
func lastFree(p *board.Position, c board.Cell) (board.Line, bool) {
	for _, line := range []board.Line{{Kind: board.Row, Index: c.Row}, {Kind: board.Column, Index: c.Col}} {
		if p.IsFree(c) && p.Left(line) == 1 {
			return line, true
		}
	}
	return board.Line{}, false
}
