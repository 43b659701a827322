package robdd

import "fmt"

// Kind says what an edge that skips a level means.
type Kind uint8

const (
	// BDD: the skipped variable may be true or false (reduced: no node has low ==
	// high).
	BDD Kind = iota
	// ZDD: the skipped variable is false (reduced: no node has high == 0).
	ZDD
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{BDD, ZDD} }

// String returns "bdd" or "zdd".
func (k Kind) String() string { return [...]string{"bdd", "zdd"}[k] }

// ParseKind reads "bdd" or "zdd".
func ParseKind(name string) (Kind, error) {
	for _, k := range Kinds() {
		if name == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("diagram %q: expected bdd or zdd", name)
}
