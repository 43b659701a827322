package lesson

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"queens/ask"
	"queens/backends"
	"queens/board"
	"queens/configure"
	"queens/configure/explain"
	"queens/configure/pool"
	"queens/encode"
)

const (
	minQuizN, maxQuizN = 6, 12
	maxQuizTries       = 2000
	choices            = 4 // cells to choose from
)

// QuizRequest asks for a question. The same request gives the same question.
type QuizRequest struct {
	N     int    `json:"n" jsonschema:"minimum=6,maximum=12"`
	Kind  string `json:"kind"`  // queen, forced, cell
	Level string `json:"level"` // easy, medium, hard: by the reasoning that the answer takes
	Seed  uint64 `json:"seed,omitempty"`
}

// Quiz is a question that a lecture can put to a class, with its answer.
type Quiz struct {
	N       int      `json:"n"`
	Queens  []string `json:"queens"`  // on the board, row by row
	Choices []string `json:"choices"` // the cells in question; empty: any
	Text    string   `json:"text"`
	Answers []string `json:"answers"` // the cells that are right
	Reason  string   `json:"reason"`  // of the answer
	// Placed and Cell are where to see more: why the cell can or cannot hold a queen with
	// these queens placed.
	Placed []string `json:"placed"`
	Cell   string   `json:"cell"`
}

// quizzes holds, for each kind, the question's text and the function that makes a question of random
// queens with a completion. The function returns nil and no level if the queens do not suit.
var quizzes = map[string]struct {
	text string
	ask  func(*quizzer, []board.Cell) (*Quiz, string, error)
}{
	"queen":  {"No solution has all of these queens, but one has all except one. Which queen must go?", (*quizzer).queen},
	"forced": {"All solutions with these queens agree on one more. Which cell must hold a queen?", (*quizzer).forced},
	"cell":   {"Only one of the marked cells can hold the next queen. Which?", (*quizzer).cell},
}

// NewQuiz makes a question about queens placed at random.
func NewQuiz(ctx context.Context, warm *pool.Pool, r QuizRequest) (*Quiz, error) {
	kind, known := quizzes[r.Kind]
	if !known {
		return nil, badInput("kind %q: expected queen, forced or cell", r.Kind)
	}
	if !slices.Contains([]string{"easy", "medium", "hard"}, r.Level) {
		return nil, badInput("level %q: expected easy, medium or hard", r.Level)
	}
	if r.N < minQuizN || r.N > min(maxQuizN, warm.Limits().MaxN) {
		return nil, badInput("board size n = %d: questions are about boards of %d to %d", r.N, minQuizN, maxQuizN)
	}
	lease, err := warm.Lend(ctx, r.N, ask.Choice{})
	if err != nil {
		return nil, err
	}
	defer warm.Return(lease)
	z := &quizzer{ctx: ctx, by: lease, why: explain.New(lease.Problem, lease), n: r.N, rng: rand.New(rand.NewPCG(r.Seed, uint64(r.N)))}
	for range maxQuizTries {
		queens, err := z.random()
		if err != nil {
			return nil, err
		}
		quiz, level, err := kind.ask(z, queens)
		if err != nil {
			return nil, err
		}
		if quiz != nil && level == r.Level {
			quiz.N, quiz.Text = r.N, kind.text
			return quiz, nil
		}
	}
	return nil, badInput("n = %d: no %s question about a %s was found; try another size", r.N, r.Level, r.Kind)
}

// quizzer makes questions.
type quizzer struct {
	ctx context.Context
	by  backends.Backend
	why *explain.Explainer
	n   int
	rng *rand.Rand
}

func (z *quizzer) find(queens []board.Cell) (backends.Valid, error) {
	return z.by.Valid(z.ctx, encode.Literals(z.n, queens, true), "")
}

// random places some queens at random such that a completion is left.
func (z *quizzer) random() ([]board.Cell, error) {
	var queens []board.Cell
	for range 1 + z.rng.IntN(z.n/2) {
		found, err := z.find(queens)
		if err != nil {
			return nil, err
		}
		free := z.free(queens, found, true)
		if len(free) == 0 {
			break
		}
		queens = append(queens, free[z.rng.IntN(len(free))])
	}
	return queens, nil
}

// free returns the cells that no queen attacks and that are valid, or that are not.
func (z *quizzer) free(queens []board.Cell, found backends.Valid, valid bool) []board.Cell {
	return slices.DeleteFunc(board.NewPosition(z.n, queens, nil).Cells(), func(c board.Cell) bool {
		_, possible := slices.BinarySearch(found.Possible, encode.CellVar(z.n, c))
		return possible != valid
	})
}

// level returns how hard it is to see that a cell cannot hold a queen, and the reason in a sentence.
func (z *quizzer) level(queens []board.Cell, c board.Cell) (level, why string, err error) {
	e, err := z.why.Explain(z.ctx, explain.Question{
		Literal: encode.CellVar(z.n, c).Pos(), Given: encode.Literals(z.n, queens, true),
	})
	level = cmp.Or(map[explain.Verdict]string{explain.ByEmptyLine: "easy", explain.ByChain: "medium"}[e.Verdict], "hard")
	return level, Capital(e.OnBoard(z.n)) + ".", err
}

// sorted returns the names of cells row by row, since the order of placing would give the answer away.
func (z *quizzer) sorted(cells []board.Cell) []string {
	return Names(slices.SortedFunc(slices.Values(cells), func(a, b board.Cell) int { return a.Index(z.n) - b.Index(z.n) }))
}

// queen adds a queen that leaves no completion, such that removing any other queen does not help.
func (z *quizzer) queen(queens []board.Cell) (*Quiz, string, error) {
	found, err := z.find(queens)
	if err != nil {
		return nil, "", err
	}
	bad := z.free(queens, found, false)
	if len(bad) == 0 || len(queens) < 2 {
		return nil, "", nil
	}
	c := bad[z.rng.IntN(len(bad))]
	all := append(slices.Clone(queens), c)
	for i := range queens {
		if found, err := z.find(slices.Delete(slices.Clone(all), i, i+1)); err != nil || found.Satisfiable {
			return nil, "", err
		}
	}
	level, why, err := z.level(queens, c)
	shown := z.sorted(all)
	return &Quiz{
		Queens: shown, Choices: shown, Answers: []string{c.String()}, Reason: why, Placed: Names(queens), Cell: c.String(),
	}, level, err
}

// forced takes queens with exactly one forced cell. The question is easy if that is the last free cell of
// a line.
func (z *quizzer) forced(queens []board.Cell) (*Quiz, string, error) {
	found, err := z.find(queens)
	if err != nil || len(found.Forced) != len(queens)+1 {
		return nil, "", err
	}
	session, err := configure.Open(z.ctx, configure.State{N: z.n, Placed: queens, Mode: configure.Suggest}, z.by)
	if err != nil {
		return nil, "", err
	}
	view, err := session.View(z.ctx)
	if err != nil {
		return nil, "", err
	}
	reason := view.Forced[0]
	level := "easy"
	if !reason.LastFree { // then as hard as the hardest other free cell of the line
		level = "medium"
		p := board.NewPosition(z.n, queens, nil)
		for _, c := range p.FreeCells(reason.Line) {
			if c == reason.Cell {
				continue
			}
			if needs, _, err := z.level(queens, c); err != nil {
				return nil, "", err
			} else if needs == "hard" {
				level = "hard"
			}
		}
	}
	cell := reason.Cell.String()
	return &Quiz{Queens: Names(queens), Choices: []string{}, Answers: []string{cell},
		Reason: Capital(reason.Sentence(z.n)) + ".", Placed: Names(queens), Cell: cell}, level, nil
}

// cell takes one valid cell and three others that no queen attacks.
func (z *quizzer) cell(queens []board.Cell) (*Quiz, string, error) {
	found, err := z.find(queens)
	if err != nil {
		return nil, "", err
	}
	good, bad := z.free(queens, found, true), z.free(queens, found, false)
	if len(good) == 0 || len(bad) < choices-1 {
		return nil, "", nil
	}
	z.rng.Shuffle(len(bad), func(i, j int) { bad[i], bad[j] = bad[j], bad[i] })
	answer := good[z.rng.IntN(len(good))]
	quiz := &Quiz{Queens: Names(queens), Answers: Names([]board.Cell{answer}), Placed: Names(queens)}
	levels := []string{"easy", "medium", "hard"}
	hardest := 0
	for _, c := range bad[:choices-1] {
		level, why, err := z.level(queens, c)
		if err != nil {
			return nil, "", err
		}
		if at := slices.Index(levels, level); at >= hardest {
			hardest, quiz.Cell, quiz.Reason = at, c.String(), why
		}
	}
	quiz.Choices = z.sorted(append(bad[:choices-1:choices-1], answer))
	return quiz, levels[hardest], nil
}
