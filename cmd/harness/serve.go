package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"queens/ask"
	"queens/configure/pool"
	"queens/encode"
	"queens/ui/web"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr     string
	limits   pool.Limits
	config   web.Config
	diagrams string // a folder
	verbose  bool
	problem  flags // that is configured in place of a board
}

func newServe() *cobra.Command {
	var o serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the configurator web page and its HTTP API",
		Long: `Serve the configurator web page and its HTTP API.

The program contains the page, its engine and everything they need, and uses no network
other than the port it listens on. The default address can be reached only from this
machine; give --addr :8080 to let others in, and --host NAME for each name that they
use for this server. Ctrl-C finishes the open requests and exits.

With ` + encode.EachFormat("--NAME", ", ") + ` or --problem the page configures that problem instead of a board:
what is still possible, what is forced, and which decisions rule the rest out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd.Context(), consoleOf(cmd)) },
	}
	cmd.Flags().StringVar(&o.addr, "addr", "127.0.0.1:8080", "host and port to listen on; port 0 chooses a free port")
	cmd.Flags().IntVar(&o.limits.MaxN, "max-n", 200, "largest board")
	cmd.Flags().IntVar(&o.limits.MaxBDD, "max-bdd", 13, "largest board to compile on demand")
	cmd.Flags().StringVar(&o.diagrams, "diagrams", "",
		"folder of saved diagrams (*.bdd, *.zdd, *.robdd; see compile -o), used instead of compiling")
	cmd.Flags().StringArrayVar(&o.config.Hosts, "host", nil,
		"name that browsers may use for this server, in addition to addresses and localhost; may be repeated")
	cmd.Flags().DurationVar(&o.config.Time, "timeout", 5*time.Second, "time limit for one request")
	cmd.Flags().IntVar(&o.config.Queue, "queue", 256,
		"most requests that may wait for a processor; quick and slow ones are counted separately")
	o.problem.registerProblem(cmd)
	addMemory(cmd)
	cmd.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "log each request to standard error")
	return cmd
}

// serve serves until the context ends.
func (o *serveFlags) serve(ctx context.Context, c console) error {
	if o.limits.MaxN < 1 || o.limits.MaxBDD < 1 || o.config.Time <= 0 || o.config.Queue < 1 {
		return invalid("flags --max-n, --max-bdd, --timeout, --queue: expected more than 0")
	}
	level := slog.LevelWarn
	if o.verbose {
		level = slog.LevelDebug
	}
	o.config.Log = slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: level}))
	warm, err := o.pool(ctx, c)
	if err != nil {
		return err
	}
	if host, _, err := net.SplitHostPort(o.addr); err == nil && host != "" {
		o.config.Hosts = append(o.config.Hosts, host)
	}
	listener, err := net.Listen("tcp", o.addr)
	switch failed := (*net.OpError)(nil); {
	case errors.Is(err, syscall.EADDRINUSE):
		return invalid("flag --addr %q: another program listens there: expected another port, or 0 for a free one", o.addr)
	case errors.As(err, new(*net.AddrError)):
		return invalid("flag --addr %q: expected HOST:PORT or :PORT, as in :8080", o.addr)
	case errors.As(err, &failed):
		return invalid("flag --addr %q: %w", o.addr, failed.Err)
	}
	fmt.Fprintf(c.out, "The configurator is at http://%s/ (Ctrl-C ends it)\n", reachable(listener.Addr()))
	addresses, _ := net.InterfaceAddrs() // without them only this line is missing
	for _, other := range others(listener.Addr(), addresses) {
		fmt.Fprintf(c.out, "Others reach it at http://%s/\n", other)
	}
	return web.New(warm, o.config).Serve(ctx, listener)
}

// pool returns the pool of back-ends, with the problem of the flags and the saved diagrams.
func (o *serveFlags) pool(ctx context.Context, c console) (warm *pool.Pool, err error) {
	most := workOf(ctx).room()
	o.limits.Bytes, o.limits.CompileBytes = min(1<<30, most/4), min(2<<30, most/2)
	warm = pool.New(o.limits)
	if o.problem.Problem != ask.Queens {
		warm.Kept = c.kept
		if o.config.Options, _, err = o.problem.options(ctx, c, warm); err != nil {
			return nil, err
		}
	}
	if o.diagrams == "" {
		return warm, nil
	}
	saved := savedIn(o.diagrams)
	if len(saved) == 0 {
		return nil, invalid("flag --diagrams: %s holds no *.bdd, *.zdd or *.robdd file", o.diagrams)
	}
	for _, file := range saved {
		keys, err := warm.Load(ctx, file)
		if err != nil {
			return nil, invalid("flag --diagrams: %s: %w", oneLine(file), err)
		}
		for _, key := range keys {
			fmt.Fprintf(c.err, "loaded %s: n = %d, %s\n", oneLine(file), key.N, oneLine(string(key.Order)))
		}
	}
	return warm, nil
}

// reachable returns an address at which a browser on this machine reaches the listener: localhost if it
// listens on all addresses.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return a.String()
}

// others returns the addresses at which other machines reach a listener on all addresses, given those of this
// machine's interfaces.
func others(a net.Addr, interfaces []net.Addr) (list []string) {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return nil
	}
	for _, i := range interfaces {
		if at, ok := i.(*net.IPNet); ok && at.IP.IsGlobalUnicast() {
			list = append(list, net.JoinHostPort(at.IP.String(), strconv.Itoa(tcp.Port)))
		}
	}
	return list
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
