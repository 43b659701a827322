package lesson

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/board"
	"queens/configure"
	"queens/configure/explain"
	"queens/encode"
	"queens/encode/cnf"
)

// Walk explains why a cell can or cannot hold a queen, one board at a time. For those
// who want to think first, it begins with a hint and the line in question.
type Walk struct {
	Cell    string `json:"cell"`
	Valid   bool   `json:"valid"`
	Verdict string `json:"verdict"` // queen, blocked, valid, attacked, emptied, chain, choice, search
	// Technique names the kind of reasoning: attacked, last cells of a line, two lines
	// share a cell, chain of last cells, every choice fails, search.
	Technique  string   `json:"technique"`
	Text       string   `json:"text"` // the explanation in one sentence
	AttackedBy []string `json:"attacked_by"`
	// Hint says only where to look.
	Hint string `json:"hint"`
	// Line is the line that the explanation turns on; nil if there is none.
	Line   *WalkLine `json:"line,omitempty"`
	Frames []Frame   `json:"frames"` // the whole argument
	Blame  []string  `json:"blame"`  // the placed queens that the argument uses
	// TakeBack holds queens that together rule the cell out, and fewer of them do not: those of Blame, or fewer by a
	// longer argument. To make the cell valid, one of them must go. There are none if no solution has a
	// queen on the cell.
	TakeBack []string `json:"take_back"`
	// Smallest says that it is proved that no fewer queens rule the cell out.
	Smallest bool     `json:"smallest"`
	Witness  []string `json:"witness,omitempty"` // a solution through a valid cell
}

// WalkLine is the line that an explanation turns on.
type WalkLine struct {
	Name  string   `json:"name"`
	Cells []string `json:"cells"`
	Text  string   `json:"text"` // what happens to it
}

// Frame is one board of a walk. Besides the placed queens it shows those supposed so
// far in the same case.
type Frame struct {
	// Number is the step's position in the argument: 1, 2, ... or, within case 2,
	// 2.1, 2.2, ...
	Number string `json:"number"`
	Kind   string `json:"kind"` // suppose, forced, case, emptied, verdict, attacked
	Text   string `json:"text"`
	// Line holds the cells of the line that the step is about.
	Line []string `json:"line"`
	// Supposed are the queens that the argument supposes, in order; the step's own is
	// the last.
	Supposed []string `json:"supposed"`
	// Rays are the attacks on the cells of the line.
	Rays []Ray `json:"rays"`
}

// Ray is an attack, from a queen to a cell.
type Ray struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Explain returns a walk through why a cell of the session's board can or cannot hold
// a queen.
func Explain(ctx context.Context, s *configure.Board, c board.Cell) (*Walk, error) {
	e, err := s.Explain(ctx, c)
	if err != nil {
		return nil, err
	}
	return NewWalk(s.State().N, e), nil
}

// NewWalk turns an explanation on a board of size n into a walk.
func NewWalk(n int, e explain.Explanation) *Walk {
	w := &Walk{
		Cell: cell(n, e.Literal).String(), Valid: e.Verdict == explain.IsValid, Verdict: string(e.Verdict),
		Technique: technique(e), Text: Capital(e.OnBoard(n)) + ".", AttackedBy: names(n, e.ExcludedBy), Frames: []Frame{},
		Blame: names(n, e.Blame), TakeBack: names(n, e.TakeBack()), Smallest: e.Smallest, Witness: names(n, e.Witness),
	}
	w.hint(n, e)
	switch e.Verdict {
	case explain.ByAttack:
		var attacks []explain.Exclusion
		for _, q := range e.ExcludedBy {
			attacks = append(attacks, explain.Exclusion{Literal: e.Literal, By: q})
		}
		w.add(n, "1", "attacked", w.Text, nil, nil, attacks)
	case explain.ByEmptyLine, explain.ByChain, explain.ByChoice:
		w.steps(n, e)
	}
	return w
}

// technique returns the name of the kind of reasoning.
func technique(e explain.Explanation) string {
	if e.Verdict == explain.ByChain && len(e.Steps) == 2 {
		return "two lines share a cell"
	}
	return map[explain.Verdict]string{
		explain.ByAttack: "attacked", explain.ByEmptyLine: "last cells of a line",
		explain.ByChain: "chain of last cells", explain.ByChoice: "every choice fails", explain.BySearch: "search",
	}[e.Verdict]
}

// hint fills in the hint and the line.
func (w *Walk) hint(n int, e explain.Explanation) {
	what := "%s is left without a free cell."
	switch e.Verdict {
	case explain.ByAttack:
		w.Hint = fmt.Sprintf("Look along the row, the column and the diagonals of %s.", w.Cell)
		return
	case explain.BySearch:
		w.Hint = "No short argument was found: it takes a search to see this."
		return
	case explain.ByEmptyLine:
	case explain.ByChain:
		what = "forced moves leave %s without a free cell."
	case explain.ByChoice:
		what = "every cell of %s that is still free leads to a contradiction."
	default:
		return
	}
	line := e.Turn().Line(n)
	w.Hint = fmt.Sprintf("Suppose a queen on %s, and look at %s.", w.Cell, line.Name(n))
	w.Line = &WalkLine{
		Name: line.Name(n), Cells: Names(line.Cells(n)),
		Text: fmt.Sprintf("With a queen on %s, "+what, w.Cell, line.Name(n)),
	}
}

// add appends a frame.
func (w *Walk) add(
	n int, number, kind, text string, line []board.Cell, supposed []cnf.Lit, attacks []explain.Exclusion,
) {
	f := Frame{Number: number, Kind: kind, Text: text, Line: Names(line), Supposed: names(n, supposed), Rays: []Ray{}}
	for _, a := range attacks {
		f.Rays = append(f.Rays, Ray{cell(n, a.By).String(), cell(n, a.Literal).String()})
	}
	w.Frames = append(w.Frames, f)
}

// steps appends a frame for the supposition, one for each step, and one for the
// verdict.
func (w *Walk) steps(n int, e explain.Explanation) {
	supposed := []cnf.Lit{e.Literal}
	var always []cnf.Lit
	w.add(n, "1", "suppose", fmt.Sprintf("Suppose a queen stands on %s.", w.Cell), nil, supposed, nil)
	top, below, cases := 1, 0, false
	for _, s := range e.Steps {
		switch {
		case s.Kind == explain.Case:
			if !cases {
				always = slices.Clip(supposed) // and what follows from it
			}
			supposed, cases = always, true
			top, below = top+1, 0
		case cases:
			below++
		default:
			top++
		}
		number := fmt.Sprint(top)
		if below > 0 {
			number = fmt.Sprintf("%d.%d", top, below)
		}
		if s.Kind != explain.Emptied {
			supposed = append(supposed, s.Literal)
		}
		w.add(n, number, string(s.Kind), Capital(s.OnBoard(n))+".", s.Line(n).Cells(n), supposed, s.Excluded)
	}
	end := fmt.Sprintf("So no solution has a queen on %s, whatever is placed.", w.Cell)
	if len(w.Blame) > 0 {
		end = fmt.Sprintf("So %s cannot hold a queen. %s.", w.Cell, Capital(e.Conclusion(n)))
	}
	w.add(n, fmt.Sprint(top+1), "verdict", end, nil, nil, nil)
}

// Capital capitalizes the beginning of a sentence, unless it begins with the
// name of a cell.
func Capital(text string) string {
	rest := strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz")
	if len(rest) < len(text) && rest != "" && '0' <= rest[0] && rest[0] <= '9' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func cell(n int, l cnf.Lit) board.Cell { return encode.VarCell(n, l.Var()) }

// names returns the names of the cells of literals.
func names(n int, lits []cnf.Lit) []string { return Names(encode.CellsOf(n, lits)) }

// Names returns the names of cells. An empty board of size 200 has 40,000 cells, so the letters of each
// file are made only once.
func Names(cells []board.Cell) []string {
	var files []string
	words := make([]string, len(cells))
	for i, c := range cells {
		for col := len(files); col <= c.Col; col++ {
			files = append(files, board.File(col))
		}
		words[i] = files[c.Col] + strconv.Itoa(c.Row+1)
	}
	return words
}
