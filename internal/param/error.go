package param

import "strings"

// Error says what is wrong with a parameter. The caller replaces Field, the JSON name, by the form that
// the user wrote: --order, axes.order[1], "order".
type Error struct {
	Field string
	// Text says what is wrong. It begins with the value in quotes if the value is at fault.
	Text string
}

func (e *Error) Error() string {
	if strings.HasPrefix(e.Text, `"`) {
		return e.Field + " " + e.Text
	}
	return e.Field + ": " + e.Text
}

// Unsuited is the error of parameters that do not fit each other, such as a back-end and a problem that
// it does not accept. Why may be empty if the reason is plain.
type Unsuited struct{ Why string }

func (e *Unsuited) Error() string { return e.Why }
