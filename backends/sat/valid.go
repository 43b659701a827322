package sat

import (
	"context"

	"queens/backends"
)

// A validMethod settles all targets of a question in one way.
type validMethod struct {
	name string
	find func(context.Context, *question) error
}

// methods lists the ways, the best in general first.
var methods = []validMethod{
	{"pack", pack},
	{"core", core},
	{"reuse", reuse},
	{"per-cell", perCell},
}

// perCell asks for every target, whatever is known. It is the way one thinks of
// first, and the baseline.
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

// reuse asks only for targets that no model so far has shown: on a board each model
// shows n.
func reuse(ctx context.Context, q *question) error {
	for t := range q.targets {
		if q.isOpen(t) {
			if err := settle(ctx, q, t); err != nil || q.refuted {
				return err
			}
		}
	}
	return nil
}

// settle asks for one target: the model shows it, or it is refuted.
func settle(ctx context.Context, q *question, t int) error {
	status, _, err := q.ask(ctx, t)
	switch {
	case err != nil:
		return err
	case status == backends.Sat:
		q.show()
	default:
		q.refute(t)
	}
	return nil
}
