package term

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"queens/configure"
	"queens/lab"
)

var _ tea.Model = (*chooserModel)(nil)

// chooserModel is a problem's options on a terminal: groups, which fold, beside the board, if there
// is one, and what rules an option out.
type chooserModel struct {
	screenState
	ctx        context.Context
	chooser    Chooser
	look       *configure.Outlook
	rows       []row
	at         int          // the row under the cursor
	open       map[int]bool // groups that are not folded
	word       string       // searched for
	typing     bool         // the word is being typed
	why, blame []string     // of the option that was asked about
}

// row is a line of the list: a group's heading, or an option of it.
type row struct {
	group  int
	name   string // empty for a heading
	option int    // among all
}

// foldFrom is the number of options from which groups start folded.
const foldFrom = 40

func (c Chooser) model(ctx context.Context) tea.Model {
	options := 0
	for _, g := range c.Groups() {
		options += len(g.Names)
	}
	m := &chooserModel{screenState: screenState{width: 80, height: 24}, ctx: ctx, chooser: c, open: map[int]bool{}}
	m.look = &configure.Outlook{States: strings.Repeat("?", options)} // until the first answer
	m.refresh("")
	for i := range c.Groups() {
		m.open[i] = options <= foldFrom
	}
	m.list()
	return m
}

// refresh asks what follows from the decisions.
func (m *chooserModel) refresh(message string) {
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	m.message, m.why, m.blame = message, nil, nil
	look, err := m.chooser.Look(ctx)
	if err != nil {
		m.fail(err)
		return
	}
	m.look = look
}

// list makes the rows: those that the search finds, or else of the groups that are open.
func (m *chooserModel) list() {
	m.rows = nil
	option := 0
	for i, g := range m.chooser.Groups() {
		heading := len(m.rows)
		m.rows = append(m.rows, row{group: i, option: option})
		for _, name := range g.Names {
			if m.word == "" && m.open[i] || m.word != "" && matches(g, name, m.word) {
				m.rows = append(m.rows, row{i, name, option})
			}
			option++
		}
		if m.word != "" && len(m.rows) == heading+1 {
			m.rows = m.rows[:heading]
		}
	}
	m.at = min(max(m.at, 0), max(len(m.rows)-1, 0))
}

// Update implements tea.Model.
func (m *chooserModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
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
		} else {
			m.key(msg.String())
		}
	}
	if m.quit {
		return m, tea.Quit
	}
	return m, nil
}

// search changes the word that is searched for.
func (m *chooserModel) search(msg tea.KeyPressMsg) {
	switch key := msg.String(); {
	case key == "esc" || key == "ctrl+c":
		m.typing, m.word = false, ""
	case key == "enter" || key == "down":
		m.typing = false
	case key == "backspace" && m.word != "":
		letters := []rune(m.word)
		m.word = string(letters[:len(letters)-1])
	case key != "backspace":
		m.word += msg.Text
	}
	m.list()
}

func (m *chooserModel) key(key string) {
	if m.help && key != "q" && key != "ctrl+c" {
		m.help = false
		return
	}
	far := len(m.rows)
	if by, moves := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -m.body(), "pgdown": m.body(), "home": -far, "end": far,
	}[key]; moves {
		m.move(by)
	}
	switch key {
	case "q", "ctrl+c":
		m.quit = true
	case "enter", "space":
		m.toggle(false)
	case "x":
		m.toggle(true)
	case "left", "h", "right", "l":
		if len(m.rows) > 0 {
			m.fold(key == "right" || key == "l")
		}
	case "u", "ctrl+z":
		m.act("undo")
	case "r", "ctrl+y":
		m.act("redo")
	case "c":
		m.act("clear")
	case "e":
		m.explain()
	case "t":
		if len(m.blame) == 0 {
			m.message = "No decision is to blame."
			return
		}
		m.act("drop", strings.TrimPrefix(m.blame[0], "-"))
	case "/":
		m.typing, m.word = true, ""
		m.list()
	case "esc":
		m.word, m.message, m.why, m.blame = "", "", nil, nil
		m.list()
	case "?":
		m.help = true
	}
}

func (m *chooserModel) move(by int) {
	m.at = min(max(m.at+by, 0), max(len(m.rows)-1, 0))
	m.message = ""
}

// fold opens the group under the cursor, or folds it and moves to its heading.
func (m *chooserModel) fold(open bool) {
	group := m.rows[m.at].group
	m.open[group] = open
	m.list()
	if !open {
		m.at = max(0, slices.IndexFunc(m.rows, func(r row) bool { return r.group == group }))
	}
}

// act carries out a command of the session; a refusal is shown.
func (m *chooserModel) act(words ...string) {
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	if _, err := m.chooser.Do(ctx, words); err != nil {
		m.fail(err)
		return
	}
	m.refresh(lab.Capital(strings.Join(words, " ")) + ".")
}

// toggle decides what is under the cursor, for or against it, or takes that back; of what is
// decided by others it says why. A group folds.
func (m *chooserModel) toggle(against bool) {
	if len(m.rows) == 0 {
		return
	}
	r := m.rows[m.at]
	if r.name == "" {
		m.fold(!m.open[r.group])
		return
	}
	state := m.look.States[r.option]
	switch {
	case state == '+' && !against, state == '-' && against:
		m.act("drop", r.name)
	case state == '!', state == 'x' && against:
		m.explain()
	case against:
		m.act("exclude", r.name)
	default:
		if m.act("choose", r.name); m.look.States[r.option] != '+' {
			refused := m.message
			m.explain()
			m.message = refused
		}
	}
}

// explain says why the option under the cursor is as it is.
func (m *chooserModel) explain() {
	if len(m.rows) == 0 || m.rows[m.at].name == "" {
		return
	}
	ctx, cancel := context.WithTimeout(m.ctx, actionTime)
	defer cancel()
	r := m.rows[m.at]
	var err error
	m.message = ""
	if m.why, m.blame, err = m.chooser.explain(ctx, r.name, m.look.States[r.option]); err != nil {
		m.fail(err)
	}
}

// body is the number of lines between the title and the last lines, and first is the first row shown.
func (m *chooserModel) body() int { return m.height - top - 3 }
func (m *chooserModel) first() int {
	return min(max(0, m.at-m.body()/2), max(0, len(m.rows)-m.body()))
}

// View implements tea.Model.
func (m *chooserModel) View() tea.View { return view(m.screen(), m.chooser.Title) }

func (m *chooserModel) screen() string {
	if m.help {
		return chooserHelp
	}
	title := m.chooser.Title
	lines := []string{styleTitle.Render(title) + "  " + fit(m.chooser.summary(m.look), m.width-len(title)-2)}
	pane := m.pane()
	width := m.width
	if len(pane) > 0 {
		width = m.width / 2
	}
	for i := range m.body() {
		line := ""
		if at := m.first() + i; at < len(m.rows) {
			line = m.line(m.rows[at], at == m.at, width-1)
		}
		if i < len(pane) {
			line += strings.Repeat(" ", max(0, width-lipgloss.Width(line))) + pane[i]
		}
		lines = append(lines, line)
	}
	message := m.message
	if m.typing || m.word != "" {
		message = strings.TrimSpace(fmt.Sprintf("/%s  %s", m.word, message))
	}
	const keys = "enter choose  x exclude  e why  t take back  u undo  r redo  / search  ? help  q quit"
	return strings.Join(append(lines, styleTitle.Render(fit(message, m.width)),
		styleFaint.Render(fit(choiceLegend, m.width)), styleFaint.Render(fit(keys, m.width))), "\n")
}

// line shows one row of the list.
func (m *chooserModel) line(r row, current bool, width int) string {
	g := m.chooser.Groups()[r.group]
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

// pane returns the lines beside the list: the board, and the explanation that was asked for.
func (m *chooserModel) pane() []string {
	var lines []string
	if p := m.chooser.Picture(); p != nil {
		lines = append(strings.Split(strings.TrimRight(p.Draw(m.look.States), "\n"), "\n"), "")
	}
	for _, line := range m.why {
		lines = append(lines, strings.Split(wrap(line, m.width/2), "\n")...)
	}
	if len(m.blame) > 0 {
		lines = append(lines, "t takes back "+m.blame[0]+".")
	}
	return lines
}

const chooserHelp = `HOW TO CHOOSE

Decide which options are in and which are not. A decision that would leave no
configuration is refused, with the decisions that rule it out.

  arrows, jk       move             home end pgup pgdn  further
  enter, space     choose an option or take that back; fold a group (left click)
  x                exclude an option, or take that back (right click)
  left, right      fold or open the group
  /                search; enter goes to what was found, esc ends the search
  e                why the option is forced or ruled out
  t                take back the first decision that is to blame
  u  r  c          undo, redo, clear
  q                quit

(.) is one of a group of which exactly one is chosen, [.] is by itself.
Signs: + chosen, - excluded, ! forced, x ruled out, . open.

Press any key to return.`
