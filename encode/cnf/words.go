package cnf

import (
	"bufio"
	"fmt"
	"io"
)

// longestWord bounds a word of a file, in bytes: no number or name is longer, and garbage
// without white space is refused before it fills the memory.
const longestWord = 1 << 12

// Words reads a text file word by word, and keeps count of its lines. A line may be of any
// length.
type Words struct {
	r     *bufio.Reader
	word  []byte
	line  int
	fresh bool // the next byte begins a line
}

// NewWords returns a reader of the words of r.
func NewWords(r io.Reader) *Words {
	return &Words{r: bufio.NewReaderSize(r, 1<<16), line: 1, fresh: true}
}

// Line returns the line of the last word, from 1; at the end of the file, the last line.
func (w *Words) Line() int { return w.line }

// Next returns the next word, which stays valid until the next call, and whether it is the
// first on its line. At the end of the file it returns io.EOF.
func (w *Words) Next() (word []byte, first bool, err error) {
	for first = w.fresh; ; {
		b, err := w.r.ReadByte()
		switch {
		case err != nil:
			return nil, false, err
		case b == '\n':
			if _, err := w.r.Peek(1); err != nil {
				return nil, false, err
			}
			w.line++
			first = true
		case !space(b):
			w.fresh = false
			return w.rest(b, first)
		}
	}
}

// rest reads the rest of a word.
func (w *Words) rest(b byte, first bool) ([]byte, bool, error) {
	w.word = append(w.word[:0], b)
	for len(w.word) < longestWord {
		b, err := w.r.ReadByte()
		if err == io.EOF {
			return w.word, first, nil
		}
		if err != nil {
			return nil, false, err
		}
		if b == '\n' || space(b) {
			return w.word, first, w.r.UnreadByte()
		}
		w.word = append(w.word, b)
	}
	return nil, false, fmt.Errorf("a word of more than %d bytes", longestWord)
}

// Rest returns the rest of the line. Of a line longer than any that means something, it
// returns the beginning.
func (w *Words) Rest() (string, error) {
	text, err := w.r.ReadSlice('\n')
	rest := string(text[:min(len(text), longestWord)])
	for err == bufio.ErrBufferFull {
		_, err = w.r.ReadSlice('\n')
	}
	switch err {
	case nil:
		return rest, w.r.UnreadByte() // Next counts the line
	case io.EOF:
		return rest, nil
	}
	return "", err
}

// space reports whether a byte separates words; the end of a line does so, too.
func space(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f' }
