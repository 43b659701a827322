package ask

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"queens/encode"
	"queens/internal/param"
	"queens/order"
)

// ProblemName is the name of a family of problems, or a format as in cnf: and the path of a file, which may
// be a pattern in configurations.
type ProblemName string

var (
	_ param.Patterned = ProblemName("")
	_ param.Pinned    = ProblemName("")
)

// Queens is the default family.
const Queens ProblemName = "queens"

// Values lists the families.
func (ProblemName) Values() []string {
	return namesOf(encode.Families(), func(f encode.Family) string { return f.Name })
}

// Pattern accepts any file.
func (ProblemName) Pattern() (expression, title string) {
	return "^(" + encode.EachFormat("NAME", "|") + "):.+$", encode.EachFormat("NAME:FILE", " or ")
}

// File returns the format and the path of the problem's file; the path is empty for a family.
func (n ProblemName) File() (format, path string) {
	format, path, _ = strings.Cut(string(n), ":")
	return format, path
}

// Gone reports whether the name is that of a pinned file (with the hash of its content) that does not exist.
func (n ProblemName) Gone() bool {
	_, path := n.File()
	bare := param.Unpinned(path)
	_, err := os.Stat(bare)
	return bare != path && errors.Is(err, fs.ErrNotExist)
}

// Pin implements [param.Pinned].
func (n ProblemName) Pin() (pins []string, err error) {
	format, path := n.File()
	if path == "" {
		return []string{string(n)}, nil
	}
	files, err := param.Files(path)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		_, _, pin, err := param.PinFile(file, 0)
		if err != nil {
			return nil, err
		}
		pins = append(pins, format+":"+filepath.ToSlash(pin))
	}
	return pins, nil
}

// read builds the family's problem of the given size, or reads the problem from its file. The order is that
// of the file; nil if it has none.
func (n ProblemName) read(size int) (encode.Problem, order.Order, error) {
	format, path := n.File()
	if path == "" {
		family, err := encode.FamilyNamed(string(n))
		if err != nil {
			return encode.Problem{}, nil, &param.Error{Field: "problem", Text: param.Expected(string(n), n.Values(), "")}
		}
		p, err := family.Build(size)
		return p, nil, err
	}
	content, path, _, err := param.PinFile(path, 0)
	if err != nil {
		return encode.Problem{}, nil, wrong("problem", "%v", err)
	}
	of, is := encode.FormatNamed(format)
	if !is {
		return encode.Problem{}, nil, &param.Error{Field: "problem", Text: param.Wrong(n, string(n))}
	}
	p, own, err := of.Read(bytes.NewReader(content), path)
	if err != nil {
		return p, nil, wrong("problem", "%v", err)
	}
	return p, own, nil
}
