package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, is := stream.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}

// widthOf returns the width of a terminal in columns, or 0 if w is not a terminal.
func widthOf(w io.Writer) int {
	if file, is := w.(*os.File); is {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// fitting returns a drawing of a board, or a message if the terminal is too narrow for it.
func fitting(w io.Writer, drawing string) string {
	width, wide := widthOf(w), 0
	if width == 0 {
		return drawing
	}
	for line := range strings.Lines(drawing) {
		wide = max(wide, ansi.StringWidth(strings.TrimRight(line, "\n")))
	}
	if wide <= width {
		return drawing
	}
	return fmt.Sprintf("(not drawn: the board needs %d columns, the terminal has %d; use --json or a file)\n",
		wide, width)
}
