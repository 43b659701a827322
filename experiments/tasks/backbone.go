package tasks

import (
	"cmp"
	"context"

	"queens/ask"
	"queens/backends/backbones"
	"queens/encode"
	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// BackboneName is the name of an outside backbone extractor, or its command; empty for none.
type BackboneName string

var _ param.Patterned = BackboneName("")

// Values lists the extractors that a configuration need not describe.
func (BackboneName) Values() []string { return []string{program.None} }

// Pattern accepts the command of any extractor, and names defined in a configuration.
func (BackboneName) Pattern() (expression, title string) {
	return `.`, "a name from backbones, or a command with {cnf}"
}

// find returns the extractor, and whether there is one.
func (n BackboneName) find(programs program.Descriptions) (e backbones.Extractor, is bool) {
	e.OnFile, is = programs.OnFile("backbone", string(n))
	return e, is
}

// Equip implements experiments.Equipped.
func (t *ValidCells) Equip(programs program.Descriptions) error {
	return cmp.Or(t.Asked.Equip(programs),
		checkProgram("backbone", "backbone extractor", string(t.Backbone), programs["backbone"], t.Backbone.Values()[:1], t.Backbone.Values()))
}

// extracted sets the fields that an extractor does not use to their defaults.
func (t *ValidCells) extracted() error {
	if t.Want.what() != ask.Valid {
		return &param.Unsuited{Why: "a backbone extractor answers only what is possible"}
	}
	t.Choice = asked().Choice
	t.Backend = outside
	return t.suits(nil)
}

// program returns the outside program that the task needs; nil if it needs none.
func (t *ValidCells) program() *program.Needed {
	e, is := t.Backbone.find(t.programs)
	if !is {
		return t.solver()
	}
	return &program.Needed{Parameter: "backbone", Name: e.Name, Find: e.Check, Is: e.Is}
}

// open opens what answers the queries: the back-end, or the extractor. by is the version and command of an outside
// program.
func (t *ValidCells) open(ctx context.Context, m *experiments.Meter, p encode.Problem) (s *ask.Opened, by string, err error) {
	e, is := t.Backbone.find(t.programs)
	if !is {
		return start(ctx, m, &t.Asked, p, t.Want.what())
	}
	s, err = experiments.Measured(m, experiments.Build, func() (*ask.Opened, error) {
		return &ask.Opened{Plan: ask.Plan{Choice: t.Choice, Problem: p}, Backend: backbones.New(e, p)}, e.Check()
	})
	return s, e.Command, err
}
