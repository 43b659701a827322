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
	"strings"

	"queens/board"
	"queens/encode"
)

// Instance is a board of one of the library's problems: an ordered list of diagonals, queens that stand already
// (completion), or cells that stay empty (blocked). Excluding the first d diagonals makes the instance with d
// excluded diagonals.
type Instance struct {
	N         int
	Diagonals []board.Line // Diagonal or AntiDiagonal
	Queens    []board.Cell
	Blocks    []board.Cell
}

// Blocked returns the cells that stay empty, each once, row by row: the blocks and the cells of the first d
// diagonals. It fails if the instance has fewer than d diagonals.
func (in Instance) Blocked(d int) ([]board.Cell, error) {
	if d < 0 || d > len(in.Diagonals) {
		return nil, fmt.Errorf("excluding %d diagonals: the instance has %d", d, len(in.Diagonals))
	}
	blocked := make([]bool, in.N*in.N)
	for _, c := range in.Blocks {
		blocked[c.Index(in.N)] = true
	}
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

// Read reads an instance in CSPLib's format, a parameter file of Savile Row. Each value is n or a list of pairs:
//
//	n = 8                              the board
//	numdiags = 2                       the length of the list; may be left out
//	diags = [[3, 1], [4, 0]]           diagonals: number and kind
//	letting init = [[1, 4], [3, 3]]    queens: row and column, counted from 0
//	letting blocks = [[1, 5], [2, 8]]  cells that stay empty: row and column, counted from 1
//
// Of the lists there is at least one. Kind 1 is a sum, whose number is row+column, and kind 0 a difference, whose
// number is row-column+n-1, as in board.Line. The two origins are those of the library's models and generators.
// As in Essence', "letting" may stand before each name and "be" for "=", and "$" begins a comment.
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

// parse reads the assignments in any order, each name at most once. The values are JSON. at is the offset of the
// text that err is about.
func parse(text []byte) (in Instance, at int, err error) {
	assignment := regexp.MustCompile(`(?:\bletting\s+)?(\w+)(?:\s*=|\s+be\b)`)
	remark := regexp.MustCompile(`(?m)\$.*$|^[ \t]*language\b.*$`)
	lastComma := regexp.MustCompile(`,(\s*\])`) // before the end of a list, which JSON forbids
	text = remark.ReplaceAllFunc(text, func(s []byte) []byte { return bytes.Repeat([]byte(" "), len(s)) })
	text = lastComma.ReplaceAll(text, []byte(" $1"))
	var (
		numdiags, numblocks   int
		diags, queens, blocks [][]int
		values                = map[string]any{"n": &in.N, "numdiags": &numdiags, "diags": &diags, "init": &queens,
			"numblocks": &numblocks, "blocks": &blocks}
		place = map[string]int{} // where a name's value begins
	)
	begins := assignment.FindAllSubmatchIndex(text, -1)
	if len(begins) == 0 || len(bytes.TrimSpace(text[:begins[0][0]])) > 0 {
		return in, 0, errors.New("expected n = 8 and a list: diags = [[3, 1]], init = [[1, 4]] or blocks = [[2, 5]], say")
	}
	for i, b := range begins {
		name, end := string(text[b[2]:b[3]]), len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		value, known := values[name]
		if !known {
			return in, b[0], fmt.Errorf("%s: expected n, diags, init or blocks", name)
		}
		if _, given := place[name]; given {
			return in, b[0], fmt.Errorf("%s is given twice", name)
		}
		place[name] = b[0]
		if json.Unmarshal(text[b[1]:end], value) != nil {
			what := "a number"
			if _, list := value.(*[][]int); list {
				what = "a list of pairs, as in [[1, 4]]"
			}
			return in, b[0], fmt.Errorf("%s: expected %s, not %.40q", name, what, bytes.TrimSpace(text[b[1]:end]))
		}
	}
	has := func(name string) bool { _, given := place[name]; return given }
	switch end := len(bytes.TrimRight(text, "\n")); {
	case !has("n"):
		return in, end, errors.New("n is missing")
	case !has("diags") && !has("init") && !has("blocks"):
		return in, end, errors.New("a list is missing: diags, init or blocks")
	case in.N < 1 || in.N > encode.MaxN:
		return in, place["n"], fmt.Errorf("n = %d: expected a board size from 1 to %d", in.N, encode.MaxN)
	case has("numdiags") && numdiags != len(diags):
		return in, place["numdiags"], fmt.Errorf("numdiags = %d, but diags lists %d", numdiags, len(diags))
	case has("numblocks") && numblocks != len(blocks):
		return in, place["numblocks"], fmt.Errorf("numblocks = %d, but blocks lists %d", numblocks, len(blocks))
	}
	if in.Queens, at, err = cells(in.N, queens, 0); err != nil {
		return in, pairAt(text, place["init"], at), fmt.Errorf("init: %w", err)
	}
	if in.Blocks, at, err = cells(in.N, blocks, 1); err != nil {
		return in, pairAt(text, place["blocks"], at), fmt.Errorf("blocks: %w", err)
	}
	in.Diagonals = []board.Line{}
	for i, pair := range diags {
		line := board.Line{Kind: board.Diagonal}
		switch {
		case len(pair) != 2 || pair[1] != 0 && pair[1] != 1:
			err = fmt.Errorf("diagonal %d: expected a number, and 1 for a sum or 0 for a difference", pair)
		case pair[0] < 0 || pair[0] > 2*in.N-2:
			err = fmt.Errorf("diagonal %d: a board of size %d has 0 to %d", pair[0], in.N, 2*in.N-2)
		default:
			if line.Index = pair[0]; pair[1] == 1 {
				line.Kind = board.AntiDiagonal
			}
			if slices.Contains(in.Diagonals, line) {
				err = fmt.Errorf("diagonal %d is listed twice", pair)
			}
		}
		if err != nil {
			return in, pairAt(text, place["diags"], i), err
		}
		in.Diagonals = append(in.Diagonals, line)
	}
	return in, 0, nil
}

// cells returns the cells of pairs of a row and a column that are counted from first. at is the index of the
// pair that err is about.
func cells(n int, pairs [][]int, first int) (list []board.Cell, at int, err error) {
	seen := map[board.Cell]bool{}
	for at, pair := range pairs {
		if len(pair) != 2 {
			return nil, at, fmt.Errorf("%d: expected a row and a column", pair)
		}
		c := board.Cell{Row: pair[0] - first, Col: pair[1] - first}
		if !c.On(n) {
			return nil, at, fmt.Errorf("%d: for n = %d rows and columns go from %d to %d", pair, n, first, n-1+first)
		}
		if seen[c] {
			return nil, at, fmt.Errorf("%d is listed twice", pair)
		}
		seen[c] = true
		list = append(list, c)
	}
	return list, 0, nil
}

// pairAt returns the offset of pair i of the list whose assignment begins at an offset.
func pairAt(text []byte, offset, i int) int {
	for open := 0; ; offset++ {
		if text[offset] == '[' {
			if open == i+1 {
				return offset
			}
			open++
		}
	}
}

// Write writes an instance in the form that [Read] reads. Lists without a value are left out, except that a board
// with none has an empty init.
func (in Instance) Write(w io.Writer) error {
	text := fmt.Sprintf("letting n = %d\n", in.N)
	list := func(name string, pairs [][2]int) {
		words := make([]string, len(pairs))
		for i, pair := range pairs {
			words[i] = fmt.Sprintf("[%d, %d]", pair[0], pair[1])
		}
		text += fmt.Sprintf("letting %s = [%s]\n", name, strings.Join(words, ", "))
	}
	var diags, queens, blocks [][2]int
	for _, line := range in.Diagonals {
		kind := 0
		if line.Kind == board.AntiDiagonal {
			kind = 1
		}
		diags = append(diags, [2]int{line.Index, kind})
	}
	for _, c := range in.Queens {
		queens = append(queens, [2]int{c.Row, c.Col})
	}
	for _, c := range in.Blocks {
		blocks = append(blocks, [2]int{c.Row + 1, c.Col + 1})
	}
	if diags != nil {
		text += fmt.Sprintf("letting numdiags = %d\n", len(diags))
		list("diags", diags)
	}
	if blocks != nil {
		list("blocks", blocks)
	}
	if queens != nil || diags == nil && blocks == nil {
		list("init", queens)
	}
	_, err := io.WriteString(w, text)
	return err
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
