package term

import (
	"context"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	"queens/encode/cnf"
	"queens/encode/encodetest"
)

// choosing shows a problem's options on a terminal of 100 by 24.
func choosing(t *testing.T, p encode.Problem, backend ask.BackendName, decided ...string) *optionsScreen {
	warm := pool.New(pool.Limits{})
	warm.Own(context.Background(), p, ask.Choice{Backend: backend}, nil)
	choices, err := configure.NewOptions(warm).Open(decided)
	require.NoError(t, err)
	m := newOptionsScreen(context.Background(), Chooser{Decisions: choices})
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 24})
	return m
}

func (m *optionsScreen) press(keys ...string) string {
	for _, key := range keys {
		m.Update(keyPress(key))
	}
	return plain(m.View().Content)
}

func shop() encode.Problem {
	return encode.Problem{
		Family: "shop", Names: encode.List{"frame.city", "frame.cargo", "motor", "lock"},
		Constraints: []encode.Constraint{
			encode.ExactlyOne("frame", 1, 2),
			encode.AtLeastOne("rule", -2, 3), // cargo needs motor
		},
	}
}

func TestChooserKeys(t *testing.T) {
	p := shop()
	m := choosing(t, p, "search")
	assert.Contains(t, m.press(), "shop of 4 variables  6 configurations left, 0 decided")
	screen := m.press("down", "down", "enter")
	assert.Contains(t, screen, "v frame: exactly one of 2  +frame.cargo")
	assert.Contains(t, screen, "    [!] motor")
	assert.Contains(t, screen, "2 configurations left, 1 decided")
	assert.Contains(t, m.press("down", "down", "x"), "motor is forced by frame.cargo.", "it cannot be excluded")
	assert.Equal(t, []string{"frame.cargo"}, m.chooser.Decided())
	assert.Contains(t, m.press("t"), "6 configurations left, 0 decided")
	assert.Contains(t, m.press("x"), "[-] motor")
	screen = m.press("home", "down", "down", "space")
	assert.Contains(t, screen, "Cannot choose frame.cargo: ruled out by not motor.")
	assert.Contains(t, screen, "t takes back -motor.")
	m.press("t", "enter")
	assert.Equal(t, []string{"frame.cargo"}, m.chooser.Decided())
	m.press("up", "enter")
	assert.Equal(t, []string{"frame.city"}, m.chooser.Decided(), "another of the choice gives way")
	m.press("x")
	assert.Equal(t, []string{"-frame.city"}, m.chooser.Decided())
	m.press("u", "u", "u", "r", "c", "u")
	assert.Equal(t, []string{"frame.cargo"}, m.chooser.Decided())
	assert.NotContains(t, m.press("left"), "(+) frame.cargo", "folded")
	assert.Contains(t, m.press("right"), "(+) frame.cargo")
	screen = m.press("/", "o", "c", "k")
	assert.Contains(t, screen, "[o] lock")
	assert.NotContains(t, screen, "] motor")
	assert.Contains(t, m.press("enter", "down", "enter"), "[+] lock")
	assert.Contains(t, m.press("esc"), "motor")
	assert.Contains(t, m.press("?"), "HOW TO CHOOSE")
	assert.NotContains(t, m.press("c"), "HOW TO CHOOSE", "any key goes back")
	assert.Equal(t, []string{"frame.cargo", "lock"}, m.chooser.Decided(), "and does nothing else")
	m.Update(tea.MouseClickMsg{X: 6, Y: 2, Button: tea.MouseLeft})
	assert.Equal(t, []string{"lock", "frame.city"}, m.chooser.Decided(), "a click on the first option")
	m.press("q")
	assert.True(t, m.quit)
	assert.Contains(t, choosing(t, p, "search", "frame.cargo", "-motor").press(),
		"The decisions contradict each other: not motor is ruled out by frame.cargo.")
}

// Many options are folded and found by search; a Latin square's board is beside them.
func TestChooserSizes(t *testing.T) {
	p := encode.Problem{Family: "large"}
	var names encode.List
	for part := range 250 {
		var lits []cnf.Lit
		for kind := range 4 {
			names = append(names, fmt.Sprintf("part%d.kind%d", part, kind))
			lits = append(lits, cnf.Lit(len(names)))
		}
		p.Constraints = append(p.Constraints, encode.ExactlyOne(fmt.Sprint("part ", part), lits...))
	}
	p.Names = names
	m := choosing(t, p, "sat")
	assert.Len(t, m.rows, 250)
	m.press("/", "7", ".", "k", "i", "n", "d", "3", "enter", "end", "enter")
	assert.Equal(t, []string{"part247.kind3"}, m.chooser.Decided())

	square := encodetest.Family(t, "latin", 3)
	m = choosing(t, square, "search")
	assert.Contains(t, m.press("down", "enter"), "1   1  23  23")
	for _, size := range []tea.WindowSizeMsg{{Width: 1, Height: 1}, {Width: 300, Height: 100}, {}} {
		m.Update(size)
		m.press("down", "end", "pgup", "e")
	}
}

// Seven and eight rule nine out at once, and seven alone does by a search: the shorter list is blamed, and says so.
func TestChooserWithoutSteps(t *testing.T) {
	p := encode.Problem{Family: "shop", Names: encode.List{"p", "q", "r", "seven", "eight", "nine"}}
	for i := range 8 { // seven and nine exclude all values of p, q and r
		lits := []cnf.Lit{-4, -6}
		for v := range 3 {
			lits = append(lits, cnf.Lit(v+1)*cnf.Lit(1-2*(i>>v&1)))
		}
		p.Constraints = append(p.Constraints, encode.AtLeastOne("", lits...))
	}
	p.Constraints = append(p.Constraints, encode.AtLeastOne("", -4, -5, -6))
	m := choosing(t, p, "search")
	for _, word := range []string{"seven", "eight"} {
		require.NoError(t, m.chooser.Decide(t.Context(), word))
	}
	lines, blame, err := m.chooser.explain(t.Context(), "nine", 'x')
	require.NoError(t, err)
	assert.Equal(t, []string{"nine is ruled out by seven.", "There are no steps, since only a search shows this."}, lines)
	assert.Equal(t, []string{"seven"}, blame)
}
