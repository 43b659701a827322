package configure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"queens/board"
)

// LineError is an error in a line of a script, and where it is.
type LineError struct {
	File         string
	Line, Column int
	Err          error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}
func (e *LineError) Unwrap() error { return e.Err }

// Lines calls do with the words of each line. Blank lines and comments, which begin with #,
// are skipped. It stops at the first error, which it returns as a [*LineError].
func Lines(r io.Reader, file string, do func(words []string) error) error {
	scan := bufio.NewScanner(r)
	line := 1
	for ; scan.Scan(); line++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := do(words); err != nil {
			return &LineError{file, line, 1 + len(text) - len(strings.TrimLeft(text, " \t")), err}
		}
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &LineError{file, line, 1, fmt.Errorf("the line is longer than %d bytes: expected one command per line",
			bufio.MaxScanTokenSize)}
	case err != nil:
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}

// Do runs a command given as words and reports whether it knows the command. A refused
// action returns a [*Refusal] and changes nothing.
func (s *Session) Do(ctx context.Context, words []string) (known bool, err error) {
	if len(words) == 0 {
		return false, nil
	}
	onCell := map[string]func(context.Context, board.Cell) error{
		"place": s.Place, "remove": s.Remove, "block": s.Block, "unblock": s.Unblock,
	}
	command, args := words[0], words[1:]
	count := map[string]int{"place": 1, "remove": 1, "block": 1, "unblock": 1, "clear": 0, "undo": 0, "redo": 0,
		"forced": 1}
	want, known := count[command]
	if !known {
		return false, nil
	}
	if len(args) != want {
		return true, fmt.Errorf("command %s: %d arguments, expected %d", command, len(args), want)
	}
	switch command {
	case "clear":
		s.Clear()
	case "undo":
		if !s.Undo() {
			return true, &Refusal{Action: "undo", Why: "nothing has been done"}
		}
	case "redo":
		if !s.Redo() {
			return true, &Refusal{Action: "redo", Why: "nothing has been undone"}
		}
	case "forced":
		mode, err := ParseMode(args[0])
		if err != nil {
			return true, err
		}
		s.SetMode(mode)
	default:
		c, err := board.ParseCell(args[0])
		if err != nil {
			return true, err
		}
		return true, onCell[command](ctx, c)
	}
	return true, nil
}
