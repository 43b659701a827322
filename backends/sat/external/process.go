package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"queens/backends"
	"queens/backends/program"
	"queens/encode/cnf"
	"queens/system"
)

// warm is a formula held by a process that keeps what it learns.
// docs/bring-your-own.md describes the lines sent and received.
type warm struct {
	checked
	session *Session
	process *process
	failed  error // not nil once a query has failed, since the process is then gone
}

// Add implements [Asked].
func (w *warm) Add(clause ...cnf.Lit) {
	defer w.session.clock(time.Now())
	w.checked.Add(clause...)
	if w.failed == nil {
		w.process.clause(clause)
	}
}

// Solve implements [Asked]. It kills a process that does not answer correctly.
func (w *warm) Solve(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	if err := ctx.Err(); err != nil {
		return backends.Unknown, nil, err
	}
	if w.failed != nil {
		return backends.Unknown, nil, w.failed
	}
	defer w.session.clock(time.Now())
	status, core, err := w.solve(ctx, assume)
	if err != nil {
		w.failed = fmt.Errorf("asking %s: %w", w.session.solver.Name, err)
		w.process.end()
	}
	return status, core, w.failed
}

func (w *warm) solve(ctx context.Context, assume []cnf.Lit) (backends.Status, []cnf.Lit, error) {
	line, err := w.process.query(ctx, assume)
	if err != nil {
		return backends.Unknown, nil, err
	}
	w.session.told(w.process)
	word, rest, _ := strings.Cut(line, " ")
	lits, err := parseClause(strings.Fields(rest))
	if err != nil || word != "sat" && word != "unsat" {
		return backends.Unknown, nil, fmt.Errorf("it answered %q: expected sat or unsat, literals and 0",
			program.Clip(line))
	}
	if word == "sat" {
		return backends.Sat, nil, w.model(lits, assume)
	}
	for _, l := range lits {
		if !slices.Contains(assume, l) {
			return backends.Unknown, nil, fmt.Errorf("its core has %d, which is not an assumption", l)
		}
	}
	return backends.Unsat, lits, nil
}

// Close implements [Asked]: the process becomes available for the session's
// next formula.
func (w *warm) Close() error {
	if w.failed == nil && w.process != nil {
		w.session.give(w.process)
		w.failed = errors.New("the formula is closed")
	}
	return nil
}

// process is a program that speaks the line protocol.
type process struct {
	greeting string
	cancel   context.CancelFunc
	in       io.Writer
	pending  []byte       // lines to send before the next query
	lines    chan string  // its answers; closed at its end
	took     atomic.Int64 // nanoseconds that it reports for the last answer; negative if it does not
	done     chan struct{}
	ended    error // valid once done is closed
	stderr   program.Tail
	before   int64 // bytes of standard error before the last query
}

// start starts the program and reads its greeting.
func start(ctx context.Context, s Solver) (*process, error) {
	alive, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(alive, s.words[0], s.words[1:]...)
	cmd.WaitDelay = time.Second // in case a child outside the tree holds the output open
	// Until the first query, what it writes to its standard error does not matter.
	p := &process{cancel: cancel, lines: make(chan string), done: make(chan struct{}), before: math.MaxInt64}
	cmd.Stderr = &p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, write := io.Pipe()
	cmd.Stdout = write
	p.in = in
	started := make(chan error)
	go func() { // Linux ties a tree to the thread that starts it, so to this goroutine
		tree, err := system.Start(cmd, 0)
		started <- err
		if err != nil {
			return
		}
		p.ended = cmd.Wait()
		tree.Close()
		write.Close()
		close(p.done)
	}()
	if err := <-started; err != nil {
		cancel()
		return nil, err
	}
	go p.read(alive, out)
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	line, err := p.line(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = program.WithLast(fmt.Errorf("it has not greeted within %v: expected a line \"solver NAME VERSION\"",
			patience), p.stderr.Last())
	}
	greeting, greets := strings.CutPrefix(line, "solver ")
	if err == nil && !greets {
		err = fmt.Errorf("it began with %q: expected \"solver NAME VERSION\"", program.Clip(line))
	}
	if err != nil {
		p.end()
		return nil, err
	}
	p.greeting = greeting
	return p, nil
}

// timeComment begins the line with which a program reports the wall-clock time, in
// seconds, that it took itself since its last answer, before the next one.
const timeComment = "c seconds "

// read passes on the program's lines.
func (p *process) read(ctx context.Context, out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		if bytes.HasPrefix(lines.Bytes(), []byte("c ")) { // a comment, as printed by solvers' libraries
			seconds, err := strconv.ParseFloat(strings.TrimPrefix(lines.Text(), timeComment), 64)
			if err == nil && seconds >= 0 && seconds < 1e9 {
				p.took.Store(int64(seconds * 1e9))
			}
			continue
		}
		select {
		case p.lines <- lines.Text():
		case <-ctx.Done():
		}
	}
	close(p.lines)
	io.Copy(io.Discard, out) // after a line longer than the buffer, so the program does not block
}

// line waits for the next line. The error is the context's, or says how the program ended,
// or that it complained and did not answer.
func (p *process) line(ctx context.Context) (string, error) {
	look := time.NewTicker(patience)
	defer look.Stop()
	for {
		select {
		case line, more := <-p.lines:
			if more {
				return line, nil
			}
			return "", p.ending()
		case <-look.C:
			if p.stderr.Written() > p.before {
				return "", fmt.Errorf("it writes to its standard error and has not answered for %v: %s", patience,
					p.stderr.Last())
			}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// ending says how the program ended.
func (p *process) ending() error {
	select {
	case <-p.done:
	case <-time.After(time.Second):
		return errors.New("a line of its answer is too long")
	}
	err := errors.New("it ended without an answer")
	if p.ended != nil {
		err = fmt.Errorf("it ended: %w", p.ended)
	}
	return program.WithLast(err, p.stderr.Last())
}

func (p *process) begin(vars int) { p.pending = fmt.Appendf(p.pending, "new %d\n", vars) }

func (p *process) clause(lits []cnf.Lit) { p.write("add", lits) }

func (p *process) write(word string, lits []cnf.Lit) {
	p.pending = append(p.pending, word...)
	for _, l := range lits {
		p.pending = strconv.AppendInt(append(p.pending, ' '), int64(l), 10)
	}
	p.pending = append(p.pending, " 0\n"...)
}

// query sends a query under assumptions and waits for the answer. It writes
// concurrently, so a program that does not read cannot block it.
func (p *process) query(ctx context.Context, assume []cnf.Lit) (string, error) {
	select {
	case line, more := <-p.lines:
		if more {
			return "", fmt.Errorf("it said %q without being asked", program.Clip(line))
		}
	default:
	}
	p.before = p.stderr.Written()
	p.took.Store(-1)
	p.write("solve", assume)
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.in.Write(p.pending) // a failure shows as a missing answer
	}()
	line, err := p.line(ctx)
	if err != nil {
		p.end() // which also ends the writing
	}
	<-written
	p.pending = p.pending[:0]
	return line, err
}

// end kills the program and all its child processes, and waits for it to end.
func (p *process) end() {
	p.cancel()
	<-p.done
}

// parseClause reads literals up to a closing 0.
func parseClause(words []string) ([]cnf.Lit, error) {
	if len(words) == 0 || words[len(words)-1] != "0" {
		return nil, fmt.Errorf("expected literals and a closing 0")
	}
	clause := make([]cnf.Lit, len(words)-1)
	for i := range clause {
		l, err := strconv.ParseInt(words[i], 10, 32)
		if err != nil || l == 0 {
			return nil, fmt.Errorf("literal %q", words[i])
		}
		clause[i] = cnf.Lit(l)
	}
	return clause, nil
}
