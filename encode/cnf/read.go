package cnf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// File is the content of a DIMACS file.
type File struct {
	Vars int
	Clauses
	Lines    []int32 // by clause: the line on which it ends
	Comments []Comment
	// Shown holds the variables that count, in rising order, if Projected: the file has a line "c p show
	// 1 2 3 0" (Model Counting Competition) or "c ind 1 2 3 0" (ApproxMC, ganak). Several such lines add
	// up.
	Shown     []Var
	Projected bool
	// Weighted says which comment gives literals weights: "LINE: ..."; "" if none does. Solutions do not depend on weights,
	// counts would.
	Weighted string
}

// Clauses holds clauses one after the other, without a slice header for each.
type Clauses struct {
	Lits   []Lit
	Begins []int32 // by clause: where in Lits it begins; then where the last one ends
}

// Len returns the number of clauses.
func (c *Clauses) Len() int { return len(c.Begins) - 1 }

// At returns clause i. It is the list's own: only its owner may write to it.
func (c *Clauses) At(i int) []Lit { return c.Lits[c.Begins[i]:c.Begins[i+1]:c.Begins[i+1]] }

// Comment is a line that names a variable, in one of the forms of [ParseComment].
type Comment struct {
	Var  Var
	Name string
	Line int
	Form
	Words int // of the name
}

// Form is how a comment names a variable.
type Form int

const (
	Marked   Form = iota // "3 = NAME", "3 <- NAME", "3 : NAME", "varname 3 NAME"
	Assigned             // "NAME = 3": a parameter of a generator looks alike
	Plain                // "3 NAME": a remark that begins with a number looks alike
)

// MaxVar is the largest variable allowed in a file: with more, the names alone
// would fill the memory of a laptop.
const MaxVar = 1 << 24

// LongestLine bounds a line of a file, in bytes: garbage without line ends is refused before it
// fills the memory.
const LongestLine = 1 << 24

// buffer is the length of text that is first read into memory, in bytes.
const buffer = 1 << 16

// ReadDIMACS reads a formula in DIMACS CNF, and the comments before the problem line
// that name variables, in the file's order. A clause may span lines; "%" ends the
// file, as in the SATLIB collections. Errors name the place as file:line.
func ReadDIMACS(r io.Reader, file string) (*File, error) {
	d := &dimacsReader{line: 1}
	d.text, _ = r.(interface{ Len() int })
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, buffer), LongestLine)
	scan.Split(wholeLines)
	var err error
	for err == nil && !d.ended && scan.Scan() {
		err = d.lines(scan.Bytes())
	}
	if err == nil {
		err = TooLong(scan.Err())
	}
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, d.line, err)
	}
	return &d.file, nil
}

// TooLong returns a scanner's error; that of a line too long says how long a line may be.
func TooLong(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line of more than %d MiB", LongestLine>>20)
	}
	return err
}

// wholeLines is a [bufio.SplitFunc]: a token is all lines that are in memory.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == 0 {
		return bufio.ScanLines(data, atEOF)
	}
	return end, data[:end], nil
}

type dimacsReader struct {
	text    interface{ Len() int } // says how many bytes are not in memory yet; nil if that is not known
	line    int                    // number of the next line, or in an error of the one that is wrong
	ended   bool                   // by a line of "%"
	shown   int                    // the last line that says which variables count
	begun   bool                   // the problem line has been read
	clauses int                    // number announced by the problem line
	file    File                   // its last literals may be of a clause that has not ended
}

// lines processes whole lines.
func (d *dimacsReader) lines(text []byte) error {
	for len(text) > 0 {
		plain, within := d.plain(text)
		text = text[plain:]
		if d.ended = !within && len(text) > 0 && text[0] == '%'; d.ended || len(text) == 0 {
			break
		}
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if err := d.rest(text[:end], within); err != nil {
			return err
		}
		d.line++
		text = text[end:]
	}
	return nil
}

// plain reads literals digit by digit, line by line, since a large file is little else. It stops at a word
// that is not a decimal number, or is wrong. It returns the length of what it has read, up to the last literal or
// the end of the last line, and whether that is within a line.
func (d *dimacsReader) plain(text []byte) (length int, within bool) {
	if !d.begun {
		return 0, false
	}
	f := &d.file
	lits, begins, lines := f.Lits, f.Begins, f.Lines
	defer func() { f.Lits, f.Begins, f.Lines = lits, begins, lines }()
	begin, vars, longest := d.beginning(), f.Vars, d.longest()
	for i := 0; i < len(text); {
		from := i
		switch text[i] {
		case ' ', '\t', '\r':
			i++
			continue
		case '\n':
			i++
			d.line++
			length, within = i, false
			continue
		case '-':
			i++
		}
		v, digits := 0, i
		for i < len(text) && text[i]-'0' <= 9 {
			v = 10*v + int(text[i]-'0')
			i++
		}
		ends := i == len(text) || text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r'
		switch {
		case !ends || i == digits || i > digits+18 || v > vars: // 18 digits fit into an int
			return length, within
		case v == 0:
			if len(lines) == d.clauses {
				return length, within
			}
			begin = len(lits)
			begins, lines = append(begins, int32(begin)), append(lines, int32(d.line))
		case len(lits)-begin >= longest:
			return length, within
		case text[from] == '-':
			lits = append(lits, Lit(-v))
		default:
			lits = append(lits, Lit(v))
		}
		length, within = i, true
	}
	if text[len(text)-1] != '\n' { // the file's last line
		d.line++
	}
	return len(text), false
}

// rest processes a line, or what is left of a line of literals.
func (d *dimacsReader) rest(line []byte, literals bool) error {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
	case !literals && line[0] == 'c':
		return d.comment(string(line[1:]))
	case !literals && line[0] == 'p':
		return d.begin(strings.Fields(string(line)))
	default:
		for word := range bytes.FieldsSeq(line) {
			if err := d.literal(word); err != nil {
				return err
			}
		}
	}
	return nil
}

// comment processes the text after the c of a line: a name, a list of the variables that count, or a
// remark.
func (d *dimacsReader) comment(text string) error {
	if c, names := ParseComment(text, d.line); names && !d.begun {
		d.file.Comments = append(d.file.Comments, c)
		return nil
	}
	words := strings.Fields(text)
	begins := func(with ...string) bool { return slices.Equal(words[:min(len(words), len(with))], with) }
	switch {
	case begins("p", "show"):
		return d.show(words[2:])
	case begins("ind") && len(words) > 1 && strings.Trim(words[1], "-0123456789") == "": // otherwise a remark
		return d.show(words[1:])
	case d.file.Weighted == "" && (begins("p", "weight") || begins("t", "wmc") || begins("t", "pwmc")):
		d.file.Weighted = fmt.Sprintf("%d: %q gives literals weights", d.line, "c "+strings.Join(words, " "))
	}
	return nil
}

// show adds the variables that count. They are checked at the end of the file.
func (d *dimacsReader) show(words []string) error {
	d.file.Projected, d.shown = true, d.line
	for i, word := range words {
		v, err := strconv.ParseInt(word, 10, 32)
		if last := i == len(words)-1; err != nil || v < 0 || v > MaxVar || (v == 0) != last {
			return fmt.Errorf("variable %q of those that count: expected numbers of variables, then 0", word)
		}
		if v > 0 {
			d.file.Shown = append(d.file.Shown, Var(v))
		}
	}
	if len(words) == 0 {
		return fmt.Errorf("variables that count: expected their numbers, then 0")
	}
	return nil
}

// ParseComment parses a comment, and reports whether it names a variable: "3 NAME" (feature models), "3 = NAME" and
// "3 <- NAME" (AIGER tools), "3 : NAME" (CSPLib's boards), "NAME = 3" (unrolled circuits), "varname 3 NAME" (cnfgen). A
// clause that was commented out, "1 -2 0", does not. [Named] says what becomes of the name.
func ParseComment(text string, line int) (c Comment, ok bool) {
	words, form := strings.Fields(text), Plain
	if len(words) > 0 && words[0] == "varname" {
		words, form = words[1:], Marked
	} else if len(words) == 3 && words[1] == "=" && !isNumber(words[0]) {
		words, form = []string{words[2], words[0]}, Assigned
	}
	if len(words) < 2 || text[0] != ' ' && text[0] != '\t' {
		return c, false
	}
	v, err := strconv.ParseInt(words[0], 10, 32)
	if err != nil || v <= 0 || isClause(words) {
		return c, false
	}
	words = words[1:]
	if sign := words[0]; len(words) > 1 && (sign == "=" || sign == "<-" || sign == ":") {
		words, form = words[1:], Marked
	}
	c = Named(Var(v), strings.Join(words, " "), line)
	c.Form = form
	return c, true
}

// Named returns a comment that names a variable, by a name with at least one character. Commas, white space and a leading
// minus have a meaning in lists of literals, so in a name each becomes _.
func Named(v Var, name string, line int) Comment {
	words := strings.Fields(name)
	name = strings.ReplaceAll(strings.Join(words, "_"), ",", "_")
	if strings.HasPrefix(name, "-") {
		name = "_" + name[1:]
	}
	return Comment{Var: v, Name: name, Line: line, Words: len(words)}
}

// isClause reports whether words are literals and the 0 that ends a clause.
func isClause(words []string) bool {
	return words[len(words)-1] == "0" && !slices.ContainsFunc(words, func(word string) bool { return !isNumber(word) })
}

func isNumber(word string) bool {
	_, err := strconv.Atoi(word)
	return err == nil
}

// begin reads the problem line.
func (d *dimacsReader) begin(words []string) error {
	switch {
	case d.begun:
		return fmt.Errorf("there is a second problem line")
	case len(words) != 4 || words[0] != "p" || words[1] != "cnf":
		return fmt.Errorf("problem line %q: expected p cnf VARIABLES CLAUSES", strings.Join(words, " "))
	}
	var err error
	if d.file.Vars, err = strconv.Atoi(words[2]); err != nil || d.file.Vars < 0 || d.file.Vars > MaxVar {
		return fmt.Errorf("%q variables: expected a whole number from 0 to %d", words[2], MaxVar)
	}
	if d.clauses, err = strconv.Atoi(words[3]); err != nil || d.clauses < 0 {
		return fmt.Errorf("%q clauses: expected a whole number, 0 or more", words[3])
	}
	d.begun = true
	length := 1 << 20
	if d.text != nil {
		length = d.text.Len() + buffer
	}
	clauses := min(d.clauses, length/2) // one takes two bytes or more, and a literal of a large file four
	d.file.Lits = make([]Lit, 0, length/4)
	d.file.Begins, d.file.Lines = make([]int32, 1, 1+clauses), make([]int32, 0, clauses)
	return nil
}

// beginning returns where in the file's literals the clause begins that has not ended.
func (d *dimacsReader) beginning() int { return int(d.file.Begins[d.file.Len()]) }

// longest returns how many literals a clause may have: each literal of each variable, and 1000 more, since literals may
// repeat.
func (d *dimacsReader) longest() int { return 2*d.file.Vars + 1000 }

// literal reads a literal, or the 0 that ends a clause.
func (d *dimacsReader) literal(word []byte) error {
	l, err := strconv.Atoi(string(word))
	if !d.begun {
		return fmt.Errorf("%q comes before the problem line: expected p cnf VARIABLES CLAUSES", word)
	}
	switch length := len(d.file.Lits) - d.beginning(); {
	case err != nil:
		return fmt.Errorf("literal %q: expected a whole number", word)
	case l > d.file.Vars || l < -d.file.Vars:
		return fmt.Errorf("literal %d: the problem line says that there are %d variables", l, d.file.Vars)
	case l != 0 && length >= d.longest(): // found before the file is read to its end
		return fmt.Errorf("a clause of more than %d literals, of %d variables: expected 0 after it", length, d.file.Vars)
	case l != 0:
		d.file.Lits = append(d.file.Lits, Lit(l))
	case d.file.Len() == d.clauses:
		return fmt.Errorf("more clauses than the %d that the problem line announces", d.clauses)
	default:
		d.file.Begins, d.file.Lines = append(d.file.Begins, int32(len(d.file.Lits))), append(d.file.Lines, int32(d.line))
	}
	return nil
}

// end checks that the file is complete.
func (d *dimacsReader) end() error {
	d.line = max(d.line-1, 1)
	switch lits := d.file.Lits; {
	case !d.begun:
		return fmt.Errorf("the file ends without a problem line: expected p cnf VARIABLES CLAUSES")
	case d.beginning() < len(lits):
		return fmt.Errorf("the file ends within a clause: expected 0 after %d", lits[len(lits)-1])
	case d.file.Len() < d.clauses:
		return fmt.Errorf("the file ends after %d clauses: the problem line says %d", d.file.Len(), d.clauses)
	}
	slices.Sort(d.file.Shown)
	d.file.Shown = slices.Compact(d.file.Shown)
	if last := len(d.file.Shown) - 1; last >= 0 && int(d.file.Shown[last]) > d.file.Vars {
		d.line = d.shown
		return fmt.Errorf("variable %d is to count: the problem line says that there are %d", d.file.Shown[last], d.file.Vars)
	}
	return nil
}
