package pool

import (
	"cmp"
	"slices"
	"strings"

	"queens/ask"
	"queens/internal/param"
)

// The policy for interactive use: which back-end answers while a person waits.

const (
	// repaid is the largest board whose diagram compiles within a tenth of a second. A session's later
	// questions repay that time.
	repaid = 12
	// mostOpen is the number of rows without a queen beyond which counting by search takes longer
	// than anyone would wait: 14.8 million solutions at n = 16.
	mostOpen = 16
	// mostListed is the largest board whose solutions a solver lists, with one blocking clause per
	// solution; on larger boards search lists them.
	mostListed = 12
	// mostAtOnce is the largest board whose diagram compiles in a few milliseconds on a server that
	// others use as well.
	mostAtOnce = 9
	// mostQuick is the largest board about which the portfolio answers in a few milliseconds.
	mostQuick = 100
)

// WhoCounts returns the back-end that counts the completions of a board with open rows left fast enough
// for interactive use: the session's own if it counts at once, otherwise search; none if search would
// take longer.
func WhoCounts(own ask.Descriptor, open int) ask.BackendName {
	switch {
	case own.AtOnce:
		return ask.BackendName(own.Name)
	case open > mostOpen:
		return ""
	}
	return ask.Search
}

// WhoLists returns the back-end that lists the solutions of a board of size n: the session's own,
// unless that would be slow.
func WhoLists(own ask.Descriptor, n int) ask.BackendName {
	if own.AtOnce || n <= mostListed {
		return ask.BackendName(own.Name)
	}
	return ask.Search
}

// mostKeys is the number of keys that the pool remembers: making one for a large board takes longer
// than a click.
const mostKeys = 1000

// Key returns the key for a choice about a board of size n, or about the pool's own problem. It fills
// in what the choice leaves open with what suits a session; an order without a back-end applies only if a
// diagram is chosen. It returns an *UnsupportedError for a request that cannot be served, with the
// message of [ask.Resolve].
func (p *Pool) Key(n int, c ask.Choice) (Key, error) {
	if n == 0 && p.own != nil {
		return p.ownKey()
	}
	wanted := Key{n, c}
	p.mu.Lock()
	made, known := p.keys[wanted]
	p.mu.Unlock()
	if known {
		return made, nil
	}
	made, err := p.resolve(n, c)
	if err != nil {
		return made, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.keys) == mostKeys {
		clear(p.keys)
	}
	p.keys[wanted] = made
	return made, nil
}

func (p *Pool) resolve(n int, c ask.Choice) (Key, error) {
	if n < 1 || n > p.limits.MaxN {
		return Key{}, unsupported("board size n = %d: expected 1 to %d", n, p.limits.MaxN)
	}
	problem, _, err := p.problem(n)
	if err != nil {
		return Key{}, err
	}
	saved := p.savedOf(n)
	if c == (ask.Choice{Order: c.Order}) {
		if c.Backend = p.suits(n); c.Backend != ask.Diagram {
			c.Order = ""
		} else if saved != nil && !slices.Contains(saved, c.Order) {
			c.Order = saved[0]
		}
	}
	o := cmp.Or(c.Order, ask.RowMajor)
	by, _ := ask.Named(string(c.Backend), ask.Valid)
	isSaved := by.Reads("diagram") && slices.Contains(saved, o) && c.Construction == "" && !c.Sift.Changes()
	if isSaved {
		c.Order = "" // the order's name may be that of its file
	}
	plan, err := ask.Resolve(problem, c, ask.Valid)
	if err != nil {
		return Key{}, &UnsupportedError{err}
	}
	made := Key{n, plan.ForSessions(c).Choice}
	if plan.Descriptor.Reads("order") {
		made.Order = o
	}
	switch {
	case isSaved:
		made.Construction = ""
		return made, nil
	case !plan.Descriptor.Builds:
		return made, nil
	case plan.Descriptor.Reads("diagram") && saved != nil && n > p.limits.MaxBDD:
		return Key{}, unsupported("board size n = %d: its saved diagrams have the orders %s, not %s", n,
			strings.Join(param.Texts(saved), ", "), o)
	}
	if n > p.limits.MaxBDD {
		return Key{}, unsupported("board size n = %d: back-end %s takes 1 to %d here; larger boards are for %s", n,
			made.Backend, p.limits.MaxBDD, strings.Join(largest(), ", "))
	}
	return made, nil
}

// suits returns the back-end that suits a session on a board of size n: the diagram if it is saved or
// compiles quickly.
func (p *Pool) suits(n int) ask.BackendName {
	if p.savedOf(n) != nil || n <= min(repaid, p.limits.MaxBDD) {
		return ask.Diagram
	}
	return ask.Portfolio
}

// largest lists the back-ends that take boards of any size.
func largest() []string {
	return ask.Names(slices.DeleteFunc(ask.Able(ask.Valid), func(d ask.Descriptor) bool { return d.Builds }))
}

// Slow reports whether a key takes long to answer, because a diagram must be compiled first or the board
// is large.
func (p *Pool) Slow(key Key) bool {
	by, err := ask.Named(string(key.Backend), 0)
	return slow(key.N, err != nil || !by.Reads("diagram") || p.holds(key))
}

// slow reports whether an answer about a board of size n takes longer than a few milliseconds. ready says
// that the back-end is ready.
func slow(n int, ready bool) bool { return n > mostQuick || n > mostAtOnce && !ready }
