package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"queens/encode"
	"queens/experiments/record"
	"queens/experiments/report"
	"queens/internal/system"
	uiterm "queens/ui/term"
)

// took formats a duration in seconds with three digits, as in 34.1µs, 478ms and 1m5.2s.
func took(seconds float64) string {
	d, last := time.Duration(seconds*float64(time.Second)), time.Duration(1)
	for d/last >= 1000 {
		last *= 10
	}
	return d.Round(last).String()
}

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	content  io.Writer // standard output, for the content of -o -; what a command reports then goes to err
	file     string    // of -o; empty or - for content
	json     bool      // whether --json is given
}

// consoleOf returns the console of a command line.
func consoleOf(cmd *cobra.Command) console {
	file, _ := cmd.Flags().GetString("output")
	asJSON, _ := cmd.Flags().GetBool("json")
	c := console{cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), cmd.OutOrStdout(), file, asJSON}
	if file == "-" {
		c.out = c.err
	}
	return c
}

// summarise writes a summary of a record set, as wide as the terminal.
func (c console) summarise(set record.Set) error {
	var text strings.Builder
	if err := report.WriteSummary(&text, set, invoked(), widthOf(c.out)); err != nil {
		return err
	}
	_, err := io.WriteString(c.out, uiterm.Plain(text.String()))
	return err
}

// addOutput adds -o, the flag of [console.write].
func addOutput(cmd *cobra.Command, usage string) {
	cmd.Flags().StringP("output", "o", "", usage)
}

// write writes to the file of -o, or to standard output, which - also names. A regular file is replaced atomically once the
// content is complete. A symbolic link is kept, and its target replaced; a device or pipe is written
// directly. An error about the file is bad input.
func (c console) write(ctx context.Context, content func(io.Writer) error) error {
	name := c.file
	if name == "" || name == "-" {
		if isTerminal(c.content) {
			workOf(ctx).hide()
		}
		return content(c.content)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	var err error
	if info, missing := os.Stat(name); missing == nil && !info.Mode().IsRegular() {
		var file *os.File
		if file, err = os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			err = errors.Join(content(file), file.Close())
		}
	} else {
		err = system.Replace(name, 0o644, func(w io.Writer) error {
			if ctx.Err() != nil {
				return content(w) // an interrupted command saves its work
			}
			return content(&stoppable{w, ctx.Err})
		})
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return invalid("writing %s: %w", c.file, failed.Err)
	}
	return err
}

// noteWeights says that the weights of a problem's file are left out, if it has some.
func (c console) noteWeights(p encode.Problem) {
	if p.Weighted != "" {
		fmt.Fprintf(c.err, "harness: note: %s, which are left out\n", p.Weighted)
	}
}

// stoppable is a writer that fails once its command must stop.
type stoppable struct {
	io.Writer
	stopped func() error
}

func (s *stoppable) Write(data []byte) (int, error) {
	if err := s.stopped(); err != nil {
		return 0, err
	}
	return s.Writer.Write(data)
}

// addJSON adds --json to a command that prints its report by [console.show].
func addJSON(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print one JSON object") }

// show prints a command's report: as one JSON object if --json is given, otherwise as text.
func (c console) show(ctx context.Context, report any, text func(io.Writer) error) error {
	workOf(ctx).hide()
	if !c.json {
		return text(c.out)
	}
	return writeJSON(c.out, report, "  ")
}

// writeJSON writes a value and a line break.
func writeJSON(w io.Writer, value any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(value)
}

// fitWidth returns a drawing of a board, or a message if it is too wide for the terminal or a file.
func fitWidth(w io.Writer, drawing string) string {
	line, _, _ := strings.Cut(drawing, "\n")
	return cmp.Or(tooWide(w, len(line)), drawing)
}

// tooWide returns a message if a board with that many columns is too wide to draw; "" if it fits.
func tooWide(w io.Writer, columns int) string {
	if width := cmp.Or(widthOf(w), 240); columns > width {
		return fmt.Sprintf("(not drawn: the board needs %d columns, and there are %d; --json lists the cells)\n", columns, width)
	}
	return ""
}

// printable replaces control characters, so that a name from a file or a program cannot control the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// oneLine is [printable] for a name within a line.
func oneLine(name string) string {
	return strings.NewReplacer("\n", string(unicode.ReplacementChar), "\t", string(unicode.ReplacementChar)).Replace(printable(name))
}
