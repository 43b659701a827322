package cnf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Comment is a line "c VAR NAME", which names a variable.
type Comment struct {
	Var  Var
	Name string
	Line int
}

// maxVar is the largest variable allowed in a file: with more, the names alone
// would fill the memory of a laptop.
const maxVar = 1 << 24

// ReadDIMACS reads a formula in DIMACS CNF, and the comments before the problem line
// that name variables, in the file's order. A clause may span lines; "%" ends the
// file, as in the SATLIB collections. Errors name the place as file:line.
func ReadDIMACS(r io.Reader, file string) (*Formula, []Comment, error) {
	d := &dimacsReader{file: file, f: &Formula{}}
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<26)
	for !d.ended && scan.Scan() {
		d.line++
		if err := d.read(strings.Fields(scan.Text())); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", file, d.line, err)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, nil, fmt.Errorf("reading %s after line %d: %w", file, d.line, err)
	}
	if err := d.end(); err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %w", file, max(d.line, 1), err)
	}
	return d.f, d.comments, nil
}

type dimacsReader struct {
	file     string
	line     int
	begun    bool // the problem line has been read
	ended    bool // "%" has been read
	vars     int
	clauses  int
	f        *Formula
	clause   []Lit
	comments []Comment
}

// read takes one line, given as its words.
func (d *dimacsReader) read(words []string) error {
	switch {
	case len(words) == 0:
		return nil
	case words[0] == "c":
		if !d.begun && len(words) == 3 {
			if v, err := strconv.ParseInt(words[1], 10, 32); err == nil && v > 0 {
				d.comments = append(d.comments, Comment{Var(v), words[2], d.line})
			}
		}
		return nil
	case strings.HasPrefix(words[0], "c") && !d.begun:
		return nil
	case words[0] == "%":
		d.ended = true
		return nil
	case words[0] == "p":
		return d.begin(words)
	case !d.begun:
		return fmt.Errorf("%q comes before the problem line: expected p cnf VARIABLES CLAUSES", words[0])
	}
	for _, word := range words {
		l, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return fmt.Errorf("literal %q: expected a whole number", word)
		}
		if l > int64(d.vars) || -l > int64(d.vars) {
			return fmt.Errorf("literal %d: the problem line says that there are %d variables", l, d.vars)
		}
		if l != 0 {
			d.clause = append(d.clause, Lit(l))
			continue
		}
		if d.f.NumClauses() == d.clauses {
			return fmt.Errorf("more clauses than the %d that the problem line announces", d.clauses)
		}
		d.f.Add(d.clause...)
		d.clause = d.clause[:0]
	}
	return nil
}

// begin takes the problem line.
func (d *dimacsReader) begin(words []string) error {
	if d.begun {
		return fmt.Errorf("there is a second problem line")
	}
	if len(words) != 4 || words[1] != "cnf" {
		return fmt.Errorf("problem line %q: expected p cnf VARIABLES CLAUSES", strings.Join(words, " "))
	}
	var err error
	if d.vars, err = strconv.Atoi(words[2]); err != nil || d.vars < 0 || d.vars > maxVar {
		return fmt.Errorf("%q variables: expected a whole number from 0 to %d", words[2], maxVar)
	}
	if d.clauses, err = strconv.Atoi(words[3]); err != nil || d.clauses < 0 {
		return fmt.Errorf("%q clauses: expected a whole number, 0 or more", words[3])
	}
	d.begun = true
	d.f.Vars = d.vars
	return nil
}

// end checks that the file is complete.
func (d *dimacsReader) end() error {
	switch {
	case !d.begun:
		return fmt.Errorf("the file ends without a problem line: expected p cnf VARIABLES CLAUSES")
	case len(d.clause) > 0:
		return fmt.Errorf("the file ends within a clause: expected 0 after %d", d.clause[len(d.clause)-1])
	case d.f.NumClauses() < d.clauses:
		return fmt.Errorf("the file ends after %d clauses: the problem line says %d", d.f.NumClauses(), d.clauses)
	}
	return nil
}
