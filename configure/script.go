package configure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"queens/backends"
	"queens/board"
	"queens/encode"
)

// Save writes the session as text: the board size, the actions in order, one
// per line, and the mode. Loading it restores the history as well as the state.
//
//	queens 8
//	place a1
//	block d4
//	undo
//	forced suggest
func (s *Session) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "queens %d\n", s.state.N)
	// A session opened at a state begins with that state's decisions.
	first := s.state
	if len(s.past) > 0 {
		first = s.past[0].before
	} else if len(s.future) > 0 {
		first = s.future[len(s.future)-1].before
	}
	for _, c := range first.Blocked {
		fmt.Fprintf(b, "block %s\n", c)
	}
	for _, c := range first.Placed {
		fmt.Fprintf(b, "place %s\n", c)
	}
	for _, step := range s.past {
		fmt.Fprintln(b, step.command)
	}
	for i := len(s.future) - 1; i >= 0; i-- {
		fmt.Fprintln(b, s.future[i].command)
	}
	for range s.future {
		fmt.Fprintln(b, "undo")
	}
	// The mode comes last, since a queen that is now placed automatically may have
	// been placed by hand before.
	if s.state.Mode != Off {
		fmt.Fprintf(b, "forced %s\n", s.state.Mode)
	}
	return b.Flush()
}

// Load reads a session as [Session.Save] writes it. Blank lines and comments,
// which begin with #, are skipped. open makes the back-end for the board size.
// Errors, refused actions included, name the place as file:line:column.
func Load(ctx context.Context, r io.Reader, file string, open func(n int) (backends.Oracle, error)) (*Session, error) {
	var s *Session
	scan := bufio.NewScanner(r)
	line := 0
	for scan.Scan() {
		line++
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		fail := func(err error) (*Session, error) {
			column := 1 + len(text) - len(strings.TrimLeft(text, " \t"))
			return nil, fmt.Errorf("%s:%d:%d: %w", file, line, column, err)
		}
		if s == nil {
			n, err := 0, error(nil)
			if len(words) == 2 && words[0] == "queens" {
				n, err = strconv.Atoi(words[1])
			}
			if err != nil || n < 1 || n > encode.MaxN {
				return fail(
					fmt.Errorf("%q: expected queens and the board size, as in queens 8", strings.TrimSpace(text)),
				)
			}
			oracle, err := open(n)
			if err != nil {
				return fail(err)
			}
			s = New(n, oracle)
			continue
		}
		if known, err := s.Do(ctx, words); err != nil {
			return fail(err)
		} else if !known {
			return fail(fmt.Errorf("command %q: expected one of %s", words[0], strings.Join(Commands(), ", ")))
		}
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes: expected one command per line",
			file, line+1, bufio.MaxScanTokenSize)
	} else if err != nil {
		return nil, fmt.Errorf("reading session %s: %w", file, err)
	}
	if s == nil {
		return nil, fmt.Errorf("%s:1:1: expected queens and the board size, as in queens 8", file)
	}
	return s, nil
}

// Commands lists the commands that [Session.Do] knows, with their arguments.
func Commands() []string {
	return []string{"place CELL", "remove CELL", "block CELL", "unblock CELL", "clear", "undo", "redo",
		"forced off|suggest|place"}
}

// Do runs a command given as words, as in a saved session, and reports whether
// it knows the command. A refused action returns a [*Refusal] and changes
// nothing.
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
