package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Threshold finds out whether every placement of k queens has a completion.
type Threshold struct {
	// Board size; up to 32 for proofs.
	N int `json:"n" jsonschema:"required,minimum=1,maximum=100"`
	// Number of queens placed, or threshold: the largest number such that every placement of that many
	// queens, or fewer, has a completion.
	K QueensPlaced `json:"k"`
	// How the answer is found: prove goes through all placements unless annealing finds one without a
	// completion; anneal only looks for one.
	Method SearchFor `json:"method"`
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

// SearchFor is a way to look for placements without a completion.
type SearchFor string

// Values lists the ways.
func (SearchFor) Values() []string { return []string{"prove", "anneal"} }

// ThresholdResult is what a Threshold run found.
type ThresholdResult struct {
	// The largest number of queens that can always be completed; empty if k is a number.
	Threshold *int `json:"threshold,omitempty"`
	// Whether every placement of k queens, in this part, has a completion: yes, no or unknown; empty
	// for k = threshold.
	Completes string `json:"completes"`
	// Queens that do not attack each other and have no completion: k of them, or threshold + 1.
	Witness string `json:"witness"`
	// Placements of k or threshold queens that the proof went through: at least one of each class of
	// symmetric ones, and those with several queens in their first class of cells once for each.
	Considered int64 `json:"considered"`
	// Placements that are images of these under the symmetries of the square, each counted once.
	Placements int64 `json:"placements"`
	// Solutions that ruled placements out; each was verified on the board.
	Solutions int64 `json:"solutions"`
	// Placements that no solution found before contains, decided one by one.
	Decided int64 `json:"decided"`
}

func thresholdKind() *experiments.TaskKind {
	return experiments.Kind[Threshold]{
		Name:      "threshold",
		Doc:       "Finds out whether every placement of k queens that do not attack each other has a completion.",
		Default:   Threshold{K: largest, Method: "prove", Anneals: threshold.Anneals, Seed: 1, Parts: 1, Part: 1, Workers: 1},
		Result:    ThresholdResult{},
		Ways:      []string{"method", "anneals", "seed", "workers"},
		Normalise: (*Threshold).normalise,
		Known:     (*Threshold).known,
		Timed:     (*Threshold).timed,
		Run:       (*Threshold).run,
	}.Erase()
}

// normalise rejects proofs on boards that are too large. It also rejects a division into parts, except of a
// proof for k queens.
func (t *Threshold) normalise() error {
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
func (t *Threshold) known() experiments.Known {
	if a, known := threshold.Known(t.N); known && t.K == largest {
		return experiments.Known{Answer: fmt.Sprint(a), Source: threshold.Source}
	}
	return experiments.Known{}
}

// timed lists the results that vary with several workers, which use each other's solutions as they come.
func (t *Threshold) timed() []string {
	if t.Workers > 1 {
		return []string{"witness", "solutions", "decided"}
	}
	return nil
}

// run finds the answer. A proof rests on solutions, each verified on the board as it is found. A witness is
// then refuted by its weights or by gini. The placements of a whole proof are counted again without symmetry;
// the numbers of its parts add up to the same count.
func (t *Threshold) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
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
	result := ThresholdResult{
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
	var by []string
	if t.Parts > 1 && proved.Proof.Solutions > 0 {
		by = append(by, byBoard)
	}
	if refuted.Witness != nil {
		who, err := t.refute(ctx, refuted.Witness)
		if err != nil {
			return finding, err
		}
		by = append(by, who)
	}
	if proved.Queens > 0 && t.Parts == 1 {
		count, err := threshold.Count(ctx, t.N, proved.Queens)
		if err != nil {
			return finding, err
		}
		by = append(by, "count")
		if count != proved.Proof.Placements {
			return finding, &experiments.Contradiction{By: strings.Join(by, ";"),
				Err: fmt.Errorf("%d placements of %d queens, but the proof went through %d", count, proved.Queens, proved.Proof.Placements)}
		}
	}
	finding.CheckedBy = strings.Join(by, ";")
	return finding, nil
}

// giniRefutes is the largest board on which gini checks a witness that has weights: on larger boards it may
// take years.
const giniRefutes = 20

// refute checks that a placement has no completion: by its weights, if any, and by gini (see giniRefutes).
func (t *Threshold) refute(ctx context.Context, witness []board.Cell) (by string, err error) {
	if weights := threshold.Weigh(board.NewPosition(t.N, witness, nil)); weights != nil {
		if err := weights.Check(t.N, witness); err != nil {
			return "weights", &experiments.Contradiction{By: "weights", Err: err}
		}
		if by = "weights"; t.N > giniRefutes {
			return by, nil
		}
		by += ";"
	}
	by += sat.GiniName
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

// Verify implements experiments.Verified. Weights refute a witness again; that a witness without weights has no
// completion is only found by repeating the run.
func (t *Threshold) Verify(cell func(string) string) error {
	answer, witness := cell("answer"), cell("witness")
	queens, found, whole := t.K.number(), cell("completes"), (witness != "") == (answer == "no")
	if queens == 0 {
		found, whole = cell("threshold"), true
		proved, _ := strconv.Atoi(found)
		queens = proved + 1
	}
	if !whole || answer != "" && found != answer {
		return fmt.Errorf("the answer %q does not follow from %q and the witness %q", answer, found, witness)
	}
	if witness == "" {
		return nil
	}
	cells, err := board.ParseCells(t.N, witness)
	if err == nil && len(cells) != queens {
		err = fmt.Errorf("expected %d queens", queens)
	}
	for i, c := range cells {
		for _, d := range cells[:i] {
			if c.Attacks(d) {
				err = fmt.Errorf("%s and %s attack each other", d, c)
			}
		}
	}
	if err == nil && slices.Contains(strings.Split(cell("checked_by"), ";"), "weights") {
		if weights := threshold.Weigh(board.NewPosition(t.N, cells, nil)); weights == nil {
			err = errors.New("no weights refute it, but checked_by names weights")
		} else {
			err = weights.Check(t.N, cells)
		}
	}
	if err != nil {
		return fmt.Errorf("witness %s: %w", witness, err)
	}
	return nil
}
