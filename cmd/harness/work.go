package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"queens/backends"
	"queens/backends/portfolio"
	"queens/internal/system"
)

// work is a running command: its memory limit, and its progress, which is shown on a terminal and in the
// message when the command is stopped.
type work struct {
	limit  int64  // memory limit, in bytes
	origin string // where the limit comes from

	log     io.Writer
	mutex   sync.Mutex
	began   time.Time
	what    string  // what the command is doing
	details string  // as in "level 12 of 64, 3400 states"
	outlook string  // why the command seems hopeless; empty if it does not
	part    float64 // share of the work that is done; 0 if unknown
	hide    func()  // erases what is shown; it must be called before anything is printed
}

type workKey struct{}

// withWork begins a command's work, whose progress is shown on log if that is a terminal.
func withWork(ctx context.Context, log io.Writer) context.Context {
	return context.WithValue(ctx, workKey{}, &work{log: log, began: time.Now(), hide: func() {}})
}

// workOf returns the work of a command's context; nil before it has begun.
func workOf(ctx context.Context) *work {
	w, _ := ctx.Value(workKey{}).(*work)
	return w
}

// tell records the command's progress. part is the share of the work that is done, from 0 to 1, and serves to
// estimate the remaining time; 0 means unknown.
func (w *work) tell(part float64, format string, args ...any) {
	details := fmt.Sprintf(format, args...)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.details, w.part = details, part
}

// compiling records the progress of a construction.
func (w *work) compiling(at backends.Progress) {
	step := fmt.Sprintf("%s %d", at.Step, at.Done)
	if at.Total > 0 {
		step += fmt.Sprintf(" of %d", at.Total)
	}
	w.tell(at.Share(), "%s, %d %s", step, at.Items, at.Unit)
}

// came describes how far the command got.
func (w *work) came() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	text := fmt.Sprintf("after %.3g s", time.Since(w.began).Seconds())
	if w.what != "" {
		text += " of " + w.what
	}
	if w.details != "" {
		text += ": " + w.details
	}
	if w.outlook != "" {
		text += "; " + w.outlook
	}
	return text
}

// hopeless says, once, that a command would take too long, and what to do. The message of an interruption says it again.
func (w *work) hopeless(at portfolio.Outlook) {
	outlook := at.String() + "; --counter asks an outside model counter (docs/do/counter.md)"
	w.hide()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.outlook = outlook
	fmt.Fprintln(w.log, "harness: note:", outlook)
}

// working records what a command is doing and, on a terminal, shows its progress five times a
// second until something is printed.
func working(ctx context.Context, format string, args ...any) {
	w := workOf(ctx)
	w.hide()
	w.mutex.Lock()
	w.what, w.details, w.part = fmt.Sprintf(format, args...), "", 0
	w.mutex.Unlock()
	if !redraws(w.log) {
		return
	}
	ctx, cancel := context.WithCancel(ctx) // stops the display at an interruption
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				line := ansi.Truncate(w.line(), cmp.Or(widthOf(w.log), 80)-1, "…")
				fmt.Fprint(w.log, "\r"+ansi.EraseEntireLine+line)
			case <-ctx.Done():
				fmt.Fprint(w.log, "\r"+ansi.EraseEntireLine)
				return
			}
		}
	}()
	w.hide = sync.OnceFunc(func() { cancel(); <-done })
}

// line returns the progress line, with the most important part first.
func (w *work) line() string {
	memory := fmt.Sprintf("%.2f GiB", float64(system.Used())/(1<<30))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	elapsed := time.Since(w.began)
	spent := elapsed.Round(time.Second).String()
	if w.part > 0 && w.part < 1 {
		left := time.Duration(float64(elapsed) * (1 - w.part) / w.part)
		spent = fmt.Sprintf("about %v left", left.Round(time.Second))
	}
	text := fmt.Sprintf("%s: %s, %s", w.what, spent, memory)
	if w.details != "" {
		text += ", " + w.details
	}
	return text
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, is := stream.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}

// redraws reports whether a stream is a terminal that can write a line again: a dumb one shows the escape sequences.
func redraws(stream any) bool { return isTerminal(stream) && os.Getenv("TERM") != "dumb" }

// widthOf returns the width of a terminal in columns, or 0 if w is not a terminal.
func widthOf(w io.Writer) int {
	if file, is := w.(*os.File); is {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return width
		}
	}
	return 0
}
