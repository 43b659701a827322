package record

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/internal/system"
)

// Conflict is the error for a folder that must not be written to as it is. Its message says
// why, and what to do.
type Conflict struct{ Text string }

func (c Conflict) Error() string { return c.Text }

func conflict(format string, args ...any) error { return Conflict{fmt.Sprintf(format, args...)} }

// OpenMode says what to do with existing records.
type OpenMode struct {
	Resume      bool // continue where they end, and keep those that a changed grid has, too
	RetryFailed bool // remove the records of runs that failed or were killed, then continue
	Fresh       bool // move them aside
}

// Store is a record set that is being written. One process holds it at a time.
type Store struct {
	Set
	// Aside is the folder that older records were moved to, if any.
	Aside string
	// Reworded reports that the experiment's question, answer or report differs from that in the folder, where all runs
	// are: Resume takes it over.
	Reworded bool
	// Kept is the number of records that the set keeps from a smaller or another grid; 0 if the grid is the same.
	Kept int
	env  Environment
	disk system.Disk
	file *os.File
	size int64
}

// Open prepares dir for the experiment's runs: it creates a new set, or reopens an unfinished one.
// If every run is already there, it changes nothing but, to resume, the question, the answer and the report. A folder
// that holds something else is a [Conflict] and is left untouched.
func Open(dir string, e config.Experiment, env Environment, mode OpenMode) (*Store, error) {
	st := &Store{Set: Set{Dir: dir, Spec: e.Spec, Columns: e.Kind.Columns(), Kind: e.Kind}, env: env}
	if err := st.open(e.Runs, mode); err != nil {
		st.Close()
		return nil, err
	}
	return st, nil
}

func (st *Store) open(runs []experiments.Run, mode OpenMode) error {
	there, data, err := records(st.Dir)
	switch {
	case err != nil:
		return fmt.Errorf("opening record set %s: %w", st.Dir, err)
	case !there:
		if err := free(st.Dir, data, csvLine(st.Columns.Names())); err != nil {
			return err
		}
	case mode.Fresh:
		if err := st.moveAside(); err != nil {
			return err
		}
	default:
		return st.reopen(runs, mode)
	}
	return st.create()
}

// records reports whether a folder has records, or at least their header. If not, data is the content of its
// records.csv.
func records(dir string) (there bool, data []byte, err error) {
	f, whole, err := openRecords(filepath.Join(dir, RecordsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	defer f.Close()
	if whole > 0 {
		return true, nil, nil
	}
	data, err = io.ReadAll(io.LimitReader(f, maxLine))
	return false, data, err
}

// free returns a Conflict if a folder without records holds a file that no harness wrote. data is the content
// of its records.csv, which may be the beginning of the header.
func free(dir string, data, header []byte) error {
	if !bytes.HasPrefix(header, data) {
		return conflict("%s is not from a harness: it has no line that ends with a line feed", filepath.Join(dir, RecordsFile))
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		switch {
		case name == ConfigFile:
			if text, _ := system.ReadFile(path, maxSmallFile); bytes.HasPrefix(text, []byte(configHeader)) {
				continue
			}
			return conflict("%s: the folder holds a %s of its own and no records: choose another with --out", dir, name)
		case name == EnvFile:
			text, err := system.ReadFile(path, maxSmallFile)
			if err == nil {
				_, _, err = parseEnvironments(path, text)
			}
			if err != nil {
				return conflict("%s: the folder holds no records, and a foreign %s: choose another with --out\n%v", dir, name, err)
			}
		// Unfinished files begin with a dot.
		case name[0] != '.' && name != RecordsFile && name != ReportDir:
			return conflict("%s: the folder holds other files (%s) and no records: choose another with --out", dir, name)
		}
	}
	return nil
}

// create creates an empty set. The header comes last, so a set with a header is complete.
func (st *Store) create() error {
	if err := st.begin(); err != nil {
		return err
	}
	st.Environments = []Environment{st.env}
	if err := st.describe(); err != nil {
		return err
	}
	if err := st.file.Truncate(0); err != nil {
		return fmt.Errorf("writing records: %w", err)
	}
	st.size = 0
	return st.write(csvLine(st.Columns.Names()))
}

// configHeader begins the configuration of a record set.
const configHeader = "# The effective configuration of the records beside this file.\n"

// describe writes the configuration and the environments. That also makes the names of all files in the
// folder durable.
func (st *Store) describe() error {
	config, err := st.Spec.YAML()
	if err != nil {
		return err
	}
	if err := st.disk.WriteFile(filepath.Join(st.Dir, ConfigFile), append([]byte(configHeader), config...), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", ConfigFile, err)
	}
	environments, err := formatEnvironments(st.Environments, st.Columns)
	if err != nil {
		return err
	}
	if err := st.disk.WriteFile(filepath.Join(st.Dir, EnvFile), environments, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", EnvFile, err)
	}
	return nil
}

// begin makes the folder and its records, and keeps other processes out.
func (st *Store) begin() error {
	if err := st.disk.MkdirAll(st.Dir, 0o755); err != nil {
		return fmt.Errorf("making folder for records: %w", err)
	}
	return st.lock(os.O_CREATE)
}

// lock opens the records for writing and keeps other processes out.
func (st *Store) lock(flags int) error {
	path := filepath.Join(st.Dir, RecordsFile)
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0o644)
	if err != nil {
		return fmt.Errorf("opening records: %w", err)
	}
	err = system.Lock(f)
	for wait := 0; errors.Is(err, system.ErrLocked) && wait < 20; wait++ { // a run that a killed harness was starting holds it
		time.Sleep(50 * time.Millisecond)
		err = system.Lock(f)
	}
	if err != nil {
		f.Close()
		if !errors.Is(err, system.ErrLocked) {
			return fmt.Errorf("locking %s: %w", path, err)
		}
		return conflict("%s: another harness is writing here", path)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return fmt.Errorf("opening records: %w", err)
	}
	// A merge replaces the file. If it did so after the file was opened, the opened file is the old one.
	if at, err := os.Stat(path); err != nil || !os.SameFile(info, at) {
		f.Close()
		return conflict("%s: another harness has just replaced it: try again", path)
	}
	st.file, st.size = f, info.Size()
	return nil
}

// reopen checks that the records in the folder belong to this experiment, and continues
// after the last whole row.
func (st *Store) reopen(runs []experiments.Run, mode OpenMode) error {
	if err := st.lock(0); err != nil {
		return err
	}
	old, err := Read(st.Dir, experiments.Kinds{st.Kind})
	if err != nil {
		return conflict("%v\nuse --fresh to move the records aside, or --out for another folder", err)
	}
	why := st.strange(old, []Environment{st.env}, "now")
	change := st.grown(old, runs)
	if change != nil { // only the program must be the same
		if why = st.strange(old.of(st.Spec), []Environment{st.env}, "now"); why == "" && !mode.Resume && !mode.RetryFailed {
			return conflict("%s holds records %s\nuse --resume to keep the %d of its %d records whose runs are in this grid, too, "+
				"--fresh to move them aside, or --out for another folder", st.Dir,
				cmp.Or(st.strange(old, nil, "now"), "of the same grid in another order"), len(change.kept), len(old.Rows))
		}
	}
	if why != "" {
		return conflict("%s holds records %s\nuse --fresh to move them aside, or --out for another folder", st.Dir, why)
	}
	st.Rows, st.Environments = old.Rows, old.Environments
	if change != nil {
		if err := st.grow(change); err != nil {
			return err
		}
		old.Rows = st.Rows
	}
	if mode.RetryFailed {
		st.Rows = slices.DeleteFunc(st.Rows, Row.Failed)
	}
	missing := st.Missing(runs)
	if len(missing) == 0 && change == nil {
		if st.Reworded = st.rewords(old.Spec); st.Reworded && mode.Resume {
			return st.describe()
		}
		return nil
	}
	if len(old.Rows) > 0 && !mode.Resume && !mode.RetryFailed {
		return conflict("%s holds %d of %d runs: use --resume to measure the %d missing ones, "+
			"or --fresh to move these aside and start from scratch",
			st.Dir, len(runs)-len(missing), len(runs), len(missing))
	}
	if torn, err := st.torn(); err != nil {
		return err
	} else if torn || len(st.Rows) < len(old.Rows) {
		if err := st.replace(); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(st.Environments, func(e Environment) bool { return e.ID == st.env.ID }) {
		st.Environments = append(st.Environments, st.env)
	}
	if err := st.describe(); err != nil {
		return cmp.Or(st.Intact(), err)
	}
	return nil
}

// rewords reports whether a specification of the same runs is shown in other words, tables or plots.
func (st *Store) rewords(old config.Spec) bool {
	was, err := old.YAML()
	is, also := st.Spec.YAML()
	return cmp.Or(err, also) == nil && !bytes.Equal(was, is)
}

// torn reports whether the records end in a row that a crash has cut off.
func (st *Store) torn() (bool, error) {
	last := make([]byte, 1)
	_, err := st.file.ReadAt(last, st.size-1)
	return last[0] != '\n', err
}

// replace writes all rows to a new file in place of the records.
func (st *Store) replace() error {
	path := filepath.Join(st.Dir, RecordsFile)
	if !system.ReplacesOpen {
		st.Close()
	}
	err := st.disk.Replace(path, 0o644, func(w io.Writer) error {
		lines := csv.NewWriter(w)
		if err := lines.Write(st.Columns.Names()); err != nil {
			return err
		}
		for _, r := range st.Rows {
			if err := lines.Write(r.line(st.Columns)); err != nil {
				return err
			}
		}
		lines.Flush()
		return lines.Error()
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	st.Close()
	return st.lock(0)
}

// moveAside renames the folder, appending the current time to its name.
func (st *Store) moveAside() error {
	if err := st.lock(0); err != nil { // fails while another process writes there
		return err
	}
	st.Close()
	base := strings.TrimRight(st.Dir, string(filepath.Separator))
	st.Aside = base + "." + timestamp()
	if err := os.Rename(base, st.Aside); err != nil {
		return fmt.Errorf("moving old records aside: %w", err)
	}
	return nil
}

// Environment returns the id of the environment of the rows that the store appends.
func (st *Store) Environment() string { return st.env.ID }

// Judge settles the rows that answer one question differently, as [Read] does, and saves what has changed.
func (st *Store) Judge() error {
	if !st.judge() {
		return nil
	}
	return st.replace()
}

// Append writes one row after the others and returns once it is on disk. If writing fails, the file keeps its
// length. The error is a [Lost] if the file is no longer there.
func (st *Store) Append(r Row) error {
	r.tidy()
	if err := st.write(csvLine(r.line(st.Columns))); err != nil {
		return err
	}
	st.Rows = append(st.Rows, r)
	return st.Intact()
}

func (st *Store) write(line []byte) error {
	err := st.disk.Step("write", st.file.Name())
	if err == nil {
		_, err = st.file.WriteAt(line, st.size)
	}
	if err == nil {
		err = st.disk.Step("sync", st.file.Name())
	}
	if err == nil {
		err = st.file.Sync()
	}
	if err != nil {
		_ = st.file.Truncate(st.size)
		return fmt.Errorf("writing to %s: %w", st.file.Name(), err)
	}
	st.size += int64(len(line))
	return nil
}

// Lost is the error for records that someone else has removed or replaced while they were written.
type Lost struct{ Text string }

func (l Lost) Error() string { return l.Text }

// Intact returns a [Lost] if the records being written are no longer in the folder. In that case it first
// writes all rows to a new set beside the folder or, if that fails, among the temporary files.
func (st *Store) Intact() error {
	path := filepath.Join(st.Dir, RecordsFile)
	ours, err := st.file.Stat()
	if err != nil {
		return fmt.Errorf("looking at %s: %w", path, err)
	}
	now, err := os.Stat(path)
	if err == nil && os.SameFile(ours, now) {
		return nil
	}
	why := path + " has been replaced by another file"
	if errors.Is(err, fs.ErrNotExist) {
		why = path + " has been removed"
	}
	name := filepath.Base(filepath.Clean(st.Dir)) + ".rescued." + timestamp()
	for _, folder := range []string{filepath.Dir(filepath.Clean(st.Dir)), os.TempDir()} {
		saved := Store{Set: st.Set, disk: st.disk}
		saved.Dir = filepath.Join(folder, name)
		err = saved.disk.MkdirAll(saved.Dir, 0o755)
		if err == nil {
			err = saved.describe()
		}
		if err == nil {
			err = saved.replace()
		}
		saved.Close()
		if err == nil {
			return Lost{fmt.Sprintf("%s while runs went on: all %d rows are in %s", why, len(st.Rows), saved.Dir)}
		}
	}
	return Lost{fmt.Sprintf("%s while runs went on, and %d rows are lost: %v", why, len(st.Rows), err)}
}

func timestamp() string { return time.Now().UTC().Format("20060102T150405.000000Z") }

// Close closes the set and lets other processes write to it.
func (st *Store) Close() error {
	if st.file == nil {
		return nil
	}
	f := st.file
	st.file = nil
	return f.Close()
}
