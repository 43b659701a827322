package tasks

import "queens/experiments"

// Kinds returns every kind of run there is.
func Kinds() experiments.Kinds {
	return experiments.Kinds{
		compileKind(), validCellsKind(), solveKind(), encodeKind(), enumerateKind(), diagonalsKind(),
		orderSizeKind(), orderSearchKind(), orderProofKind(), orderRowsKind(), orderBoundKind(),
	}
}
