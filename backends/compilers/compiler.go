package compilers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"queens/encode"
	"queens/encode/amo"
	"queens/internal/system/program"
)

// outFile stands for the file of the d-DNNF in a command.
const outFile = "{nnf}"

// Compiler is a compiler outside this program.
type Compiler struct{ program.OnFile }

// Check returns an error if the compiler cannot be started here.
func (c Compiler) Check() error {
	const example = "d4 -dDNNF {cnf} -out={nnf}"
	if !strings.Contains(c.Command, outFile) {
		return fmt.Errorf("compiler %q: expected a command with %s for the file that it writes, as in %q", c.Command, outFile, example)
	}
	return c.OnFile.Check("compiler", example)
}

// Is returns the compiler's version and command, as [program.OnFile.Is] does.
func (c Compiler) Is(ctx context.Context) (version string) {
	_ = c.within(func(file string, c program.OnFile) error {
		version = strings.ReplaceAll(c.Is(ctx), file, outFile)
		return nil
	})
	return version
}

// Compile has the compiler compile a problem, under its fixed literals, and calls read with the open file that it has
// written. The variables' numbers are those of the problem, not those of its file. A compiler would count auxiliary
// variables, so the problem's clauses must have none ([encode.Problem.HasAuxiliary]).
func (c Compiler) Compile(ctx context.Context, p encode.Problem, read func(file *os.File) error) error {
	if err := c.Check(); err != nil {
		return err
	}
	if p.HasAuxiliary() {
		return fmt.Errorf("compiler %s: the clauses of %s have auxiliary variables, which it would count", c.Name, p)
	}
	p.Numbers = nil
	err := c.within(func(name string, by program.OnFile) error {
		ended, err := by.Run(ctx, func(w io.Writer) error { return p.WriteDIMACS(w, amo.Pairwise, nil) })
		if err != nil {
			return err
		}
		file, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) {
			return program.WithLast(errors.New("it wrote no file"), ended.Last())
		}
		if err != nil {
			return err
		}
		return errors.Join(read(file), file.Close())
	})
	if err != nil {
		return fmt.Errorf("compiling %s with %s: %w", p, c.Name, err)
	}
	return nil
}

// within calls do with a file that does not exist, and the program that writes to it.
func (c Compiler) within(do func(file string, by program.OnFile) error) error {
	words, err := program.Split(c.Command)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "queens-nnf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "compiled.nnf")
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], outFile, file)
	}
	by := c.OnFile
	by.Command = program.Join(words)
	return do(file, by)
}
