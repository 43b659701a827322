package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"queens/backends/bdd"
	"queens/system"
)

// progress is how far a command has got. It is shown on a terminal while the command works,
// and in the message when it is interrupted.
type progress struct {
	stop    context.Context // ends with the command; nothing is shown after an interruption
	mutex   sync.Mutex
	began   time.Time
	what    string  // the command is doing
	details string  // as in "level 12 of 64, 3,400 states"
	part    float64 // share of the work that is done; 0 if unknown
}

type progressKey struct{}

func withProgress(ctx context.Context) context.Context {
	return context.WithValue(ctx, progressKey{}, &progress{stop: ctx, began: time.Now()})
}

// progressOf returns the progress of a command's context.
func progressOf(ctx context.Context) *progress {
	if p, has := ctx.Value(progressKey{}).(*progress); has {
		return p
	}
	return &progress{stop: ctx, began: time.Now()}
}

// tell records how far the command has got. part is the share of the work that is done, from
// 0 to 1, from which the remaining time is estimated; 0 if unknown.
func (p *progress) tell(part float64, format string, args ...any) {
	details := fmt.Sprintf(format, args...)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.details, p.part = details, part
}

// compiling records how far a construction has got.
func (p *progress) compiling(at bdd.Progress) {
	details := fmt.Sprintf("%s %d", at.Step, at.Done)
	if at.Total > 0 {
		details += fmt.Sprintf(" of %d", at.Total)
	}
	p.tell(at.Share(), "%s, %s %s", details, thousands(at.Items), at.Unit)
}

// came describes how far the command has got.
func (p *progress) came() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	text := fmt.Sprintf("after %.3g s", time.Since(p.began).Seconds())
	if p.what != "" {
		text += " of " + p.what
	}
	if p.details != "" {
		text += ": " + p.details
	}
	return text
}

// working records what a command is doing: see [progress.begin].
func working(cmd *cobra.Command, format string, args ...any) (end func()) {
	return progressOf(cmd.Context()).begin(cmd.ErrOrStderr(), fmt.Sprintf(format, args...))
}

// begin records what the command is doing and, on a terminal, shows its progress once it has
// taken a while. The returned function erases the line; call it before printing anything.
func (p *progress) begin(log io.Writer, what string) (end func()) {
	p.mutex.Lock()
	p.what, p.details, p.part = what, "", 0
	p.mutex.Unlock()
	if !isTerminal(log) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(p.stop)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.show(ctx, log)
	}()
	return sync.OnceFunc(func() { cancel(); <-done })
}

// show draws the progress line five times a second, cut to the terminal's width.
func (p *progress) show(ctx context.Context, log io.Writer) {
	const patience, often = 300 * time.Millisecond, 200 * time.Millisecond
	select {
	case <-ctx.Done():
		return
	case <-time.After(patience):
	}
	tick := time.NewTicker(often)
	defer tick.Stop()
	for ctx.Err() == nil {
		fmt.Fprint(log, "\r"+ansi.EraseEntireLine+ansi.Truncate(p.line(), cmp.Or(widthOf(log), 80)-1, "…"))
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	fmt.Fprint(log, "\r"+ansi.EraseEntireLine)
}

// line returns the progress line, with the most important part first.
func (p *progress) line() string {
	memory := fmt.Sprintf("%.2f GiB", float64(system.Used())/(1<<30))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	elapsed := time.Since(p.began)
	text := fmt.Sprintf("%s: %v, %s", p.what, elapsed.Round(time.Second), memory)
	if p.part > 0 && p.part < 1 {
		left := time.Duration(float64(elapsed) * (1 - p.part) / p.part)
		text = fmt.Sprintf("%s: about %v left, %s", p.what, left.Round(time.Second), memory)
	}
	if p.details != "" {
		text += ", " + p.details
	}
	return text
}

// thousands formats a number with separators: 1,234,567.
func thousands(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// counted is a writer that records the number of bytes written as progress.
type counted struct {
	io.Writer
	progress *progress
	stop     context.Context // writing ends with it
	bytes    int64
}

// Write implements [io.Writer].
func (c *counted) Write(data []byte) (int, error) {
	if err := c.stop.Err(); err != nil {
		return 0, err
	}
	n, err := c.Writer.Write(data)
	c.bytes += int64(n)
	c.progress.tell(0, "%s written", amount(c.bytes))
	return n, err
}
