package record

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"queens/experiments"
)

// ownCode hashes this program.
func ownCode() string {
	exe, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	code, err := codeHash(exe)
	if err != nil {
		return "unknown"
	}
	return code
}

// codeHash hashes what an executable does: its machine code, and its data, among
// which are embedded files. The rest also holds when and how it was built.
func codeHash(exe string) (string, error) {
	f, err := elf.Open(exe)
	if err != nil {
		data, err := os.ReadFile(exe)
		return experiments.Digest(data), err
	}
	defer f.Close()
	stamp := stampOf(exe)
	sum := sha256.New()
	for _, name := range []string{".text", ".rodata", ".data", ".noptrdata"} {
		section := f.Section(name)
		if section == nil {
			return "", fmt.Errorf("executable %s: no section %s", exe, name)
		}
		data, err := section.Data()
		if err != nil {
			return "", fmt.Errorf("executable %s: %w", exe, err)
		}
		if len(stamp) > 0 {
			data = bytes.ReplaceAll(data, stamp, make([]byte, len(stamp)))
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// stampOf returns the build information, which holds the revision. It is blanked, so
// that a commit that changes nothing in the program gives the same program; its
// length stays, and with it the place of all that comes behind.
func stampOf(exe string) []byte {
	info, err := buildinfo.ReadFile(exe)
	if err != nil {
		return nil
	}
	_, stamp, _ := strings.Cut(info.String(), "\n") // the first line, Go's version, is kept elsewhere
	return []byte(stamp)
}
