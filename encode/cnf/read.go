package cnf

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// File is what a DIMACS file says.
type File struct {
	*Formula
	Lines    []int32 // by clause: the line on which it ends
	Comments []Comment
}

// Comment is a line "c VAR NAME", which names a variable.
type Comment struct {
	Var  Var
	Name string
	Line int
}

// MaxVar is the largest variable allowed in a file: with more, the names alone
// would fill the memory of a laptop.
const MaxVar = 1 << 24

// ReadDIMACS reads a formula in DIMACS CNF, and the comments before the problem line
// that name variables, in the file's order. A clause may span lines; "%" ends the
// file, as in the SATLIB collections. Errors name the place as file:line.
func ReadDIMACS(r io.Reader, file string) (*File, error) {
	d := &dimacsReader{words: NewWords(r), file: File{Formula: &Formula{}}}
	err := d.read()
	if err == io.EOF {
		err = d.end()
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, d.words.Line(), err)
	}
	return &d.file, nil
}

type dimacsReader struct {
	words   *Words
	begun   bool // the problem line has been read
	clauses int  // that it announces
	clause  []Lit
	file    File
}

// read reads up to the end of the file, where it returns io.EOF.
func (d *dimacsReader) read() error {
	for {
		word, first, err := d.words.Next()
		switch {
		case err != nil:
			return err
		case first && (string(word) == "c" || word[0] == 'c' && !d.begun):
			err = d.comment(len(word) == 1)
		case first && string(word) == "%":
			return io.EOF
		case first && string(word) == "p":
			err = d.begin()
		case !d.begun:
			err = fmt.Errorf("%q comes before the problem line: expected p cnf VARIABLES CLAUSES", word)
		default:
			err = d.literal(word)
		}
		if err != nil {
			return err
		}
	}
}

// comment takes the rest of a comment line.
func (d *dimacsReader) comment(mayName bool) error {
	text, err := d.words.Rest()
	if mayName && !d.begun {
		if c, ok := ParseComment(text, d.words.Line()); ok {
			d.file.Comments = append(d.file.Comments, c)
		}
	}
	return err
}

// ParseComment parses a comment, and reports whether it names a variable.
func ParseComment(text string, line int) (c Comment, ok bool) {
	words := strings.Fields(text)
	if len(words) != 2 {
		return c, false
	}
	v, err := strconv.ParseInt(words[0], 10, 32)
	return Comment{Var(v), words[1], line}, err == nil && v > 0
}

// begin takes the rest of the problem line.
func (d *dimacsReader) begin() error {
	text, err := d.words.Rest()
	words := strings.Fields(text)
	switch {
	case err != nil:
		return err
	case d.begun:
		return fmt.Errorf("there is a second problem line")
	case len(words) != 3 || words[0] != "cnf":
		return fmt.Errorf("problem line %q: expected p cnf VARIABLES CLAUSES", strings.Join(append([]string{"p"}, words...), " "))
	}
	vars, err := strconv.Atoi(words[1])
	if err != nil || vars < 0 || vars > MaxVar {
		return fmt.Errorf("%q variables: expected a whole number from 0 to %d", words[1], MaxVar)
	}
	if d.clauses, err = strconv.Atoi(words[2]); err != nil || d.clauses < 0 {
		return fmt.Errorf("%q clauses: expected a whole number, 0 or more", words[2])
	}
	d.begun = true
	d.file.Vars = vars
	return nil
}

// spareLits is how many more literals a clause may repeat than there are.
const spareLits = 1000

// literal takes a literal, or the 0 that ends a clause.
func (d *dimacsReader) literal(word []byte) error {
	l, ok := number(word)
	switch {
	case !ok:
		return fmt.Errorf("literal %q: expected a whole number", word)
	case l > d.file.Vars || -l > d.file.Vars:
		return fmt.Errorf("literal %d: the problem line says that there are %d variables", l, d.file.Vars)
	case l != 0 && len(d.clause) >= 2*d.file.Vars+spareLits: // found before the file is read to its end
		return fmt.Errorf("a clause of more than %d literals, of %d variables: expected 0 after it", len(d.clause), d.file.Vars)
	case l != 0:
		d.clause = append(d.clause, Lit(l))
		return nil
	case d.file.NumClauses() == d.clauses:
		return fmt.Errorf("more clauses than the %d that the problem line announces", d.clauses)
	}
	d.file.Add(d.clause...)
	d.file.Lines = append(d.file.Lines, int32(d.words.Line()))
	d.clause = d.clause[:0]
	return nil
}

// number parses a decimal number of at most nine digits. Unlike strconv.Atoi it needs no
// string, and a file has millions of them.
func number(word []byte) (n int, ok bool) {
	digits := word
	if word[0] == '-' || word[0] == '+' {
		digits = word[1:]
	}
	if len(digits) == 0 || len(digits) > 9 {
		return 0, false
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int(d-'0')
	}
	if word[0] == '-' {
		n = -n
	}
	return n, true
}

// end checks that the file is complete.
func (d *dimacsReader) end() error {
	switch {
	case !d.begun:
		return fmt.Errorf("the file ends without a problem line: expected p cnf VARIABLES CLAUSES")
	case len(d.clause) > 0:
		return fmt.Errorf("the file ends within a clause: expected 0 after %d", d.clause[len(d.clause)-1])
	case d.file.NumClauses() < d.clauses:
		return fmt.Errorf("the file ends after %d clauses: the problem line says %d", d.file.NumClauses(), d.clauses)
	}
	return nil
}
