package order

import "queens/board"

// Orders by rows or columns, whole or in part.

// RowMajor is the name of the order that a board has unless another is asked for.
const RowMajor = "row-major"

var rowMajor = Named{
	Name:   RowMajor,
	Reason: "row by row: each row's exactly-one constraint is decided before the next begins",
	cells:  sorted(func(_ int, c board.Cell) key { return key{c.Row, c.Col} }),
}

var columnMajor = Named{
	Name:   "column-major",
	Reason: "column by column: row-major mirrored, so the sizes must agree, which checks both",
	cells:  sorted(func(_ int, c board.Cell) key { return key{c.Col, c.Row} }),
}

var snake = Named{
	Name:   "snake",
	Reason: "rows, every other one backwards: the next cell is always a neighbour, which row-major breaks at row ends",
	cells: sorted(func(_ int, c board.Cell) key {
		if c.Row%2 == 1 {
			return key{c.Row, -c.Col}
		}
		return key{c.Row, c.Col}
	}),
}

var centreRows = Named{
	Name:   "centre-rows",
	Reason: "rows from the centre outward: the queens that attack the most cells are decided first",
	cells: sorted(func(n int, c board.Cell) key {
		return key{abs(2*c.Row - (n - 1)), c.Row, c.Col}
	}),
}

var centreCells = Named{
	Name:   "centre-cells",
	Reason: "rows and, in each, columns from the centre outward, as bdd-benchmark's issue 9 asks",
	cells: sorted(func(n int, c board.Cell) key {
		return key{abs(2*c.Row - (n - 1)), c.Row, abs(2*c.Col - (n - 1)), c.Col}
	}),
}

var rowColumn = Named{
	Name:   "row-column",
	Reason: "a row, a column, the next row, ...: both kinds of exactly-one constraint close at the same rate",
	cells: sorted(func(_ int, c board.Cell) key {
		if c.Col >= c.Row { // in row r, the cells that the earlier columns have not taken
			return key{2 * c.Row, c.Col}
		}
		return key{2*c.Col + 1, c.Row}
	}),
}
