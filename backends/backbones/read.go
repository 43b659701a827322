package backbones

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"queens/encode/cnf"
	"queens/internal/system/program"
)

// said is the content of an extractor's output.
type said struct {
	backbone []cnf.Lit
	unsat    bool
	took     time.Duration // processor time that it reports
	told     bool          // it reports a time
}

// read takes the backbone from an output: lines b LITERAL and at the end b 0, as CadiBack prints it; or v LITERALS and
// then i complete, as minibones does; or s UNSATISFIABLE. A literal may come more than once. vars is the number of variables in
// the file.
func read(output string, code, vars int) (s said, err error) {
	s.unsat = code == 20
	ended, sat := false, false
	held := map[cnf.Lit]bool{}
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "i":
			ended = ended || len(words) > 1 && words[1] == "complete" && !s.unsat
		case "b", "v":
			for _, word := range words[1:] {
				number, err := strconv.Atoi(word)
				l := cnf.Lit(number)
				switch {
				case err != nil || number < -vars || number > vars:
					return s, fmt.Errorf("it names literal %s of a file with %d variables", program.Clip(word), vars)
				case ended:
					return s, fmt.Errorf("it names literal %d after the end, b 0", l)
				case held[l.Not()] && l != 0:
					return s, fmt.Errorf("it names literal %d and its negation", l)
				case l == 0: // at the end of a line v, as of a solver's model, it does not say that all is printed
					ended = words[0] == "b"
				case !held[l]:
					held[l] = true
					s.backbone = append(s.backbone, l)
				}
			}
		case "s":
			if len(words) > 1 {
				s.unsat = s.unsat || strings.HasPrefix(words[1], "UNSAT")
				sat = sat || words[1] == "SATISFIABLE"
			}
		case "c":
			s.time(words[1:])
		}
	}
	switch {
	case s.unsat && (sat || ended || code == 10):
		return s, errors.New("it says that there is a model and that there is none")
	case !s.unsat && !ended:
		return s, errors.New("its output has no end: expected lines b LITERAL and then b 0, or a line v LITERALS and i complete, " +
			"or s UNSATISFIABLE")
	}
	return s, nil
}

// time reads a comment with the time, as CaDiCaL writes it: total process time since initialization: 0.01 seconds.
func (s *said) time(words []string) {
	text := strings.Join(words, " ")
	rest, is := strings.CutPrefix(text, "total process time since initialization:")
	if !is {
		return
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "seconds")), 64)
	if err == nil && seconds >= 0 {
		s.took, s.told = time.Duration(seconds*float64(time.Second)), true
	}
}
