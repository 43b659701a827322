package portfolio

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"time"

	"queens/backends"
	"queens/encode/cnf"
)

// A Contestant makes a back-end that counts, in turns.
type Contestant struct {
	Name     string                                                    // of the back-end
	Unit     string                                                    // of its work
	Foresees func() (work float64, takesPart bool)                     // estimates the work of a contestant that starts over in each turn; nil for one that continues
	Turn     func(ctx context.Context, within Allowance) (Turn, error) // an error ends its part in the contest
	Stop     func()                                                    // forgets what it has done; may be nil
}

// Allowance limits a turn.
type Allowance struct {
	Work  uint64
	Bytes int64              // of memory; 0 for no limit
	Look  func(done float64) // to be called at times with the share of the whole that is done
}

// Turn is what a turn came to.
type Turn struct {
	Made     backends.Sampler // which counts, too; nil if the work did not suffice
	Spent    uint64           // work of this turn
	Foresees float64          // further work that it expects to need; 0 if it does not know
	Bytes    int64            // held until the next turn
}

// A Contest counts by the contestant that is first to make its back-end. They take turns: see next. No turn is timed, so
// the same contestant wins in every run. All share one limit of memory: a turn has what the others do not hold, and a
// contestant for which that does not suffice is out.
type Contest struct {
	contestants []Contestant
	first       uint64
	limit       int64
	Hopeless    func(Outlook) // called once, if counting seems hopeless; may be nil

	spent  []uint64
	rest   []float64 // further work that each expects to need
	held   []int64
	began  time.Time
	told   bool
	winner int
	made   backends.Sampler
}

// Outlook says why counting seems hopeless.
type Outlook struct{ Spent, Expected time.Duration }

// When [Contest.Hopeless] is called: after a time in which a person begins to wonder, if the rest would take longer than one waits.
const (
	wonders = 10 * time.Second
	waits   = time.Hour
)

// String says what is expected.
func (o Outlook) String() string {
	expected := "for years"
	if hours := o.Expected.Hours(); hours < 1.5 {
		expected = "for about an hour"
	} else if hours < 10_000 {
		expected = fmt.Sprintf("for about %.0f hours", hours)
	}
	return fmt.Sprintf("after %.0f s, counting would go on %s, unless parts that it has counted recur", o.Spent.Seconds(), expected)
}

// NewContest returns a contest whose first turns have this much work, and whose contestants share a limit of memory; 0
// means no limit.
func NewContest(first uint64, limit int64, contestants ...Contestant) *Contest {
	return &Contest{contestants: contestants, first: max(1, first), limit: limit,
		spent: make([]uint64, len(contestants)), rest: make([]float64, len(contestants)), held: make([]int64, len(contestants))}
}

// Winner returns the name of the back-end that answers; empty before the first question.
func (c *Contest) Winner() string {
	if c.made == nil {
		return ""
	}
	return c.contestants[c.winner].Name
}

// Spent returns the work of all contestants, in their units.
func (c *Contest) Spent() (work backends.Work) {
	for i, by := range c.contestants[:min(len(c.contestants), len(work))] {
		work[i] = backends.Count{Name: by.Name + " " + by.Unit, N: int64(c.spent[i])}
	}
	return work
}

// run lets the contestants take turns until one has made its back-end. The error wraps the limits that all met.
func (c *Contest) run(ctx context.Context) (backends.Sampler, error) {
	if c.made != nil {
		return c.made, ctx.Err()
	}
	c.began = time.Now()
	defer func() {
		for i, by := range c.contestants {
			if by.Stop != nil {
				by.Stop()
				c.held[i] = 0
			}
		}
	}()
	out, in := make([]error, len(c.contestants)), len(c.contestants)
	for i, by := range c.contestants {
		if takesPart := true; by.Foresees != nil {
			if c.rest[i], takesPart = by.Foresees(); !takesPart {
				out[i] = fmt.Errorf("%s: it would take too long", by.Name)
				in--
			}
		}
	}
	for in > 0 {
		i, work := c.next(out)
		by, within := c.contestants[i], Allowance{Work: work, Look: c.look}
		if in == 1 {
			within.Work = math.MaxInt64
		}
		if c.limit > 0 {
			within.Bytes = c.limit
			for k, bytes := range c.held {
				if k != i {
					within.Bytes -= bytes * 3 / 2 // with what it has outgrown
				}
			}
			within.Bytes = max(1, within.Bytes)
		}
		turn, err := by.Turn(ctx, within)
		c.spent[i] += turn.Spent
		c.held[i], c.rest[i] = turn.Bytes, turn.Foresees
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			out[i], c.held[i] = fmt.Errorf("%s: %w", by.Name, err), 0
			in--
		case turn.Made != nil:
			c.winner, c.made = i, turn.Made
			return c.made, nil
		}
	}
	return nil, errors.Join(out...)
}

// believed bounds a forecast: no contestant is taken to need more than this many times what it has spent.
const believed = 8

// next returns the contestant that expects to have spent least when it is done, of those that are not out, and the work
// of its turn: a quarter of what it has spent. So those that expect more than is believed, or do not know, spend equally.
// One that rightly expects less spends eight times as much as each of the others; if all forecasts mislead, the one that
// would be first waits for nine times its work at most. A contestant that starts over in each turn may work twice its estimate.
func (c *Contest) next(out []error) (next int, work uint64) {
	least := math.Inf(1)
	for i, rest := range c.rest {
		if out[i] != nil {
			continue
		}
		spent, turn := float64(c.spent[i]), max(c.first, c.spent[i]/4)
		if c.contestants[i].Foresees != nil {
			turn = max(c.first, uint64(2*rest))
		} else if most := believed * max(spent, float64(c.first)); !(rest > 0 && rest < most) {
			rest = most
		}
		if spent+rest < least {
			next, least, work = i, spent+rest, turn
		}
	}
	return next, work
}

// look tells once that the rest seems to take too long.
func (c *Contest) look(done float64) {
	spent := time.Since(c.began)
	if c.told || c.Hopeless == nil || spent < wonders {
		return
	}
	left := spent.Seconds() * (1 - done) / max(done, 1e-300)
	if left > waits.Seconds() {
		c.told = true
		c.Hopeless(Outlook{spent, time.Duration(min(left, math.MaxInt64/2e9) * float64(time.Second))})
	}
}

// Count implements [backends.Counter].
func (c *Contest) Count(ctx context.Context, assume []cnf.Lit) (*big.Int, error) {
	by, err := c.counter(ctx)
	if err != nil {
		return nil, err
	}
	return by.Count(ctx, assume)
}

// CountEach implements [backends.Counter].
func (c *Contest) CountEach(ctx context.Context, assume []cnf.Lit) (*big.Int, []*big.Int, error) {
	by, err := c.counter(ctx)
	if err != nil {
		return nil, nil, err
	}
	return by.CountEach(ctx, assume)
}

// Samples implements [backends.Sampler].
func (c *Contest) Samples(ctx context.Context, assume []cnf.Lit, seed uint64) iter.Seq2[[]cnf.Lit, error] {
	return func(yield func([]cnf.Lit, error) bool) {
		by, err := c.run(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		by.Samples(ctx, assume, seed)(yield)
	}
}

func (c *Contest) counter(ctx context.Context) (backends.Counter, error) {
	by, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	counter, counts := by.(backends.Counter)
	if !counts {
		return nil, fmt.Errorf("portfolio: %s does not count", c.Winner())
	}
	return counter, nil
}

// bytes returns the bytes held.
func (c *Contest) bytes() (bytes int64) {
	for _, held := range c.held {
		bytes += held
	}
	if c.made != nil {
		bytes += c.made.Stats().Bytes
	}
	return bytes
}

// Counting is a back-end for which a contest counts and draws.
type Counting struct {
	backends.Bounded
	*Contest
}

var _ backends.Counter = Counting{}

// Stats implements [backends.Backend]. It adds what the contest holds.
func (c Counting) Stats() backends.Stats {
	return backends.Stats{Bytes: c.Bounded.Stats().Bytes + c.bytes()}
}
