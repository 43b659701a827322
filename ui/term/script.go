package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
	"queens/lab"
)

// ScriptHelp lists the commands of a script.
const ScriptHelp = `place CELL, remove CELL   place a queen on a valid cell; take one back
block CELL, unblock CELL  keep a cell empty; allow it again
undo, redo, clear         undo or redo a decision; clear the board
forced off|suggest|place  what to do with forced cells
show                      show the board and a summary
heat                      show the number of solutions through each cell
valid, forced             list these cells; forced ones with their reasons
count                     show the number of solutions
solutions [K]             list the first K solutions; K is 1 by default
explain CELL              say why the cell can or cannot hold a queen
size N                    start over with an empty board of size N
backend NAME              choose the back-end; play --help lists the names
order NAME                choose the variable order of the diagram
engine                    show which back-end answered, and at what cost
link                      show the board as the query part of a link
help                      show this list`

// Game is what a person or a script plays: a [Player] or a [Chooser].
type Game interface {
	// Script runs commands, one per line as [configure.Lines] reads them, and writes each command
	// and its answer to w. A refused action is an answer. Script stops at the first invalid line,
	// with a [*configure.LineError].
	Script(ctx context.Context, r io.Reader, file string, w io.Writer) error
	model(ctx context.Context) tea.Model
}

// runScript implements [Game.Script] for a game that obeys commands.
func runScript(
	ctx context.Context, r io.Reader, file string, w io.Writer,
	obey func(ctx context.Context, words []string, out io.Writer) error,
) error {
	err := configure.Lines(r, file, func(words []string) error {
		fmt.Fprintf(w, "> %s\n", strings.Join(words, " "))
		err := obey(ctx, words, w)
		var refusal *configure.Refusal
		if errors.As(err, &refusal) {
			fmt.Fprintf(w, "%s.\n", lab.Capital(refusal.Error()))
			err = nil
		}
		return errors.Join(err, ctx.Err())
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// check returns an error if a command, given as words, is not one of those that take so many
// arguments at least and at most.
func check(words []string, commands map[string][2]int) error {
	count, known := commands[words[0]]
	switch given := len(words) - 1; {
	case !known:
		return fmt.Errorf("command %q: unknown; help lists the commands", words[0])
	case given < count[0] || given > count[1]:
		return fmt.Errorf("command %s: %d arguments, expected %d", words[0], given, count[1])
	}
	return nil
}

// Script implements [Game].
func (p *Player) Script(ctx context.Context, r io.Reader, file string, w io.Writer) error {
	return runScript(ctx, r, file, w, p.obey)
}

// obey runs one command.
func (p *Player) obey(ctx context.Context, words []string, out io.Writer) error {
	command, args := words[0], words[1:]
	if command != "forced" || len(args) > 0 {
		if known, err := p.session.Do(ctx, words); known {
			return err
		}
	}
	if err := check(words, map[string][2]int{
		"show": {}, "heat": {}, "valid": {}, "forced": {}, "count": {}, "solutions": {0, 1}, "explain": {1, 1},
		"size": {1, 1}, "backend": {1, 1}, "order": {1, 1}, "engine": {}, "link": {}, "help": {},
	}); err != nil {
		return err
	}
	switch command {
	case "show", "heat":
		view, counts, err := p.look(ctx)
		if err != nil {
			return err
		}
		shown := counts
		if command == "show" {
			shown = nil
		}
		fmt.Fprintf(out, "%s%s\n", drawBoard(view, shown), summary(view, counts))
	case "valid":
		view, err := p.View(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", orNone(board.FormatCells(view.Valid)))
	case "forced":
		return p.writeForced(ctx, out)
	case "count":
		counts, err := p.Counts(ctx)
		if err != nil {
			return err
		}
		if counts == nil {
			fmt.Fprintf(out, "too many to count in %v\n", countTime)
			return nil
		}
		fmt.Fprintln(out, counts.Total)
	case "solutions":
		return p.writeSolutions(ctx, args, out)
	case "explain":
		return p.writeExplanation(ctx, args[0], out)
	case "size":
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return fmt.Errorf("size %s: expected a board size", args[0])
		}
		return p.Resize(ctx, n)
	case "backend":
		return p.Choose(ctx, args[0], p.order)
	case "order":
		return p.Choose(ctx, p.backend, args[0])
	case "engine":
		view, err := p.View(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, p.engineLine(view))
	case "link":
		fmt.Fprintln(out, p.session.State().Query())
	case "help":
		fmt.Fprintf(out, "%s\n\nSigns: %s\n", ScriptHelp, legend)
	}
	return nil
}

// writeForced writes the forced cells with their reasons.
func (p *Player) writeForced(ctx context.Context, out io.Writer) error {
	view, err := p.View(ctx)
	if err != nil {
		return err
	}
	for _, f := range view.Forced {
		fmt.Fprintf(out, "%s.\n", lab.Capital(f.Sentence(view.State.N)))
	}
	if len(view.Forced) == 0 {
		fmt.Fprintln(out, "none")
	}
	return nil
}

// writeSolutions writes the first solutions, one if no number is given.
func (p *Player) writeSolutions(ctx context.Context, args []string, out io.Writer) error {
	k := 1
	if len(args) == 1 {
		var err error
		if k, err = strconv.Atoi(args[0]); err != nil || k < 1 {
			return fmt.Errorf("solutions %s: expected a number, 1 or more", args[0])
		}
	}
	listed := 0
	for queens, err := range p.solutions(ctx) {
		if err != nil {
			return err
		}
		fmt.Fprintln(out, board.FormatCells(queens))
		if listed++; listed == k {
			break
		}
	}
	if listed == 0 {
		fmt.Fprintln(out, "none")
	}
	return nil
}

// writeExplanation writes why a cell can or cannot hold a queen.
func (p *Player) writeExplanation(ctx context.Context, cell string, out io.Writer) error {
	c, err := board.ParseCell(cell)
	if err != nil {
		return err
	}
	w, err := lab.Explain(ctx, p.session, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, w.Text)
	if w.Verdict != "attacked" { // otherwise the sentence says it all
		for _, f := range w.Frames {
			fmt.Fprintf(out, "%5s  %s\n", f.Number, f.Text)
		}
	}
	if len(w.Witness) > 0 {
		fmt.Fprintf(out, "  %s\n", strings.Join(w.Witness, ","))
	}
	return nil
}

// look returns the view and the counts.
func (p *Player) look(ctx context.Context) (*configure.View, *configure.Counts, error) {
	view, err := p.View(ctx)
	if err != nil {
		return nil, nil, err
	}
	counts, err := p.Counts(ctx)
	return view, counts, err
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// BadInput reports whether an error is the person's fault, not the program's: an invalid
// script, state or name.
func BadInput(err error) bool {
	var script *configure.LineError
	var refusal *configure.Refusal
	var unsupported *engines.UnsupportedError
	return errors.As(err, &script) || errors.As(err, &refusal) || errors.As(err, &unsupported)
}
