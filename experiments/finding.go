package experiments

import (
	"fmt"
	"strings"

	"queens/internal/param"
)

// Finding is what a run found.
type Finding struct {
	// Answer is what every correct run of the same question must find, in canonical form; empty
	// if there is nothing to compare. Between the answers to several questions stands [Between].
	Answer string
	// CheckedBy is what the run itself compared its finding with, for the record's checked_by;
	// empty if nothing. A check that fails is a [Contradiction].
	CheckedBy string
	// Proved says that CheckedBy leaves no doubt, as the board leaves none about a solution: no reference is asked.
	Proved bool
	// Values is a struct of the kind's result type.
	Values any
}

// Between stands between the answers to several questions.
const Between = "; "

// Part names a check that ended before it had answered all questions of a run, for the record's checked_by.
func Part(name string, answered, of int) string {
	return fmt.Sprintf("%s (%d of %d)", name, answered, of)
}

// InPart takes such a name apart. of is 0 if the check answered all.
func InPart(part string) (name string, answered, of int) {
	name, rest, is := strings.Cut(part, " (")
	if n, _ := fmt.Sscanf(rest, "%d of %d)", &answered, &of); !is || n != 2 {
		return part, 0, 0
	}
	return name, answered, of
}

// Brief replaces a long answer by its hash, which can still be compared.
func Brief(answer string) string {
	if len(answer) <= 100 {
		return answer
	}
	return param.Digest([]byte(answer))
}

// Contradiction is the error of a Task that finished with an answer that its own check refutes,
// such as an invalid solution: the run is wrong, not failed.
type Contradiction struct {
	By  string // what refutes it, for the record's checked_by
	Err error
}

func (c *Contradiction) Error() string { return c.Err.Error() }

// Unwrap returns the check's error.
func (c *Contradiction) Unwrap() error { return c.Err }

// Known is an answer known independently of this program, and its source.
type Known struct{ Answer, Source string }
