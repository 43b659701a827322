package api

import (
	"time"

	"queens/configure"
	"queens/configure/lesson"
	"queens/configure/pool"
)

// New returns a Service that uses the pool's back-ends, with a time limit per request. If options is not
// nil, the page configures their problem instead of boards.
func New(warm *pool.Pool, options *configure.Options, time time.Duration) *Service {
	s := &Service{pool: warm, options: options, time: time}
	s.ops = []Operation{
		op("about", "What this server offers: back-ends, variable orders, limits", never[struct{}], s.about),
		click("board", "What follows from a placement: valid and forced cells, and quick counts",
			s, func(_ BoardRequest, key pool.Key) bool { return warm.Slow(key) }, s.board),
		click("count", "The numbers of solutions, all and through each cell",
			s, func(Board, pool.Key) bool { return true }, s.count),
		click("explain", "Why a cell can or cannot hold a queen",
			s, func(_ ExplainRequest, key pool.Key) bool { return warm.Slow(key) }, s.explain),
		click("solutions", "Some of the completions of a placement",
			s, func(r SolutionsRequest, key pool.Key) bool { return r.Offset > 100 || warm.Slow(key) }, s.solutions),
		op("compare", "The valid cells by every back-end, with times and work",
			always[Ordered], s.compare),
		op("orders", "The diagrams of a board in several variable orders", always[OrdersRequest], s.orders),
		op("diagram", "A small diagram to draw, with the paths that a placement allows",
			never[DiagramRequest], s.diagram),
		op("build", "How a small diagram grows while rules are conjoined, one at a time",
			func(r BuildRequest) bool { return r.N > 4 }, s.build),
		op("improve", "A short search for a variable order with a smaller diagram", always[ImproveRequest], s.improve),
		op("quiz", "A question for a class, with its answer", always[lesson.QuizRequest], s.quiz),
		op("choose", "What follows from decisions about the options of the problem that is served",
			never[ChooseRequest], s.choose),
		op("why", "What rules out an option of that problem, or every configuration",
			func(r WhyRequest) bool { return r.Literal == "" }, s.whyNot),
		op("repair", "The course of a local search, to be animated",
			func(r RepairRequest) bool { return r.N > 12 }, s.repair),
	}
	return s
}

func always[Request any](Request) bool { return true }

func never[Request any](Request) bool { return false }
