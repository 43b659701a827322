package configure

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// LineError is an error in a line of a script, and where it is.
type LineError struct {
	File         string
	Line, Column int
	Err          error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}
func (e *LineError) Unwrap() error { return e.Err }

// Lines calls do with the words of each line. Blank lines and comments, which begin with #,
// are skipped. It stops at the first error, which it returns as a [*LineError].
func Lines(r io.Reader, file string, do func(words []string) error) error {
	scan := bufio.NewScanner(r)
	line := 1
	for ; scan.Scan(); line++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := do(words); err != nil {
			return &LineError{file, line, 1 + len(text) - len(strings.TrimLeft(text, " \t")), err}
		}
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &LineError{file, line, 1, fmt.Errorf("the line is longer than %d bytes: expected one command per line",
			bufio.MaxScanTokenSize)}
	case err != nil:
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}
