package tasks

import (
	"context"
	"time"

	"queens/ask"
	"queens/backends/backbones"
	"queens/backends/sat/solvers"
)

// clock times questions to an opened back-end as if an outside SAT solver were linked in.
type clock struct {
	opened  *ask.Opened
	outside *solvers.Client // nil if the back-end asks no program
	piped   time.Duration   // time spent asking the program, beyond its own work

	questions    []ask.Question // asked so far
	first, later float64        // net seconds of the first, and the sum of the others
	untimed      bool           // the program did not report a time
}

// clockOf returns the clock of an opened back-end. If repeat is set, the solver's client remembers its queries.
func clockOf(s *ask.Opened, repeat bool) *clock {
	c := &clock{opened: s}
	if o, is := s.Backend.(interface{ Outside() *solvers.Client }); is {
		c.outside = o.Outside()
		if c.piped, _ = c.outside.Pipe(); repeat {
			c.outside.Keep()
		}
	}
	return c
}

// net returns the seconds of the last answer without the pipe. known is false if an outside program does not
// report its time.
func (c *clock) net(a ask.Answer) (seconds float64, known bool) {
	if extractor, is := c.opened.Backend.(*backbones.Oracle); is {
		took, known := extractor.Reported()
		return took.Seconds(), known
	}
	if c.outside == nil {
		return a.Seconds, true
	}
	before := c.piped
	c.piped, known = c.outside.Pipe()
	return a.Seconds - (c.piped - before).Seconds(), known
}

// add adds the last answer.
func (c *clock) add(q ask.Question, a ask.Answer) {
	net, known := c.net(a)
	if c.untimed = c.untimed || !known; len(c.questions) == 0 {
		c.first = net
	} else {
		c.later += net
	}
	c.questions = append(c.questions, q)
}

// means returns the net seconds of the first answer and the mean of the later ones; both are 0 if an outside
// program did not report its time for one of them.
func (c *clock) means(ctx context.Context) (first, later float64, err error) {
	if len(c.questions) > 1 {
		later = c.later / float64(len(c.questions)-1)
	}
	warm, err := c.again(ctx)
	switch {
	case err != nil || c.untimed:
		return 0, 0, err
	case warm > 0:
		later = warm
	}
	return c.first, later, nil
}

// again repeats the questions and returns the mean net seconds of all but the first. The program gets its
// queries in one batch first, so neither its process nor this one sleeps before each query. It returns 0 if
// the back-end asks no program, if the program does not report its time, or if it has worked for more than a
// second.
func (c *clock) again(ctx context.Context) (mean float64, err error) {
	if c.outside == nil {
		return 0, nil
	}
	if can, err := c.outside.Again(ctx); !can {
		return 0, err
	}
	for i, q := range c.questions {
		a, err := c.opened.Ask(ctx, q)
		if err != nil {
			return 0, err
		}
		if net, _ := c.net(a); i > 0 {
			mean += net / float64(len(c.questions)-1)
		}
	}
	return mean, nil
}
