package tasks

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"queens/backends"
	"queens/backends/sat"
	"queens/backends/search/threshold"
	"queens/board"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
)

// Completion finds out whether every placement of k queens has a completion.
type Completion struct {
	// Board size; up to 32 for proofs.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=100"`
	// Number of queens placed, or threshold: the largest number such that every placement of as many,
	// or of fewer, has a completion.
	K QueensPlaced `json:"k"`
	// How: prove goes through all placements unless annealing finds one without a completion; anneal
	// only looks for one.
	Method CompletionMethod `json:"method"`
	// Number of placements annealed in search of one without a completion.
	Anneals int `json:"anneals" jsonschema:"minimum=0"`
	// Seed of the random choices.
	Seed uint64 `json:"seed" jsonschema:"minimum=0"`
	// Number of parts into which a proof for k queens is divided.
	Parts int `json:"parts" jsonschema:"minimum=1,maximum=1000"`
	// The part that is made, from 1: placements that begin in every parts-th class of cells.
	Part int `json:"part" jsonschema:"minimum=1"`
	// Number of goroutines.
	Workers int `json:"workers" jsonschema:"minimum=1,maximum=1024"`
}

// QueensPlaced is a number of queens, or threshold.
type QueensPlaced string

// largest asks for the largest number of queens that can always be completed.
const largest QueensPlaced = "threshold"

// Values lists the names.
func (QueensPlaced) Values() []string { return []string{string(largest)} }

// Pattern accepts numbers.
func (QueensPlaced) Pattern() (expression, title string) {
	return "^[1-9][0-9]?$", "a number of queens"
}

// number returns the number of queens, 0 for threshold.
func (k QueensPlaced) number() int {
	number, _ := strconv.Atoi(string(k))
	return number
}

// CompletionMethod is a way to find placements without a completion.
type CompletionMethod string

// Values lists the ways.
func (CompletionMethod) Values() []string { return []string{"prove", "anneal"} }

// CompletionResult is what a Completion run found.
type CompletionResult struct {
	// The largest number of queens that can always be completed; empty if k is a number.
	Threshold *int `json:"threshold,omitempty"`
	// Whether every placement of k queens, in this part, has a completion: yes, no or unknown; empty
	// for k = threshold.
	Completes string `json:"completes"`
	// Queens that do not attack each other and have no completion: k of them, or threshold + 1.
	Witness string `json:"witness"`
	// Placements that were gone through, of k or threshold queens, up to symmetry; those with several
	// queens in their first class of cells count for each.
	Considered int64 `json:"considered"`
	// Placements that are images of these under the symmetries of the square, each once.
	Placements int64 `json:"placements"`
	// Solutions whose placements were ruled out; each was verified.
	Solutions int64 `json:"solutions"`
	// Placements that were decided one by one since they were in no solution found before.
	Decided int64 `json:"decided"`
}

func completionKind() *experiments.TaskKind {
	return experiments.Kind[Completion]{
		Name:      "completion",
		Doc:       "Finds out whether every placement of k queens that do not attack each other has a completion.",
		Default:   Completion{K: largest, Method: "prove", Anneals: threshold.Anneals, Seed: 1, Parts: 1, Part: 1, Workers: 1},
		Result:    CompletionResult{},
		Normalise: (*Completion).normalise,
		Known:     (*Completion).known,
		Timed:     (*Completion).timed,
		Run:       (*Completion).run,
	}.Erase()
}

// normalise rejects proofs on boards that are too large, and parts of anything but a proof for a number
// of queens.
func (t *Completion) normalise() error {
	k := t.K.number()
	if k > t.N {
		return &param.Unsuited{Why: "more queens than rows"}
	}
	if t.Method == "anneal" {
		t.Workers = 1
		return unless(k > 0 && t.Parts == 1 && t.Part == 1)
	}
	return unless(t.N <= threshold.MaxSize && t.Part <= t.Parts && (k > 0 || t.Parts == 1))
}

// known returns the published threshold.
func (t *Completion) known() experiments.Known {
	if a, known := threshold.Known(t.N); known && t.K == largest {
		return experiments.Known{Answer: fmt.Sprint(a), Source: threshold.Source}
	}
	return experiments.Known{}
}

// timed: several workers use each other's solutions as they come.
func (t *Completion) timed() []string {
	if t.Workers > 1 {
		return []string{"witness", "solutions", "decided"}
	}
	return nil
}

// run finds the answer. A witness is then refuted by its weights or gini, and the placements of a whole
// proof are counted without symmetry.
func (t *Completion) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	var proved, refuted threshold.Completion
	k := t.K.number()
	o := threshold.Options{Anneals: t.Anneals, Part: t.Part, Parts: t.Parts, Workers: t.Workers, Seed: t.Seed}
	err := m.Time(experiments.FirstQuery, func() (err error) {
		switch {
		case k == 0:
			proved, refuted, err = threshold.Threshold(ctx, t.N, o)
			return err
		case t.Method == "anneal":
			refuted.Witness, err = threshold.Refute(ctx, t.N, k, t.Seed, t.Anneals)
			return err
		}
		decided, err := threshold.Decide(ctx, t.N, k, o)
		if decided.Witness != nil {
			refuted = decided
		} else {
			proved = decided
		}
		return err
	})
	if err != nil {
		return experiments.Finding{}, err
	}
	finding := experiments.Finding{Answer: map[bool]string{true: "no", false: "yes"}[refuted.Witness != nil]}
	result := CompletionResult{
		Completes: finding.Answer, Witness: board.FormatCells(refuted.Witness),
		Considered: proved.Proof.Considered, Placements: proved.Proof.Placements,
		Solutions: proved.Proof.Solutions, Decided: proved.Proof.Decided,
	}
	switch {
	case k == 0:
		result.Threshold, result.Completes, finding.Answer = &proved.Queens, "", fmt.Sprint(proved.Queens)
	case t.Method == "anneal" && refuted.Witness == nil:
		result.Completes, finding.Answer = "unknown", ""
	}
	finding.Values = result
	if refuted.Witness != nil {
		if finding.CheckedBy, err = t.refute(ctx, refuted.Witness); err != nil {
			return finding, err
		}
	}
	if proved.Queens > 0 && t.Parts == 1 {
		count, err := threshold.Count(ctx, t.N, proved.Queens)
		if err != nil {
			return finding, err
		}
		finding.CheckedBy = strings.TrimPrefix(finding.CheckedBy+";count", ";")
		if count != proved.Proof.Placements {
			return finding, &experiments.Contradiction{By: finding.CheckedBy,
				Err: fmt.Errorf("%d placements of %d queens, but %d were gone through", count, proved.Queens, proved.Proof.Placements)}
		}
	}
	return finding, nil
}

// giniRefutes is the largest board on which gini is asked where there are weights: on larger ones it may
// take years.
const giniRefutes = 20

// refute checks that a placement has no completion, by its weights if there are any, and by gini.
func (t *Completion) refute(ctx context.Context, witness []board.Cell) (by string, err error) {
	if weights := threshold.Weigh(board.NewPosition(t.N, witness, nil)); weights != nil {
		if err := weights.Check(t.N, witness); err != nil {
			return "weights", &experiments.Contradiction{By: "weights", Err: err}
		}
		if by = "weights"; t.N > giniRefutes {
			return by, nil
		}
		by += ";"
	}
	by += "gini"
	p, err := encode.Queens(t.N, witness, nil)
	if err != nil {
		return by, err
	}
	oracle := sat.New(p)
	defer oracle.Close()
	answer, err := oracle.Solve(ctx, p.Fixed)
	if err == nil && answer.Status != backends.Unsat {
		err = &experiments.Contradiction{By: by,
			Err: fmt.Errorf("%s on a board of %d has a completion", board.FormatCells(witness), t.N)}
	}
	return by, err
}
