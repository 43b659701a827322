package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// widthOf is how many columns a terminal has, 0 for what is none.
func widthOf(w io.Writer) int {
	if file, is := w.(*os.File); is {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// fitting is a drawing of a board, or a word in its place where the terminal is too narrow
// for it.
func fitting(w io.Writer, drawing string) string {
	width, wide := widthOf(w), 0
	for line := range strings.Lines(drawing) {
		wide = max(wide, ansi.StringWidth(strings.TrimRight(line, "\n")))
	}
	if width == 0 || wide <= width {
		return drawing
	}
	return fmt.Sprintf("(not drawn: the board takes %d columns, the terminal has %d; --json and files have it all)\n", wide, width)
}
