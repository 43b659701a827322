package lesson

import (
	"fmt"

	"queens/ask"
	"queens/configure/pool"
	"queens/order"
)

// InputError is the error for an invalid question: the caller's mistake.
type InputError struct{ Reason string }

func (e *InputError) Error() string { return e.Reason }

func badInput(format string, args ...any) error {
	return &InputError{Reason: fmt.Sprintf(format, args...)}
}

// NamedOrder is a variable order and why anyone would try it.
type NamedOrder struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	// N is the only board size for which the order exists; 0 if it exists for
	// all.
	N int `json:"n,omitempty"`
}

// NamedBackend is a back-end that a session can use.
type NamedBackend struct {
	Name  string `json:"name"`
	Title string `json:"title"` // its name for people
	Doc   string `json:"doc"`   // how it answers
	// Uses lists the fields of a choice that it reads, apart from backend and method.
	Uses []string `json:"uses"`
}

// Backends lists the back-ends that a session can use.
func Backends() []NamedBackend {
	var list []NamedBackend
	for _, b := range ask.Able(ask.Valid) {
		list = append(list, NamedBackend{b.Name, b.Title, b.Doc, append([]string{}, b.Uses...)})
	}
	return list
}

// Orders lists the named variable orders, and those of the pool's loaded diagrams
// that have only a file name.
func Orders(warm *pool.Pool) []NamedOrder {
	var list []NamedOrder
	for _, o := range order.All() {
		list = append(list, NamedOrder{Name: o.Name, Reason: o.Reason})
	}
	for _, key := range warm.Loaded() {
		if _, err := order.ByName(string(key.Order)); err != nil {
			reason := fmt.Sprintf("of a saved diagram, n = %d", key.N)
			list = append(list, NamedOrder{Name: string(key.Order), Reason: reason, N: key.N})
		}
	}
	return list
}
