package configure

import (
	"fmt"
	"slices"
	"strconv"

	"queens/board"
	"queens/encode"
	"queens/encode/cnf"
)

// Mode says what happens to forced cells.
type Mode uint8

const (
	Off     Mode = iota // forced cells are valid cells like any other
	Suggest             // forced cells are marked
	Place               // forced cells get their queens at once
)

// String names the mode: off, suggest, place.
func (m Mode) String() string { return [...]string{"off", "suggest", "place"}[m] }

// ParseMode is the inverse of [Mode.String].
func ParseMode(s string) (Mode, error) {
	for m := Off; m <= Place; m++ {
		if m.String() == s {
			return m, nil
		}
	}
	return Off, fmt.Errorf("forced mode %q: expected off, suggest or place", s)
}

// MarshalText writes the mode as its name.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a mode's name.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMode(string(text))
	return err
}

// State is what a person has decided; everything else follows from it. Values
// are never changed in place, so states may be kept and shared.
type State struct {
	N       int          `json:"n" jsonschema:"minimum=1"`
	Placed  []board.Cell `json:"placed,omitempty"` // in order of placing
	Blocked []board.Cell `json:"blocked,omitempty"`
	Mode    Mode         `json:"forced,omitempty"` // what happens to forced cells: off, suggest, place
}

// Check returns an error if the state is malformed: a board size out of range,
// a cell off the board or given twice. It does not check
// whether there is a completion.
func (s State) Check() error {
	if s.N < 1 { // whoever asks a back-end says how large a board may be
		return fmt.Errorf("board size n = %d: expected 1 or more", s.N)
	}
	if s.N > encode.MaxN {
		return fmt.Errorf("board size n = %d: expected at most %d", s.N, encode.MaxN)
	}
	if err := board.CheckCells(s.N, s.Placed); err != nil {
		return fmt.Errorf("placed queens: %w", err)
	}
	if err := board.CheckCells(s.N, s.Blocked); err != nil {
		return fmt.Errorf("blocked cells: %w", err)
	}
	for _, c := range s.Blocked {
		if slices.Contains(s.Placed, c) {
			return fmt.Errorf("cell %s is both placed and blocked", c)
		}
	}
	return nil
}

// Assumptions returns the state's decisions as literals.
func (s State) Assumptions() []cnf.Lit {
	return append(encode.Literals(s.N, s.Placed, true), encode.Literals(s.N, s.Blocked, false)...)
}

// Query returns the state as a URL's query (or fragment):
// n=8&q=a1,c2&x=d4&forced=place. Empty lists and the default mode (off) are left out.
func (s State) Query() string {
	text := "n=" + strconv.Itoa(s.N)
	if len(s.Placed) > 0 {
		text += "&q=" + board.FormatCells(s.Placed)
	}
	if len(s.Blocked) > 0 {
		text += "&x=" + board.FormatCells(s.Blocked)
	}
	if s.Mode != Off {
		text += "&forced=" + s.Mode.String()
	}
	return text
}
