package term

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"queens/board"
	"queens/configure"
	"queens/configure/engines"
	"queens/lab"
)

// countTime limits counting by back-ends that do not count at once.
const countTime = 300 * time.Millisecond

// Player is one person's session and its back-end, which can be changed at any time. It
// is not safe for concurrent use.
type Player struct {
	pool    *engines.Pool
	lease   *engines.Lease
	session *configure.Board
	backend string // as asked for; empty: the best one for n
	order   string
	took    time.Duration // to find last
	last    *configure.View
	counts  *configure.Counts
	counted configure.State // the state that counts is about
	known   bool
}

// Open returns a Player that starts at a state. The error is a *configure.Refusal if the
// state has no completion.
func Open(ctx context.Context, pool *engines.Pool, state configure.State, backend, order string) (*Player, error) {
	p := &Player{pool: pool, backend: backend, order: order}
	oracle, err := p.borrow(ctx, state.N)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if p.session, err = configure.Open(ctx, state, oracle); err != nil {
		p.Close()
		return nil, err
	}
	p.took = time.Since(start)
	p.last, err = p.session.View(ctx) // known by now
	return p, err
}

// Close returns the back-end to the pool.
func (p *Player) Close() {
	if p.lease != nil {
		p.pool.Return(p.lease)
		p.lease = nil
	}
}

// borrow borrows the back-end that is asked for, in place of the one at hand.
func (p *Player) borrow(ctx context.Context, n int) (configure.Oracle, error) {
	lease, err := p.pool.Borrow(ctx, engines.Key{Backend: p.backend, N: n, Order: p.order})
	if err != nil {
		return nil, err
	}
	p.Close()
	p.lease = lease
	return lease.Oracle, nil
}

// Choose changes the back-end, by name, and the variable order of diagrams. The empty name
// of a back-end means the best one for n.
func (p *Player) Choose(ctx context.Context, backend, order string) error {
	oldBackend, oldOrder := p.backend, p.order
	p.backend, p.order = backend, order
	oracle, err := p.borrow(ctx, p.session.State().N)
	if err != nil {
		p.backend, p.order = oldBackend, oldOrder
		return err
	}
	p.session.Use(oracle)
	p.known = false
	return nil
}

// Resize starts over with an empty board of another size.
func (p *Player) Resize(ctx context.Context, n int) error {
	mode := p.session.State().Mode
	next, err := Open(ctx, p.pool, configure.State{N: n, Mode: mode}, p.backend, p.order)
	if err != nil {
		return err
	}
	p.Close()
	*p = *next
	return nil
}

// solutions lists the completions, by a back-end that does so quickly.
func (p *Player) solutions(ctx context.Context) iter.Seq2[[]board.Cell, error] {
	listed, _ := lab.Solutions(ctx, p.pool, p.session, p.lease)
	return listed
}

// View returns what follows from the state, and notes how long that took.
func (p *Player) View(ctx context.Context) (*configure.View, error) {
	start := time.Now()
	view, err := p.session.View(ctx)
	if view != p.last { // otherwise it was known already
		p.last, p.took = view, time.Since(start)
	}
	return view, err
}

// Counts returns the numbers of solutions, or nil if counting takes too long.
func (p *Player) Counts(ctx context.Context) (*configure.Counts, error) {
	if state := p.session.State(); p.known && p.counted.Query() == state.Query() {
		return p.counts, nil
	}
	counts, _, err := lab.Count(ctx, p.pool, p.session, p.lease, countTime)
	if err == nil {
		p.counts, p.counted, p.known = counts, p.session.State(), true
	}
	return counts, err
}

// engineLine says which back-end answers, and at what cost.
func (p *Player) engineLine(view *configure.View) string {
	key := p.lease.Key
	var parts []string
	name := lab.Way(key.Backend, view.Method)
	if d := p.lease.Diagram; d != nil {
		name += ", " + key.Order
		took := time.Duration(d.Seconds * float64(time.Second))
		parts = append(parts, fmt.Sprintf("%d nodes", lab.NodesAsked(d, view.Method)), "compiled in "+short(took))
	}
	for _, w := range view.Work {
		if w.N > 0 && w.Name != "nodes" && w.Name != "nodes created" {
			parts = append(parts, fmt.Sprintf("%d %s", w.N, w.Name))
		}
	}
	return strings.Join(append([]string{name, "answered in " + short(p.took)}, parts...), "; ")
}

func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%d us", max(1, d.Microseconds()))
}

// summary describes the state of the board in one line.
func summary(view *configure.View, counts *configure.Counts) string {
	switch {
	case !view.Satisfiable:
		return "No solution."
	case view.Complete:
		return "Solved: no queen attacks another."
	}
	text := fmt.Sprintf("%d of %d queens, %d valid cells", len(view.Queens()), view.State.N, len(view.Valid))
	if view.State.Mode == configure.Suggest && len(view.Forced) > 0 {
		text += fmt.Sprintf(", %d forced", len(view.Forced))
	}
	switch {
	case counts == nil:
		text += ", many solutions"
	case counts.Total.IsInt64() && counts.Total.Int64() == 1:
		text += ", 1 solution"
	default:
		text += fmt.Sprintf(", %s solutions", counts.Total)
	}
	return text + "."
}

// heat returns a count in at most three characters: 92, 1k4, 14k, 3e5, 2M.
func heat(decimal string) string {
	switch digits := len(decimal); {
	case digits <= 3:
		return decimal
	case digits == 4:
		return decimal[:1] + "k" + decimal[1:2]
	case digits == 5:
		return decimal[:2] + "k"
	case digits == 7 || digits == 8:
		return decimal[:digits-6] + "M"
	case digits <= 10:
		return decimal[:1] + "e" + fmt.Sprint(digits-1)
	}
	return "big"
}

// legend explains the signs.
const legend = "Q queen  q automatic  o valid  ! forced  x attacked  . impossible  # blocked"

// drawBoard draws the board in plain text, with counts, if given, in place of signs.
func drawBoard(view *configure.View, counts *configure.Counts) string {
	return board.Draw(view.State.N, func(c board.Cell) string {
		mark := view.Mark(c)
		if counts != nil && counts.Through != nil &&
			slices.Contains([]configure.Mark{configure.Valid, configure.Forced}, mark) {
			return counts.Through[c.Index(view.State.N)].String()
		}
		return mark.Sign()
	})
}
