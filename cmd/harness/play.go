package main

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"queens/choice"
	"queens/configure"
	"queens/configure/engines"
	uiterm "queens/ui/term"
)

// playFlags are the flags of play.
type playFlags struct {
	problemFlags
	choiceFlags
	forced, script, lecture string
}

func newPlay() *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play {-n N | --cnf FILE}",
		Short: "Play the configurator in a terminal, or from a script",
		Long: `Play the configurator in a terminal: place queens and see the rest of the board
react. Keyboard and mouse; ? shows the keys. With --cnf, --opb or --problem it configures
that problem instead: what is still possible, what is forced, and which decisions rule the
rest out.

With --script FILE (- for standard input), or when the input is not a terminal,
commands are read instead, one per line, and answered in plain text:

` + uiterm.Help(&uiterm.Player{}) + `

and for problems other than queens:

` + uiterm.Help(uiterm.Chooser{}) + `

--lecture NAME runs a script that comes with the program, on its own board:
` + strings.Join(uiterm.Lectures(), ", ") + `. Their sources are in ui/term/lectures.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			script, name, err := f.commands(cmd)
			if err != nil {
				return err
			}
			if script != nil {
				defer script.Close()
			}
			game, err := f.open(cmd)
			switch {
			case err != nil:
			case script != nil:
				err = uiterm.Script(cmd.Context(), game, script, name, cmd.OutOrStdout())
			default:
				err = uiterm.Run(cmd.Context(), game)
			}
			if err != nil && uiterm.BadInput(err) {
				return exit(badInput, err)
			}
			return err
		},
	}
	f.problemFlags.register(cmd)
	f.Order = "row-major"
	f.choiceFlags.register(cmd, choice.Finds|choice.Valid, "backend", "order")
	cmd.Flags().StringVar(&f.forced, "forced", "suggest", "what to do with forced cells: off, suggest, place")
	cmd.Flags().StringVar(&f.script, "script", "", "file of commands to run (- for standard input)")
	choices(uiterm.Lectures()).register(cmd, &f.lecture, "lecture", "", "script that comes with the program: %s")
	return cmd
}

// commands opens the script to run and returns its name in messages; it is nil if a person
// plays on a terminal.
func (f *playFlags) commands(cmd *cobra.Command) (script io.ReadCloser, name string, err error) {
	switch {
	case f.lecture != "":
		text, err := uiterm.Lecture(f.lecture)
		if err != nil {
			return nil, "", invalid("flag --lecture: %w", err)
		}
		if f.script != "" {
			return nil, "", invalid("flag --lecture: cannot be combined with --script")
		}
		f.n = cmp.Or(f.n, 8)
		return io.NopCloser(strings.NewReader(text)), f.lecture, nil
	case f.script != "" && f.script != "-":
		file, err := openFile(f.script)
		if err != nil {
			return nil, "", invalid("flag --script: %w", err)
		}
		return file, f.script, nil
	case f.script == "-" || !isTerminal(cmd.InOrStdin()) || !isTerminal(cmd.OutOrStdout()):
		return io.NopCloser(cmd.InOrStdin()), "standard input", nil
	}
	return nil, "", nil
}

// open starts from the board, or the decisions about another problem, that the flags describe.
func (f *playFlags) open(cmd *cobra.Command) (uiterm.Game, error) {
	ctx := cmd.Context()
	mode, err := configure.ParseMode(f.forced)
	if err != nil {
		return nil, invalid("flag --forced: %w", err)
	}
	if !f.isQueens() {
		return f.choose(cmd)
	}
	problem, err := f.problem()
	if err != nil {
		return nil, err
	}
	state := configure.State{N: problem.N, Placed: problem.Placed(), Blocked: problem.Blocked(), Mode: mode}
	if err := state.Check(); err != nil {
		return nil, exit(badInput, err)
	}
	return uiterm.Open(ctx, engines.New(engines.Limits{}), state, string(f.Backend), string(f.Order))
}

// choose opens the problem that is configured in place of a board.
func (f *playFlags) choose(cmd *cobra.Command) (uiterm.Game, error) {
	for _, flag := range []string{"forced", "lecture"} {
		if cmd.Flags().Changed(flag) {
			return nil, invalid("flag --%s: supported for queens only", flag)
		}
	}
	c := choice.Choice{Backend: f.Backend}
	if cmd.Flags().Changed("order") {
		c.Order = f.Order
	}
	options, decided, err := f.options(cmd.Context(), c)
	if err != nil {
		return nil, f.flagged(err)
	}
	choices, err := options.Open(decided)
	return uiterm.Chooser{Choices: choices}, err
}
