package main

import (
	"bufio"
	"bytes"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
)

// solutionWriter writes solutions as they come: one a line, or in JSON as elements of a list of the report. It keeps
// none, and the names of the variables are made once.
type solutionWriter struct {
	to      *bufio.Writer
	names   []string // by variable; for JSON quoted
	list    []byte   // of JSON: the field that holds the list, as long as it is empty
	written int
}

// writeSolutions begins a report that holds the solutions in a field, which must be empty. With --json it writes
// what stands before this field.
func writeSolutions(c console, p encode.Problem, report any, field string) (*solutionWriter, error) {
	s := &solutionWriter{to: bufio.NewWriterSize(c.out, 1<<16), names: make([]string, p.NumVars()+1)}
	for v := cnf.Var(1); int(v) <= p.NumVars(); v++ {
		s.names[v] = p.VarName(v)
		if c.json {
			var quoted strings.Builder
			if err := writeJSON(&quoted, s.names[v], ""); err != nil {
				return nil, err
			}
			s.names[v] = strings.TrimSuffix(quoted.String(), "\n")
		}
	}
	if !c.json {
		return s, nil
	}
	s.list = []byte(`"` + field + `": []`)
	before, _, err := s.around(report)
	if err == nil {
		_, err = s.to.Write(before)
	}
	return s, err
}

// around returns the report's JSON before and after the solutions.
func (s *solutionWriter) around(report any) (before, after []byte, err error) {
	var text bytes.Buffer
	err = writeJSON(&text, report, "  ")
	at := bytes.Index(text.Bytes(), s.list) + len(s.list) - 1
	return text.Bytes()[:at], text.Bytes()[at:], err
}

// write writes the variables that a solution makes true.
func (s *solutionWriter) write(solution []cnf.Lit) error {
	buffer := s.to.AvailableBuffer()
	between, indent := " ", ""
	if s.list != nil {
		if s.written > 0 {
			buffer = append(buffer, ',')
		}
		buffer = append(buffer, "\n    ["...)
		between, indent = ",", "\n      "
	}
	some := false
	for _, l := range solution {
		if l < 0 || int(l) >= len(s.names) {
			continue
		}
		if some {
			buffer = append(buffer, between...)
		}
		buffer, some = append(append(buffer, indent...), s.names[l]...), true
	}
	switch {
	case s.list == nil:
		buffer = append(buffer, '\n')
	case some:
		buffer = append(buffer, "\n    ]"...)
	default:
		buffer = append(buffer, ']')
	}
	s.written++
	_, err := s.to.Write(buffer)
	return err
}

// end writes what is left. The report may have changed after the field with the solutions only.
func (s *solutionWriter) end(report any) error {
	if s.list != nil {
		_, after, err := s.around(report)
		if err != nil {
			return err
		}
		if s.written > 0 {
			after = append([]byte("\n  "), after...)
		}
		if _, err := s.to.Write(after); err != nil {
			return err
		}
	}
	return s.to.Flush()
}
