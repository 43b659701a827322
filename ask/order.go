package ask

import (
	"bytes"
	"strings"

	"queens/encode"
	"queens/internal/param"
	"queens/order"
)

// OrderName is the name of a variable order, or file: and the path of an order file, in which {n}
// stands for the size of the problem.
type OrderName string

var (
	_ param.Patterned = OrderName("")
	_ param.Pinned    = OrderName("")
)

// Values lists the named orders.
func (OrderName) Values() []string {
	return namesOf(order.All(), func(o order.Named) string { return o.Name })
}

// Pattern accepts any seed and any order file.
func (OrderName) Pattern() (expression, title string) {
	return "^((force|random):[0-9]{1,19}|file:.+)$", "force:SEED, random:SEED or file:PATH"
}

// Estimate is the order that chooses among others.
const Estimate OrderName = "estimate"

// orderFile is the prefix of the name of an order read from a file.
const orderFile = "file:"

// Pin implements [param.Pinned].
func (o OrderName) Pin() ([]string, error) {
	if strings.Contains(string(o), param.SizeInName) { // pinned for each size
		return []string{string(o)}, nil
	}
	pin, err := o.pin(0)
	return []string{pin}, err
}

// IsFile reports whether the order is read from a file.
func (o OrderName) IsFile() bool { return strings.HasPrefix(string(o), orderFile) }

// Pinned returns the name with the hash of its file's content, if it names a file, which must hold
// the problem's variables. A pinned file that has gone or changed is left to the run.
func (o OrderName) Pinned(p encode.Problem) (OrderName, error) {
	if !o.IsFile() {
		return o, nil
	}
	pin, err := o.pin(p.N)
	if err != nil && param.Unpinned(string(o)) != string(o) {
		return o, nil
	}
	if _, _, err := o.For(p, nil); err != nil {
		return o, err
	}
	return OrderName(pin), nil
}

// pin adds the hash of an order file for problems of size n.
func (o OrderName) pin(n int) (string, error) {
	file, isFile := strings.CutPrefix(string(o), orderFile)
	if !isFile {
		return string(o), nil
	}
	_, _, pin, err := param.PinFile(file, n)
	return orderFile + pin, err
}

// OfBoard returns the order for an empty board of queens of size n.
func (o OrderName) OfBoard(n int) (order.Order, error) {
	p, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, wrong("n", "%v", err)
	}
	made, _, err := o.For(p, nil)
	return made, err
}

// For returns the order of a problem's variables, and its name for people, who want to know what
// an empty name or estimate stands for. The empty name is the order of the problem's own file, if
// it came with one; otherwise row-major for what lies on a board, and estimate for the rest. The name of
// an order file is own, too, if there is one: who passes it has read the file.
func (o OrderName) For(p encode.Problem, own order.Order) (made order.Order, name OrderName, err error) {
	switch {
	case o == "" && own != nil:
		return own, "the file's", nil
	case o.IsFile() && own != nil:
		return own, o, nil
	case o == "" && p.Place != nil:
		o = "row-major"
	case o == "":
		o = Estimate
	}
	if o == Estimate {
		made, from := order.Estimate(p)
		return made, Estimate + ": " + OrderName(from), nil
	}
	if file, isFile := strings.CutPrefix(string(o), orderFile); isFile {
		content, path, _, err := param.PinFile(file, p.N)
		if err != nil {
			return nil, o, wrong("order", "reading order file: %v", err)
		}
		if made, err = order.Read(bytes.NewReader(content), path, p.Names); err != nil {
			return nil, o, wrong("order", "%v", err)
		}
		return made, o, nil
	}
	named, err := order.ByName(string(o))
	if err != nil {
		return nil, o, &param.Error{Field: "order", Text: param.Wrong(o, string(o))}
	}
	if made, err = named.For(p); err != nil {
		return nil, o, wrong("order", "%v", err)
	}
	return made, o, nil
}
