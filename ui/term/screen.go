package term

import (
	"context"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"queens/configure"
	"queens/configure/lesson"
)

const (
	actionTime = 10 * time.Second // limit for a query that a key starts
	top        = 1                // lines above the board or the list
	below      = 3                // and below it

	// A smaller terminal shows part of a screen of this size.
	leastWidth, leastHeight = 40, 12
)

// The colours are the sixteen that every terminal has, so that the person's own palette
// applies; the signs say the same without colour.
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

// screen is what the screens of all games share.
type screen struct {
	ctx           context.Context
	game          Game
	refresh       func(message string) // asks what follows from the decisions
	width, height int
	message       string
	help, quit    bool
}

// Init implements tea.Model.
func (s *screen) Init() tea.Cmd { return nil }

func (s *screen) resize(msg tea.WindowSizeMsg) {
	if msg.Width > 0 && msg.Height > 0 { // otherwise the size is unknown
		s.width, s.height = max(msg.Width, leastWidth), max(msg.Height, leastHeight)
	}
}

// ask runs a query within a time limit, and shows its error.
func (s *screen) ask(do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(s.ctx, actionTime)
	defer cancel()
	err := do(ctx)
	if err != nil {
		s.message = lesson.Capital(err.Error()) + "."
	}
	return err
}

// act runs a command, and shows what follows, or why the command was refused.
func (s *screen) act(words ...string) error {
	err := s.ask(func(ctx context.Context) error { return obey(ctx, s.game, words, io.Discard) })
	if err == nil {
		s.refresh(lesson.Capital(strings.Join(words, " ")) + ".")
	}
	return err
}

// key handles the keys that are the same in every game, and reports whether it handled this one.
func (s *screen) key(key string) bool {
	switch {
	case key == "q" || key == "ctrl+c":
		s.quit = true
	case s.help:
		s.help = false
	case key == "?":
		s.help = true
	case key == "u" || key == "ctrl+z":
		s.act("undo")
	case key == "r" || key == "ctrl+y":
		s.act("redo")
	case key == "c":
		s.act("clear")
	default:
		return false
	}
	return true
}

// done returns the command for the terminal after a message: cmd, or to quit.
func (s *screen) done(cmd tea.Cmd) tea.Cmd {
	if s.quit {
		return tea.Quit
	}
	return cmd
}

// fill fills the terminal's window with a text.
func fill(text, title string) tea.View {
	v := tea.NewView(Plain(text))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = title
	return v
}

// compose puts a screen together: a title and a summary, on the left a board or a list of the given
// width, next to it the pane, and below them a message and the meanings of signs and keys.
func (s *screen) compose(title, summary string, left []string, width int, pane []string, keys string) string {
	lines := []string{styleTitle.Render(title) + "  " + fit(summary, s.width-len(title)-2)}
	for i := range s.height - top - below {
		line := ""
		if i < len(left) {
			line = left[i]
		}
		if i < len(pane) {
			line += strings.Repeat(" ", max(0, width-lipgloss.Width(line))) + pane[i]
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, styleTitle.Render(fit(s.message, s.width)),
		styleFaint.Render(fit(s.game.signs(), s.width)), styleFaint.Render(fit(keys, s.width))), "\n")
}

// wrap breaks text into lines of at most width columns, at spaces.
func wrap(text string, width int) []string {
	const indent = 3
	lines := strings.Split(ansi.Wrap(text, max(width, 10)-indent, ""), "\n")
	for i := range lines[1:] {
		lines[i+1] = strings.Repeat(" ", indent) + lines[i+1]
	}
	return lines
}

// fit cuts text to one line.
func fit(text string, width int) string { return ansi.Truncate(text, max(0, width), "...") }
