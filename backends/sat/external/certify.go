package external

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"queens/backends/program"
	"queens/encode/cnf"
)

// Certify lets cadical prove that the formula has no model, and checks the proof. It
// returns the number of clauses that the proof derives. The error says that cadical is
// not installed, that there is a model, or where the proof fails.
func Certify(ctx context.Context, f *cnf.Formula) (steps int, err error) {
	s, err := fromCommand("cadical", "cadical -q --no-binary {cnf} {proof}")
	if err != nil {
		return 0, fmt.Errorf("certifying: cadical is not on the PATH; its Debian package is cadical")
	}
	dir, err := os.MkdirTemp("", "queens-sat-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	input, proof := filepath.Join(dir, "problem.cnf"), filepath.Join(dir, "proof")
	if err := writeFormula(input, f); err != nil {
		return 0, err
	}
	ended, err := program.Run(ctx, []string{s.words[0], "-q", "--no-binary", input, proof})
	switch {
	case err != nil:
		return 0, fmt.Errorf("certifying with cadical: %w", err)
	case ended.Code == exitSat:
		return 0, fmt.Errorf("certifying with cadical: there is a solution")
	case ended.Code != exitUnsat:
		return 0, fmt.Errorf("certifying with cadical: it ended with code %d: %s", ended.Code, lastWords(ended))
	}
	file, err := os.Open(proof)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return CheckProof(ctx, f, file)
}
