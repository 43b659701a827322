package term

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"queens/board"
	"queens/configure"
)

// sizes are the sizes of a cell in characters, smallest first: about square on most terminals.
var sizes = []struct{ w, h int }{{3, 1}, {5, 2}, {7, 3}, {9, 4}, {12, 5}}

// paneWidth is the width that the text next to the board needs.
const paneWidth = 26

// window returns which part of the board is shown, and how large a cell is: the largest
// size at which the whole board fits, or else as many cells of the smallest size as fit
// around the cursor.
func (m *model) window() (from board.Cell, rows, cols int, w, h int) {
	n := m.view.State.N
	high, wide := m.height-top-5, m.width-margin-paneWidth
	w, h = sizes[0].w, sizes[0].h
	for _, size := range sizes[1:] {
		if n*size.h <= high && n*size.w <= wide {
			w, h = size.w, size.h
		}
	}
	rows = min(n, max(3, m.height-top-7))
	if n*h <= high {
		rows = n
	}
	cols = min(n, max(3, wide/w))
	place := func(at, span int) int { return min(max(at-span/2, 0), n-span) }
	return board.Cell{Row: place(m.cursor.Row, rows), Col: place(m.cursor.Col, cols)}, rows, cols, w, h
}

// cellAt returns the cell at a position on the screen, and whether there is one.
func (m *model) cellAt(x, y int) (board.Cell, bool) {
	from, rows, cols, w, h := m.window()
	row, col := (y-top)/h, (x-margin)/w
	if x < margin || y < top || row >= rows || col >= cols {
		return board.Cell{}, false
	}
	return board.Cell{Row: from.Row + rows - 1 - row, Col: from.Col + col}, true
}

// The colours are the sixteen that every terminal has, so that the person's own palette
// applies; the signs say the same without colour.
var (
	styleTitle  = lipgloss.NewStyle().Bold(true)
	styleFaint  = lipgloss.NewStyle().Faint(true)
	styleCursor = lipgloss.NewStyle().Reverse(true).Bold(true)
	styles      = map[configure.Mark]lipgloss.Style{
		configure.Queen:    lipgloss.NewStyle().Bold(true),
		configure.Auto:     lipgloss.NewStyle().Foreground(lipgloss.Magenta),
		configure.Forced:   lipgloss.NewStyle().Foreground(lipgloss.Magenta).Bold(true),
		configure.Valid:    lipgloss.NewStyle().Foreground(lipgloss.Green),
		configure.Invalid:  lipgloss.NewStyle().Foreground(lipgloss.Red),
		configure.Attacked: lipgloss.NewStyle().Faint(true),
		configure.Blocked:  lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	}
	styleBad  = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	styleGood = lipgloss.NewStyle().Foreground(lipgloss.Green).Bold(true)
)

// View implements tea.Model.
func (m *model) View() tea.View { return view(m.screen(), "queens") }

// view fills the terminal's window with a screen.
func view(screen, title string) tea.View {
	v := tea.NewView(screen)
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = title
	return v
}

func (m *model) screen() string {
	if m.view == nil {
		return m.message + "\n"
	}
	if m.help {
		return helpText
	}
	n := m.view.State.N
	title := fmt.Sprintf("%d queens", n)
	head := styleTitle.Render(title) + "  " + fit(summary(m.view, m.counts), m.width-len(title)-2)
	left := m.board()
	width := lipgloss.Width(left) + 3
	right, focus := m.pane(m.width - width)
	lines := []string{head}
	boardLines, paneLines := strings.Split(left, "\n"), strings.Split(right, "\n")
	body := m.height - 4
	if past := focus + 3 - body; past > 0 { // keep the current step in sight
		paneLines = paneLines[min(past, len(paneLines)-1):]
	}
	for i := range max(len(boardLines), min(len(paneLines), body-1)) {
		line := ""
		if i < len(boardLines) {
			line = boardLines[i]
		}
		if i < len(paneLines) && i < body {
			line += strings.Repeat(" ", max(0, width-lipgloss.Width(line))) + paneLines[i]
		}
		lines = append(lines, line)
	}
	for len(lines) < m.height-3 {
		lines = append(lines, "")
	}
	const signs = "Q queen q auto o valid ! forced x attacked . impossible # blocked [ ] cursor"
	const keys = "enter place  x block  u undo  r redo  m map  n solution  e why  ? help  q quit"
	lines = append(lines[:m.height-3], styleTitle.Render(fit(m.message, m.width)),
		styleFaint.Render(fit(signs, m.width)), styleFaint.Render(fit(keys, m.width)))
	return strings.Join(lines, "\n")
}

func (m *model) board() string {
	from, rows, cols, w, h := m.window()
	n := m.view.State.N
	over := m.overlay()
	var b strings.Builder
	for row := from.Row + rows - 1; row >= from.Row; row-- {
		var blank, signs strings.Builder // a row of cells: the lines beside the signs, and theirs
		for col := from.Col; col < from.Col+cols; col++ {
			text, style := m.cell(board.Cell{Row: row, Col: col}, over, w)
			signs.WriteString(style.Render(text))
			blank.WriteString(style.Render(strings.Repeat(" ", w)))
		}
		for i := range h {
			if i == (h-1)/2 {
				fmt.Fprintf(&b, "%*d%s\n", margin, row+1, signs.String())
			} else {
				fmt.Fprintf(&b, "%*s%s\n", margin, "", blank.String())
			}
		}
	}
	b.WriteString(strings.Repeat(" ", margin))
	for col := from.Col; col < from.Col+cols; col++ {
		b.WriteString(centre(board.File(col), w))
	}
	if rows < n || cols < n {
		last := board.Cell{Row: from.Row + rows - 1, Col: from.Col + cols - 1}
		b.WriteString("\n" + styleFaint.Render(fmt.Sprintf("%*s%s to %s of %d", margin, "", from, last, n)))
	}
	return b.String()
}

// centre centres a text in w characters, nearer to the left if it cannot be exact.
func centre(text string, w int) string {
	return fmt.Sprintf("%-*s", w, fmt.Sprintf("%*s", (w+len(text))/2, text))
}

// cell returns a cell's text, w characters wide, in brackets if the cursor is on it.
func (m *model) cell(c board.Cell, over map[board.Cell]string, w int) (string, lipgloss.Style) {
	mark := m.view.Mark(c)
	text, style := mark.Sign(), styles[mark]
	if m.heat && m.counts != nil && m.counts.Through != nil && (mark == configure.Valid || mark == configure.Forced) {
		text, style = heat(m.counts.Through[c.Index(m.view.State.N)].String()), m.shade(c)
	}
	switch sign, marked := over[c]; {
	case m.solution != nil:
		text, style = ".", styleFaint
		if slices.Contains(m.solution, c) {
			text, style = "Q", styleGood
		}
	case marked:
		text, style = sign, styleBad
	case m.step >= 0 && mark != configure.Queen: // show only the step
		text, style = ".", styleFaint
	}
	if c == m.cursor {
		style = styleCursor
		if len(text) <= w-2 {
			text = "[" + text + "]"
		}
	}
	return centre(text, w), style
}

// shade returns a style that shows how many solutions go through a cell, compared to the
// cell with the most: up to a quarter faint, a half plain, three quarters bold, more
// reversed.
func (m *model) shade(c board.Cell) lipgloss.Style {
	most := new(big.Int)
	for _, count := range m.counts.Through {
		if count.Cmp(most) > 0 {
			most = count
		}
	}
	if most.Sign() == 0 {
		return styleFaint
	}
	quarters := new(big.Int).Mul(m.counts.Through[c.Index(m.view.State.N)], big.NewInt(4))
	quarters.Sub(quarters, big.NewInt(1)).Div(quarters, most)
	return shades[min(max(int(quarters.Int64()), 0), len(shades)-1)]
}

var shades = []lipgloss.Style{
	styleFaint,
	lipgloss.NewStyle(),
	lipgloss.NewStyle().Bold(true),
	lipgloss.NewStyle().Bold(true).Reverse(true),
}

// overlay returns the signs for the cells of the current frame: the line that it is about,
// the supposed queens in order, and the queens to blame.
func (m *model) overlay() map[board.Cell]string {
	over := map[board.Cell]string{}
	if m.why == nil || m.step < 0 || m.step >= len(m.why.Frames) {
		return over
	}
	put := func(cell, sign string) {
		c, _ := board.ParseCell(cell) // a name that a board gave
		over[c] = sign
	}
	frame := m.why.Frames[m.step]
	for _, cell := range frame.Line {
		put(cell, "-")
	}
	for i, cell := range frame.Supposed {
		put(cell, strconv.Itoa(i))
	}
	put(m.why.Cell, "?")
	if m.step == len(m.why.Frames)-1 { // only the last frame names the queens to blame
		for _, q := range m.why.Blame {
			put(q, "Q*")
		}
	}
	return over
}

// pane returns the text next to the board, and the number of the line that must stay in sight.
func (m *model) pane(width int) (text string, focus int) {
	var b strings.Builder
	write := func(text string) { b.WriteString(wrap(text, width) + "\n") }
	write(m.player.engineLine(m.view))
	write(fmt.Sprintf("Forced cells: %s (f)", m.view.State.Mode))
	b.WriteByte('\n')
	n := m.view.State.N
	if m.why != nil {
		heading := styleBad
		if m.why.Valid {
			heading = styleGood
		}
		b.WriteString(heading.Render(m.why.Cell) + " " + m.why.Technique + "\n")
		if m.step >= 0 { // the conclusion is left to the last step
			focus = strings.Count(b.String(), "\n")
			write(fmt.Sprintf("%d of %d  [ back  ] next  . play", m.step+1, len(m.why.Frames)))
			frame := m.why.Frames[m.step]
			write(fmt.Sprintf("> %s. %s", frame.Number, frame.Text))
		} else {
			write(m.why.Text)
			if len(m.why.Frames) > 1 {
				write(fmt.Sprintf("e: step through the %d steps; . plays them", len(m.why.Frames)))
			}
		}
		if len(m.why.Blame) > 0 && (m.step < 0 || m.step == len(m.why.Frames)-1) {
			write(fmt.Sprintf("To blame: %s. t takes back %s.", strings.Join(m.why.Blame, ", "), m.why.Blame[0]))
		}
	}
	if m.step < 0 && m.view.State.Mode != configure.Off && len(m.view.Forced) > 0 {
		b.WriteByte('\n')
		for _, f := range m.view.Forced {
			write("! " + f.Sentence(n))
		}
	}
	return strings.TrimRight(b.String(), "\n"), focus
}

// wrap breaks text into lines of at most width columns, at spaces.
func wrap(text string, width int) string {
	const indent = 3
	return strings.ReplaceAll(ansi.Wrap(text, max(width, 10)-indent, ""), "\n", "\n"+strings.Repeat(" ", indent))
}

// fit cuts text to one line.
func fit(text string, width int) string { return ansi.Truncate(text, max(0, width), "...") }

const helpText = `HOW TO PLAY

Place n queens so that no two attack each other. A queen that would leave no
solution is refused, with the reason.

  arrows, hjkl     move             home end pgup pgdn  to the edges
  enter, space     place a queen or take it back (left click)
  x                block or unblock a cell (right click)
  u  r  c          undo, redo, clear
  f                forced cells: off, suggest, place
  m                map of the solutions through each cell, more in bolder type
  e, then [ ] .    explain the cell under the cursor: first step, back, next, play
  t                take back the first queen that is to blame
  n  p             next and previous solution; esc ends browsing
  b                next back-end
  o                next variable order of the diagram
  +  -             larger or smaller board
  q                quit

Signs: Q queen, q placed automatically, o valid, ! forced, x attacked,
. impossible, # blocked. In an explanation: ? the cell asked about, numbers
the queens supposed in turn, - the line of the step, Q* a queen to blame.

Press any key to return to the board.`
