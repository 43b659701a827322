package system

import (
	"io"
	"os"
)

// WriteFile is [Replace] with the content in data.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
