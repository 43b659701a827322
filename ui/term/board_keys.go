package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
	"queens/configure/pool"
)

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

// help says what keys do and what signs mean.
func help() string {
	return keysText + "Signs: " + configure.Legend() + "\nover the board: " + configure.Legend(configure.Shown,
		configure.Asked, configure.OnLine, configure.Blamed) + ",\nand numbers: queens supposed in turn\n\n" +
		"Press any key to return to the board."
}

const keysText = `HOW TO PLAY

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

`
