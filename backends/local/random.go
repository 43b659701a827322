package local

// PCG streams: users of one seed draw from streams of their own, so that a
// change in one never shifts the other's choices.
const (
	streamSolve uint64 = iota + 1
	streamCompleter
)
