package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"queens/backends/bdd"
	"queens/system"
)

// progress is how far a command has come: shown on a terminal while it works, and told
// when it is interrupted.
type progress struct {
	stop    context.Context // ends with the command: nothing is shown after it was interrupted
	mutex   sync.Mutex
	began   time.Time
	what    string  // it is doing
	details string  // as in "level 12 of 64, 3,400 states"
	part    float64 // of the whole, 0 when that is not known
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

// tell notes how far the command has come. part of the whole, from 0 to 1, gives the
// time that is left; 0 when it is not known.
func (p *progress) tell(part float64, format string, args ...any) {
	details := fmt.Sprintf(format, args...)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.details, p.part = details, part
}

// compiling notes how far a construction has come.
func (p *progress) compiling(at bdd.Progress) {
	details := fmt.Sprintf("%s %d", at.Step, at.Done)
	if at.Total > 0 {
		details += fmt.Sprintf(" of %d", at.Total)
	}
	p.tell(at.Share(), "%s, %s %s", details, thousands(at.Items), at.Unit)
}

// came says how far the command has come.
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

// begin says what is being done, and shows on a terminal how far it has come, once it
// takes a while. What it returns takes the line away, before anything is printed.
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

// show draws a line five times a second, cut to the terminal's width.
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

// line is what is shown, what matters most first.
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

// thousands writes a number for people: 1,234,567.
func thousands(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// counted passes on what is written and notes how much that is.
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
