package system

import (
	"io"
	"os"
)

// WriteFile is [Replace] by content that is at hand.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return Replace(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
