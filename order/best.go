package order

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"queens/board"
	"queens/encode"
)

// The best orders known, as order files, each with what found it.
//
//go:embed best/*.order
var bestFiles embed.FS

// best is the order with the smallest diagram of a kind that is known: from its
// file, or two-ended on a board that no file is for, since nothing better is
// known there.
func best(diagram, reason string) Named {
	return Named{
		Name:   "best-" + diagram,
		Reason: reason,
		queens: true,
		cells: func(n int) []board.Cell {
			name := fmt.Sprintf("best/%s-%02d.order", diagram, n)
			data, err := bestFiles.ReadFile(name)
			if errors.Is(err, fs.ErrNotExist) {
				return fromBothEnds(n)
			}
			if err == nil {
				var o Order
				if o, err = Read(bytes.NewReader(data), name, encode.Cells(n)); err == nil {
					return o.Cells(n)
				}
			}
			panic(err) // the files are part of the program, and tested
		},
	}
}
