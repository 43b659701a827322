package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"queens/experiments"
	"queens/internal/param"
	"queens/internal/system"
)

const maxBytes = 16 << 20 // size limit of a configuration

// Load reads a configuration from a file; - is standard input. The environment (QUEENS_REPEATS,
// QUEENS_AXES_N, ...) overrides the file, and sets, each KEY=VALUE with a dotted key, override both. Load
// reports all mistakes at once, as [Mistakes].
func Load(file string, sets []string, kinds experiments.Kinds) (Experiment, error) {
	data, file, err := system.ReadInput(file, maxBytes)
	if err != nil {
		return Experiment{}, fmt.Errorf("reading configuration: %w%s", err, meant(file))
	}
	return load(file, data, sets, kinds)
}

// meant suggests the file of a configuration whose name lacks the folder or the ending; otherwise it returns "".
func meant(file string) string {
	for _, other := range []string{file + ".yaml", filepath.Join("configs", file), filepath.Join("configs", file+".yaml")} {
		if info, err := os.Stat(other); err == nil && info.Mode().IsRegular() {
			return "; did you mean " + other + "?"
		}
	}
	return ""
}

func load(file string, data []byte, sets []string, kinds experiments.Kinds) (Experiment, error) {
	c := source{file: file}
	root := c.parse(data)
	if root == nil {
		return Experiment{}, c.mistakes
	}
	c.override(sets, kinds)
	root, err := c.layer(root)
	if err != nil {
		return Experiment{}, err
	}
	task, _ := root["task"].(string)
	c.kind, _ = kinds.Named(task) // an unknown one is reported with the other mistakes
	schema := Schema(kinds)
	v := validator{c, schema.Definitions}
	c.mistakes = append(c.mistakes, v.check(nil, root, schema)...)
	if c.kind != nil { // the schema's if and then for this task
		c.mistakes = append(c.mistakes, v.check(nil, root, schema.Definitions[c.kind.Name])...)
	}
	if c.mistakes != nil {
		return Experiment{}, c.mistakes
	}
	s, err := fromTree(file, root)
	if err != nil {
		return Experiment{}, err
	}
	s.setDefaults()
	s.Rename(c.kind)
	unread := s.pin(c.kind)
	mistakes := slices.Concat(s.Report.clashes(), s.badAnswer(), unread)
	runs, notes, err := s.grid(c.kind)
	notes = append(c.inEffect(), notes...)
	var inGrid Mistakes
	if err != nil && !errors.As(err, &inGrid) {
		return Experiment{}, err
	}
	inGrid = slices.DeleteFunc(inGrid, func(m Mistake) bool { // a file that cannot be read is named once
		return slices.ContainsFunc(unread, func(u Mistake) bool { return slices.Equal(u.path, m.path) })
	})
	if err == nil {
		mistakes = append(mistakes, s.badReport(c.kind, runs)...)
	}
	for _, m := range append(mistakes, inGrid...) {
		c.mistakes = append(c.mistakes, c.placed(m.path, m.Text))
	}
	if c.mistakes != nil {
		return Experiment{}, c.mistakes
	}
	return Experiment{s, c.kind, runs, notes}, nil
}

// Decode reads the configuration kept in a record set. It checks the form only, not whether the
// current tasks accept it.
func Decode(file string, data []byte) (Spec, error) {
	c := source{file: file}
	root := c.parse(data)
	if c.mistakes != nil {
		return Spec{}, c.mistakes
	}
	s, err := fromTree(file, root)
	// Older records may ask for a kind of plot that is gone.
	s.Report.Plots = slices.DeleteFunc(s.Report.Plots, func(p Plot) bool { return !slices.Contains(p.Kind.Values(), string(p.Kind)) })
	return s, err
}

// fromTree converts decoded YAML into a spec.
func fromTree(file string, root map[string]any) (s Spec, err error) {
	text, err := json.Marshal(root)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("configuration %s: %w", file, err)
	}
	return s, nil
}

// Rename gives values of parameters their present names ([param.Renamed]), in the axes and in all conditions.
func (s Spec) Rename(kind *experiments.TaskKind) {
	where := slices.Clone(s.Exclude)
	for _, t := range s.Report.Tables {
		where = append(where, t.Where)
	}
	for _, p := range s.Report.Plots {
		where = append(where, p.Where)
	}
	for _, f := range kind.Parameters() {
		was := f.Was()
		if was == nil {
			continue
		}
		for i, value := range s.Axes[f.Name] {
			s.Axes[f.Name][i] = was.Now(param.Text(value))
		}
		for _, conditions := range where {
			switch value := conditions[f.Name].(type) {
			case nil:
			case []any:
				for i, one := range value {
					value[i] = was.Now(param.Text(one))
				}
			default:
				conditions[f.Name] = was.Now(param.Text(value))
			}
		}
	}
}

// pin appends to each file named in the axes the hash of its content.
func (s Spec) pin(kind *experiments.TaskKind) (mistakes Mistakes) {
	for _, f := range kind.Parameters() {
		if _, names := reflect.Zero(f.Type).Interface().(param.Pinned); !names {
			continue
		}
		var pinned []any
		for i, value := range s.Axes[f.Name] {
			named := reflect.ValueOf(param.Text(value)).Convert(f.Type).Interface().(param.Pinned)
			names, err := named.Pin()
			if err != nil {
				mistakes = append(mistakes, Mistake{path: s.Axes.path(f.Name, i), Text: err.Error()})
			}
			for _, name := range names {
				pinned = append(pinned, name)
			}
		}
		if pinned != nil && len(mistakes) == 0 {
			s.Axes[f.Name] = pinned
		}
	}
	return mistakes
}
