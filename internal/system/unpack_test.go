package system

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func packed(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// What gzip packed is read as it was, up to the limit; damage and bombs are errors.
func TestUnpack(t *testing.T) {
	text := []byte("p cnf 1 1\n1 0\n")
	for _, content := range [][]byte{text, packed(t, text), append(packed(t, text[:5]), packed(t, text[5:])...)} {
		got, err := Unpack(content, "f", 100)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(got))
	}
	whole := packed(t, text)
	_, err := Unpack(whole[:len(whole)-3], "f.gz", 100)
	assert.EqualError(t, err, "unpacking f.gz: unexpected EOF")
	_, err = Unpack(packed(t, make([]byte, 100<<20)), "f.gz", 1<<20)
	assert.EqualError(t, err, "f.gz has more than 1 MiB when unpacked")
}

// zipped makes an archive of files with the same text, in a folder.
func zipped(t *testing.T, text string, names ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	_, err := w.Create("folder/")
	require.NoError(t, err)
	for _, name := range names {
		f, err := w.Create("folder/" + name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// An archive of one file is that file; of more, it is not clear which.
func TestUnpackZip(t *testing.T) {
	got, err := Unpack(zipped(t, "p cnf 1 0\n", "a.cnf"), "f.zip", 100)
	require.NoError(t, err)
	assert.Equal(t, "p cnf 1 0\n", string(got))
	for want, archive := range map[string][]byte{
		"unpacking f.zip: the archive has 2 files: expected one": zipped(t, "x", "a.cnf", "b.cnf"),
		"unpacking f.zip: the archive has 0 files: expected one": zipped(t, "x"),
		"f.zip has more than 1 MiB when unpacked":                zipped(t, string(make([]byte, 2<<20)), "a.cnf"),
		"unpacking f.zip: zip: not a valid zip file":             zipped(t, "x", "a.cnf")[:60],
	} {
		_, err := Unpack(archive, "f.zip", 1<<20)
		assert.EqualError(t, err, want)
	}
}

// The first bytes that the programs really write are recognised.
func TestOtherPackersAreNamed(t *testing.T) {
	for _, name := range []string{"xz", "bzip2", "zstd"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Logf("no %s on this machine", name)
			continue
		}
		file := filepath.Join(t.TempDir(), "f.cnf")
		require.NoError(t, os.WriteFile(file, []byte("p cnf 1 1\n1 0\n"), 0o600))
		out, err := exec.Command(program, "-c", file).Output()
		require.NoError(t, err)
		_, err = Unpack(out, "f.cnf.p", 100)
		assert.ErrorContains(t, err, "f.cnf.p is compressed by "+name+": unpack it with "+name)
		_, err = Unpack(out, StandardInput, 100)
		assert.ErrorContains(t, err, "standard input is compressed by "+name+": expected text; "+name+" -dc")
	}
}
