package term

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
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
