package order

import "queens/board"

var diagonalInterleaved = Named{
	Name:   "diagonal-interleaved",
	Reason: "diagonals in turn, from h1 to a8: rows and columns interleave, long diagonals close in mid-order",
	cells:  sorted(func(_ int, c board.Cell) key { return key{c.Row - c.Col, c.Row} }),
}

var antiDiagonal = Named{
	Name:   "anti-diagonal",
	Reason: "anti-diagonals in turn, from a1 to h8: diagonal-interleaved mirrored, with the same sizes: a check",
	cells:  sorted(func(_ int, c board.Cell) key { return key{c.Row + c.Col, c.Row} }),
}

var diagonalsOutward = Named{
	Name:   "diagonals-outward",
	Reason: "the long diagonal first, then those next to it: the corners, which few lines reach, come last",
	cells: sorted(func(_ int, c board.Cell) key {
		// 0, +1, -1, +2, -2, ...
		d := c.Row - c.Col
		if d > 0 {
			return key{2*d - 1, c.Row}
		}
		return key{-2 * d, c.Row}
	}),
}

var knightLines = Named{
	Name:   "knight-lines",
	Reason: "lines of knight's moves, wrapping round the rim: neighbours in the order hardly ever attack each other",
	cells: sorted(func(n int, c board.Cell) key {
		return key{((c.Col-2*c.Row)%n + n) % n, c.Row}
	}),
}
