package lesson

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/board"
	"queens/configure"
)

// Every question has the one answer that it says, by brute force; and the same seed gives the
// same question.
func TestQuizzesHaveOneAnswer(t *testing.T) {
	ctx, pool := context.Background(), newPool()
	completable := func(n int, cells ...string) bool {
		return len(completions(parsed(t, n, cells))) > 0
	}
	const n = 8
	for kind := range quizzes {
		for _, level := range []string{"easy", "medium", "hard"} {
			asked := map[string]bool{}
			for seed := range max(2, conformance.Cases(3)) {
				r := QuizRequest{N: n, Kind: kind, Level: level, Seed: seed}
				q, err := NewQuiz(ctx, pool, r)
				require.NoError(t, err, "%+v", r)
				again, err := NewQuiz(ctx, pool, r)
				require.NoError(t, err)
				require.Equal(t, q, again)
				asked[fmt.Sprint(q)] = true
				require.NotEmpty(t, q.Reason)
				require.Equal(t, kind != "queen", completable(n, q.Queens...), "%+v", q)
				var right []string
				switch kind {
				case "queen":
					for i, cell := range q.Queens {
						if completable(n, slices.Delete(slices.Clone(q.Queens), i, i+1)...) {
							right = append(right, cell)
						}
					}
				case "forced":
					for i := range n * n {
						cell, without := board.At(n, i), 0
						if slices.Contains(q.Queens, cell.String()) {
							continue
						}
						for _, s := range completions(parsed(t, n, q.Queens)) {
							if !slices.Contains(s, cell.String()) {
								without++
							}
						}
						if without == 0 {
							right = append(right, cell.String())
						}
					}
				case "cell":
					require.Len(t, q.Choices, 4)
					for _, cell := range q.Choices {
						if completable(n, append(slices.Clone(q.Queens), cell)...) {
							right = append(right, cell)
						}
					}
				}
				assert.Equal(t, right, q.Answers, "%+v: %+v", r, q)
			}
			assert.Greater(t, len(asked), 1, "%s %s: seeds give different questions", kind, level)
		}
	}
	for _, bad := range []QuizRequest{{N: 5, Kind: "cell", Level: "easy"}, {N: 8, Kind: "king", Level: "easy"},
		{N: 8, Kind: "cell", Level: "absurd"}} {
		_, err := NewQuiz(ctx, pool, bad)
		assert.ErrorAs(t, err, new(*InputError))
	}
}

func parsed(t *testing.T, n int, cells []string) configure.State {
	state := configure.State{N: n}
	for _, word := range cells {
		c, err := board.ParseCell(word)
		require.NoError(t, err)
		state.Placed = append(state.Placed, c)
	}
	return state
}
