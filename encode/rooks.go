package encode

import "queens/board"

// rooks: rows and columns exactly one. OEIS A000142.
func rooks(n int) Problem {
	return newBoard("rooks", n, map[board.LineKind]Bound{board.Row: ExactlyOne, board.Column: ExactlyOne})
}
