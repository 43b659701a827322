package encode

import "queens/board"

// rooks: rows and columns exactly one. OEIS A000142.
func rooks(n int) Problem {
	return newBoard("rooks", n, map[board.Kind]Bound{board.Row: ExactlyOne, board.Column: ExactlyOne})
}
