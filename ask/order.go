package ask

import (
	"bytes"
	"context"
	"strings"

	"queens/encode"
	"queens/internal/param"
	"queens/internal/system"
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

// Estimate names the order that chooses among other orders.
const Estimate OrderName = "estimate"

// RowMajor names the order that a board has unless another is asked for.
const RowMajor OrderName = order.RowMajor

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

// Pinned adds the hash of the file's content to the name of an order file. It returns an error if the file
// does not order the problem's variables. If a file that is already pinned is missing or has changed, it
// returns the name as it is, and the run reports the error.
func (o OrderName) Pinned(p encode.Problem) (OrderName, error) {
	if !o.IsFile() {
		return o, nil
	}
	pin, err := o.pin(p.N)
	if err != nil && param.Unpinned(string(o)) != string(o) {
		return o, nil
	}
	if _, _, err := o.For(context.Background(), p, nil); err != nil {
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
	made, _, err := o.For(context.Background(), p, nil)
	return made, err
}

// mostOrder is the maximum size of an order file in bytes.
const mostOrder = 64 << 20

// Read reads the order file that is named on a command line, where nothing in a file's name is special and -
// is standard input. It returns nil if o names no file.
func (o OrderName) Read(names encode.Names) (order.Order, error) {
	path, isFile := strings.CutPrefix(string(o), orderFile)
	if !isFile {
		return nil, nil
	}
	content, file, err := system.ReadInput(path, mostOrder)
	if err != nil {
		return nil, wrong("order", "reading order file: %v", err)
	}
	made, err := order.Read(bytes.NewReader(bytes.TrimPrefix(content, []byte(param.ByteOrderMark))), file, names)
	if err != nil {
		return nil, wrong("order", "%v", err)
	}
	return made, nil
}

// For returns the order of a problem's variables, and a name to display, which says what an empty name or
// estimate stands for. own is the order that came with the problem's file; nil if there is none. The empty
// name means own, or without it row-major for problems on a board and estimate for others. The name of an
// order file also means own if that is set, because the caller has read the file.
func (o OrderName) For(
	ctx context.Context, p encode.Problem, own order.Order,
) (made order.Order, name OrderName, err error) {
	switch {
	case o == "" && own != nil:
		return own, "the file's", nil
	case o.IsFile() && own != nil:
		return own, o, nil
	case o == "" && p.Place != nil:
		o = RowMajor
	case o == "":
		o = Estimate
	}
	if o == Estimate {
		made, from, err := order.Estimate(ctx, p)
		return made, Estimate + ": " + OrderName(from), err
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
	made, err = named.For(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil, o, ctx.Err()
	case err != nil:
		return nil, o, wrong("order", "%v", err)
	}
	return made, o, nil
}
