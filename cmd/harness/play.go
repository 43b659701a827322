package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode"
	uiterm "queens/ui/term"
)

// playFlags are the flags of play.
type playFlags struct {
	flags
	forced, script, lecture, onError string
}

func newPlay() *cobra.Command {
	f := playFlags{forced: "suggest"}
	cmd := &cobra.Command{
		Use:   "play {-n N | --cnf FILE}",
		Short: "Play the configurator in a terminal, or from a script",
		Long: `Play the configurator in a terminal: place queens and see the rest of the board
react. Keyboard and mouse; ? shows the keys. With ` + encode.EachFormat("--NAME", ", ") + ` or --problem it
configures that problem instead: what is still possible, what is forced, and which decisions rule the
rest out.

With --script FILE (- for standard input), or when the input is not a terminal, it reads
commands instead, one per line, and answers in plain text. A refused move is an answer, and
any other mistake ends the script. With --on-error stop a refused move ends it, too; with
--on-error go-on neither does. The commands:

` + uiterm.Help(&uiterm.Player{}) + `

and for problems other than queens:

` + uiterm.Help(uiterm.Chooser{}) + `

--lecture NAME runs a script that comes with the program, on its own board:
` + strings.Join(uiterm.Lectures(), ", ") + `. Their sources are in ui/term/lectures.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Problem != ask.Queens {
				for _, flag := range []string{"forced", "lecture"} {
					if cmd.Flags().Changed(flag) {
						return invalid("flag --%s: supported for queens only", flag)
					}
				}
			}
			return f.play(cmd.Context(), consoleOf(cmd))
		},
	}
	f.register(cmd, ask.Valid, "backend", "order")
	nameFlag(cmd, &f.forced, "forced", "what to do with forced cells", []string{"off", "suggest", "place"})
	cmd.Flags().StringVar(&f.script, "script", "", "file of commands to run (- for standard input)")
	nameFlag(cmd, &f.lecture, "lecture", "script that comes with the program", uiterm.Lectures())
	nameFlag(cmd, &f.onError, "on-error", "what a script does after a line that cannot be carried out",
		[]uiterm.OnError{uiterm.Stop, uiterm.GoOn})
	cmd.MarkFlagsMutuallyExclusive("script", "lecture")
	return cmd
}

// play opens the game, and runs the script or the screen.
func (f *playFlags) play(ctx context.Context, c console) error {
	script, name, err := f.commands(c)
	if err != nil {
		return err
	}
	if script != nil {
		defer script.Close()
	}
	game, err := f.open(ctx, c, script != nil)
	switch {
	case err != nil:
	case script != nil:
		err = uiterm.Script(ctx, game, script, name, uiterm.OnError(f.onError), c.out)
	default:
		err = uiterm.Run(ctx, game)
	}
	if err != nil && uiterm.BadInput(err) {
		return exit(badInput, err)
	}
	return err
}

// commands opens the script to run and returns its name for messages. The script is nil if the input is a
// terminal.
func (f *playFlags) commands(c console) (script io.ReadCloser, name string, err error) {
	switch {
	case f.lecture != "":
		text, err := uiterm.Lecture(f.lecture)
		f.N = cmp.Or(f.N, 8)
		return io.NopCloser(strings.NewReader(text)), f.lecture, err
	case f.script != "" && f.script != "-":
		file, err := os.Open(f.script)
		if err != nil {
			return nil, "", invalid("flag --script: %w", err)
		}
		return file, f.script, nil
	case f.script == "-" || !isTerminal(c.in) || !redraws(c.out):
		return io.NopCloser(c.in), "standard input", nil
	}
	return nil, "", nil
}

// open starts the game that the flags describe: a board, or the decisions of another problem.
func (f *playFlags) open(ctx context.Context, c console, script bool) (uiterm.Game, error) {
	if f.Problem != ask.Queens {
		warm := pool.New(pool.Limits{CompileBytes: 1 << 30})
		warm.Progress = workOf(ctx).compiling
		if !isTerminal(c.err) { // the note would be written over the screen
			warm.Kept = c.kept
		}
		options, decided, err := f.options(ctx, c, warm)
		if err != nil {
			return nil, err
		}
		decisions, err := options.Open(decided)
		if err != nil {
			return nil, err
		}
		if script { // the screen says so itself
			why, err := decisions.Contradiction(ctx)
			if err != nil {
				return nil, err
			}
			if why != "" {
				fmt.Fprintln(c.err, "harness: note:", why)
			}
		}
		return uiterm.Chooser{Decisions: decisions, Counting: func() (done func()) {
			working(ctx, "counting %s, for %v at most", options.Title, pool.CompileFor)
			return workOf(ctx).hide
		}}, nil
	}
	mode, err := configure.ParseMode(f.forced)
	if err != nil {
		return nil, err
	}
	named := f.Order
	f.Order = "" // the pool reads its file, once: it may be a pipe
	problem, err := f.problem(c)
	f.Order = named
	if err != nil {
		return nil, err
	}
	state := configure.State{N: problem.N, Placed: problem.Placed(), Blocked: problem.Blocked(), Mode: mode}
	if err := state.Check(); err != nil {
		return nil, exit(badInput, err)
	}
	if _, err := ask.Resolve(problem, f.Choice, ask.Valid); err != nil {
		return nil, exit(badInput, flagged(err))
	}
	warm := pool.New(pool.Limits{})
	player, err := uiterm.Open(ctx, warm, state, string(f.Backend), string(cmp.Or(f.Order, ask.RowMajor)))
	if err != nil {
		return nil, flagged(err)
	}
	return player, nil
}
