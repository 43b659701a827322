package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"queens/ask"
	"queens/backends"
	"queens/backends/sat"
	"queens/board"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	"queens/experiments"
)

// Encode lowers the empty board to clauses with an at-most-one encoding, then has the SAT
// solver find a first solution and further ones through random cells.
type Encode struct {
	// Board size.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=400"`
	// At-most-one encoding.
	AMO ask.AMOName `json:"amo"`
	// Number of solutions asked for: the first without conditions, each later one through a
	// random cell.
	Queries int `json:"queries" jsonschema:"minimum=1,maximum=100000"`
	// Seed of the random cells.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
}

// EncodeResult is what an Encode run found.
type EncodeResult struct {
	// Number of variables in the formula.
	Variables int `json:"variables"`
	// Number of variables that do not stand for a cell.
	Auxiliary int `json:"auxiliary"`
	// Number of clauses in the formula.
	Clauses int `json:"clauses"`
	// Number of literals in all clauses.
	Literals int `json:"literals"`
	// The first solution, as in b1,d2,a3,c4; empty if there is none. It may differ between
	// runs, since the solver may search in another order.
	Solution string `json:"solution" role:"measurement"`
}

func encodeKind() *experiments.TaskKind {
	return experiments.Kind[Encode]{
		Name:    "encode",
		Doc:     "Lowers an empty board to clauses and solves them, once and then through random cells.",
		Default: Encode{AMO: "pairwise", Queries: 10},
		Result:  EncodeResult{},
		Normalise: func(t *Encode) error {
			if t.Queries == 1 {
				t.Seed = 0
			}
			return nil
		},
		References: (*Encode).references,
		Title:      func(t *Encode) string { return "sat " + string(t.AMO) },
		Run:        (*Encode).run,
	}.Erase()
}

// references returns the same question, whether some cells can hold a queen, for another encoding.
func (t *Encode) references() []Encode {
	other := *t
	if other.AMO = "sequential"; t.AMO == other.AMO {
		other.AMO = "product"
	}
	return []Encode{other}
}

// run encodes the board and asks the queries. The answer says which of the cells asked about
// are in a solution.
func (t *Encode) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	problem, err := encode.Queens(t.N, nil, nil)
	if err != nil {
		return experiments.Finding{}, err
	}
	amo, err := amo.Named(string(t.AMO))
	if err != nil {
		return experiments.Finding{}, err
	}
	formula, _ := experiments.Measured(m, experiments.Encode, func() (*cnf.Formula, error) { return problem.CNF(amo), nil })
	result := EncodeResult{Variables: formula.Vars, Auxiliary: formula.Vars - problem.NumVars(),
		Clauses: formula.NumClauses(), Literals: formula.NumLiterals()}
	formula = nil // the solver builds its own

	oracle := sat.New(problem)
	oracle.AMO = amo
	cells := randomCells(t.N, t.Queries-1, t.Seed)
	answers := ""
	for i := range t.Queries {
		var assume []cnf.Lit
		if i > 0 {
			assume = encode.Literals(t.N, cells[i-1:i], true)
		}
		answer, err := experiments.Measured(m, experiments.Query(i), func() (backends.Answer, error) {
			return oracle.Solve(ctx, assume)
		})
		if err != nil {
			return experiments.Finding{}, err
		}
		if answer.Status != backends.Sat {
			answers += "0"
			continue
		}
		answers += "1"
		queens := encode.CellsOf(t.N, answer.Model)
		if err := board.VerifyCells(t.N, queens); err != nil {
			return experiments.Finding{}, &experiments.Contradiction{By: judgedBy,
				Err: fmt.Errorf("query %d: the model is not a solution: %w", i+1, err)}
		}
		if i == 0 {
			result.Solution = board.FormatCells(queens)
		}
	}
	return experiments.Finding{Answer: answers, CheckedBy: judged(strings.Contains(answers, "1")), Values: result}, nil
}

// randomCells draws cells of a board of size n.
func randomCells(n, count int, seed uint64) []board.Cell {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	cells := make([]board.Cell, count)
	for i := range cells {
		cells[i] = board.At(n, random.IntN(n*n))
	}
	return cells
}
