package program

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/shlex"

	"queens/internal/system"
)

// Split splits a command into words as a shell does: at spaces that are not quoted. Nothing else is special,
// so $ and * stay as they are. On Windows a backslash separates folders and quotes nothing.
func Split(command string) ([]string, error) {
	words, err := shlex.Split(filepath.ToSlash(command))
	if err != nil {
		return nil, fmt.Errorf("command %q: a quote is not closed", Clip(command))
	}
	return words, nil
}

// Join is the inverse of [Split].
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; word == "" || strings.ContainsAny(word, " \t\r\n\"'\\#") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// Find splits a command into words. The first word is a program, which Find looks up as a shell would.
func Find(command string) (words []string, err error) {
	if words, err = Split(command); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("an empty command")
	}
	path, err := exec.LookPath(words[0])
	if wrong := (*exec.Error)(nil); errors.As(err, &wrong) {
		if errors.Is(err, exec.ErrNotFound) && filepath.Base(words[0]) == words[0] {
			return nil, fmt.Errorf("program %q is not on the PATH", words[0])
		}
		return nil, fmt.Errorf("program %q: %w", words[0], wrong.Err)
	}
	if err != nil {
		return nil, err
	}
	words[0] = path
	return words, nil
}

// Output is the result of a program that ended by itself.
type Output struct {
	Code   int // its exit code
	Stdout []byte
	Stderr []byte // the end of its standard error
}

// Last returns the last line of standard error or, if that is empty, of standard output.
func (o Output) Last() string { return cmp.Or(LastLine(o.Stderr), LastLine(o.Stdout)) }

// MostOutput is the maximum output that is read, in bytes: enough for a model of five million variables.
const MostOutput = 64 << 20

// ErrMuch says that a program printed more than [MostOutput].
var ErrMuch = fmt.Errorf("it printed more than %d MiB", MostOutput>>20)

// Run runs a program in its own process tree, and kills the tree when the context or the program ends.
// The error is the context's, or [ErrMuch], or says that the program could not be started or was ended by
// a signal, followed by its last line of standard error.
func Run(ctx context.Context, words []string) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	alive, kill := context.WithCancel(ctx)
	defer kill()
	cmd := exec.CommandContext(alive, words[0], words[1:]...)
	cmd.WaitDelay = time.Second // for a child that left the tree and keeps the output open
	stdout := head{full: kill}
	var stderr Tail
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	tree, err := system.Start(cmd, system.Limits{})
	if err != nil {
		return Output{}, err
	}
	err = cmd.Wait()
	tree.Close()
	if ctx.Err() != nil {
		return Output{}, ctx.Err()
	}
	if alive.Err() != nil {
		return Output{}, ErrMuch
	}
	var ended *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay), errors.As(err, &ended) && ended.Exited():
		return Output{cmd.ProcessState.ExitCode(), stdout.kept.Bytes(), stderr.Bytes()}, nil
	case errors.As(err, &ended):
		return Output{}, WithLast(fmt.Errorf("it ended: %w", err), stderr.Last())
	}
	return Output{}, err
}

// head keeps what is written to it, up to [MostOutput]. It does not embed its buffer, since the buffer's
// ReadFrom has no limit.
type head struct {
	kept bytes.Buffer
	full func() // called when the limit is exceeded
}

// Write implements [io.Writer].
func (h *head) Write(data []byte) (int, error) {
	if h.kept.Len()+len(data) > MostOutput {
		h.full()
		return 0, ErrMuch
	}
	return h.kept.Write(data)
}

// WithLast adds a program's last line to an error, if there is one.
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

// Bytes returns the bytes kept.
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
