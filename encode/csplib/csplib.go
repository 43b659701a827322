package csplib

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"

	"queens/board"
	"queens/encode"
)

// Instance is a board and an ordered list of diagonals: excluding the first d
// makes the instance with d excluded diagonals.
type Instance struct {
	N         int
	Diagonals []board.Line // Diagonal or AntiDiagonal
}

// Blocked returns the cells of the first d diagonals, each once, row by row. It
// fails if the instance has fewer than d diagonals.
func (in Instance) Blocked(d int) ([]board.Cell, error) {
	if d < 0 || d > len(in.Diagonals) {
		return nil, fmt.Errorf("excluding %d diagonals: the instance has %d", d, len(in.Diagonals))
	}
	blocked := make([]bool, in.N*in.N)
	for _, line := range in.Diagonals[:d] {
		for _, c := range line.Cells(in.N) {
			blocked[c.Index(in.N)] = true
		}
	}
	var cells []board.Cell
	for i, b := range blocked {
		if b {
			cells = append(cells, board.At(in.N, i))
		}
	}
	return cells, nil
}

// Read reads an instance in CSPLib's format, a Savile Row parameter file:
//
//	n = 8
//	numdiags = 2
//	diags = [[3, 1], [4, 0]]
//
// where each pair is a diagonal's number and kind: 1 for a sum, whose number is row+column, and 0
// for a difference, whose number is row-column+n-1, as in board.Line.
func Read(r io.Reader, file string) (Instance, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Instance{}, fmt.Errorf("%s: %w", file, err)
	}
	in, at, err := parse(text)
	if err != nil {
		return Instance{}, fmt.Errorf("%s:%d: %w", file, 1+bytes.Count(text[:at], []byte("\n")), err)
	}
	return in, nil
}

// parse reads the assignments in any order: each of the three names exactly once, and nothing else. The
// values are JSON. at is the offset of the text that err is about.
func parse(text []byte) (in Instance, at int, err error) {
	var (
		diags    [][]int
		numdiags int
		values   = map[string]any{"n": &in.N, "numdiags": &numdiags, "diags": &diags}
		place    = map[string]int{} // where a name's value begins
	)
	begins := regexp.MustCompile(`(\w+)\s*=`).FindAllSubmatchIndex(text, -1)
	if len(begins) == 0 || len(bytes.TrimSpace(text[:begins[0][0]])) > 0 {
		return in, 0, errors.New("expected n = 8, numdiags = 1 and diags = [[3, 1]], say")
	}
	for i, b := range begins {
		name, end := string(text[b[2]:b[3]]), len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		value, known := values[name]
		if !known {
			return in, b[0], fmt.Errorf("%s: expected n, numdiags or diags", name)
		}
		if _, given := place[name]; given {
			return in, b[0], fmt.Errorf("%s is given twice", name)
		}
		place[name] = b[0]
		if err := json.Unmarshal(text[b[1]:end], value); err != nil {
			return in, b[0], fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range []string{"n", "numdiags", "diags"} {
		if _, given := place[name]; !given {
			return in, len(bytes.TrimRight(text, "\n")), fmt.Errorf("%s is missing", name)
		}
	}
	if in.N < 1 || in.N > encode.MaxN {
		return in, place["n"], fmt.Errorf("n = %d: expected a board size from 1 to %d", in.N, encode.MaxN)
	}
	if numdiags != len(diags) {
		return in, place["numdiags"], fmt.Errorf("numdiags = %d, but diags lists %d", numdiags, len(diags))
	}
	in.Diagonals = []board.Line{}
	for _, pair := range diags {
		if len(pair) != 2 || pair[1] != 0 && pair[1] != 1 {
			return in, place["diags"], fmt.Errorf("diagonal %d: expected a number, and 1 for a sum or 0 for a difference", pair)
		}
		line := board.Line{Kind: board.Diagonal, Index: pair[0]}
		if pair[1] == 1 {
			line.Kind = board.AntiDiagonal
		}
		switch {
		case line.Index < 0 || line.Index > 2*in.N-2:
			return in, place["diags"], fmt.Errorf("diagonal %d: a board of size %d has 0 to %d", line.Index, in.N, 2*in.N-2)
		case slices.Contains(in.Diagonals, line):
			return in, place["diags"], fmt.Errorf("diagonal %d is listed twice", pair)
		}
		in.Diagonals = append(in.Diagonals, line)
	}
	return in, 0, nil
}

// Random returns an instance like the published ones: diagonals in random order,
// ending before the first that would leave some row or column with fewer than
// minimum free cells (the published ones keep 4). The same arguments always
// return the same instance.
func Random(n, minimum int, seed uint64) (Instance, error) {
	if n < 1 || n > encode.MaxN {
		return Instance{}, fmt.Errorf("board size n = %d: expected 1 to %d", n, encode.MaxN)
	}
	lines := board.Lines(n)[2*n:]
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	blocked := make([]bool, n*n)
	rows, cols := slices.Repeat([]int{n}, n), slices.Repeat([]int{n}, n)
	in := Instance{N: n, Diagonals: []board.Line{}}
	for _, line := range lines {
		fewest := n
		for _, c := range line.Cells(n) {
			if i := c.Index(n); !blocked[i] {
				blocked[i] = true
				rows[c.Row]--
				cols[c.Col]--
				fewest = min(fewest, rows[c.Row], cols[c.Col])
			}
		}
		if fewest < minimum {
			break
		}
		in.Diagonals = append(in.Diagonals, line)
	}
	return in, nil
}
