package term

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"queens/board"
	"queens/configure"
	"queens/explain"
)

// window says which part of the board is shown: all of it when it fits, else as
// much as fits, around the cursor.
func (m *model) window() (from board.Cell, rows, cols int) {
	n := m.view.State.N
	rows = min(n, max(3, m.height-top-7))
	cols = min(n, max(3, (m.width-margin-26)/cellWidth))
	place := func(at, span int) int { return min(max(at-span/2, 0), n-span) }
	return board.Cell{Row: place(m.cursor.Row, rows), Col: place(m.cursor.Col, cols)}, rows, cols
}

// cellAt returns the cell at a place of the screen.
func (m *model) cellAt(x, y int) (board.Cell, bool) {
	from, rows, cols := m.window()
	row, col := y-top, (x-margin)/cellWidth
	if x < margin || row < 0 || row >= rows || col >= cols {
		return board.Cell{}, false
	}
	return board.Cell{Row: from.Row + rows - 1 - row, Col: from.Col + col}, true
}

// Colours are the sixteen that every terminal has, so that the person's own
// palette holds; a sign says the same without colour.
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
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "queens"
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
	if past := focus + 3 - body; past > 0 { // keep the present step in sight
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
	lines = append(lines[:m.height-3],
		styleTitle.Render(fit(m.message, m.width)),
		styleFaint.Render(fit("Q queen q auto o valid ! forced x attacked . not valid # blocked [ ] cursor", m.width)),
		styleFaint.Render(fit("enter place  x block  u undo  r redo  m map  n solution  e why  ? help  q quit", m.width)))
	return strings.Join(lines, "\n")
}

func (m *model) board() string {
	from, rows, cols := m.window()
	n := m.view.State.N
	over := m.overlay()
	var b strings.Builder
	for i := range rows {
		row := from.Row + rows - 1 - i
		fmt.Fprintf(&b, "%*d", margin, row+1)
		for col := from.Col; col < from.Col+cols; col++ {
			c := board.Cell{Row: row, Col: col}
			b.WriteString(m.cell(c, over))
		}
		b.WriteByte('\n')
	}
	b.WriteString(strings.Repeat(" ", margin))
	for col := from.Col; col < from.Col+cols; col++ {
		fmt.Fprintf(&b, "%*s", cellWidth-1, board.File(col))
		b.WriteByte(' ')
	}
	if rows < n || cols < n {
		b.WriteString("\n" + styleFaint.Render(fmt.Sprintf("%*s%s to %s of %d", margin, "", from, board.Cell{Row: from.Row + rows - 1, Col: from.Col + cols - 1}, n)))
	}
	return b.String()
}

// cell draws one cell, three characters wide, the cursor as brackets.
func (m *model) cell(c board.Cell, over map[board.Cell]string) string {
	mark := m.view.Mark(c)
	style := styles[mark]
	text := " " + mark.Sign() + " "
	if m.heat && m.counts != nil && m.counts.Through != nil && (mark == configure.Valid || mark == configure.Forced) {
		text = fmt.Sprintf("%3s", heat(m.counts.Through[c.Index(m.view.State.N)].String()))
	}
	if m.solution != nil {
		text, style = " . ", styleFaint
		if slices.Contains(m.solution, c) {
			text, style = " Q ", styleGood
		}
	}
	if sign, marked := over[c]; marked {
		text, style = fmt.Sprintf("%2s ", sign), styleBad
	}
	if c == m.cursor {
		if trimmed := strings.TrimSpace(text); len(trimmed) == 1 {
			text = "[" + trimmed + "]"
		}
		return styleCursor.Render(text)
	}
	return style.Render(text)
}

// overlay marks the cells of the explanation's present step: the emptied line,
// the forced queens by number, the queens to blame.
func (m *model) overlay() map[board.Cell]string {
	over := map[board.Cell]string{}
	if m.why == nil || m.step < 0 || m.step >= len(m.why.Steps) {
		return over
	}
	last := m.why.Steps[m.step]
	if last.Kind == explain.Emptied {
		for _, c := range last.Line.Cells(m.view.State.N) {
			over[c] = "-"
		}
	}
	from := 0
	for i, s := range m.why.Steps[:m.step+1] {
		if s.Kind == explain.Case {
			from = i
		}
	}
	for i := from; i <= m.step; i++ {
		if m.why.Steps[i].Kind != explain.Emptied {
			over[m.why.Steps[i].Cell] = strconv.Itoa(i + 1)
		}
	}
	over[m.why.Cell] = "?"
	for _, q := range m.why.Blame {
		over[q] = "Q*"
	}
	return over
}

// pane is the text beside the board, and its line that must be in sight.
func (m *model) pane(width int) (text string, focus int) {
	var b strings.Builder
	write := func(text string) { b.WriteString(wrap(text, width) + "\n") }
	write(m.player.engineLine(m.view))
	write(fmt.Sprintf("Forced cells: %s (f)", m.view.State.Mode))
	b.WriteByte('\n')
	n := m.view.State.N
	if m.why != nil {
		heading := styleBad
		if m.why.Verdict == explain.IsValid {
			heading = styleGood
		}
		b.WriteString(heading.Render(m.cursor.String()) + "\n")
		write(capital(m.why.Sentence(n)) + ".")
		for i, s := range m.why.Steps {
			sign := "  "
			if i == m.step {
				sign = "> "
				focus = strings.Count(b.String(), "\n") + 2
			}
			write(fmt.Sprintf("%s%d. %s.", sign, i+1, capital(s.Sentence(n))))
		}
		if len(m.why.Steps) > 0 {
			write("e, [ and ]: step by step")
		}
		if len(m.why.Blame) > 0 {
			write(fmt.Sprintf("t: take back %s", m.why.Blame[0]))
		}
	}
	if m.view.State.Mode != configure.Off && len(m.view.Forced) > 0 {
		b.WriteByte('\n')
		for _, f := range m.view.Forced {
			write("! " + f.Sentence(n))
		}
	}
	return strings.TrimRight(b.String(), "\n"), focus
}

// wrap breaks text into lines of at most width characters, at spaces.
func wrap(text string, width int) string {
	width = max(width, 10)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = "   "
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// fit cuts text to one line.
func fit(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:max(0, width-3)]) + "..."
	}
	return text
}

const helpText = `HOW TO PLAY

Place n queens so that none attacks another. A cell that would leave no
solution is refused, with the reason.

  arrows, hjkl     move             home end pgup pgdn  to the edges
  enter, space     place a queen, or take it back (left click)
  x                block a cell, or free it (right click)
  u  r  c          undo, redo, clear
  f                forced cells: off, suggest, place
  m                map of the solutions through each cell
  e, then [ ]      explain the cell under the cursor step by step
  t                take back the queen that is to blame
  n  p             next and previous solution; esc leaves them
  b                back-end: best for n, bdd, sat, search
  o                next variable order (bdd)
  +  -             larger, smaller board
  q                quit

Signs: Q queen, q placed automatically, o valid, ! forced, x attacked,
. not valid, # blocked. On an explanation: ? the cell asked about, numbers
the steps, - a line left without a free cell, Q* a queen to blame.

Any key goes back to the board.`
