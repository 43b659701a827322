package tasks

import "queens/experiments"

// Kinds returns all kinds of run.
func Kinds() experiments.Kinds {
	return experiments.Kinds{
		compileKind(), validCellsKind(), sessionsKind(), solveKind(), countKind(), diagonalsKind(), orderSizeKind(), orderSearchKind(), thresholdKind(),
	}
}
