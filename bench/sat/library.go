package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
)

// library is a solver's library linked with peer/valid.cc to a program: one process
// per question, which keeps what it learns from query to query.
type library struct {
	name, binary string
	methods      []string
}

//go:embed peer/valid.cc
var source []byte

// libraries compiles the program with each library that is installed, and reports why
// the others are missing.
func libraries(dir string) (found []library, missing []error) {
	for _, l := range []struct{ name, define, link, debian string }{
		{"minisat", "-DMINISAT", "-lminisat", "minisat"},
		{"cadical", "-DCADICAL", "-lcadical", "libcadical-dev"},
		{"cryptominisat5", "-DCRYPTOMINISAT", "-lcryptominisat5", "libcryptominisat5-dev"},
	} {
		binary := filepath.Join(dir, l.name)
		cmd := exec.Command("c++", "-O3", l.define, "-o", binary, "-x", "c++", "-", l.link)
		cmd.Stdin = bytes.NewReader(source)
		if out, err := cmd.CombinedOutput(); err != nil {
			missing = append(
				missing,
				fmt.Errorf("compiling peer/valid.cc with %s (Debian: g++, %s): %w: %s", l.name, l.debian,
					err, strings.TrimSpace(string(out))),
			)
			continue
		}
		found = append(found, library{l.name, binary, []string{"per-cell", "reuse", "chunk", "pack"}})
	}
	return found, missing
}

// find asks the library by a method. The formula is the one gini gets, that of the
// residual board. The time covers making the formula and the program's work from
// reading it on, but not starting the program.
func (l library) find(ctx context.Context, p encode.Problem, method string) (possible []cnf.Var, spent time.Duration,
	err error) {
	start := cpu()
	units := encode.NewPropagator(p)
	if !units.Assume(nil) {
		return nil, cpu() - start, nil
	}
	f, vars := units.Residual(amo.Default)
	spent = cpu() - start
	question := []int32{int32(f.Vars), int32(len(vars)), int32(len(f.Flat()))}
	for _, v := range vars {
		c := encode.VarCell(p.N, v)
		question = append(question, int32(c.Row), int32(c.Col))
	}
	for _, l := range f.Flat() {
		question = append(question, int32(l))
	}
	in, err := binary.Append(nil, binary.NativeEndian, question)
	if err != nil {
		return nil, 0, err
	}
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, l.binary, method)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &complaint
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		return nil, 0, fmt.Errorf("asking the library of %s: %w: %s", l.name, err,
			strings.TrimSpace(complaint.String()))
	}
	answer := make([]int32, out.Len()/4)
	if _, err := binary.Decode(out.Bytes(), binary.NativeEndian, answer); err != nil || len(answer) == 0 {
		return nil, 0, fmt.Errorf("asking the library of %s: an answer of %d bytes", l.name, out.Len())
	}
	spent += time.Duration(answer[0]) * time.Microsecond
	for _, v := range answer[1:] {
		possible = append(possible, vars[v-1])
	}
	if len(possible) > 0 || len(vars) == 0 {
		for i, value := range units.Values() {
			if value > 0 {
				possible = append(possible, cnf.Var(i+1))
			}
		}
	}
	slices.Sort(possible)
	return possible, spent, nil
}
