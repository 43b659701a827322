package board

// solutions is OEIS A000170 from n = 0.
var solutions = [...]uint64{
	1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
	95815104, 666090624, 4968057848, 39029188884, 314666222712, 2691008701644, 24233937684440,
	227514171973736, 2207893435808352, 22317699616364044, 234907967154122528,
}

// KnownSolutions returns the published number of ways to place n queens on an
// empty board, OEIS A000170. known is false beyond n = 27, where nobody has
// counted them.
func KnownSolutions(n int) (count uint64, known bool) {
	if n < 0 || n >= len(solutions) {
		return 0, false
	}
	return solutions[n], true
}
