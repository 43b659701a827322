package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"queens/system"
)

// Find takes a command apart: words with spaces between, of which the first is a program
// that is looked up as a shell does.
func Find(command string) (words []string, err error) {
	words = strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("an empty command")
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, err
	}
	words[0] = path
	return words, nil
}

// Output is what a program that ended by itself left.
type Output struct {
	Code   int // it ended with
	Stdout []byte
	Stderr []byte // the end of it
}

// Run runs a program in a process tree of its own, and kills the tree when the context
// ends, or when the program does. The error is the context's, or says that the program
// could not be started or was ended by a signal, with its last line of standard error.
func Run(ctx context.Context, words []string) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.WaitDelay = time.Second // for a child that left the tree and holds the output open
	var stdout bytes.Buffer
	var stderr Tail
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	tree, err := system.Start(cmd, 0)
	if err != nil {
		return Output{}, err
	}
	err = cmd.Wait()
	tree.Close()
	if ctx.Err() != nil {
		return Output{}, ctx.Err()
	}
	var ended *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay), errors.As(err, &ended) && ended.Exited():
		return Output{cmd.ProcessState.ExitCode(), stdout.Bytes(), stderr.Bytes()}, nil
	case errors.As(err, &ended):
		return Output{}, WithLast(fmt.Errorf("it ended: %w", err), stderr.Last())
	}
	return Output{}, err
}

// WithLast adds a program's last line to an error, where there is one.
func WithLast(err error, last string) error {
	if last == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, last)
}

// Tail keeps the end of what is written to it.
type Tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailBytes = 4096

// Write implements [io.Writer].
func (t *Tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, data...)
	if over := len(t.kept) - tailBytes; over > 0 {
		t.kept = slices.Delete(t.kept, 0, over)
	}
	return len(data), nil
}

// Bytes returns what is kept.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.kept)
}

// Last returns the last line that is not empty.
func (t *Tail) Last() string { return LastLine(t.Bytes()) }

// LastLine returns the last line of a text that is not empty.
func LastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return Clip(string(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])))
}

// Clip shortens a line for a message.
func Clip(line string) string {
	if len(line) > 200 {
		return line[:200] + "..."
	}
	return line
}
