package encode

import "queens/board"

// rooks: rows and columns exactly one. OEIS A000142.
func rooks(n int) Problem {
	return newBoard("rooks", n, map[board.LineKind]count{board.Row: {1, 1}, board.Column: {1, 1}})
}
