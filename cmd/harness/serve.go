package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"queens/choice"
	"queens/configure/engines"
	"queens/ui/web"
)

func newServe() *cobra.Command {
	var (
		addr     string
		limits   engines.Limits
		config   web.Config
		diagrams string
		verbose  bool
		problem  = problemFlags{boardFlags: boardFlags{exclude: -1}}
	)
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the configurator web page and its HTTP API",
		Long: `Serve the configurator web page and its HTTP API.

The program contains the page, its engine and everything they need, and uses no network
other than the port it listens on. The default address can be reached only from this
machine; give --addr :8080 to let others in, and --host NAME for each name that they
use for this server. Ctrl-C finishes the open requests and exits.

With --cnf, --opb or --problem the page configures that problem instead of a board: what is
still possible, what is forced, and which decisions rule the rest out.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limits.MaxN < 1 || limits.MaxBDD < 1 || config.Time <= 0 || config.Queue < 1 {
				return invalid("flags --max-n, --max-bdd, --timeout, --queue: expected more than 0")
			}
			level := slog.LevelWarn
			if verbose {
				level = slog.LevelDebug
			}
			config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			pool := engines.New(limits)
			var err error
			if config.Options, _, err = problem.options(cmd.Context(), choice.Choice{}); err != nil {
				return err
			}
			if diagrams != "" {
				files, err := diagramFiles(diagrams)
				if err != nil {
					return invalid("flag --diagrams: %w", err)
				}
				for _, file := range files {
					keys, err := pool.Load(cmd.Context(), file)
					if err != nil {
						return invalid("flag --diagrams: %w", notDiagram(file, err))
					}
					var orders []string
					for _, key := range keys {
						orders = append(orders, key.Order)
					}
					fmt.Fprintf(cmd.ErrOrStderr(), "loaded %s: n = %d, %s\n", file, keys[0].N,
						strings.Join(orders, ", "))
				}
			}
			if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
				config.Hosts = append(config.Hosts, host)
			}
			listener, err := net.Listen("tcp", addr)
			if err != nil {
				return invalid("flag --addr %s: %w", addr, listening(addr, err))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The configurator is at http://%s/ (Ctrl-C ends it)\n", listener.Addr())
			return web.New(pool, config).Serve(cmd.Context(), listener)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "host and port to listen on; port 0 chooses a free port")
	cmd.Flags().IntVar(&limits.MaxN, "max-n", 200, "largest board")
	cmd.Flags().IntVar(&limits.MaxBDD, "max-bdd", 13, "largest board to compile on demand")
	cmd.Flags().StringVar(&diagrams, "diagrams", "",
		"folder of saved diagrams (*.bdd, *.zdd, *.robdd; see compile -o), used instead of compiling")
	cmd.Flags().StringArrayVar(&config.Hosts, "host", nil,
		"name that browsers may use for this server, besides addresses and localhost; may be repeated")
	cmd.Flags().DurationVar(&config.Time, "timeout", 5*time.Second, "time limit for one request")
	cmd.Flags().IntVar(&config.Queue, "queue", 256,
		"most requests that may wait for a processor; quick and slow ones are counted separately")
	problem.registerSource(cmd)
	cmd.Flags().IntVarP(&problem.n, "size", "n", 0, "size of the --problem")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log each request to standard error")
	return cmd
}

// listening explains what is wrong with an address, or returns err if something else is.
func listening(addr string, err error) error {
	_, port, split := net.SplitHostPort(addr)
	number, notNumber := strconv.Atoi(port)
	switch {
	case split != nil, notNumber == nil && (number < 0 || number > 65535):
		return errors.New("expected HOST:PORT with a port up to 65535, as in 127.0.0.1:8080 or :8080")
	case errors.Is(err, syscall.EADDRINUSE):
		return errors.New("another program listens there; --addr 127.0.0.1:0 chooses a free port")
	}
	return err
}

// diagramFiles returns the files in a folder whose extension says that they are saved
// diagrams. Files with other extensions are ignored.
func diagramFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if ending := filepath.Ext(entry.Name()); !entry.IsDir() &&
			(slices.Contains([]string{".bdd", ".zdd", ".robdd"}, ending)) {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no *.bdd, *.zdd or *.robdd file", folder)
	}
	return files, nil
}
