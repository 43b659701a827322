package pool

import "queens/ask"

// The policy for interactive use: which back-end answers while a person waits.

const (
	// repaid is the largest board whose diagram compiles within a tenth of a second. A session's later
	// questions repay that time.
	repaid = 12
	// mostOpen is the number of rows without a queen beyond which counting by search takes longer
	// than anyone would wait: 14.8 million solutions at n = 16.
	mostOpen = 16
	// mostListed is the largest board whose solutions a solver lists, with one blocking clause per
	// solution; on larger boards search lists them.
	mostListed = 12
	// mostAtOnce is the largest board whose diagram compiles in a few milliseconds on a server that
	// others use as well.
	mostAtOnce = 9
	// mostQuick is the largest board about which the portfolio answers in a few milliseconds.
	mostQuick = 100
)

// WhoCounts returns the back-end that counts the completions of a board with open rows left fast enough
// for interactive use: the session's own if it counts at once, otherwise search; none if search would
// take longer.
func WhoCounts(own ask.Descriptor, open int) ask.BackendName {
	switch {
	case own.AtOnce:
		return ask.BackendName(own.Name)
	case open > mostOpen:
		return ""
	}
	return ask.Search
}

// WhoLists returns the back-end that lists the solutions of a board of size n: the session's own,
// unless that would be slow.
func WhoLists(own ask.Descriptor, n int) ask.BackendName {
	if own.AtOnce || n <= mostListed {
		return ask.BackendName(own.Name)
	}
	return ask.Search
}

// slow reports whether an answer about a board of size n takes longer than a few milliseconds. ready says
// that the back-end is ready.
func slow(n int, ready bool) bool { return n > mostQuick || n > mostAtOnce && !ready }
