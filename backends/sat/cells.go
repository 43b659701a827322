package sat

import (
	"context"

	"queens/backends"
)

// perCell asks for every target that is not ruled out, known or not. It is the obvious method, and the
// baseline.
func perCell(ctx context.Context, q *question) error {
	for t := range q.targets {
		if !q.open[t] && !q.shown[t] {
			continue
		}
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

// reuse asks only for targets that no model has shown so far. On a board of queens each model
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
			if err := q.show(ctx); err != nil {
				return err
			}
		default:
			q.refute(t)
		}
	}
	return nil
}
