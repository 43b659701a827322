package record

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"queens/experiments"
	"queens/experiments/config"
	"queens/internal/system"
)

// Read reads a record set and checks each row by itself: its cells, that its id is the hash of its
// parameters, and the evidence of its result, if it has any. A row torn by a crash is ignored. Of rows that answer
// one question differently, those that something refutes become wrong, or all become contradicted.
func Read(dir string, kinds experiments.Kinds) (Set, error) {
	s := Set{Dir: dir}
	var files [2][]byte
	for i, name := range []string{ConfigFile, EnvFile} {
		var err error
		if files[i], err = system.ReadFile(filepath.Join(dir, name), maxSmallFile); err != nil {
			return s, fmt.Errorf("reading record set %s: %w%s", dir, err, below(dir))
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
	s.renew()
	file := filepath.Join(dir, RecordsFile)
	f, whole, err := openRecords(file)
	if err != nil {
		return s, fmt.Errorf("reading record set %s: %w", dir, err)
	}
	defer f.Close()
	rest, err := io.ReadAll(io.NewSectionReader(f, whole, maxLine))
	if err != nil {
		return s, fmt.Errorf("reading record set %s: %w", dir, err)
	}
	header := csvLine(s.Columns.Names())
	if whole == 0 && !bytes.HasPrefix(header, rest) {
		return s, fmt.Errorf("%s: no line ends with a line feed", file)
	}
	r := reader{set: s, file: file, lines: map[string]int{}}
	if s.Kind != nil {
		_, r.verified = s.Kind.Default().Value.(experiments.Verified)
	}
	if s.Rows, err = r.rows(&boundedLines{Reader: io.NewSectionReader(f, 0, whole)}); err != nil {
		return s, err
	}
	// An editor may have dropped the last line feed. A torn row at least lacks its environment, the last
	// column.
	if rows, err := r.rows(bytes.NewReader(slices.Concat(header, rest))); err == nil && whole > 0 {
		s.Rows = append(s.Rows, rows...)
	}
	s.judge()
	return s, nil
}

// below names the record sets in the folders of a folder that is none; "" if there are none.
func below(dir string) string {
	sets, _ := filepath.Glob(filepath.Join(dir, "*", ConfigFile))
	if len(sets) == 0 {
		return ""
	}
	for i, set := range sets {
		sets[i] = filepath.Dir(set)
	}
	if len(sets) > 3 {
		sets = append(sets[:3], "...")
	}
	return "; record sets below it: " + strings.Join(sets, ", ")
}

// renew describes columns whose values have other names now as this version does, and renames the values in the
// configuration.
func (s *Set) renew() {
	if s.Kind == nil {
		return
	}
	s.Spec.Rename(s.Kind)
	for _, now := range s.Kind.Columns() {
		if i := slices.Index(s.Columns.Names(), now.Name); i >= 0 && now.Was != nil {
			s.Columns[i] = now
		}
	}
}

const (
	maxSmallFile = 16 << 20 // a configuration, or env.json
	maxLine      = 16 << 20 // a line of records.csv: a result may be a list
)

// openRecords opens records.csv and returns the length of its complete lines: a crash may leave a torn one.
func openRecords(path string) (f *os.File, whole int64, err error) {
	f, size, err := system.OpenRegular(path)
	if err != nil {
		return nil, 0, err
	}
	block := make([]byte, 64<<10)
	for end := size; end > 0; {
		begin := max(0, end-int64(len(block)))
		n, err := f.ReadAt(block[:end-begin], begin)
		if err != nil {
			f.Close()
			return nil, 0, err
		}
		if at := bytes.LastIndexByte(block[:n], '\n'); at >= 0 {
			return f, begin + int64(at) + 1, nil
		}
		if end = begin; size-end > maxLine {
			f.Close()
			return nil, 0, errLongLine(path)
		}
	}
	return f, 0, nil
}

func errLongLine(path string) error {
	return fmt.Errorf("%s: a line of more than %d MiB: it holds no records", path, maxLine>>20)
}

// boundedLines returns an error for a line that is too long for a record, before the line fills the memory.
type boundedLines struct {
	io.Reader
	length int // of the line so far
}

func (b *boundedLines) Read(p []byte) (n int, err error) {
	n, err = b.Reader.Read(p)
	if at := bytes.LastIndexByte(p[:n], '\n'); at >= 0 {
		b.length = n - 1 - at
	} else if b.length += n; b.length > maxLine {
		return 0, errLongLine("")
	}
	return n, err
}

// reader reads the rows of records.csv.
type reader struct {
	set   Set
	file  string
	lines map[string]int // line of each run read so far, by id

	verified bool // whether records have evidence
}

// rows parses whole lines. The first must be the header.
func (r reader) rows(data io.Reader) ([]Row, error) {
	c := csv.NewReader(data)
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
	at := places(r.set.Columns)
	var rows []Row
	for {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		for i, column := range r.set.Columns {
			if text := r.check(column, cells[i]); text != "" {
				line, at := c.FieldPos(i)
				return nil, fmt.Errorf("%s:%d:%d: %s %q: expected %s", r.file, line, at, column.Name, Brief(cells[i]),
					text)
			}
		}
		for i, column := range r.set.Columns {
			cells[i] = column.Was.Now(cells[i])
		}
		row := Row{at, joined(cells)}
		if text := contradiction(row); text != "" {
			line, at := c.FieldPos(slices.Index(r.set.Columns.Names(), "agree"))
			return nil, fmt.Errorf("%s:%d:%d: %s", r.file, line, at, text)
		}
		line, _ := c.FieldPos(0)
		if err := cmp.Or(r.identify(row, line), r.verify(row)); err != nil {
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

// isInteger reports whether a cell is an integer of any size in canonical form: no plus sign, no leading
// zeros.
func isInteger(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	return cell == "0" || digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
}

// check returns what the column expects, or "" if the cell is valid.
func (r reader) check(c experiments.Column, cell string) (expected string) {
	ok := true
	switch {
	case strings.ContainsFunc(cell, unicode.IsControl):
		ok, expected = false, "text without control characters"
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
	case c.Was.Now(cell) != cell:
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

// contradiction says in what a row's verdicts contradict each other, or "".
func contradiction(row Row) string {
	switch agree, outcome, by := row.Cell("agree"), row.Outcome(), row.Cell("checked_by"); {
	case outcome == OK && agree == "no":
		return "outcome ok beside agree no: a run whose answer others refute is wrong"
	case outcome == OK && row.Cell("reason") != "":
		return fmt.Sprintf("outcome ok beside the reason %q", Brief(row.Cell("reason")))
	case (outcome == OK || outcome == Wrong || outcome == Contradicted) && row.Cell("unfinished") != "":
		return fmt.Sprintf("outcome %s beside unfinished %s: a run with an answer has finished", outcome, row.Cell("unfinished"))
	case (outcome == Wrong || outcome == Contradicted) && agree != "no":
		return fmt.Sprintf("outcome %s beside agree %q: expected no", outcome, agree)
	case agree == "yes" && outcome != OK:
		return fmt.Sprintf("agree yes beside outcome %s, which has no answer", outcome)
	case agree != "" && by == "":
		return fmt.Sprintf("agree %s without checked_by: who was asked?", agree)
	case agree == "" && by != "" && outcome == OK:
		return fmt.Sprintf("checked_by %s without agree: what did the check say?", by)
	}
	return ""
}

// identify checks that a row's id is the hash of its parameters, and that no earlier row has it.
func (r reader) identify(row Row, line int) error {
	repeat, _ := strconv.Atoi(row.Cell("repeat")) // the cell is an integer; one that overflows matches no id
	params, err := r.set.Columns.Parameters(row.Cell)
	if err != nil {
		return err
	}
	if id := experiments.RunID(row.Cell("task"), params, repeat); id != row.ID() {
		return fmt.Errorf("the id %q does not match the row's task, parameters and repeat, whose id is %s", row.ID(),
			id)
	}
	if first := r.lines[row.ID()]; first > 0 {
		return fmt.Errorf("run %s is already on line %d", row.ID(), first)
	}
	r.lines[row.ID()] = line
	return nil
}

// verify checks the evidence of a good row's result. A row whose parameters this version does not take is left
// unchecked.
func (r reader) verify(row Row) error {
	if !r.verified || row.Outcome() != OK {
		return nil
	}
	task, err := r.set.Kind.Task(r.set.Parameters(row), r.set.Spec.Programs())
	if err != nil {
		return nil
	}
	return task.Value.(experiments.Verified).Verify(row.Cell)
}
