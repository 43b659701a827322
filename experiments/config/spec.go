package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system/program"
)

// Spec is an experiment's YAML configuration, checked.
type Spec struct {
	// The experiment's name; its records go to results/<name>.
	Name string `json:"name" jsonschema:"required,pattern=^[a-z0-9][a-z0-9._-]*$,title=a name of lower-case letters\\, digits and . _ -\\, starting with a letter or a digit"`
	// The question that the experiment answers; shown at the top of its report.
	Question string `json:"question,omitempty"`
	// The answer, which may quote tables: {{(table "TITLE").Ratio "n = largest" "sat"}} (default: the first
	// table that differs).
	Answer string `json:"answer,omitempty"`
	// What each run does.
	Task string `json:"task" jsonschema:"required"`
	// The parameters to vary; the grid is the product of all axes.
	Axes Axes `json:"axes" jsonschema:"required"`
	// Points to leave out of the grid: those that meet every condition of at least one entry.
	Exclude []Conditions `json:"exclude,omitempty"`
	// Number of measured runs per point (default 1). Fewer than six give no confidence
	// interval.
	Repeats int `json:"repeats,omitempty" jsonschema:"minimum=1,maximum=100000"`
	// Whether a point without a seed, such as an empty board, is measured once for each seed.
	Balanced bool `json:"balanced,omitempty"`
	// Seed of the random order of the runs (default 0).
	Seed uint64 `json:"seed,omitempty" jsonschema:"minimum=0"`
	// Limits that end a run which takes too much time or memory.
	Limits Limits `json:"limits,omitzero"`
	// SAT solvers by name, for the axis solver: any program that reads DIMACS or speaks the
	// line protocol.
	Solvers Described `json:"solvers,omitempty"`
	// Diagram packages by name, for the axis engine: any program that reads a problem or
	// operations and prints one line of JSON.
	Engines Described `json:"engines,omitempty"`
	// Model counters by name, for the axis counter: any program that reads DIMACS and prints the number
	// of models as counters do.
	Counters Described `json:"counters,omitempty"`
	// Backbone extractors by name, for the axis backbone.
	Backbones Described `json:"backbones,omitempty"`
	// Compilers of d-DNNFs by name, for the axis compiler: any program that reads DIMACS and writes the d-DNNF as
	// c2d or d4 does.
	Compilers Described `json:"compilers,omitempty"`
	// Tables and plots to show instead of the automatic ones.
	Report Presentation `json:"report,omitzero"`
}

// Experiment is a spec with the kind of its task and its runs.
type Experiment struct {
	Spec
	Kind  *experiments.TaskKind
	Runs  []experiments.Run // the grid, in random order, or a part of it
	Notes []string          // overrides by the environment, values without a run of their own, and exclusions without effect
}

// Described are outside programs by name.
type Described map[string]program.Description

// Programs returns the outside programs that the spec describes.
func (s Spec) Programs() program.Descriptions {
	programs := program.Descriptions{}
	for parameter, described := range map[string]Described{
		"solver": s.Solvers, "engine": s.Engines, "counter": s.Counters, "backbone": s.Backbones,
		"compiler": s.Compilers,
	} {
		if len(described) > 0 {
			programs[parameter] = described
		}
	}
	return programs
}

// Axes maps a parameter to the values it takes.
type Axes map[string]Axis

// Axis is a list of values: scalars, and ranges of integers such as 4..8,
// 10..100 step 10, 10..10000 times 10, 0..n/2.
type Axis []any

// Limits end a run, and its whole process group, from outside.
type Limits struct {
	// Maximum time from the start of a run's process to its end, as in 90s or 5m (default 10m).
	WallClock Duration `json:"wall_clock,omitempty"`
	// Maximum resident memory of a run's processes together, as in 512MiB or 4GiB (default
	// 2GiB).
	Memory param.Bytes `json:"memory,omitempty"`
	// Number of processors that a run is pinned to, on Linux: one per core before a second of any core
	// (default: all).
	Processors int `json:"processors,omitempty" jsonschema:"minimum=1,maximum=1024"`
}

// Defaults of the limits.
const (
	defaultWallClock = Duration(10 * time.Minute)
	defaultMemory    = param.Bytes(2 << 30)
)

func (s *Spec) setDefaults() {
	s.Repeats = max(s.Repeats, 1)
	if s.Limits.WallClock == 0 {
		s.Limits.WallClock = defaultWallClock
	}
	if s.Limits.Memory == 0 {
		s.Limits.Memory = defaultMemory
	}
}

// UnmarshalJSON accepts a single value as a list of one.
func (a *Axis) UnmarshalJSON(data []byte) error {
	var v any
	if err := param.DecodeJSON(data, &v); err != nil {
		return err
	}
	if list, ok := v.([]any); ok {
		*a = list
	} else {
		*a = Axis{v}
	}
	return nil
}

// path returns the path of the i-th value of an axis, or of the axis itself if it has only one value.
func (a Axes) path(name string, i int) []string {
	if i < 0 || len(a[name]) < 2 {
		return []string{"axes", name}
	}
	return []string{"axes", name, strconv.Itoa(i)}
}

// MarshalJSON writes a list of one as its value.
func (a Axis) MarshalJSON() ([]byte, error) {
	if len(a) == 1 {
		return json.Marshal(a[0])
	}
	return json.Marshal([]any(a))
}

// Duration is a time.Duration written as 90s or 5m.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText writes the duration as UnmarshalText reads it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a positive duration.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil || v <= 0 {
		return fmt.Errorf("duration %q: expected a number and a unit, as in 90s or 5m", b)
	}
	*d = Duration(v)
	return nil
}

// YAML returns the spec as YAML, with every default filled in and the keys in a fixed order.
func (s Spec) YAML() ([]byte, error) {
	if s.Axes == nil {
		s.Axes = Axes{} // null is no value
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil { // JSON is YAML
		return nil, err
	}
	blockStyle(&doc)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// blockStyle replaces JSON's flow style with block style, except in lists of scalars.
func blockStyle(n *yaml.Node) {
	scalars := n.Kind == yaml.SequenceNode
	for _, c := range n.Content {
		blockStyle(c)
		scalars = scalars && c.Kind == yaml.ScalarNode
	}
	if !scalars {
		n.Style = 0
	}
}

// Measurement returns the part of the spec that records depend on, by key; the rest only says
// how records are shown.
func (s Spec) Measurement() map[string]string {
	m := map[string]string{
		"task":              s.Task,
		"repeats":           strconv.Itoa(s.Repeats),
		"seed":              strconv.FormatUint(s.Seed, 10),
		"limits.wall_clock": s.Limits.WallClock.String(),
		"limits.memory":     s.Limits.Memory.String(),
	}
	if s.Balanced {
		m["balanced"] = "true"
	}
	if s.Limits.Processors > 0 {
		m["limits.processors"] = strconv.Itoa(s.Limits.Processors)
	}
	compact := func(v any) string {
		data, _ := json.Marshal(v) // values from YAML can always be written
		return string(data)
	}
	for name, axis := range s.Axes {
		m["axes."+name] = compact(axis)
	}
	if len(s.Exclude) > 0 {
		m["exclude"] = compact(s.Exclude)
	}
	for parameter, described := range s.Programs() {
		for name, program := range described {
			m[parameter+"s."+name] = compact(program)
		}
	}
	return m
}

// Hash returns a name for the configuration that is equal for specs that measure the same.
func (s Spec) Hash() string {
	m := s.Measurement()
	m["warmups"] = "0" // older configurations had this key: their records keep their hash
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s = %s\n", k, m[k])
	}
	return param.Digest([]byte(b.String()))
}
