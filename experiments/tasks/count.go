package tasks

import (
	"context"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/param"
)

// Count counts the solutions of a problem without listing them.
type Count struct{ ask.Setup }

// CountResult is what a Count run found.
type CountResult struct {
	// Number of solutions.
	Solutions string `json:"solutions"`
}

func countKind() *experiments.TaskKind {
	return experiments.Kind[Count]{
		Name:       "count",
		Doc:        "Counts the solutions of a problem.",
		Parameters: []string{"problem", "n", "backend", "order", "workers"},
		AtMost:     map[string]int64{"n": 64},
		Default:    Count{asked()},
		Result:     CountResult{},
		Normalise:  (*Count).normalise,
		Known:      func(t *Count) experiments.Known { return known(&t.Setup) },
		Run:        (*Count).run,
	}.Erase()
}

// normalise sets what the back-end does not use to its default.
func (t *Count) normalise() error {
	t.Unused(asked().Choice)
	if _, err := ask.Named(string(t.Backend), ask.Count); err != nil {
		return &param.Unsuited{}
	}
	return t.Accepted()
}

// run counts.
func (t *Count) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	p, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return experiments.Finding{}, err
	}
	session, _, err := start(ctx, m, &t.Setup, p, ask.Count)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer session.Close()
	answer, err := put(ctx, m, experiments.Count, session, ask.Question{Want: ask.Count})
	if err != nil {
		return experiments.Finding{}, err
	}
	count := answer.Count.String()
	return experiments.Finding{Answer: count, Values: CountResult{count}}, nil
}
