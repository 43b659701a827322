package lab

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"queens/board"
	"queens/configure"
	"queens/explain"
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
	Blame  []string  `json:"blame"`
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
func Explain(ctx context.Context, s *configure.Session, c board.Cell) (*Walk, error) {
	e, err := s.Explain(ctx, c)
	if err != nil {
		return nil, err
	}
	return NewWalk(s.State().N, e), nil
}

// NewWalk turns an explanation on a board of size n into a walk.
func NewWalk(n int, e explain.Explanation) *Walk {
	w := &Walk{
		Cell: e.Cell.String(), Valid: e.Verdict == explain.IsValid, Verdict: string(e.Verdict), Technique: technique(e),
		Text: Capital(e.Sentence(n)) + ".", AttackedBy: Names(e.AttackedBy), Frames: []Frame{},
		Blame: Names(e.Blame), Smallest: e.Smallest, Witness: Names(e.Witness),
	}
	if len(e.Witness) == 0 {
		w.Witness = nil
	}
	w.hint(n, e)
	switch e.Verdict {
	case explain.ByAttack:
		f := Frame{Number: "1", Kind: "attacked", Text: w.Text, Line: []string{}, Supposed: []string{}, Rays: []Ray{}}
		for _, q := range e.AttackedBy {
			f.Rays = append(f.Rays, Ray{q.String(), w.Cell})
		}
		w.Frames = append(w.Frames, f)
	case explain.ByEmptyLine, explain.ByChain, explain.ByChoice:
		w.steps(n, e)
	}
	return w
}

// technique returns the name of the kind of reasoning.
func technique(e explain.Explanation) string {
	switch e.Verdict {
	case explain.ByAttack:
		return "attacked"
	case explain.ByEmptyLine:
		return "last cells of a line"
	case explain.ByChain:
		if len(e.Steps) == 2 {
			return "two lines share a cell"
		}
		return "chain of last cells"
	case explain.ByChoice:
		return "every choice fails"
	case explain.BySearch:
		return "search"
	}
	return ""
}

// hint fills in the hint and the line.
func (w *Walk) hint(n int, e explain.Explanation) {
	if len(e.Steps) == 0 {
		switch e.Verdict {
		case explain.ByAttack:
			w.Hint = fmt.Sprintf("Look along the row, the column and the diagonals of %s.", e.Cell)
		case explain.BySearch:
			w.Hint = "No short argument was found: it takes a search to see this."
		}
		return
	}
	line := e.Steps[len(e.Steps)-1].Line
	text := fmt.Sprintf("With a queen on %s, %s is left without a free cell.", e.Cell, line.Name(n))
	switch e.Verdict {
	case explain.ByChoice:
		line = e.Steps[0].Line
		text = fmt.Sprintf("With a queen on %s, every cell of %s that is still free leads to a contradiction.",
			e.Cell, line.Name(n))
	case explain.ByChain:
		text = fmt.Sprintf("With a queen on %s, forced moves leave %s without a free cell.", e.Cell, line.Name(n))
	}
	w.Hint = fmt.Sprintf("Suppose a queen on %s, and look at %s.", e.Cell, line.Name(n))
	w.Line = &WalkLine{Name: line.Name(n), Cells: Names(line.Cells(n)), Text: text}
}

// steps appends a frame for the supposition, one for each step, and one for the
// verdict.
func (w *Walk) steps(n int, e explain.Explanation) {
	supposed := []string{w.Cell}
	w.Frames = append(w.Frames, Frame{
		Number: "1", Kind: "suppose", Text: fmt.Sprintf("Suppose a queen stands on %s.", e.Cell),
		Line: []string{}, Supposed: Names([]board.Cell{e.Cell}), Rays: []Ray{},
	})
	top, below := 1, 0
	for _, s := range e.Steps {
		number := ""
		switch {
		case s.Kind == explain.Case:
			supposed = []string{w.Cell}
			top, below = top+1, 0
			number = fmt.Sprint(top)
		case e.Verdict == explain.ByChoice:
			below++
			number = fmt.Sprintf("%d.%d", top, below)
		default:
			top++
			number = fmt.Sprint(top)
		}
		if s.Kind != explain.Emptied {
			supposed = append(supposed, s.Cell.String())
		}
		f := Frame{
			Number: number, Kind: string(s.Kind), Text: Capital(s.Sentence(n)) + ".",
			Line: Names(s.Line.Cells(n)), Supposed: append([]string{}, supposed...), Rays: []Ray{},
		}
		for _, a := range s.Attacks {
			f.Rays = append(f.Rays, Ray{a.By.String(), a.Cell.String()})
		}
		w.Frames = append(w.Frames, f)
	}
	end := fmt.Sprintf("So no solution has a queen on %s, whatever is placed.", e.Cell)
	if len(w.Blame) > 0 {
		end = fmt.Sprintf("So %s cannot hold a queen. To blame: %s.", e.Cell, strings.Join(w.Blame, ", "))
	}
	w.Frames = append(w.Frames, Frame{
		Number: fmt.Sprint(top + 1), Kind: "verdict", Text: end, Line: []string{}, Supposed: []string{}, Rays: []Ray{},
	})
}

var startsWithCell = regexp.MustCompile(`^[a-z]+[0-9]`)

// Capital capitalizes the beginning of a sentence, unless it begins with the
// name of a cell.
func Capital(text string) string {
	if startsWithCell.MatchString(text) {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Names returns the names of cells. An empty board of 200 has 40,000 of them, so
// the names share one string.
func Names(cells []board.Cell) []string {
	var files []string
	var text []byte
	ends := make([]int, len(cells))
	for i, c := range cells {
		for col := len(files); col <= c.Col; col++ {
			files = append(files, board.File(col))
		}
		text = append(text, files[c.Col]...)
		text = strconv.AppendInt(text, int64(c.Row+1), 10)
		ends[i] = len(text)
	}
	all, from := string(text), 0
	words := make([]string, len(cells))
	for i, end := range ends {
		words[i] = all[from:end]
		from = end
	}
	return words
}
