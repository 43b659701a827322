package ask

import (
	"strings"

	"queens/encode"
	"queens/order"
)

// Setup is a problem, and who is asked about it, and how: what flags and a run's parameters say.
type Setup struct {
	// Problem family; or cnf:FILE, opb:FILE or uvl:FILE for one of your own, or a pattern for several.
	Problem ProblemName `json:"problem"`
	// Size of the board, or of the family's problem; none for a file.
	N int `json:"n,omitempty" jsonschema:"minimum=1"`
	Choice
}

// Read builds the problem, or reads it from its file, which may give its variables an order.
func (s *Setup) Read() (encode.Problem, order.Order, error) { return s.Problem.read(s.N) }

// Build is [Setup.Read] without the order.
func (s *Setup) Build() (encode.Problem, error) {
	p, _, err := s.Read()
	return p, err
}

// FromFile reports whether the problem is read from a file; then it has no size.
func (s *Setup) FromFile() bool {
	_, path := s.Problem.File()
	return path != ""
}

// Known returns the published number of solutions and its source; both are empty if it is unknown.
func (s *Setup) Known() (count, source string) {
	family, err := encode.FamilyNamed(string(s.Problem))
	if err != nil {
		return "", ""
	}
	known, ok := family.Known(s.N)
	if !ok {
		return "", ""
	}
	return known.String(), family.Source[strings.LastIndexByte(family.Source, ' ')+1:] // A000170
}

// Sized clears the size of a problem that is read from a file. It returns an error for a family without a
// size.
func (s *Setup) Sized() error {
	if s.FromFile() {
		s.N = 0
	} else if s.N == 0 {
		return wrong("n", "expected the size of problem %s", s.Problem)
	}
	return nil
}
