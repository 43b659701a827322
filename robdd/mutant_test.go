package robdd

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withSum appends the right checksum to a changed file's body.
func withSum(body []byte) []byte {
	sum := newChecksum()
	sum.Write(body)
	return sum.Sum(bytes.Clone(body))
}

// bodyOf returns a file without its checksum.
func bodyOf(file []byte) []byte { return file[:len(file)-newChecksum().Size()] }

// unsound says what is wrong with a diagram, found by a walk that shares nothing with
// Diagram.Check.
func unsound(d *Diagram) string {
	levels := map[uint32]int{0: d.Vars(), 1: d.Vars()}
	for level := range d.Vars() {
		lo, hi := d.Level(level)
		for id := lo; id < hi; id++ {
			levels[id] = level
		}
	}
	alike, vars := map[string]bool{}, map[Var]bool{}
	for id := uint32(2); id < uint32(d.Len()+2); id++ {
		e := d.Node(id)
		if levels[e.Low] <= levels[id] || levels[e.High] <= levels[id] {
			return fmt.Sprintf("node %d is not above its children", id)
		}
		if d.Kind() == BDD && e.Low == e.High || d.Kind() == ZDD && e.High == 0 {
			return fmt.Sprintf("node %d is redundant", id)
		}
		key := fmt.Sprint(levels[id], e)
		if alike[key] {
			return fmt.Sprintf("node %d has a twin", id)
		}
		alike[key] = true
	}
	reached := map[uint32]bool{}
	var walk func(id uint32)
	walk = func(id uint32) {
		if id > 1 && !reached[id] {
			reached[id] = true
			walk(d.Node(id).Low)
			walk(d.Node(id).High)
		}
	}
	walk(d.Root())
	for _, v := range d.Order() {
		vars[v] = v >= 1 && int(v) <= d.Vars()
	}
	if len(reached) != d.Len() || len(vars) != d.Vars() || vars[0] {
		return fmt.Sprintf("%d of %d nodes reached, %d of %d variables", len(reached), d.Len(), len(vars), d.Vars())
	}
	return ""
}

// TestMutants changes files byte by byte, recomputes the checksum, and classifies the
// mutants that are still accepted. All of them are sound. A diagram has exactly one file,
// so an accepted mutant differs from the original: in its version, in its metadata, or as a sound diagram
// of another function, in another order or of another kind. Only the checksum can tell
// these from the original.
func TestMutants(t *testing.T) {
	meta := Meta{"n": "4"}
	for _, d := range []*Diagram{queensDiagram(t, 4), queensDiagram(t, 4).Convert(ZDD)} {
		file := saved(t, d, meta)
		body := bodyOf(file)
		classes, tried := map[string]int{}, 0
		try := func(mutant []byte) {
			if bytes.Equal(mutant, body) {
				return
			}
			tried++
			e, got, err := read(context.Background(), withSum(mutant))
			if err != nil {
				require.ErrorContains(t, err, "not a saved diagram: ")
				return
			}
			require.Empty(t, unsound(e), "accepted: %x", mutant)
			switch {
			case !reflect.DeepEqual(got, meta):
				classes["metadata"]++
			case d.kind != e.kind:
				classes["another kind"]++
			case !reflect.DeepEqual(d.order, e.order):
				classes["another order"]++
			case !d.Equal(e):
				classes["another function"]++
			default:
				classes["the same"]++
			}
		}
		for i := range body {
			for value := 0; value < 256; value += 5 {
				mutant := bytes.Clone(body)
				mutant[i] += byte(value)
				try(mutant)
			}
			try(append(bytes.Clone(body[:i]), body[i+1:]...))                         // left out
			try(append(append(bytes.Clone(body[:i]), body[i]), body[i:]...))          // doubled
			try(append(append(bytes.Clone(body[:i]), body[i]|128, 0), body[i+1:]...)) // overlong
			for j := i + 1; j < min(i+30, len(body)); j++ {                           // exchanged
				mutant := bytes.Clone(body)
				mutant[i], mutant[j] = mutant[j], mutant[i]
				try(mutant)
			}
		}
		t.Logf("%v of %d nodes: %d mutants, accepted %v", d.kind, d.Len(), tried, classes)
		require.Zero(t, classes["the same"], "a diagram has one file")
		require.Positive(t, classes["metadata"])
		require.Positive(t, classes["another function"])
	}
}

// badFiles returns bodies of files that must be refused, by a part of the error
// message.
func badFiles() map[string][]byte {
	file := func(kind byte, root uint64, widths []uint64, children ...uint64) []byte {
		b := append(bytes.Clone(fileMagic[:]), fileVersion, kind)
		for _, n := range append([]uint64{uint64(len(widths)), uint64(len(children) / 2), root, 0}, []uint64{1, 2, 3}[:len(widths)]...) {
			b = binary.AppendUvarint(b, n)
		}
		for _, n := range append(widths, children...) {
			b = binary.AppendUvarint(b, n)
		}
		return b
	}
	overlong := file(0, 2, []uint64{1}, 0, 1)
	overlong = append(overlong[:len(overlong)-2], 0x80, 0, 1)
	// Child 2 is written as 2 plus the zigzag difference to 0: 6; child 3 after it as 4.
	return map[string][]byte{
		"ids below 2, on lower levels": file(0, 3, []uint64{2}, 0, 1, 0, 6),
		"redundant in a bdd":           file(0, 3, []uint64{1, 1}, 0, 1, 6, 6),
		"redundant in a zdd":           file(1, 3, []uint64{1, 1}, 0, 1, 6, 0),
		"both have children 0 and 1":   file(0, 4, []uint64{2, 1}, 0, 1, 0, 1, 6, 8),
		"not reachable from the root":  file(0, 4, []uint64{2, 1}, 0, 1, 1, 0, 6, 1),
		"want the last id":             file(0, 2, []uint64{1, 1}, 0, 1, 6, 1),
		"written in more bytes than":   overlong,
	}
}

// TestBadFiles refuses each kind of unsound diagram, and keeps the corpus of FuzzRead up to
// date: UPDATE=1 writes it.
func TestBadFiles(t *testing.T) {
	corpus := filepath.Join("testdata", "fuzz", "FuzzRead")
	seeds := badFiles()
	for reason, body := range seeds {
		_, _, err := read(context.Background(), withSum(body))
		require.ErrorContains(t, err, reason)
	}
	for name, d := range map[string]*Diagram{"queens 4": queensDiagram(t, 4), "queens 5 as a zdd": queensDiagram(t, 5).Convert(ZDD)} {
		file := saved(t, d, Meta{"n": "4"})
		seeds[name] = bodyOf(file)
	}
	for name, body := range seeds {
		path, text := filepath.Join(corpus, strings.NewReplacer(" ", "-", ",", "").Replace(name)), fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", body)
		if os.Getenv("UPDATE") == "1" {
			require.NoError(t, os.MkdirAll(corpus, 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
		stored, err := os.ReadFile(path)
		require.NoError(t, err, "UPDATE=1 go test writes the corpus")
		require.Equal(t, text, string(stored))
	}
}

// TestReadIsBounded reads a complete file and checks that the memory used is in
// proportion to the input.
func TestReadIsBounded(t *testing.T) {
	file := saved(t, queensDiagram(t, 8), nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := read(context.Background(), file)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(60*len(file)))
}
