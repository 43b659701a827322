package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/configure/pool"
	"queens/ui/web"
)

func newServe() *cobra.Command {
	var (
		addr     string
		limits   pool.Limits
		config   web.Config
		diagrams string
		verbose  bool
		problem  flags
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limits.MaxN < 1 || limits.MaxBDD < 1 || config.Time <= 0 || config.Queue < 1 {
				return invalid("flags --max-n, --max-bdd, --timeout, --queue: expected more than 0")
			}
			level := slog.LevelWarn
			if verbose {
				level = slog.LevelDebug
			}
			config.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			most := workOf(cmd.Context()).limit
			limits.Bytes, limits.CompileBytes = min(1<<30, most/4), min(2<<30, most/2)
			warm := pool.New(limits)
			var err error
			if problem.Problem != ask.Queens {
				if config.Options, _, err = problem.options(cmd, warm); err != nil {
					return err
				}
			}
			if diagrams != "" {
				saved := savedIn(diagrams)
				if len(saved) == 0 {
					return invalid("flag --diagrams: %s holds no *.bdd, *.zdd or *.robdd file", diagrams)
				}
				for _, file := range saved {
					keys, err := warm.Load(cmd.Context(), file)
					if err != nil {
						return invalid("flag --diagrams: %s: %w", oneLine(file), err)
					}
					for _, key := range keys {
						fmt.Fprintf(cmd.ErrOrStderr(), "loaded %s: n = %d, %s\n", oneLine(file), key.N, oneLine(string(key.Order)))
					}
				}
			}
			if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
				config.Hosts = append(config.Hosts, host)
			}
			listener, err := net.Listen("tcp", addr)
			if failed := (*net.OpError)(nil); errors.As(err, &failed) {
				return invalid("flag --addr %q: %w", addr, failed.Err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The configurator is at http://%s/ (Ctrl-C ends it)\n", reachable(listener.Addr()))
			return web.New(warm, config).Serve(cmd.Context(), listener)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "host and port to listen on; port 0 chooses a free port")
	cmd.Flags().IntVar(&limits.MaxN, "max-n", 200, "largest board")
	cmd.Flags().IntVar(&limits.MaxBDD, "max-bdd", 13, "largest board to compile on demand")
	cmd.Flags().StringVar(&diagrams, "diagrams", "",
		"folder of saved diagrams (*.bdd, *.zdd, *.robdd; see compile -o), used instead of compiling")
	cmd.Flags().StringArrayVar(&config.Hosts, "host", nil,
		"name that browsers may use for this server, in addition to addresses and localhost; may be repeated")
	cmd.Flags().DurationVar(&config.Time, "timeout", 5*time.Second, "time limit for one request")
	cmd.Flags().IntVar(&config.Queue, "queue", 256,
		"most requests that may wait for a processor; quick and slow ones are counted separately")
	problem.registerProblem(cmd)
	addMemory(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log each request to standard error")
	return cmd
}

// reachable returns an address at which a browser on this machine reaches the listener: localhost if it
// listens on all addresses.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return a.String()
}

// savedIn returns the files in a folder whose names mark them as saved diagrams.
func savedIn(folder string) (files []string) {
	found, _ := os.ReadDir(folder)
	for _, file := range found {
		if slices.Contains([]string{".bdd", ".zdd", ".robdd"}, filepath.Ext(file.Name())) {
			files = append(files, filepath.Join(folder, file.Name()))
		}
	}
	return files
}
