package csplib

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"text/scanner"

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

// Problem returns the problem with the first d diagonals excluded.
func (in Instance) Problem(d int) (encode.Problem, error) {
	blocked, err := in.Blocked(d)
	if err != nil {
		return encode.Problem{}, err
	}
	return encode.Queens(in.N, nil, blocked)
}

// The kinds of a diagonal in a file. The number of a sum diagonal is row+column,
// of a difference diagonal row-column+n-1, as in board.Line.
const (
	difference = 0
	sum        = 1
)

// Read reads an instance in CSPLib's format, a Savile Row parameter file:
//
//	n = 8
//	numdiags = 2
//	diags = [[3, 1], [4, 0]]
//
// where each pair is a diagonal's number and kind, 1 for a sum and 0 for a
// difference. Errors name the place as file:line:column.
func Read(r io.Reader, file string) (Instance, error) {
	t := &tokens{}
	t.Init(r)
	t.Filename, t.Mode = file, scanner.ScanIdents|scanner.ScanInts
	t.Error = func(*scanner.Scanner, string) {} // what is read in its place is not expected
	t.next()
	var in Instance
	count := -1
	for range 3 {
		at := t.Position
		name := t.expect(scanner.Ident, "a name")
		t.expect('=', "=")
		switch {
		case name == "n" && in.N == 0:
			if in.N = t.number(); in.N < 1 || in.N > encode.MaxN {
				t.fail(at, "n = %d: expected a board size from 1 to %d", in.N, encode.MaxN)
			}
		case name == "numdiags" && count < 0:
			count = t.number()
		case name == "diags" && in.Diagonals == nil:
			in.Diagonals = t.diagonals(in.N)
		default:
			t.fail(at, "%q: expected n, numdiags and diags, each once", name)
		}
	}
	t.expect(scanner.EOF, "the end of the file")
	if count != len(in.Diagonals) {
		t.fail(t.Position, "numdiags = %d, but diags lists %d", count, len(in.Diagonals))
	}
	if t.err != nil {
		return Instance{}, t.err
	}
	return in, nil
}

// diagonals reads the list of pairs.
func (t *tokens) diagonals(n int) []board.Line {
	lines := []board.Line{}
	seen := make(map[board.Line]bool)
	t.expect('[', "[")
	for t.err == nil && t.token != ']' {
		if len(lines) > 0 {
			t.expect(',', ",")
		}
		at := t.Position
		t.expect('[', "[")
		number := t.number()
		t.expect(',', ",")
		kind := t.number()
		t.expect(']', "]")
		line := board.Line{Kind: board.Diagonal, Index: number}
		if kind == sum {
			line.Kind = board.AntiDiagonal
		}
		switch {
		case n == 0:
			t.fail(at, "diags before n")
		case kind != sum && kind != difference:
			t.fail(at, "diagonal of kind %d: expected %d for a sum or %d for a difference", kind, sum, difference)
		case number > 2*n-2:
			t.fail(at, "diagonal %d: a board of size %d has 0 to %d", number, n, 2*n-2)
		case seen[line]:
			t.fail(at, "diagonal [%d, %d] is listed twice", number, kind)
		}
		seen[line] = true
		lines = append(lines, line)
	}
	t.expect(']', "]")
	return lines
}

// tokens are those of a parameter file, the next one at hand. After the first error nothing more
// is read.
type tokens struct {
	scanner.Scanner
	token rune
	err   error
}

func (t *tokens) next() {
	if t.token = t.Scan(); !t.Position.IsValid() { // the end of an empty file
		t.Position = t.Pos()
	}
}

// fail notes an error at a place, if it is the first.
func (t *tokens) fail(at scanner.Position, format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
	}
}

// expect takes the wanted token, and returns its text.
func (t *tokens) expect(want rune, name string) string {
	text := t.TokenText()
	if t.token != want {
		found := strconv.Quote(text)
		if t.token == scanner.EOF {
			found = "the end of the file"
		}
		t.fail(t.Position, "expected %s, not %s", name, found)
	}
	if t.err == nil {
		t.next()
	}
	return text
}

func (t *tokens) number() int {
	at := t.Position
	text := t.expect(scanner.Int, "a number")
	number, err := strconv.Atoi(text)
	if err != nil {
		t.fail(at, "number %s: expected a whole number that fits in 64 bits", text)
	}
	return number
}

// Write writes the instance in the format that [Read] reads.
func (in Instance) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "n = %d\nnumdiags = %d\ndiags = [", in.N, len(in.Diagonals))
	for i, line := range in.Diagonals {
		if i > 0 {
			fmt.Fprint(b, ", ")
		}
		kind := difference
		if line.Kind == board.AntiDiagonal {
			kind = sum
		}
		fmt.Fprintf(b, "[%d, %d]", line.Index, kind)
	}
	fmt.Fprint(b, "]\n")
	return b.Flush()
}

// Random returns an instance like the published ones: diagonals in random order,
// ending before the first that would leave some row or column with fewer than
// minimum free cells (the published ones keep 4). The same arguments always
// return the same instance.
func Random(n, minimum int, seed uint64) (Instance, error) {
	if n < 1 || n > encode.MaxN {
		return Instance{}, fmt.Errorf("board size n = %d: expected 1 to %d", n, encode.MaxN)
	}
	if minimum < 0 {
		return Instance{}, errors.New("minimum free cells in a row: expected 0 or more")
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
