package record

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"queens/internal/param"
	"queens/internal/system"
)

// ownCode returns the code hash of this program, or "unknown".
func ownCode() string {
	exe, err := system.Executable()
	if err != nil {
		return "unknown"
	}
	code, err := codeHash(exe)
	if err != nil {
		return "unknown"
	}
	return code
}

// codeHash hashes the machine code and data of an executable, including embedded files. The
// rest of the file also depends on when and how it was built.
func codeHash(exe string) (string, error) {
	f, err := elf.Open(exe)
	if err != nil {
		data, err := os.ReadFile(exe)
		return param.Digest(data), err
	}
	defer f.Close()
	stamp := stampOf(exe)
	sum := sha256.New()
	for _, name := range []string{".text", ".rodata", ".data", ".noptrdata"} {
		section := f.Section(name)
		if section == nil {
			return "", fmt.Errorf("executable %s: no section %s", exe, name)
		}
		data := make([]byte, section.Size)
		if _, err := io.ReadFull(section.Open(), data); err != nil {
			return "", fmt.Errorf("executable %s: %w", exe, err)
		}
		for rest := data; len(stamp) > 0; {
			at := bytes.Index(rest, stamp)
			if at < 0 {
				break
			}
			clear(rest[at : at+len(stamp)])
			rest = rest[at+len(stamp):]
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// stampOf returns the build information, which includes the revision. It is blanked before
// hashing, so a commit that changes nothing in the program does not change the hash. Its length
// is kept, so everything after it stays in place.
func stampOf(exe string) []byte {
	info, err := buildinfo.ReadFile(exe)
	if err != nil {
		return nil
	}
	_, stamp, _ := strings.Cut(info.String(), "\n") // env.json has the first line, Go's version, elsewhere
	return []byte(stamp)
}
