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

// The best orders known, as order files that say how each was found.
//
//go:embed best/*.order
var bestFiles embed.FS

// best is the order with the smallest known diagram of a kind: from its file,
// or two-ended for a board size without a file, since nothing better is known
// there.
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
