package sat

import (
	"context"

	"queens/backends"
)

// A validMethod is one way to settle all targets of a question.
type validMethod struct {
	name string
	find func(context.Context, *question) error
}

// methods lists the methods; the one that is best in general comes first.
var methods = []validMethod{
	{"pack", pack},
	{"core", core},
	{"reuse", reuse},
	{"per-cell", perCell},
}

// perCell asks for every target, whatever is already known. It is the obvious
// method, and the baseline.
func perCell(ctx context.Context, q *question) error {
	for t := range q.targets {
		status, _, err := q.ask(ctx, t)
		if err != nil || q.refuted {
			return err
		}
		if status == backends.Sat {
			q.see(t)
		} else {
			q.refute(t)
		}
	}
	return nil
}

// reuse asks only for targets that no model so far has shown; on a board each model
// shows n of them.
func reuse(ctx context.Context, q *question) error {
	for t := range q.targets {
		if !q.open[t] {
			continue
		}
		status, _, err := q.ask(ctx, t)
		switch {
		case err != nil || q.refuted:
			return err
		case status == backends.Sat:
			q.show()
		default:
			q.refute(t)
		}
	}
	return nil
}
