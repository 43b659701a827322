package term

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"queens/configure"
	"queens/configure/lesson"
)

var _ tea.Model = (*optionsScreen)(nil)

// optionsScreen shows a problem's options on a terminal: foldable groups next to the board, if there is
// one, and an explanation of why an option is ruled out.
type optionsScreen struct {
	screen
	chooser    Chooser
	look       *configure.Outlook
	rows       []row        // empty only if a search finds nothing
	at         int          // the row under the cursor
	open       map[int]bool // unfolded groups
	word       string       // the search word
	typing     bool         // the word is being typed
	why, blame []string     // explanation of the option last asked about
}

// foldFrom is the number of options from which groups are folded at first.
const foldFrom = 40

func newOptionsScreen(ctx context.Context, c Chooser) *optionsScreen {
	m := &optionsScreen{
		screen: screen{ctx: ctx, game: c, width: 80, height: 24}, chooser: c, open: map[int]bool{},
		look: &configure.Outlook{States: strings.Repeat("?", c.Size())}, // until the first answer
	}
	m.refresh = m.renew
	m.refresh("")
	for i := range c.Groups {
		m.open[i] = c.Size() <= foldFrom
	}
	m.list()
	m.ask(func(ctx context.Context) error {
		why, err := c.Contradiction(ctx)
		if why != "" {
			m.message = lesson.Capital(why) + "."
		}
		return err
	})
	return m
}

// renew asks what follows from the decisions.
func (m *optionsScreen) renew(message string) {
	m.message, m.why, m.blame = message, nil, nil
	m.ask(func(ctx context.Context) error {
		look, err := m.chooser.Look(ctx)
		if err == nil {
			m.look = look
		}
		return err
	})
}

// list makes the rows, and keeps the cursor within them.
func (m *optionsScreen) list() {
	m.rows = m.chooser.rows(m.word, func(group int) bool { return m.open[group] })
	m.at = max(min(m.at, len(m.rows)-1), 0)
}

// current returns the row under the cursor; it is empty if a search finds nothing.
func (m *optionsScreen) current() row {
	if len(m.rows) == 0 {
		return row{}
	}
	return m.rows[m.at]
}

// Update implements tea.Model.
func (m *optionsScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg)
	case tea.MouseClickMsg:
		if at := m.first() + msg.Y - top; msg.Y >= top && msg.Y < top+m.body() && at < len(m.rows) && !m.help {
			m.at = at
			m.toggle(msg.Button == tea.MouseRight)
		}
	case tea.MouseWheelMsg:
		m.move(map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}[msg.Button])
	case tea.KeyPressMsg:
		if m.typing {
			m.search(msg)
		} else if key := msg.String(); !m.key(key) {
			m.pressed(key)
		}
	}
	return m, m.done(nil)
}

// search edits the search word.
func (m *optionsScreen) search(msg tea.KeyPressMsg) {
	switch key := msg.String(); {
	case key == "esc" || key == "ctrl+c":
		m.typing, m.word = false, ""
	case key == "enter" || key == "down":
		m.typing = false
	case key == "backspace" && m.word != "":
		letters := []rune(m.word)
		m.word = string(letters[:len(letters)-1])
	default:
		m.word += msg.Text
	}
	m.list()
}

func (m *optionsScreen) pressed(key string) {
	far := len(m.rows)
	m.move(map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -m.body(), "pgdown": m.body(), "home": -far, "end": far,
	}[key])
	switch key {
	case "enter", "space":
		m.toggle(false)
	case "x":
		m.toggle(true)
	case "left", "h", "right", "l":
		m.fold(key == "right" || key == "l")
	case "e":
		m.explain()
	case "t":
		if len(m.blame) == 0 {
			m.message = "No decision is to blame."
		} else {
			m.act("drop", strings.TrimPrefix(m.blame[0], "-"))
		}
	case "/":
		m.typing, m.word = true, ""
		m.list()
	case "esc":
		m.word, m.why, m.blame = "", nil, nil
		m.list()
	}
}

func (m *optionsScreen) move(by int) {
	m.at = max(min(m.at+by, len(m.rows)-1), 0)
	m.message = ""
}

// fold opens the group under the cursor, or folds it and moves to its heading.
func (m *optionsScreen) fold(open bool) {
	group := m.current().group
	m.open[group] = open
	for !open && m.current().name != "" {
		m.at--
	}
	m.list()
}

// toggle decides for or against the option under the cursor, or drops the decision. If other decisions
// rule that out, it explains why. On a heading it folds or unfolds the group.
func (m *optionsScreen) toggle(against bool) {
	r := m.current()
	if r.name == "" {
		m.fold(!m.open[r.group])
		return
	}
	switch state := m.look.States[r.option]; {
	case state == '+' && !against, state == '-' && against:
		m.act("drop", r.name)
	case state == '!', state == 'x' && against:
		m.explain()
	case against:
		m.act("exclude", r.name)
	case m.act("choose", r.name) != nil:
		refused := m.message
		m.explain()
		m.message = refused
	}
}

// explain says why the option under the cursor is as it is.
func (m *optionsScreen) explain() {
	r := m.current()
	if r.name == "" {
		return
	}
	m.ask(func(ctx context.Context) (err error) {
		m.why, m.blame, err = m.chooser.explain(ctx, r.name, m.look.States[r.option])
		return err
	})
}

// body returns the number of rows shown, and first the index of the first of them.
func (m *optionsScreen) body() int  { return m.height - top - below }
func (m *optionsScreen) first() int { return max(0, min(m.at-m.body()/2, len(m.rows)-m.body())) }

// View implements tea.Model.
func (m *optionsScreen) View() tea.View {
	title := m.chooser.Title
	if m.help {
		return fill(Reflow(chooserHelp, m.width), title)
	}
	pane := m.pane()
	width := m.width
	if len(pane) > 0 {
		width = m.width / 2
	}
	var list []string
	for i := m.first(); i < min(len(m.rows), m.first()+m.body()); i++ {
		list = append(list, m.line(m.rows[i], i == m.at, width-1))
	}
	shown := *m
	if m.typing || m.word != "" {
		shown.message = strings.TrimSpace("/" + m.word + "  " + m.message)
	}
	const keys = "enter choose  x exclude  e why  t take back  u undo  r redo  / search  ? help  q quit"
	return fill(shown.compose(title, m.chooser.summary(m.look), list, width, pane, keys), title)
}

// line shows one row of the list.
func (m *optionsScreen) line(r row, current bool, width int) string {
	g := m.chooser.Groups[r.group]
	text, style := "", styleTitle
	if r.name == "" {
		text = map[bool]string{true: "v ", false: "> "}[m.open[r.group] || m.word != ""] + heading(g)
		for i, name := range g.Names {
			if s := m.look.States[r.option+i]; s == '+' || s == '!' {
				text += "  " + sign(s) + name
			}
		}
	} else {
		state := m.look.States[r.option]
		box := map[bool]string{true: "(%s)", false: "[%s]"}[g.One]
		text = "    " + fmt.Sprintf(box, sign(state)) + " " + r.name
		style = map[byte]lipgloss.Style{
			'+': styles[configure.Queen], '-': styles[configure.Blocked], '!': styles[configure.Forced],
			'x': styles[configure.Invalid], '?': lipgloss.NewStyle(),
		}[state]
	}
	if current {
		style = styleCursor
	}
	return style.Render(fit(text, width))
}

// pane returns the lines next to the list: the board, and the last explanation.
func (m *optionsScreen) pane() []string {
	var lines []string
	if p := m.chooser.Picture; p != nil {
		lines = append(strings.Split(strings.TrimRight(p.Draw(m.look.States), "\n"), "\n"), "")
	}
	for _, line := range m.why {
		lines = append(lines, wrap(line, m.width/2)...)
	}
	if len(m.blame) > 0 {
		lines = append(lines, "t takes back "+m.blame[0]+".")
	}
	return lines
}

const chooserHelp = `HOW TO CHOOSE

Decide which options are in and which are not. A decision that would leave no
configuration is refused, with the decisions that rule it out.

  arrows, jk       move; home, end, pgup and pgdn: further
  enter, space     choose an option or take that back; fold a group (left click)
  x                exclude an option, or take that back (right click)
  left, right      fold or open the group
  /                search; enter goes to what was found, esc ends the search
  e                why the option is forced or ruled out
  t                take back the first decision that is to blame
  u, r, c          undo, redo, clear
  q                quit

(o) is in a group with exactly one choice, [o] is by itself.
Signs: + chosen, - excluded, ! forced, x ruled out, o open.

Press any key to return.`
