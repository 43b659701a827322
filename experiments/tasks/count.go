package tasks

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"queens/ask"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// Count counts the solutions of a problem without listing them.
type Count struct{ Asked }

// CountResult is what a Count run found.
type CountResult struct {
	// Number of solutions.
	Solutions string `json:"solutions"`
	// Back-end that counted, where several take turns.
	Winner string `json:"winner,omitempty"`
	// Work of each of them.
	Work string `json:"work,omitempty"`
}

func countKind() *experiments.TaskKind {
	return experiments.Kind[Count]{
		Name:       "count",
		Doc:        "Counts the solutions of a problem.",
		Parameters: []string{"problem", "n", "backend", "counter", "order", "workers"},
		AtMost:     map[string]int64{"n": 64},
		Default:    Count{asked()},
		Result:     CountResult{},
		Ways:       ways(),
		References: (*Count).references,
		Kin:        func(t *Count) []string { return t.kin(ask.Count) },
		Normalise:  (*Count).normalise,
		Program:    (*Count).program,
		Known:      func(t *Count) experiments.Known { return known(&t.Setup) },
		Title:      func(t *Count) string { return cmp.Or(string(t.Counter), string(t.Backend)) },
		Run:        (*Count).run,
	}.Erase()
}

// outside replaces the name of the back-end if an outside program counts.
const outside ask.BackendName = "outside"

// program names the outside counter.
func (t *Count) program() *program.Needed {
	counter, is := t.Counter.Find(t.programs)
	if !is {
		return nil
	}
	return &program.Needed{Parameter: "counter", Name: counter.Name, Find: counter.Check, Is: counter.Is}
}

// normalise sets fields that the back-end, or the outside counter, does not use to their defaults.
func (t *Count) normalise() error {
	if _, is := t.Counter.Find(nil); is {
		t.Choice = ask.Choice{Backend: outside, Counter: t.Counter, Order: asked().Order, Workers: asked().Workers}
		return t.suits(nil)
	}
	t.Counter = ""
	t.ignored()
	if _, err := ask.Named(string(t.Backend), ask.Count); err != nil {
		return &param.Unsuited{}
	}
	return t.accepted()
}

// references returns the same question about a file, which has no published number, for diagrams and search, unless they
// share code with who answers.
func (t *Count) references() (list []Count) {
	if !t.FromFile() {
		return nil
	}
	for _, name := range []ask.BackendName{ask.Diagram, ask.Search} {
		other := *t
		other.Choice = asked().Choice
		other.Backend = name
		if !slices.Contains(t.kin(ask.Count), string(name)) && other.normalise() == nil {
			list = append(list, other)
		}
	}
	return list
}

// run counts.
func (t *Count) run(ctx context.Context, m *experiments.Meter) (experiments.Finding, error) {
	p, err := experiments.Measured(m, experiments.Encode, func() (encode.Problem, error) { return t.Build() })
	if err != nil {
		return experiments.Finding{}, err
	}
	if counter, is := t.Counter.Find(t.programs); is {
		count, err := experiments.Measured(m, experiments.Count, func() (*big.Int, error) { return counter.Count(ctx, p) })
		if err != nil {
			return experiments.Finding{}, err
		}
		return experiments.Finding{Answer: count.String(), Values: CountResult{Solutions: count.String()}}, nil
	}
	opened, _, err := start(ctx, m, &t.Asked, p, ask.Count)
	if err != nil {
		return experiments.Finding{}, err
	}
	defer opened.Close()
	answer, err := put(ctx, m, experiments.Count, opened, ask.Question{Want: ask.Count})
	if err != nil {
		return experiments.Finding{}, err
	}
	result := CountResult{Solutions: answer.Count.String()}
	if t.Backend == ask.Portfolio {
		result.Winner, result.Work = answer.How, workText(answer.Work)
	}
	return experiments.Finding{Answer: result.Solutions, Values: result}, nil
}
