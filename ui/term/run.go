package term

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// Run shows a game on the terminal until the person leaves.
func Run(ctx context.Context, g Game, options ...tea.ProgramOption) error {
	var m tea.Model
	switch g := g.(type) {
	case *Player:
		m = newBoardScreen(ctx, g)
	case Chooser:
		m = newOptionsScreen(ctx, g)
	}
	_, err := tea.NewProgram(m, append(options, tea.WithContext(ctx))...).Run()
	if err == nil || errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return nil // Ctrl-C is an ordinary way to leave
	}
	return fmt.Errorf("showing the configurator on the terminal: %w", err)
}
