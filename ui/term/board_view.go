package term

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
)

// sizes are the sizes of a cell in characters, smallest first: about square on most terminals.
var sizes = []struct{ w, h int }{{3, 1}, {5, 2}, {7, 3}, {9, 4}, {12, 5}}

const (
	margin    = 3  // columns of rank numbers
	paneWidth = 26 // columns that the text next to the board needs
)

// boardView is a board as it is drawn on a terminal.
type boardView struct {
	view     *configure.View
	counts   *configure.Counts
	cursor   board.Cell
	why      *lesson.Walk // of the cell under the cursor
	step     int          // the frame of why on the board; -1: none
	heat     bool         // the counts are shown
	solution []board.Cell // shown in place of the person's queens while browsing
}

// window returns the part of the board that is shown, and the size of a cell: the largest size at which
// the whole board fits, otherwise the smallest size, with as many cells around the cursor as fit.
func (m *boardView) window(width, height int) (from board.Cell, rows, cols int, w, h int) {
	n := m.view.State.N
	high, wide := height-top-5, width-margin-paneWidth
	w, h = sizes[0].w, sizes[0].h
	for _, size := range sizes[1:] {
		if n*size.h <= high && n*size.w <= wide {
			w, h = size.w, size.h
		}
	}
	rows = min(n, max(3, height-top-7))
	if n*h <= high {
		rows = n
	}
	cols = min(n, max(3, wide/w))
	place := func(at, span int) int { return min(max(at-span/2, 0), n-span) }
	return board.Cell{Row: place(m.cursor.Row, rows), Col: place(m.cursor.Col, cols)}, rows, cols, w, h
}

// cellAt returns the cell at a position on the screen, and whether there is one.
func (m *boardView) cellAt(x, y, width, height int) (board.Cell, bool) {
	from, rows, cols, w, h := m.window(width, height)
	row, col := (y-top)/h, (x-margin)/w
	if x < margin || y < top || row >= rows || col >= cols {
		return board.Cell{}, false
	}
	return board.Cell{Row: from.Row + rows - 1 - row, Col: from.Col + col}, true
}

// board returns the lines of the board on a screen of the given size.
func (m *boardView) board(width, height int) (lines []string) {
	from, rows, cols, w, h := m.window(width, height)
	over := m.overlay()
	for row := from.Row + rows - 1; row >= from.Row; row-- {
		var blank, signs strings.Builder // lines of a row of cells: without signs, and with them
		for col := from.Col; col < from.Col+cols; col++ {
			text, style := m.cell(board.Cell{Row: row, Col: col}, over, w)
			signs.WriteString(style.Render(text))
			blank.WriteString(style.Render(strings.Repeat(" ", w)))
		}
		for i := range h {
			if i == (h-1)/2 {
				lines = append(lines, fmt.Sprintf("%*d%s", margin, row+1, signs.String()))
			} else {
				lines = append(lines, strings.Repeat(" ", margin)+blank.String())
			}
		}
	}
	files := strings.Repeat(" ", margin)
	for col := from.Col; col < from.Col+cols; col++ {
		files += centre(board.File(col), w)
	}
	lines = append(lines, files)
	if n := m.view.State.N; rows < n || cols < n {
		last := board.Cell{Row: from.Row + rows - 1, Col: from.Col + cols - 1}
		lines = append(lines, styleFaint.Render(fmt.Sprintf("%*s%s to %s of %d", margin, "", from, last, n)))
	}
	return lines
}

// centre centres a text in w characters, one character further left if it cannot be exact.
func centre(text string, w int) string {
	return fmt.Sprintf("%-*s", w, fmt.Sprintf("%*s", (w+len(text))/2, text))
}

// cell returns a cell's text, w characters wide, in brackets if the cursor is on it.
func (m *boardView) cell(c board.Cell, over map[board.Cell]string, w int) (string, lipgloss.Style) {
	mark := m.view.Mark(c)
	text, style := mark.Sign(), styles[mark]
	if m.heat && m.counts != nil && mark.Open() {
		through := m.counts.Through[c.Index(m.view.State.N)]
		text, style = heat(through.String(), w), shade(through, m.counts)
	}
	switch sign, marked := over[c]; {
	case marked && m.solution != nil:
		text, style = sign, styleGood
	case marked:
		text, style = sign, styleBad
	case (m.solution != nil || m.step >= 0) && mark != configure.Queen: // only signs drawn over the board
		text, style = configure.Untold.Sign(), styleFaint
	}
	if c == m.cursor {
		style = styleCursor
		if len(text) <= w-2 {
			text = "[" + text + "]"
		}
	}
	return centre(text, w), style
}

// heat returns a count in w characters, in a form like 3e5 if it has more digits.
func heat(decimal string, w int) string {
	if len(decimal) > w {
		return fmt.Sprintf("%se%d", decimal[:1], len(decimal)-1)
	}
	return decimal
}

// shade returns a style that shows the share of solutions that go through a cell, relative to the cell
// with the most: up to a quarter faint, up to a half plain, up to three quarters bold, above that
// reversed.
func shade(through *big.Int, counts *configure.Counts) lipgloss.Style {
	most := slices.MaxFunc(counts.Through, (*big.Int).Cmp)
	part, _ := new(big.Rat).SetFrac(through, most).Float64()
	return shades[int(math.Ceil(part*float64(len(shades))))-1]
}

var shades = []lipgloss.Style{
	styleFaint,
	lipgloss.NewStyle(),
	lipgloss.NewStyle().Bold(true),
	lipgloss.NewStyle().Bold(true).Reverse(true),
}

// overlay returns the signs drawn over the board: a solution's queens, or the current frame's line, its
// supposed queens in order, and the queens to blame.
func (m *boardView) overlay() map[board.Cell]string {
	over := map[board.Cell]string{}
	for _, c := range m.solution {
		if m.view.Mark(c) != configure.Queen {
			over[c] = configure.Shown.Sign()
		}
	}
	if m.step < 0 || m.solution != nil {
		return over
	}
	put := func(cell, sign string) {
		c, _ := board.ParseCell(cell) // always a valid name, since a board made it
		over[c] = sign
	}
	frame := m.why.Frames[m.step]
	for _, cell := range frame.Line {
		put(cell, configure.OnLine.Sign())
	}
	for i, cell := range frame.Supposed {
		put(cell, strconv.Itoa(i))
	}
	put(m.why.Cell, configure.Asked.Sign())
	if m.step == len(m.why.Frames)-1 { // only the last frame names the queens to blame
		for _, q := range m.why.Blame {
			put(q, configure.Blamed.Sign())
		}
	}
	return over
}

// pane returns the lines next to the board, which begin with what the back-end did, and the number of the
// line that must stay visible.
func (m *boardView) pane(engine string, width int) (lines []string, focus int) {
	write := func(format string, args ...any) {
		lines = append(lines, wrap(fmt.Sprintf(format, args...), width)...)
	}
	write("%s", engine)
	write("Forced cells: %s (f)", m.view.State.Mode)
	lines = append(lines, "")
	if m.why != nil {
		style := styleBad
		if m.why.Valid {
			style = styleGood
		}
		lines = append(lines, style.Render(m.why.Cell)+" "+m.why.Technique)
		last := len(m.why.Frames) - 1
		if m.step >= 0 { // the last step states the conclusion
			focus = len(lines)
			write("%d of %d  [ back  ] next  . play", m.step+1, last+1)
			write("> %s. %s", m.why.Frames[m.step].Number, m.why.Frames[m.step].Text)
		} else {
			write("%s", m.why.Text)
			if last > 0 {
				write("e: step through the %d steps; . plays them", last+1)
			}
		}
		if back := m.why.TakeBack; len(back) > 0 && (m.step < 0 || m.step == last) {
			write("To blame: %s. t takes back %s.", strings.Join(back, ", "), back[0])
		}
	}
	if m.step < 0 && m.view.State.Mode != configure.Off && len(m.view.Forced) > 0 {
		lines = append(lines, "")
		for _, f := range m.view.Forced {
			write("! %s", f.Sentence(m.view.State.N))
		}
	}
	return lines, focus
}
