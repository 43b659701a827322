package order

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"queens/board"
	"queens/encode"
)

// Smallest is an order of a board's cells with the smallest diagram known.
type Smallest struct {
	Diagram  string // bdd or zdd
	N        int
	Nodes    int // without terminals
	By       string
	On       string // the date, as in 2026-11-22
	How      string
	Order    Order
	Declared int // its line number in the file
}

// smallestFile contains the orders with the smallest diagrams known, and how each was found.
//
//go:embed smallest.csv
var smallestFile []byte

// smallestHeader is the first line of such a file.
const smallestHeader = "diagram,n,nodes,found_by,found_on,how,order"

// Smallests returns the orders with the smallest diagrams known.
var Smallests = sync.OnceValue(func() []Smallest {
	list, err := ReadSmallest(bytes.NewReader(smallestFile), "smallest.csv")
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return list
})

// ReadSmallest reads a CSV table of orders and the sizes of their diagrams. Errors give the position as
// file:line. It does not check the sizes.
func ReadSmallest(r io.Reader, file string) (list []Smallest, err error) {
	lines := csv.NewReader(r)
	header, err := lines.Read()
	if err != nil || strings.Join(header, ",") != smallestHeader {
		return nil, fmt.Errorf("%s:1: expected the columns %s", file, smallestHeader)
	}
	for {
		words, err := lines.Read()
		if err == io.EOF {
			return list, nil
		}
		at, _ := lines.FieldPos(0)
		if err == nil {
			var s Smallest
			if s, err = parseSmallest(words); err == nil {
				s.Declared = at
				list = append(list, s)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, at, err)
		}
	}
}

func parseSmallest(words []string) (s Smallest, err error) {
	s = Smallest{Diagram: words[0], By: words[3], On: words[4], How: words[5]}
	if s.Diagram != "bdd" && s.Diagram != "zdd" {
		return s, fmt.Errorf("diagram %q: expected bdd or zdd", s.Diagram)
	}
	if s.N, err = strconv.Atoi(words[1]); err != nil || s.N < 1 || s.N > encode.MaxN {
		return s, fmt.Errorf("n = %q: expected 1 to %d", words[1], encode.MaxN)
	}
	if s.Nodes, err = strconv.Atoi(words[2]); err != nil || s.Nodes < 1 {
		return s, fmt.Errorf("%q nodes: expected a number above 0", words[2])
	}
	if _, err = time.Parse(time.DateOnly, s.On); err != nil {
		return s, fmt.Errorf("found_on %q: expected a date such as 2026-11-22", s.On)
	}
	if s.By == "" || s.How == "" {
		return s, fmt.Errorf("found_by and how: expected who found the order, and how")
	}
	s.Order, err = Read(strings.NewReader(words[6]), "order", encode.Cells(s.N))
	return s, err
}

// best returns the order with the smallest known diagram of a kind. For a board size for which none is
// known, that is two-ended.
func best(diagram, reason string) Named {
	return Named{
		Name:   "best-" + diagram,
		Reason: reason,
		queens: true,
		cells: func(n int) []board.Cell {
			for _, s := range Smallests() {
				if s.Diagram == diagram && s.N == n {
					return s.Order.Cells(n)
				}
			}
			return fromBothEnds(n)
		},
	}
}
