package counters

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	"queens/encode"
	"queens/encode/amo"
	"queens/internal/system/program"
)

// Counter is a counting program outside this one.
type Counter struct{ program.OnFile }

// Check returns an error if the counter cannot be started here.
func (c Counter) Check() error { return c.OnFile.Check("counter", "ganak {cnf}") }

// Count returns the number of the problem's solutions under its fixed literals. The program gets a file
// with pairwise clauses. If they have auxiliary variables ([encode.Problem.HasAuxiliary]), the program must
// say that its count is projected.
func (c Counter) Count(ctx context.Context, p encode.Problem) (count *big.Int, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	p.Numbers = nil // a file's numbers may have gaps, and a counter would count the missing variables
	failed := func(err error) error { return fmt.Errorf("counting %s with %s: %w", p, c.Name, err) }
	ended, err := c.Run(ctx, func(w io.Writer) error { return p.WriteDIMACS(w, amo.Pairwise, nil) })
	if err != nil {
		return nil, failed(err)
	}
	said, err := read(string(ended.Stdout))
	if err == nil && !said.projected && p.HasAuxiliary() {
		err = errors.New("it does not say that it counts only the variables of c p show (expected c s type pmc, or s pmc)")
	}
	if err != nil {
		return nil, failed(program.WithLast(err, ended.Last()))
	}
	return said.count, nil
}
