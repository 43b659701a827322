package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"queens/configure"
	"queens/configure/engines"
	uiterm "queens/ui/term"
)

func newPlay() *cobra.Command {
	var (
		b       boardFlags
		backend string
		order   string
		forced  string
		script  string
		session string
		lecture string
	)
	cmd := &cobra.Command{
		Use:   "play -n N",
		Short: "Play the configurator in a terminal, or from a script",
		Long: `Play the configurator in a terminal: place queens and see the rest of the board
react. Keyboard and mouse; ? shows the keys.

With --script FILE (- for standard input), or when the input is not a terminal,
commands are read instead, one per line, and answered in plain text:

` + uiterm.ScriptHelp + `

--lecture NAME runs a script that comes with the program, on its own board:
` + strings.Join(uiterm.Lectures(), ", ") + `. Their sources are in ui/term/lectures.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			pool := engines.New(engines.Limits{})
			var prepared string
			if lecture != "" {
				if prepared, err = uiterm.Lecture(lecture); err != nil {
					return invalid("flag --lecture: %w", err)
				}
				if script != "" || session != "" {
					return invalid("flag --lecture: cannot be combined with --script or --session")
				}
				if b.n == 0 {
					b.n = 8
				}
			}
			player, err := openPlayer(cmd, pool, &b, backend, order, forced, session)
			if err != nil {
				return playError(err)
			}
			defer player.Close()
			file, isFile := cmd.InOrStdin().(*os.File)
			switch {
			case lecture != "":
				return playError(player.Script(ctx, strings.NewReader(prepared), lecture, cmd.OutOrStdout()))
			case script != "" && script != "-":
				text, err := openFile(script)
				if err != nil {
					return invalid("flag --script: %w", err)
				}
				defer text.Close()
				err = player.Script(ctx, text, script, cmd.OutOrStdout())
				return playError(errors.Join(err, save(player, session, err)))
			case script == "-" || !isFile || !term.IsTerminal(int(file.Fd())) || !isTerminal(cmd.OutOrStdout()):
				err := player.Script(ctx, cmd.InOrStdin(), "standard input", cmd.OutOrStdout())
				return playError(errors.Join(err, save(player, session, err)))
			}
			err = uiterm.Run(ctx, player)
			return errors.Join(err, save(player, session, err))
		},
	}
	b.register(cmd)
	choices(engines.Names()).register(cmd, &backend, "backend", "", "back-end: %s (default: the one that suits n)")
	cmd.Flags().StringVar(&order, "order", "row-major", "variable order of the diagram: a name from harness order list")
	cmd.Flags().StringVar(&forced, "forced", "suggest", "what to do with forced cells: off, suggest, place")
	cmd.Flags().StringVar(&script, "script", "", "file of commands to run (- for standard input)")
	choices(uiterm.Lectures()).register(cmd, &lecture, "lecture", "", "script that comes with the program: %s")
	cmd.Flags().StringVar(&session, "session", "",
		"session file: read at the start if it exists (without board flags), written at the end")
	return cmd
}

// openPlayer starts from the saved session, or else from the board that the flags describe.
func openPlayer(
	cmd *cobra.Command,
	pool *engines.Pool,
	b *boardFlags,
	backend, order, forced, session string,
) (*uiterm.Player, error) {
	ctx := cmd.Context()
	mode, err := configure.ParseMode(forced)
	if err != nil {
		return nil, invalid("flag --forced: %w", err)
	}
	if session != "" {
		file, err := openFile(session)
		if err == nil {
			defer file.Close()
			for _, name := range []string{"place", "block", "diagonals", "exclude", "forced"} {
				if cmd.Flags().Changed(name) {
					return nil, invalid("flag --%s: the session in %s has its own board; use "+
						"commands to change it, or another file", name, session)
				}
			}
			player, err := uiterm.Load(ctx, pool, file, session, backend, order)
			if err != nil {
				return nil, exit(badInput, err)
			}
			if n := player.Session().State().N; b.n != 0 && b.n != n {
				player.Close()
				return nil, invalid("flag -n %d: the session in %s has size %d", b.n, session, n)
			}
			return player, nil
		}
		if isThere(session) {
			return nil, invalid("flag --session: %w", err)
		}
	}
	problem, err := b.problem()
	if err != nil {
		return nil, err
	}
	state := configure.State{N: problem.N, Placed: problem.Placed(), Blocked: problem.Blocked(), Mode: mode}
	if err := state.Check(); err != nil {
		return nil, exit(badInput, err)
	}
	return uiterm.Open(ctx, pool, state, backend, order)
}

// save writes the session atomically, unless it failed.
func save(player *uiterm.Player, file string, failed error) error {
	if file == "" || failed != nil {
		return nil
	}
	return writeOutput("--session", file, nil, player.Session().Save)
}

func playError(err error) error {
	if err != nil && uiterm.BadInput(err) {
		return exit(badInput, err)
	}
	return err
}

func isTerminal(w io.Writer) bool {
	file, is := w.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}
