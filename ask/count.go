package ask

import (
	"context"
	"math/big"

	"queens/backends/search"
	"queens/encode"
)

// searchFirst is the work of a search before [CountFirst] gives it up: literals set, each of which
// may look at all variables. It takes about a third of a second, but it is not a time, so that the same
// back-end answers every time and everywhere.
const searchFirst = 200_000_000

// CountFirst counts the solutions of a problem that is no board by search, within a budget of work:
// search counts many a formula at once whose diagram is out of reach under any order. The count is
// nil, and the problem one for a diagram, when the budget is spent, or the choice asks for anything
// else.
func CountFirst(ctx context.Context, p encode.Problem, c Choice) (*big.Int, Backend, error) {
	b, err := Named("search", Counts)
	if err != nil || c.Backend != "" || p.Place != nil || c.conflict(b) != nil {
		return nil, b, err
	}
	count, err := search.New(p).CountWithin(ctx, nil, searchFirst/uint64(100+p.NumVars()))
	return count, b, err
}
