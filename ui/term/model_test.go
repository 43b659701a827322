package term

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/board"
	"queens/configure"
	"queens/configure/pool"
)

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func play(t *testing.T, state string) *boardScreen {
	p, err := Open(context.Background(), pool.New(pool.Limits{}), stateOf(t, state), "", "row-major")
	require.NoError(t, err)
	m := newBoardScreen(context.Background(), p)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	return m
}

// stateOf reads a state as the API does.
func stateOf(t *testing.T, text string) (s configure.State) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return s
}

// press sends keys, by name, and returns the screen without colours.
func (m *boardScreen) press(keys ...string) string {
	for _, key := range keys {
		m.Update(keyPress(key))
	}
	return plain(m.View().Content)
}

// keyPress is the message of a key, given by name or as itself.
func keyPress(key string) tea.KeyPressMsg {
	named := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
		"esc": tea.KeyEscape, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "space": tea.KeySpace,
	}
	if code, is := named[key]; is {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Text: key, Code: []rune(key)[0]}
}

func plain(screen string) string { return escapes.ReplaceAllString(screen, "") }

func (m *boardScreen) query() string { return m.player.session.State().Query() }

// If a back-end cannot count, search does, and the view found before is kept: SAT is asked
// for it only once per action.
func TestCountingKeepsTheView(t *testing.T) {
	ctx := context.Background()
	p, err := Open(ctx, pool.New(pool.Limits{}), stateOf(t, `{"n":9,"placed":["a1"]}`), "sat", "")
	require.NoError(t, err)
	require.NoError(t, p.session.Place(ctx, board.Cell{Row: 2, Col: 1}))
	view, counts, err := p.look(ctx)
	require.NoError(t, err)
	require.NotNil(t, counts)
	again, err := p.session.View(ctx)
	require.NoError(t, err)
	assert.Same(t, view, again)
	byDiagram, err := Open(ctx, pool.New(pool.Limits{}), p.session.State(), "bdd", "row-major")
	require.NoError(t, err)
	_, want, err := byDiagram.look(ctx)
	require.NoError(t, err)
	assert.Equal(t, want.Total, counts.Total)
}

func TestKeys(t *testing.T) {
	m := play(t, `{"n":8,"forced":"suggest"}`)
	screen := m.press()
	assert.Contains(t, screen, "8 queens  0 of 8 queens, 64 valid cells, 92 solutions.")
	assert.Contains(t, screen, "373 nodes")
	screen = m.press("enter")
	assert.Contains(t, screen, "1 of 8 queens, 22 valid cells, 4 solutions.")
	assert.Contains(t, screen, "  1 [Q]   x    x    x    x    x    x    x")
	assert.Contains(t, m.press("right"), "b1 is attacked by the queen on a1.")
	screen = m.press("enter")
	assert.Contains(t, screen, "Cannot place b1: b1 is attacked by the queen on a1.")
	assert.Equal(t, "n=8&q=a1&forced=suggest", m.query(), "nothing was placed")
	m.press("up", "up", "up", "up", "enter") // b5
	assert.Equal(t, "n=8&q=a1,b5&forced=suggest", m.query())
	screen = m.press()
	assert.Contains(t, screen, "6 forced, 1 solution.")
	assert.Contains(t, screen, "! g2 is the only valid cell of row 2")
	assert.Contains(t, m.press("f"), "Solved: no queen attacks another.")
	m.press("f", "f", "u")
	assert.Equal(t, "n=8&q=a1&forced=suggest", m.query())
	m.press("r", "c")
	assert.Equal(t, "n=8&forced=suggest", m.query())
	m.press("u", "x")
	assert.Contains(t, m.press("x"), "Cannot block b5: a queen stands there.")
	m.press("end", "x")
	assert.Equal(t, "n=8&q=a1,b5&x=h5&forced=suggest", m.query())
	m.press("x")
	assert.Equal(t, "n=8&q=a1,b5&forced=suggest", m.query())
	assert.Contains(t, m.press("?"), "HOW TO PLAY")
	assert.NotContains(t, m.press("u"), "HOW TO PLAY", "any key goes back")
	assert.Equal(t, "n=8&q=a1,b5&forced=suggest", m.query(), "and does nothing else")
	m.press("q")
	assert.True(t, m.quit)
}

func TestMapSolutionsBackendsAndOrders(t *testing.T) {
	m := play(t, `{"n":8}`)
	assert.Contains(t, m.press("m"), "  8  4    8   16   18   18   16    8    4")
	assert.Contains(t, m.press("m", "n"), "Solution 1: a1,e2,h3,f4,c5,g6,b7,d8")
	screen := m.press("n")
	assert.Contains(t, screen, "Solution 2: a1,f2,h3,c4,g5,d6,b7,e8")
	assert.Equal(t, 8, strings.Count(strings.SplitN(screen, "Q queen", 2)[0], "+"))
	assert.NotContains(t, strings.SplitN(screen, "Q queen", 2)[0], " . ", "a dot is an impossible cell")
	assert.Contains(t, m.press("p", "p"), "That is the first solution.")
	m.press("esc")
	assert.Contains(t, m.press("o"), "Order column-major")
	assert.Contains(t, m.press("b", "b"), "SAT (gini, ")
	assert.Contains(t, m.press("+"), "9 queens  0 of 9 queens, 81 valid cells, 352 solutions.")
	assert.Contains(t, m.press("-"), "8 queens")
	for range 8 {
		m.press("-")
	}
	assert.Contains(t, m.press("-"), "Board size n = 0: expected 1 to 200", "there is no smaller board")
}

// After the last solution, the screen says how many there are.
func TestAfterTheLastSolution(t *testing.T) {
	m := play(t, `{"n":4}`)
	assert.Contains(t, m.press("n", "n", "n"), "That is all: 2 solutions.")
	m = play(t, `{"n":4,"placed":["b1"]}`)
	assert.Contains(t, m.press("n", "n"), "That is all: 1 solution.")
	m = play(t, `{"n":3}`)
	assert.Contains(t, m.press("n"), "That is all: 0 solutions.")
}

func TestExplanationIsAPlayer(t *testing.T) {
	m := play(t, `{"n":8,"placed":["a1","e8"]}`)
	m.press("right", "up", "up") // b3
	screen := m.press("e")
	require.Contains(t, screen, fmt.Sprintf("1 of %d", len(m.why.Frames)))
	assert.Contains(t, screen, "> 1. Suppose a queen stands on b3.")
	assert.Contains(t, screen, "[?]", "the cell asked about")
	assert.NotRegexp(t, " [x.o!] +[x.o!_Q] ", screen, "only the step is shown")
	assert.NotRegexp(t, `(?i)to blame| \* `, screen, "blame comes last")
	for i := 2; i <= len(m.why.Frames); i++ {
		require.Contains(t, m.press("]"), fmt.Sprintf("%d of %d", i, len(m.why.Frames)))
		assert.Contains(t, plain(m.View().Content), "> "+m.why.Frames[i-1].Number+". ", "the step is in sight, however long")
	}
	assert.Contains(t, m.press("]"), "To blame: ", "there is no step after the last")
	assert.Contains(t, plain(m.View().Content), " * ", "the queen to blame")
	assert.Contains(t, m.press("["), fmt.Sprintf("%d of %d", len(m.why.Frames)-1, len(m.why.Frames)))
	require.NotEmpty(t, m.why.TakeBack)
	blamed := m.why.TakeBack[0]
	m.press("t")
	assert.NotContains(t, m.query(), blamed)
}

func TestExplanationPlaysByItself(t *testing.T) {
	m := play(t, `{"n":8,"placed":["a1","e8"]}`)
	m.press("right", "up", "up") // b3
	m.press(".")
	require.Zero(t, m.step)
	first := tick(m.playing)
	for i := 1; i < len(m.why.Frames); i++ {
		require.Equal(t, i-1, m.step)
		m.Update(first)
	}
	assert.Zero(t, m.playing, "it stops at the end")
	m.Update(first)
	assert.Equal(t, len(m.why.Frames)-1, m.step)
	m.press(".")
	require.Zero(t, m.step, "it starts over")
	m.Update(first)
	assert.Zero(t, m.step, "a tick of an earlier play is ignored")
	m.press(".")
	m.Update(tick(m.plays))
	assert.Zero(t, m.step, "a tick after a pause is ignored")
}

func TestMouse(t *testing.T) {
	m := play(t, `{"n":8}`)                                                               // a cell is 5 columns by 2 lines in this window
	for _, at := range [][2]int{{margin + 2*5, top + 14}, {margin + 2*5 + 4, top + 15}} { // c1, and back
		m.Update(tea.MouseClickMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
	}
	assert.Equal(t, "n=8", m.query())
	m.Update(tea.MouseClickMsg{X: margin + 2*5 + 1, Y: top + 14, Button: tea.MouseLeft})
	assert.Equal(t, "n=8&q=c1", m.query())
	m.Update(tea.MouseClickMsg{X: margin, Y: top, Button: tea.MouseRight}) // a8
	assert.Equal(t, "n=8&q=c1&x=a8", m.query())
	m.Update(tea.MouseClickMsg{X: 0, Y: top, Button: tea.MouseLeft})
	m.Update(tea.MouseClickMsg{X: margin + 8*5, Y: top, Button: tea.MouseLeft})
	m.Update(tea.MouseClickMsg{X: margin, Y: top + 16, Button: tea.MouseLeft})
	assert.Equal(t, "n=8&q=c1&x=a8", m.query(), "clicks outside the board do nothing")
}

// The board is as large as the window allows.
func TestTheBoardGrowsWithTheWindow(t *testing.T) {
	for _, test := range []struct{ n, width, height, w, h, rows int }{
		{8, 80, 24, 5, 2, 8}, {8, 100, 40, 7, 3, 8}, {8, 60, 20, 3, 1, 8}, {8, 150, 50, 12, 5, 8},
		{20, 80, 24, 3, 1, 16}, {20, 200, 80, 7, 3, 20}, {60, 200, 60, 3, 1, 52},
	} {
		m := play(t, fmt.Sprintf(`{"n":%d}`, test.n))
		m.Update(tea.WindowSizeMsg{Width: test.width, Height: test.height})
		_, rows, _, w, h := m.window(m.width, m.height)
		assert.Equal(t, [3]int{test.w, test.h, test.rows}, [3]int{w, h, rows}, "%+v", test)
	}
}

func TestTheMapHasShades(t *testing.T) {
	m := play(t, `{"n":8}`)
	m.press("m")
	looks := map[string]bool{}
	for i := range 64 {
		if c := board.At(8, i); c != m.cursor {
			_, style := m.cell(c, nil, 3)
			looks[style.Render("1")] = true
		}
	}
	assert.Len(t, looks, len(shades))
}

// Whatever the sizes of board and terminal, the screen fits, and the cursor is on it.
func TestEveryScreenFits(t *testing.T) {
	for _, query := range []string{`{"n":1}`, `{"n":3}`, `{"n":8,"placed":["a1","e8"]}`, `{"n":20,"placed":["c1"]}`, `{"n":60}`} {
		for _, size := range [][2]int{{80, 24}, {60, 20}, {200, 60}} {
			m := play(t, query)
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for _, keys := range [][]string{nil, {"end", "pgup"}, {"e"}, {"m"}, {"n"}} {
				m.press(keys...)
				screen := m.View().Content
				lines := strings.Split(screen, "\n")
				assert.LessOrEqual(t, len(lines), size[1], "%s at %v after %v:\n%s", query, size, keys, screen)
				for _, line := range lines {
					assert.LessOrEqual(t, lipgloss.Width(line), size[0], "%s at %v after %v: %q", query, size, keys, plain(line))
				}
			}
			assert.Contains(t, m.press("esc"), "[", "the cursor is on the screen")
		}
	}
	assert.LessOrEqual(t, len(strings.Split(boardHelp(), "\n")), 24)
}

// A terminal that does not know its size, such as a fresh pseudo-terminal, and one that is too
// small for a board are drawn on all the same.
func TestTinyTerminals(t *testing.T) {
	for _, query := range []string{`{"n":1}`, `{"n":8,"placed":["a1","e8"]}`, `{"n":60}`} {
		for _, size := range [][2]int{{0, 0}, {0, 24}, {80, 0}, {1, 1}, {3, 100}, {200, 2}, {11, 5}} {
			m := play(t, query)
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for _, key := range []string{"right", "e", "m", "n", "?", "?"} {
				require.NotPanics(t, func() { m.press(key) }, "%s at %v: %s", query, size, key)
			}
			assert.NotPanics(t, func() { m.Update(tea.MouseClickMsg{X: 4, Y: 2, Button: tea.MouseLeft}) })
			assert.Contains(t, m.press("esc"), "queens")
		}
	}
}

func TestHeatFitsItsCell(t *testing.T) {
	for text, want := range map[string]string{
		"7": "7", "724": "724", "1400": "1e3", "14200": "1e4", "2279184": "2e6", "4968057848": "4e9",
	} {
		assert.Equal(t, want, heat(text, 3))
	}
	assert.Equal(t, "14200", heat("14200", 5))
	for digits := 1; digits <= 10; digits++ {
		assert.LessOrEqual(t, len(heat(strings.Repeat("9", digits), 3)), 3, "%d digits", digits)
	}
}

// Help is whole on a narrow terminal: no line is longer than the window, and no word is lost.
func TestHelpIsWholeOnNarrowTerminals(t *testing.T) {
	for _, text := range []string{boardHelp(), chooserHelp} {
		for _, width := range []int{40, 60, 80} {
			fitted := Reflow(text, width)
			for line := range strings.SplitSeq(fitted, "\n") {
				assert.LessOrEqual(t, len(line), width, line)
			}
			assert.Equal(t, strings.Fields(text), strings.Fields(fitted))
		}
	}
}

// In a locale without other characters the screens are ASCII.
func TestScreensInASCII(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	assert.Equal(t, "27us; x2", fill("27µs; ×2", "").Content)
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_CTYPE", "")
	t.Setenv("LANG", "en_GB.UTF-8")
	assert.Equal(t, "27µs; ×2", fill("27µs; ×2", "").Content)
}

// The lines of a paragraph flow together; an entry of a list goes on below what it says.
func TestReflow(t *testing.T) {
	text := "One paragraph\nof two lines.\n\n  key    what it does\n  longer key  words\n\nThe end: --some-flag."
	assert.Equal(t, "One paragraph of\ntwo lines.\n\n  key    what it\n         does\n  longer key  words\n\nThe end:\n--some-flag.",
		Reflow(text, 19))
	assert.Equal(t, "One paragraph of two lines.\n\n  key    what it does\n  longer key  words\n\nThe end: --some-flag.",
		Reflow(text, 80))
}
