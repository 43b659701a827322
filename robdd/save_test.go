package robdd

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func queensDiagram(t testing.TB, n int) *Diagram {
	m, err := NewManager(natural(n*n), Config{})
	require.NoError(t, err)
	return m.Freeze(queens(t, m, n))
}

func saved(t testing.TB, d *Diagram, meta Meta) []byte {
	var out bytes.Buffer
	require.NoError(t, d.Write(&out, meta))
	return out.Bytes()
}

// save writes a diagram to a file.
func save(t testing.TB, d *Diagram, path string, meta Meta) {
	require.NoError(t, os.WriteFile(path, saved(t, d, meta), 0o644))
}

func TestSaveAndLoad(t *testing.T) {
	ctx := context.Background()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	diagrams := []*Diagram{queensDiagram(t, 5), queensDiagram(t, 6).Convert(ZDD), queensDiagram(t, 8)}
	for range 100 {
		d, _ := randomDiagram(t, r, r.IntN(7))
		diagrams = append(diagrams, d, d.Convert(ZDD))
	}
	path := filepath.Join(t.TempDir(), "d.bdd")
	for i, d := range diagrams {
		meta := Meta{"order": "row-major", "n": "8", "": "empty key"}
		if i%2 == 0 {
			meta = Meta{}
		}
		save(t, d, path, meta)
		e, got, err := Load(ctx, path, 0)
		require.NoError(t, err)
		require.Equal(t, meta, got)
		require.True(t, d.Equal(e))
	}
	d := diagrams[2]
	require.Less(t, len(saved(t, d, nil)), 5*d.Len(), "a saved node takes under 5 bytes")
}

// TestChecksum compares the checksum with the check value of CRC-64/XZ in the catalogue of CRC
// algorithms (reveng.sourceforge.io).
func TestChecksum(t *testing.T) {
	sum := newChecksum()
	sum.Write([]byte("123456789"))
	require.Equal(t, "995dc9bbdf1939fa", hex.EncodeToString(sum.Sum(nil)))
}

// TestDamagedFiles truncates a file at every byte and flips every bit of it.
func TestDamagedFiles(t *testing.T) {
	ctx := context.Background()
	d := queensDiagram(t, 5)
	file := saved(t, d, Meta{"n": "5"})
	for i := range file {
		_, _, err := read(ctx, file[:i])
		require.ErrorContains(t, err, "not a saved diagram: ", "cut at byte %d", i)
		for bit := range 8 {
			flipped := bytes.Clone(file)
			flipped[i] ^= 1 << bit
			_, _, err := read(ctx, flipped)
			require.ErrorContains(t, err, "not a saved diagram: ", "byte %d, bit %d flipped", i, bit)
		}
	}
	_, _, err := read(ctx, append(bytes.Clone(file), 0))
	require.ErrorContains(t, err, "more after its end")
	older := bytes.Clone(file)
	older[len(fileMagic)] = 1
	_, _, err = read(ctx, older)
	require.ErrorContains(t, err, "version 1: this program reads version 2")
	_, _, err = Load(ctx, filepath.Join(t.TempDir(), "missing"), 0)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = read(ctx, []byte("c a DIMACS file\np cnf 0 0\n"))
	require.ErrorContains(t, err, "not a saved diagram")
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, _, err = read(done, file)
	require.ErrorIs(t, err, context.Canceled)
}

// TestHostileHeader claims four billion nodes in a short file.
func TestHostileHeader(t *testing.T) {
	file := append(fileMagic[:], fileVersion, 0)
	for _, n := range []uint64{1, 1<<32 - 3, 1<<32 - 2, 0, 1, 1<<32 - 3} {
		file = binary.AppendUvarint(file, n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := read(context.Background(), file)
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "ends too early")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))

	// The file may have gigabytes, all of them zero. The reader reads no more than the sizes account
	// for, and allocates no nodes beyond the limit.
	path := filepath.Join(t.TempDir(), "sparse")
	for nodes, says := range map[uint64]string{1: "not a saved diagram", 1 << 30: "limit of 1073741824 bytes reached"} {
		head := binary.AppendUvarint(append(fileMagic[:], fileVersion, 0, 1), nodes)
		require.NoError(t, os.WriteFile(path, head, 0o644))
		require.NoError(t, os.Truncate(path, 4<<30))
		runtime.ReadMemStats(&before)
		_, _, err = Load(context.Background(), path, 1<<30)
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, says)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<23))
	}
}

// FuzzRead passes arbitrary bytes to the reader, with a right checksum appended so
// that the fuzzer gets past it. An accepted diagram must be sound, and writing it
// must reproduce the input.
func FuzzRead(f *testing.F) {
	for _, d := range []*Diagram{queensDiagram(f, 4), queensDiagram(f, 5).Convert(ZDD)} {
		file := saved(f, d, Meta{"n": "4", "order": "row-major"})
		f.Add(bodyOf(file))
	}
	m, err := NewManager(natural(3), Config{})
	require.NoError(f, err)
	for _, constant := range []Func{False, True} {
		file := saved(f, m.Freeze(constant).Convert(ZDD), nil)
		f.Add(bodyOf(file))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d, meta, err := read(context.Background(), withSum(body))
		if err != nil {
			require.ErrorContains(t, err, "not a saved diagram: ")
			return
		}
		require.NoError(t, d.Check())
		e, again, err := read(context.Background(), saved(t, d, meta))
		require.NoError(t, err)
		require.Equal(t, meta, again)
		require.True(t, d.Equal(e))
	})
}
