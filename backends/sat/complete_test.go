package sat

import (
	"context"
	"testing"

	"queens/backends"
	"queens/backends/oracletest"
	"queens/encode"
	"queens/encode/cnf"
)

// completing is an Oracle whose Solve is Complete.
type completing struct{ *Oracle }

func (c completing) Solve(ctx context.Context, assume []cnf.Lit) (backends.Answer, error) {
	return c.Complete(ctx, assume)
}

func TestCompleteConforms(t *testing.T) {
	oracletest.Run(t, func(p encode.Problem) any { return completing{New(p)} })
}
