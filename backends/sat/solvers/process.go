package solvers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"queens/encode/cnf"
	"queens/internal/system"
	"queens/internal/system/program"
)

// process is a program that speaks the line protocol.
type process struct {
	greeting string
	cancel   context.CancelFunc
	in       io.Writer
	pending  []byte    // lines to send before the next query
	lines    chan line // its answers; closed at its end
	done     chan struct{}
	ended    error       // valid once done is closed
	much     atomic.Bool // its answer was too long
	stderr   program.Tail
}

// line is a line of the program's output.
type line struct {
	text string
	took time.Duration // that it reported before this line; negative if it did not
}

// start starts the program and reads its greeting.
func start(ctx context.Context, s Solver) (*process, error) {
	alive, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(alive, s.words[0], s.words[1:]...)
	cmd.WaitDelay = time.Second // in case a child outside the tree holds the output open
	p := &process{cancel: cancel, lines: make(chan line), done: make(chan struct{})}
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
		tree, err := system.Start(cmd, system.Limits{})
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
	first, err := p.line(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = program.WithLast(fmt.Errorf("it has not greeted within %v: expected a line \"solver NAME VERSION\"",
			patience), p.stderr.Last())
	}
	greeting, greets := strings.CutPrefix(first.text, "solver ")
	if err == nil && !greets {
		err = fmt.Errorf("it began with %q: expected \"solver NAME VERSION\"", program.Clip(first.text))
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
func (p *process) read(ctx context.Context, out io.ReadCloser) {
	defer out.Close() // or what the program still writes would hold up its end
	lines := bufio.NewReader(out)
	took := time.Duration(-1)
	text, err := readLine(lines)
	for ; err == nil; text, err = readLine(lines) {
		if strings.HasPrefix(text, "c ") { // a comment, as printed by solvers' libraries
			seconds, err := strconv.ParseFloat(strings.TrimPrefix(text, timeComment), 64)
			if err == nil && seconds >= 0 && seconds < 1e9 {
				took = time.Duration(seconds * 1e9)
			}
			continue
		}
		select {
		case p.lines <- line{text, took}:
		case <-ctx.Done():
		}
		took = -1
	}
	if errors.Is(err, program.ErrMuch) {
		p.much.Store(true)
		p.cancel()
	}
	close(p.lines)
}

// readLine reads a line of at most [program.MostOutput], in time linear in its length: a bufio.Scanner looks
// through a long line from its beginning whenever more of it arrives.
func readLine(r *bufio.Reader) (string, error) {
	var text []byte
	for more := true; more; {
		var part []byte
		var err error
		if part, more, err = r.ReadLine(); err != nil {
			return "", err
		}
		if text = append(text, part...); len(text) > program.MostOutput {
			return "", program.ErrMuch
		}
	}
	return string(text), nil
}

// line waits for the next line. The error is the context's, or says how the program ended.
func (p *process) line(ctx context.Context) (line, error) {
	select {
	case next, more := <-p.lines:
		if more {
			return next, nil
		}
	case <-ctx.Done():
		return line{}, ctx.Err()
	}
	<-p.done
	err := errors.New("it ended without an answer")
	if p.much.Load() {
		err = program.ErrMuch
	} else if p.ended != nil {
		err = fmt.Errorf("it ended: %w", p.ended)
	}
	return line{}, program.WithLast(err, p.stderr.Last())
}

func (p *process) begin(vars int) { p.pending = fmt.Appendf(p.pending, "new %d\n", vars) }

func (p *process) write(word string, lits []cnf.Lit) {
	p.pending = append(p.pending, word...)
	for _, l := range lits {
		p.pending = strconv.AppendInt(append(p.pending, ' '), int64(l), 10)
	}
	p.pending = append(p.pending, " 0\n"...)
}

// send sends lines with that many queries and waits for the answers. It writes
// concurrently, so a program that does not read cannot block it.
func (p *process) send(ctx context.Context, lines []byte, queries int) (answers []line, err error) {
	select {
	case next, more := <-p.lines:
		if more {
			return nil, fmt.Errorf("it said %q without being asked", program.Clip(next.text))
		}
	default:
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.in.Write(lines) // a failure shows as a missing answer
	}()
	for err == nil && len(answers) < queries {
		var next line
		next, err = p.line(ctx)
		answers = append(answers, next)
	}
	if err != nil {
		p.end() // which also ends the writing
	}
	<-written
	return answers, err
}

// end kills the program and all its child processes, and waits for it to end.
func (p *process) end() {
	p.cancel()
	<-p.done
}
