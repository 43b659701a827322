package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
)

// The files of a record set.
const (
	RecordsFile = "records.csv"
	EnvFile     = "env.json"
	ConfigFile  = "config.yaml"
	ReportDir   = "report" // made from the others
)

// Set is a record set in a folder.
type Set struct {
	Dir          string
	Spec         config.Spec
	Environments []Environment // that made the records, oldest first
	Columns      experiments.Columns
	Rows         []Row
	Kind         *experiments.TaskKind // of its runs; nil if it is not known here
}

// Read reads a record set and checks it. A row torn by a crash is ignored. If the task
// is in kinds and its parameters have not changed, every row must be a run of the
// configuration's grid.
func Read(dir string, kinds experiments.Kinds) (Set, error) {
	s := Set{Dir: dir}
	var files [3][]byte
	for i, name := range []string{ConfigFile, EnvFile, RecordsFile} {
		var err error
		if files[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return s, fmt.Errorf("reading record set %s: %w", dir, err)
		}
	}
	var err error
	if s.Spec, err = config.Decode(filepath.Join(dir, ConfigFile), files[0]); err != nil {
		return s, err
	}
	if s.Environments, s.Columns, err = parseEnvironments(filepath.Join(dir, EnvFile), files[1]); err != nil {
		return s, err
	}
	s.Kind, _ = kinds.Named(s.Spec.Task)
	grid, err := s.grid(kinds)
	if err != nil {
		return s, fmt.Errorf("the grid of %s: %w", filepath.Join(dir, ConfigFile), err)
	}
	r := reader{set: s, file: filepath.Join(dir, RecordsFile), grid: grid, lines: map[string]int{}}
	header, whole := csvLine(s.Columns.Names()), wholeLines(files[2])
	if whole == 0 && !bytes.HasPrefix(header, files[2]) {
		return s, fmt.Errorf("%s: no line ends with a line feed", r.file)
	}
	if s.Rows, err = r.rows(files[2][:whole]); err != nil {
		return s, err
	}
	// An editor may have dropped the last line feed; a torn row lacks its environment at least.
	if rows, err := r.rows(slices.Concat(header, files[2][whole:])); err == nil && whole > 0 {
		s.Rows = append(s.Rows, rows...)
	}
	return s, nil
}

// grid returns the runs of the set's configuration by id; nil if the task is not known
// or its parameters have changed.
func (s Set) grid(kinds experiments.Kinds) (map[string]experiments.Run, error) {
	if s.Kind == nil ||
		!slices.Equal(s.Kind.Columns().In(experiments.Parameter), s.Columns.In(experiments.Parameter)) {
		return nil, nil
	}
	runs, err := s.Spec.Grid(kinds)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]experiments.Run, len(runs))
	for _, r := range runs {
		byID[r.ID] = r
	}
	return byID, nil
}

// wholeLines returns the length of data up to and including its last line break.
func wholeLines(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 }

// reader reads the rows of records.csv.
type reader struct {
	set   Set
	file  string
	grid  map[string]experiments.Run
	lines map[string]int // line of each run read so far, by id
}

// rows parses whole lines. The first must be the header.
func (r reader) rows(data []byte) ([]Row, error) {
	c := csv.NewReader(bytes.NewReader(data))
	c.ReuseRecord = true
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.file, err)
	}
	if names := r.set.Columns.Names(); !slices.Equal(header, names) {
		return nil, fmt.Errorf("%s:1: the columns are not those of %s: %s", r.file, EnvFile,
			columnDifference(names, header, "here"))
	}
	var rows []Row
	for {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		row := make(Row, len(cells))
		for i, column := range r.set.Columns {
			if text := r.check(column, cells[i]); text != "" {
				line, at := c.FieldPos(i)
				return nil, fmt.Errorf("%s:%d:%d: %s %q: expected %s", r.file, line, at, column.Name, Brief(cells[i]),
					text)
			}
			row[column.Name] = strings.Clone(cells[i])
		}
		line, _ := c.FieldPos(0)
		if err := r.identify(row, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", r.file, line, err)
		}
		rows = append(rows, row)
	}
}

// Brief shortens a cell for a message.
func Brief(cell string) string {
	if len(cell) > 60 {
		return cell[:57] + "..."
	}
	return cell
}

// isInteger reports whether a cell is an integer of any size, without a sign or zeros that it does not need.
func isInteger(cell string) bool {
	v, ok := new(big.Int).SetString(cell, 10)
	return ok && v.String() == cell
}

// check returns what was expected in a cell, or "" if the cell is valid.
func (r reader) check(c experiments.Column, cell string) (expected string) {
	ok := true
	switch {
	case c.Name == "schema":
		ok, expected = cell == SchemaVersion, "version "+SchemaVersion
	case c.Name == "task":
		ok, expected = cell == r.set.Spec.Task, r.set.Spec.Task+", the task of "+ConfigFile
	case c.Name == "outcome":
		ok, expected = slices.Contains(Outcomes(), Outcome(cell)), "one of "+fmt.Sprint(Outcomes())
	case c.Name == "agree":
		ok, expected = cell == "" || cell == "yes" || cell == "no", "yes, no or nothing"
	case c.Name == "environment":
		ok = slices.ContainsFunc(r.set.Environments, func(e Environment) bool { return e.ID == cell })
		expected = "the id of an environment in " + EnvFile
	case c.Name == "started":
		_, err := time.Parse(time.RFC3339Nano, cell)
		ok, expected = err == nil, "a time as in 2026-01-31T12:00:00Z"
	case cell == "" && (c.Role == experiments.Result || c.Role == experiments.Measurement || c.Optional):
	case c.Type == experiments.TypeInteger:
		ok, expected = isInteger(cell), "an integer"
	case c.Type == experiments.TypeNumber:
		_, err := strconv.ParseFloat(cell, 64) // it takes more than decimal numbers: NaN, 0x1p-2
		ok, expected = err == nil && json.Valid([]byte(cell)), "a decimal number"
	case c.Type == experiments.TypeBoolean:
		ok, expected = cell == "true" || cell == "false", "true or false"
	case c.Type == experiments.TypeIntegers:
		items := strings.Split(cell, ";")
		ok = !slices.ContainsFunc(items, func(item string) bool { return !isInteger(item) })
		expected = "integers separated by ;"
	}
	if ok {
		return ""
	}
	return expected
}

// identify checks that a row's id matches its parameters, is unique, and is in the grid at
// the row's position.
func (r reader) identify(row Row, line int) error {
	repeat, _ := strconv.Atoi(row["repeat"]) // an integer; one that overflows is in no id
	params, err := r.set.Columns.Parameters(row.Cell)
	if err != nil {
		return err
	}
	if id := experiments.RunID(row["task"], params, repeat); id != row.ID() {
		return fmt.Errorf("the id %q does not match the row's task, parameters and repeat, whose id is %s", row.ID(),
			id)
	}
	if first := r.lines[row.ID()]; first > 0 {
		return fmt.Errorf("run %s is already on line %d", row.ID(), first)
	}
	r.lines[row.ID()] = line
	if r.grid == nil {
		return nil
	}
	run, ok := r.grid[row.ID()]
	if !ok {
		return fmt.Errorf("run %s is not in the grid of %s", row.ID(), ConfigFile)
	}
	if row["position"] != strconv.Itoa(run.Position) {
		return fmt.Errorf("run %s has position %s, but %d in the grid of %s", row.ID(), row["position"], run.Position,
			ConfigFile)
	}
	return nil
}

// Done returns the set of the rows' ids.
func (s Set) Done() map[string]bool {
	done := make(map[string]bool, len(s.Rows))
	for _, r := range s.Rows {
		done[r.ID()] = true
	}
	return done
}
