package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
	"queens/lab"
)

const (
	actionTime = 10 * time.Second        // for the question that a key asks
	lookTime   = 60 * time.Millisecond   // for explaining the cell under the cursor, unasked
	pace       = 1800 * time.Millisecond // per frame of an explanation that plays
	margin     = 3                       // columns of rank numbers
	top        = 1                       // lines above the board

	// A smaller terminal shows a part of a screen of this size.
	leastWidth, leastHeight = 40, 12
)

var _ tea.Model = (*model)(nil)

// model is the board on a terminal.
type model struct {
	screenState
	ctx    context.Context
	player *Player
	cursor board.Cell

	view     *configure.View
	counts   *configure.Counts
	why      *lab.Walk // of the cell under the cursor
	step     int       // the frame of why on the board; -1: none
	playing  int       // number of the current play, so that ticks of old plays are ignored; 0: none
	plays    int
	heat     bool
	solution []board.Cell // shown in place of the board's own, when browsing
	at       int          // which solution, from 0
}

// screenState is what the screens of a board and of options have in common.
type screenState struct {
	width, height int
	message       string
	help, quit    bool
}

// Init implements tea.Model.
func (w *screenState) Init() tea.Cmd { return nil }

func (w *screenState) resize(msg tea.WindowSizeMsg) {
	if msg.Width > 0 && msg.Height > 0 { // otherwise the terminal does not know
		w.width, w.height = max(msg.Width, leastWidth), max(msg.Height, leastHeight)
	}
}

// fail shows an error.
func (w *screenState) fail(err error) { w.message = lab.Capital(err.Error()) + "." }

// Run shows a game on the terminal until the person leaves.
func Run(ctx context.Context, g Game, options ...tea.ProgramOption) error {
	_, err := tea.NewProgram(g.model(ctx), append(options, tea.WithContext(ctx))...).Run()
	if err == nil || errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil // Ctrl-C is an ordinary way to leave
	}
	return fmt.Errorf("showing the configurator on the terminal: %w", err)
}

func (p *Player) model(ctx context.Context) tea.Model { return newModel(ctx, p) }

func newModel(ctx context.Context, p *Player) *model {
	m := &model{screenState: screenState{width: 80, height: 24}, ctx: ctx, player: p, step: -1}
	m.refresh("")
	return m
}

// refresh asks what follows from the state, and drops what was shown for the previous state.
func (m *model) refresh(message string) {
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	m.solution, m.message = nil, message
	m.stop()
	view, counts, err := m.player.look(ctx)
	if err != nil {
		m.fail(err)
		return
	}
	m.view, m.counts = view, counts
	n := view.State.N
	m.cursor.Row, m.cursor.Col = min(m.cursor.Row, n-1), min(m.cursor.Col, n-1)
	m.look()
}

// look explains the cell under the cursor, if that can be done quickly.
func (m *model) look() {
	m.explain(lookTime)
	m.stop()
}

// stop ends the playing of an explanation.
func (m *model) stop() { m.step, m.playing = -1, 0 }

func (m *model) explain(within time.Duration) {
	ctx, cancel := context.WithTimeout(m.ctx, within)
	defer cancel()
	m.why = nil
	if why, err := lab.Explain(ctx, m.player.session, m.cursor); err == nil {
		m.why = why
	} else if !errors.Is(err, context.DeadlineExceeded) {
		m.fail(err)
	} else if within > lookTime {
		m.message = "No explanation was found in time."
	}
}

// act carries out an action of the session; a refusal is shown.
func (m *model) act(words ...string) {
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	_, err := m.player.session.Do(ctx, words)
	if err == nil {
		m.refresh(lab.Capital(strings.Join(words, " ")) + ".")
		return
	}
	m.fail(err)
	var refusal *configure.Refusal
	if errors.As(err, &refusal) && refusal.Explanation != nil {
		m.why = lab.NewWalk(m.view.State.N, *refusal.Explanation)
		m.startWalk()
	}
}

// change carries out a change of size, back-end or order.
func (m *model) change(what string, do func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	if err := do(ctx); err != nil {
		m.fail(err)
		return
	}
	m.refresh(what)
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg)
	case tea.MouseClickMsg:
		if c, on := m.cellAt(msg.X, msg.Y); on && !m.help {
			m.cursor = c
			m.look()
			if msg.Button == tea.MouseRight {
				m.block()
			} else {
				m.toggle()
			}
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			m.move(1, 0)
		} else if msg.Button == tea.MouseWheelDown {
			m.move(-1, 0)
		}
	case tick:
		if int(msg) == m.playing && m.step >= 0 {
			m.stepBy(1)
			return m, m.next()
		}
	case tea.KeyPressMsg:
		if cmd := m.key(msg.String()); cmd != nil {
			return m, cmd
		}
	}
	if m.quit {
		return m, tea.Quit
	}
	return m, nil
}

// tick says that the next frame of a play, given by its number, is due.
type tick int

// next asks for the next tick, unless the last frame is shown.
func (m *model) next() tea.Cmd {
	if m.why == nil || m.step >= len(m.why.Frames)-1 {
		m.playing = 0
		return nil
	}
	play := m.playing
	return tea.Tick(pace, func(time.Time) tea.Msg { return tick(play) })
}

// play plays the explanation, from the first frame if the last one is shown, or pauses it.
func (m *model) play() tea.Cmd {
	if m.playing > 0 {
		m.playing = 0
		return nil
	}
	if m.step < 0 || m.why != nil && m.step == len(m.why.Frames)-1 {
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
func (m *model) startWalk() {
	m.step, m.playing = -1, 0
	if m.why != nil && len(m.why.Frames) > 0 {
		m.step = 0
	}
}

func (m *model) key(key string) tea.Cmd {
	if m.help && key != "q" && key != "ctrl+c" {
		m.help = false
		return nil
	}
	n := m.view.State.N
	if step, moves := cursorSteps(n)[key]; moves {
		m.move(step.Row, step.Col)
	}
	switch key {
	case "q", "ctrl+c":
		m.quit = true
	case "enter", "space":
		m.toggle()
	case "x":
		m.block()
	case "u", "ctrl+z":
		m.act("undo")
	case "r", "ctrl+y":
		m.act("redo")
	case "c":
		m.act("clear")
	case "f":
		mode := (m.view.State.Mode + 1) % (configure.Place + 1)
		m.act("forced", mode.String())
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
	case "]":
		m.playing = 0
		m.stepBy(1)
	case "[":
		m.playing = 0
		m.stepBy(-1)
	case "t":
		m.takeBack()
	case "n":
		m.browse(1)
	case "p":
		m.browse(-1)
	case "esc":
		m.solution, m.message = nil, ""
		m.stop()
	case "b":
		names := append([]string{""}, engines.Names()...)
		next := names[(slices.Index(names, m.player.backend)+1)%len(names)]
		shown := next
		if shown == "" {
			shown = "the best for n"
		}
		m.change("Back-end: "+shown+".", func(ctx context.Context) error {
			return m.player.Choose(ctx, next, m.player.order)
		})
	case "o":
		all := lab.Orders(m.player.pool)
		at := slices.IndexFunc(all, func(o lab.NamedOrder) bool { return o.Name == m.player.lease.Key.Order })
		next := all[(at+1)%len(all)]
		what := fmt.Sprintf("Order %s: %s.", next.Name, next.Reason)
		m.change(what, func(ctx context.Context) error {
			return m.player.Choose(ctx, m.player.backend, next.Name)
		})
	case "+", "=", "-":
		size := n + 1
		if key == "-" {
			size = n - 1
		}
		what := fmt.Sprintf("A board of %d.", size)
		m.change(what, func(ctx context.Context) error { return m.player.Resize(ctx, size) })
	case "?":
		m.help = true
	}
	return nil
}

// cursorSteps returns how far each key moves the cursor on a board of size n.
func cursorSteps(n int) map[string]board.Cell {
	return map[string]board.Cell{
		"up": {Row: 1}, "k": {Row: 1}, "down": {Row: -1}, "j": {Row: -1},
		"left": {Col: -1}, "h": {Col: -1}, "right": {Col: 1}, "l": {Col: 1},
		"home": {Col: -n}, "end": {Col: n}, "pgup": {Row: n}, "pgdown": {Row: -n},
	}
}

func (m *model) move(rows, cols int) {
	n := m.view.State.N
	m.cursor.Row = min(max(m.cursor.Row+rows, 0), n-1)
	m.cursor.Col = min(max(m.cursor.Col+cols, 0), n-1)
	m.message = ""
	m.look()
}

func (m *model) toggle() {
	switch m.view.Mark(m.cursor) {
	case configure.Queen:
		m.act("remove", m.cursor.String())
	case configure.Blocked:
		m.act("unblock", m.cursor.String())
	default:
		m.act("place", m.cursor.String())
	}
}

func (m *model) block() {
	if m.view.Mark(m.cursor) == configure.Blocked {
		m.act("unblock", m.cursor.String())
	} else {
		m.act("block", m.cursor.String())
	}
}

func (m *model) stepBy(d int) {
	if m.why != nil && len(m.why.Frames) > 0 {
		m.step = min(max(m.step+d, 0), len(m.why.Frames)-1)
	}
}

// takeBack removes the first queen that is to blame.
func (m *model) takeBack() {
	if m.why == nil || len(m.why.Blame) == 0 {
		m.message = "No placed queen is to blame."
		return
	}
	m.act("remove", m.why.Blame[0])
}

// browse shows the next or the previous solution.
func (m *model) browse(d int) {
	want := 0
	if m.solution != nil {
		want = m.at + d
	}
	if want < 0 {
		m.message = "That is the first solution."
		return
	}
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	i := 0
	for queens, err := range m.player.solutions(ctx) {
		if err != nil {
			m.fail(err)
			return
		}
		if i == want {
			m.solution, m.at = queens, want
			m.message = fmt.Sprintf("Solution %d: %s", want+1, board.FormatCells(queens))
			return
		}
		i++
	}
	m.message = fmt.Sprintf("There are only %d solutions.", i)
}
