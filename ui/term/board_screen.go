package term

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/pool"
	"queens/lesson"
)

const (
	lookTime  = 60 * time.Millisecond   // for explaining the cell under the cursor, unasked
	pace      = 1800 * time.Millisecond // per frame of an explanation that plays
	margin    = 3                       // columns of rank numbers
	paneWidth = 26                      // that the text next to the board needs
)

var _ tea.Model = (*boardScreen)(nil)

// boardScreen is a board on a terminal.
type boardScreen struct {
	screen
	player *Player
	cursor board.Cell

	view     *configure.View
	counts   *configure.Counts
	why      *lesson.Walk // of the cell under the cursor
	step     int          // the frame of why on the board; -1: none
	playing  int          // number of the current play, so that ticks of old plays are ignored; 0: none
	plays    int
	heat     bool
	solution []board.Cell // shown in place of the board's own, when browsing
	at       int          // which solution, from 0
}

func (p *Player) model(ctx context.Context) tea.Model {
	m := &boardScreen{screen: screen{ctx: ctx, game: p, width: 80, height: 24}, player: p, step: -1}
	m.refresh = m.renew
	m.refresh("")
	return m
}

// renew asks what follows from the state, and drops what was shown for the previous state.
func (m *boardScreen) renew(message string) {
	m.solution, m.message = nil, message
	m.stop()
	if m.ask(func(ctx context.Context) (err error) {
		view, counts, err := m.player.look(ctx)
		if err == nil {
			m.view, m.counts = view, counts
		}
		return err
	}) == nil {
		m.move(0, 0)
		m.message = message
	}
}

// stop ends the playing of an explanation.
func (m *boardScreen) stop() { m.step, m.playing = -1, 0 }

// explain explains the cell under the cursor, if that can be done in the time.
func (m *boardScreen) explain(within time.Duration) {
	ctx, cancel := context.WithTimeout(m.ctx, within)
	defer cancel()
	var err error
	if m.why, err = lesson.Explain(ctx, m.player.session, m.cursor); err != nil && within > lookTime {
		m.message = "No explanation was found in time."
	}
}

// Update implements tea.Model.
func (m *boardScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg)
	case tea.MouseClickMsg:
		if c, on := m.cellAt(msg.X, msg.Y); on && !m.help {
			m.cursor = c
			m.move(0, 0)
			m.toggle(msg.Button == tea.MouseRight)
		}
	case tea.MouseWheelMsg:
		m.move(map[tea.MouseButton]int{tea.MouseWheelUp: 1, tea.MouseWheelDown: -1}[msg.Button], 0)
	case tick:
		if int(msg) == m.playing && m.step >= 0 {
			m.stepBy(1)
			cmd = m.next()
		}
	case tea.KeyPressMsg:
		cmd = m.pressed(msg.String())
	}
	return m, m.done(cmd)
}

// tick says that the next frame of a play, given by its number, is due.
type tick int

// next asks for the next tick, unless the last frame is shown.
func (m *boardScreen) next() tea.Cmd {
	if m.step >= len(m.why.Frames)-1 {
		m.playing = 0
		return nil
	}
	play := m.playing
	return tea.Tick(pace, func(time.Time) tea.Msg { return tick(play) })
}

// play plays the explanation, from the first frame if the last one is shown, or pauses it.
func (m *boardScreen) play() tea.Cmd {
	if m.playing > 0 {
		m.playing = 0
		return nil
	}
	if m.step < 0 || m.step == len(m.why.Frames)-1 {
		m.explain(actionTime)
		m.startWalk()
	}
	if m.step < 0 {
		return nil
	}
	m.plays++
	m.playing = m.plays
	return m.next()
}

// startWalk shows the first frame of the explanation, if it has frames.
func (m *boardScreen) startWalk() {
	m.stop()
	if m.why != nil && len(m.why.Frames) > 0 {
		m.step = 0
	}
}

func (m *boardScreen) pressed(key string) tea.Cmd {
	if m.key(key) {
		return nil
	}
	n := m.view.State.N
	if step, moves := map[string]board.Cell{
		"up": {Row: 1}, "k": {Row: 1}, "down": {Row: -1}, "j": {Row: -1},
		"left": {Col: -1}, "h": {Col: -1}, "right": {Col: 1}, "l": {Col: 1},
		"home": {Col: -n}, "end": {Col: n}, "pgup": {Row: n}, "pgdown": {Row: -n},
	}[key]; moves {
		m.move(step.Row, step.Col)
	}
	switch key {
	case "enter", "space":
		m.toggle(false)
	case "x":
		m.toggle(true)
	case "f":
		m.act("forced", ((m.view.State.Mode + 1) % (configure.Place + 1)).String())
	case "m":
		m.heat = !m.heat
		if m.heat && m.counts == nil {
			m.message = "There are too many solutions to count here."
		}
	case "e":
		m.explain(actionTime)
		m.startWalk()
	case ".":
		return m.play()
	case "]", "[":
		m.playing = 0
		m.stepBy(map[string]int{"]": 1, "[": -1}[key])
	case "t":
		if m.why == nil || len(m.why.Blame) == 0 {
			m.message = "No placed queen is to blame."
		} else {
			m.act("remove", m.why.Blame[0])
		}
	case "n":
		m.browse(1)
	case "p":
		m.browse(-1)
	case "esc":
		m.solution, m.message = nil, ""
		m.stop()
	case "b":
		names := append([]string{""}, pool.Names()...)
		next := names[(slices.Index(names, m.player.backend)+1)%len(names)]
		if m.act("backend", next) == nil && next == "" {
			m.message = "Back-end: the best for n."
		}
	case "o":
		all := lesson.Orders(m.player.pool)
		at := slices.IndexFunc(all, func(o lesson.NamedOrder) bool { return o.Name == m.player.lease.Key.Order })
		next := all[(at+1)%len(all)]
		if m.act("order", next.Name) == nil {
			m.message = fmt.Sprintf("Order %s: %s.", next.Name, next.Reason)
		}
	case "+", "=":
		m.act("size", strconv.Itoa(n+1))
	case "-":
		m.act("size", strconv.Itoa(n-1))
	}
	return nil
}

// move moves the cursor, but not off the board, and explains the cell there if that is quick.
func (m *boardScreen) move(rows, cols int) {
	last := m.view.State.N - 1
	m.cursor = board.Cell{Row: min(max(m.cursor.Row+rows, 0), last), Col: min(max(m.cursor.Col+cols, 0), last)}
	m.message = ""
	m.stop()
	m.explain(lookTime)
}

// toggle places a queen under the cursor or blocks the cell, or takes that back. If there can be no
// queen, it begins to explain why.
func (m *boardScreen) toggle(block bool) {
	action := "place"
	switch mark := m.view.Mark(m.cursor); {
	case mark == configure.Blocked:
		action = "unblock"
	case block:
		action = "block"
	case mark == configure.Queen:
		action = "remove"
	}
	var refusal *configure.Refusal
	if errors.As(m.act(action, m.cursor.String()), &refusal) && refusal.Explanation != nil {
		m.why = lesson.NewWalk(m.view.State.N, *refusal.Explanation)
		m.startWalk()
	}
}

func (m *boardScreen) stepBy(d int) {
	if m.why != nil && len(m.why.Frames) > 0 {
		m.step = min(max(m.step+d, 0), len(m.why.Frames)-1)
	}
}

// browse shows the next or the previous solution.
func (m *boardScreen) browse(d int) {
	want := 0
	if m.solution != nil {
		want = m.at + d
	}
	if want < 0 {
		m.message = "That is the first solution."
		return
	}
	m.ask(func(ctx context.Context) error {
		i := 0
		for queens, err := range m.player.solutions(ctx) {
			if err != nil {
				return err
			}
			if i == want {
				m.solution, m.at = queens, want
				m.message = fmt.Sprintf("Solution %d: %s", want+1, board.FormatCells(queens))
				return nil
			}
			i++
		}
		m.message = fmt.Sprintf("There are only %d solutions.", i)
		return nil
	})
}

// sizes are the sizes of a cell in characters, smallest first: about square on most terminals.
var sizes = []struct{ w, h int }{{3, 1}, {5, 2}, {7, 3}, {9, 4}, {12, 5}}

// window returns which part of the board is shown, and how large a cell is: the largest
// size at which the whole board fits, or else as many cells of the smallest size as fit
// around the cursor.
func (m *boardScreen) window() (from board.Cell, rows, cols int, w, h int) {
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
func (m *boardScreen) cellAt(x, y int) (board.Cell, bool) {
	from, rows, cols, w, h := m.window()
	row, col := (y-top)/h, (x-margin)/w
	if x < margin || y < top || row >= rows || col >= cols {
		return board.Cell{}, false
	}
	return board.Cell{Row: from.Row + rows - 1 - row, Col: from.Col + col}, true
}

// View implements tea.Model.
func (m *boardScreen) View() tea.View {
	switch {
	case m.view == nil:
		return fill(m.message+"\n", "queens")
	case m.help:
		return fill(helpText, "queens")
	}
	left := m.board()
	width := lipgloss.Width(left[0]) + 3
	pane, focus := m.pane(m.width - width)
	if past := focus + 3 - (m.height - top - below); past > 0 { // keep the current step in sight
		pane = pane[min(past, len(pane)-1):]
	}
	const keys = "enter place  x block  u undo  r redo  m map  n solution  e why  ? help  q quit"
	return fill(m.compose(fmt.Sprintf("%d queens", m.view.State.N), summary(m.view, m.counts), left, width, pane,
		keys), "queens")
}

// board returns the lines of the board.
func (m *boardScreen) board() (lines []string) {
	from, rows, cols, w, h := m.window()
	over := m.overlay()
	for row := from.Row + rows - 1; row >= from.Row; row-- {
		var blank, signs strings.Builder // a row of cells: the lines beside the signs, and theirs
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

// centre centres a text in w characters, nearer to the left if it cannot be exact.
func centre(text string, w int) string {
	return fmt.Sprintf("%-*s", w, fmt.Sprintf("%*s", (w+len(text))/2, text))
}

// cell returns a cell's text, w characters wide, in brackets if the cursor is on it.
func (m *boardScreen) cell(c board.Cell, over map[board.Cell]string, w int) (string, lipgloss.Style) {
	mark := m.view.Mark(c)
	text, style := mark.Sign(), styles[mark]
	if m.heat && m.counts != nil && mark.Open() {
		through := m.counts.Through[c.Index(m.view.State.N)]
		text, style = heat(through.String(), w), shade(through, m.counts)
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

// heat returns a count in w characters, 3e5 if it has more digits.
func heat(decimal string, w int) string {
	if len(decimal) > w {
		return fmt.Sprintf("%se%d", decimal[:1], len(decimal)-1)
	}
	return decimal
}

// shade returns a style that shows how many solutions go through a cell, compared to the
// cell with the most: up to a quarter faint, a half plain, three quarters bold, more
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

// overlay returns the signs for the cells of the current frame: the line that it is about,
// the supposed queens in order, and the queens to blame.
func (m *boardScreen) overlay() map[board.Cell]string {
	over := map[board.Cell]string{}
	if m.step < 0 {
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

// pane returns the lines next to the board, and the number of the one that must stay in sight.
func (m *boardScreen) pane(width int) (lines []string, focus int) {
	write := func(format string, args ...any) {
		lines = append(lines, wrap(fmt.Sprintf(format, args...), width)...)
	}
	write("%s", m.player.engineLine(m.view))
	write("Forced cells: %s (f)", m.view.State.Mode)
	lines = append(lines, "")
	if m.why != nil {
		style := styleBad
		if m.why.Valid {
			style = styleGood
		}
		lines = append(lines, style.Render(m.why.Cell)+" "+m.why.Technique)
		last := len(m.why.Frames) - 1
		if m.step >= 0 { // the conclusion is left to the last step
			focus = len(lines)
			write("%d of %d  [ back  ] next  . play", m.step+1, last+1)
			write("> %s. %s", m.why.Frames[m.step].Number, m.why.Frames[m.step].Text)
		} else {
			write("%s", m.why.Text)
			if last > 0 {
				write("e: step through the %d steps; . plays them", last+1)
			}
		}
		if len(m.why.Blame) > 0 && (m.step < 0 || m.step == last) {
			write("To blame: %s. t takes back %s.", strings.Join(m.why.Blame, ", "), m.why.Blame[0])
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
