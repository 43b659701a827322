package main

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"queens/ask"
	"queens/backends"
	"queens/encode"
)

// secondOpinion asks one of our back-ends the question that an outside program answered, or another one that checks the
// answer. The limit is five times the time of the answer, at least a second; done is false if that did not suffice.
func secondOpinion(ctx context.Context, p encode.Problem, ours ask.Choice, want ask.Want, seconds float64) (
	answer ask.Answer, done bool, err error,
) {
	working(ctx, "asking another back-end about %s", p)
	return patiently(ctx, p, ours, want, seconds)
}

// patiently asks a question after one whose answer took the given time, as [secondOpinion] does.
func patiently(ctx context.Context, p encode.Problem, ours ask.Choice, want ask.Want, seconds float64) (
	answer ask.Answer, done bool, err error,
) {
	limited, cancel := context.WithTimeout(ctx, patience(seconds))
	defer cancel()
	answer, err = ask.Once(limited, p, ours, ask.Question{Want: want, Assume: p.Fixed}, ask.Resources{Bytes: workOf(ctx).room()})
	return answer, err == nil, ctx.Err()
}

// patience is what a check or a reason may take, after an answer that took the given time.
func patience(seconds float64) time.Duration {
	return max(time.Second, time.Duration(5*seconds*float64(time.Second)))
}

// opinion says in an answer's last line whether it was checked, and by whom; nothing if it needs no check.
func opinion(checked *bool, by string) string {
	switch {
	case checked == nil:
		return ""
	case !*checked:
		return ", not checked,"
	case by == "":
		return ", checked,"
	}
	return ", checked by " + by + ","
}

// outside reports whether a program outside answered.
func outside(by ask.Choice) bool {
	_, linked := by.Solver.Linked()
	return by.Solver != "" && !linked
}

// checkValid compares what an outside solver found with what gini finds, since no model shows that a literal is
// impossible. It returns nil if no outside solver was called, and false if gini was not, or took
// too long.
func (f *flags) checkValid(ctx context.Context, p encode.Problem, found ask.Answer) (agrees *bool, err error) {
	ours := f.Choice
	ours.Backend, ours.Method, ours.Solver = ask.SAT, found.By.Method, ask.Gini
	if !outside(found.By) || found.Work.Of("solves") == 0 {
		return nil, nil
	}
	again, done, err := secondOpinion(ctx, p, ours, ask.Valid, found.Seconds)
	if err != nil || !done {
		return &done, err
	}
	if again.Status != found.Status || !slices.Equal(again.Valid, found.Valid) || !slices.Equal(again.Forced, found.Forced) {
		return nil, exit(wrongAnswer, fmt.Errorf("solver %s finds %d variables possible and %d forced, gini %d and %d",
			found.By.Solver, len(found.Valid), len(found.Forced), len(again.Valid), len(again.Forced)))
	}
	return new(again.Work.Of("solves") > 0), nil
}

// checkSolved asks the portfolio where an outside solver says that there is no solution. A solution needs no other
// opinion: its back-end has held it against the constraints.
func (f *flags) checkSolved(ctx context.Context, p encode.Problem, by ask.Choice, status backends.Status, seconds float64) (
	agrees *bool, err error,
) {
	switch {
	case !outside(by):
		return nil, nil
	case status == backends.Sat:
		return new(true), nil
	}
	again, done, err := secondOpinion(ctx, p, ask.Choice{Backend: ask.Portfolio}, ask.Solve, seconds)
	if err == nil && done && again.Status == backends.Sat {
		if err = p.Verify(again.Model); err == nil {
			err = exit(wrongAnswer, fmt.Errorf("solver %s says that %s has no solution; the portfolio found one, which satisfies "+
				"every constraint: solve --backend portfolio shows it", by.Solver, p))
		}
	}
	return new(done && err == nil), err
}

// checkListed compares the number of an outside solver's solutions, each of which its back-end has held against the
// constraints and the solutions before, with what counts best.
func (f *flags) checkListed(ctx context.Context, p encode.Problem, by ask.Choice, listed int, seconds float64) (
	agrees *bool, err error,
) {
	if !outside(by) || listed == 0 {
		return f.checkSolved(ctx, p, by, backends.Unsat, seconds)
	}
	p.Weighted = "" // weights change no number of solutions
	again, done, err := secondOpinion(ctx, p, ask.Choice{}, ask.Count, seconds)
	if err == nil && done && again.Count.Cmp(big.NewInt(int64(listed))) != 0 {
		err = exit(wrongAnswer, fmt.Errorf("solver %s says that %s has no solutions but the %d that it found; %s counts %s",
			by.Solver, p, listed, again.By.Backend, again.Count))
	}
	return new(done && err == nil), err
}

// checkCounter compares the count of an outside counter with that of the default back-end. It returns false
// if that back-end takes too long.
func (f *flags) checkCounter(ctx context.Context, p encode.Problem, found ask.Answer) (agrees *bool, err error) {
	ours := f.Choice
	ours.Counter = ""
	again, done, err := secondOpinion(ctx, p, ours, ask.Count, found.Seconds)
	if err == nil && done && again.Count.Cmp(found.Count) != 0 {
		err = exit(wrongAnswer, fmt.Errorf("counting %s: counter %q finds %s solutions, %s %s",
			p, string(f.Counter), found.Count, again.By.Backend, again.Count))
	}
	return &done, err
}
