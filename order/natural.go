package order

import (
	"context"

	"queens/encode"
)

var natural = Named{
	Name:      "natural",
	Reason:    "the variables by number, as the problem was written down: row-major on a board",
	variables: func(_ context.Context, p encode.Problem) (Order, error) { return ByNumber(p), nil },
}
