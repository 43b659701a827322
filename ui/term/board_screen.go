package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"queens/ask"
	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
)

const (
	lookTime = 60 * time.Millisecond   // limit for explaining the cell under the cursor unasked
	pace     = 1800 * time.Millisecond // per frame of an explanation that plays
)

var _ tea.Model = (*boardScreen)(nil)

// boardScreen is a board on a terminal.
type boardScreen struct {
	screen
	boardView
	player  *Player
	playing int // number of the current play, so that ticks of earlier plays are ignored; 0 if none
	plays   int
	at      int // index of the solution shown
}

func newBoardScreen(ctx context.Context, p *Player) *boardScreen {
	m := &boardScreen{
		screen: screen{ctx: ctx, game: p, width: 80, height: 24}, boardView: boardView{step: -1}, player: p,
	}
	m.refresh = m.renew
	m.refresh("")
	return m
}

// renew asks what follows from the state, and hides what was shown for the previous state.
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

// stop stops playing an explanation.
func (m *boardScreen) stop() { m.step, m.playing = -1, 0 }

// explain explains the cell under the cursor, if that is possible within the time.
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
		if c, on := m.cellAt(msg.X, msg.Y, m.width, m.height); on && !m.help {
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

// tick says that the next frame of the play with this number is due.
type tick int

// next schedules the next tick, unless the last frame is shown.
func (m *boardScreen) next() tea.Cmd {
	if m.step >= len(m.why.Frames)-1 {
		m.playing = 0
		return nil
	}
	play := m.playing
	return tea.Tick(pace, func(time.Time) tea.Msg { return tick(play) })
}

// play plays or pauses the explanation. If the last frame is shown, it plays from the first.
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

// View implements tea.Model.
func (m *boardScreen) View() tea.View {
	switch {
	case m.view == nil:
		return fill(m.message+"\n", "queens")
	case m.help:
		return fill(Reflow(boardHelp(), m.width), "queens")
	}
	left := m.board(m.width, m.height)
	width := lipgloss.Width(left[0]) + 3
	pane, focus := m.pane(m.player.engineLine(m.view), m.width-width)
	if past := focus + 3 - (m.height - top - below); past > 0 { // keep the current step in sight
		pane = pane[min(past, len(pane)-1):]
	}
	const keys = "enter place  x block  u undo  r redo  m map  n solution  e why  ? help  q quit"
	return fill(m.compose(fmt.Sprintf("%d queens", m.view.State.N), summary(m.view, m.counts), left, width, pane,
		keys), "queens")
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
		if m.why == nil || len(m.why.TakeBack) == 0 {
			m.message = "No placed queen is to blame."
		} else {
			m.act("remove", m.why.TakeBack[0])
		}
	case "n":
		m.browse(1)
	case "p":
		m.browse(-1)
	case "esc":
		m.solution, m.message = nil, ""
		m.stop()
	case "b":
		names := append([]string{""}, ask.Names(ask.Able(ask.Valid))...)
		next := names[(slices.Index(names, m.player.backend)+1)%len(names)]
		if m.act("backend", next) == nil && next == "" {
			m.message = "Back-end: the best for n."
		}
	case "o":
		all := lesson.Orders(m.player.pool)
		at := slices.IndexFunc(all, func(o lesson.NamedOrder) bool { return o.Name == string(m.player.lease.Key.Order) })
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

// move moves the cursor within the board, and explains the cell there if that is quick.
func (m *boardScreen) move(rows, cols int) {
	last := m.view.State.N - 1
	m.cursor = board.Cell{Row: min(max(m.cursor.Row+rows, 0), last), Col: min(max(m.cursor.Col+cols, 0), last)}
	m.message = ""
	m.stop()
	m.explain(lookTime)
}

// toggle places a queen under the cursor or blocks the cell, or undoes that. If the cell cannot hold a
// queen, it starts to explain why.
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
		m.message = fmt.Sprintf("That is all: %s.", plural(strconv.Itoa(i), "solution"))
		return nil
	})
}
