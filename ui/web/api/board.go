package api

import (
	"context"
	"slices"
	"time"

	"queens/configure"
	"queens/configure/lesson"
)

// countTime limits counting by search, which can take very long.
const countTime = 2 * time.Second

// AboutAnswer lists what this server offers.
type AboutAnswer struct {
	Backends []lesson.NamedBackend `json:"backends"`
	Orders   []lesson.NamedOrder   `json:"orders"`
	MaxN     int                   `json:"max_n"`
	MaxBDD   int                   `json:"max_bdd"`
	// MaxDiagram is the largest board whose diagram is drawn.
	MaxDiagram int `json:"max_diagram"`
	// MaxBuilt is the largest board whose diagram is built rule by rule.
	MaxBuilt int `json:"max_built"`
	// Problem is what is configured instead of a board; absent if that is a board.
	Problem *ProblemAbout `json:"problem,omitempty"`
}

// ProblemAbout describes a problem without a board.
type ProblemAbout struct {
	Title  string            `json:"title"`
	Groups []configure.Group `json:"groups"`
	// Picture shows the options on a board, in the order of the groups; absent if they have none.
	Picture *configure.Picture `json:"picture,omitempty"`
}

func (s *Service) about(context.Context, struct{}) (AboutAnswer, error) {
	limits := s.pool.Limits()
	var problem *ProblemAbout
	if s.options != nil {
		problem = &ProblemAbout{s.options.Title, s.options.Groups, s.options.Picture}
	}
	return AboutAnswer{Problem: problem,
		Backends: lesson.Backends(), Orders: lesson.Orders(s.pool), MaxN: limits.MaxN, MaxBDD: limits.MaxBDD,
		MaxDiagram: lesson.MaxDrawn,
		MaxBuilt:   lesson.MaxBuilt,
	}, nil
}

// BoardRequest asks what follows from a placement.
type BoardRequest struct {
	Board
	// Counts asks for the numbers of solutions too, where they cost no search; see the operation count.
	Counts bool `json:"counts,omitempty"`
}

// BoardAnswer is what follows from a placement.
type BoardAnswer struct {
	N           int      `json:"n"`
	Placed      []string `json:"placed"`
	Blocked     []string `json:"blocked"`
	Satisfiable bool     `json:"satisfiable"`
	Complete    bool     `json:"complete"`
	// Marks has one character per cell, row by row from a1: Q placed, q placed
	// automatically, ! forced, o valid, x attacked, . invalid, # blocked.
	Marks   string       `json:"marks"`
	Valid   []string     `json:"valid"`
	Forced  []string     `json:"forced"`
	Reasons []Reason     `json:"reasons"` // one per forced cell, in the same order
	Refused *Refused     `json:"refused,omitempty"`
	Counts  *CountAnswer `json:"counts,omitempty"`
	Engine  Engine       `json:"engine"`
}

// Reason says why a cell is forced.
type Reason struct {
	Cell     string   `json:"cell"`
	Line     string   `json:"line"`
	Cells    []string `json:"cells"` // of the line
	LastFree bool     `json:"last_free"`
	Text     string   `json:"text"`
}

// Refused names the first decision that leaves no completion.
type Refused struct {
	Action      string       `json:"action"`
	Text        string       `json:"text"`
	Explanation *lesson.Walk `json:"explanation,omitempty"`
}

// CountAnswer holds the numbers of solutions, as decimal text.
type CountAnswer struct {
	Total   string   `json:"total"`
	Through []string `json:"through"` // row by row
	Backend string   `json:"backend"` // the one that counted
	Seconds float64  `json:"seconds"`
}

// Engine says which back-end answered and what it cost.
type Engine struct {
	Backend string           `json:"backend"`
	Name    string           `json:"name"` // for display: the back-end and how it answered
	Order   string           `json:"order,omitempty"`
	Nodes   int              `json:"nodes,omitempty"`   // of the diagram that the method reads
	Compile float64          `json:"compile,omitempty"` // seconds, once
	Seconds float64          `json:"seconds"`           // of this answer
	Work    map[string]int64 `json:"work,omitempty"`
}

func (s *Service) board(ctx context.Context, on *placed, r BoardRequest) (*BoardAnswer, error) {
	if on.refused != nil {
		answer := boardAnswer(configure.Bare(r.State))
		answer.Refused = &Refused{Action: on.refused.Action, Text: on.refused.Error()}
		if on.refused.Explanation != nil {
			answer.Refused.Explanation = lesson.NewWalk(r.N, *on.refused.Explanation)
		}
		answer.Engine = engine(on, nil)
		return answer, nil
	}
	view, err := on.View(ctx)
	if err != nil {
		return nil, err
	}
	answer := boardAnswer(view)
	answer.Engine = engine(on, view.Work.Map())
	if r.Counts && on.lease.Descriptor.AtOnce { // a click must not wait for a search
		answer.Counts, err = s.counts(ctx, on)
	}
	return answer, err
}

// boardAnswer returns the answer that describes a view.
func boardAnswer(view *configure.View) *BoardAnswer {
	n := view.State.N
	a := &BoardAnswer{
		N: n, Placed: lesson.Names(view.State.Placed), Blocked: lesson.Names(view.State.Blocked),
		Satisfiable: view.Satisfiable, Complete: view.Complete,
		Valid: lesson.Names(view.Valid), Forced: []string{}, Reasons: []Reason{},
	}
	marks := make([]byte, 0, n*n)
	for _, m := range view.Marks {
		marks = append(marks, m.Sign()...)
	}
	a.Marks = string(marks)
	for _, f := range view.Forced {
		a.Forced = append(a.Forced, f.Cell.String())
		a.Reasons = append(a.Reasons, Reason{
			Cell: f.Cell.String(), Line: f.Line.Name(n), Cells: lesson.Names(f.Line.Cells(n)),
			LastFree: f.LastFree, Text: f.Sentence(n),
		})
	}
	return a
}

func engine(on *placed, work map[string]int64) Engine {
	key := on.lease.Key
	e := Engine{
		Backend: string(key.Backend), Name: on.lease.Descriptor.MethodTitle(string(key.Method)), Order: string(key.Order),
		Nodes: on.lease.Nodes(), Seconds: lesson.Seconds(on.began), Work: work,
	}
	if diagram := on.lease.Diagram; diagram != nil {
		e.Compile = diagram.Seconds
	}
	return e
}

// CountOutcome is the answer to a request for the counts alone.
type CountOutcome struct {
	// Counts is absent when counting takes longer than two seconds. For a placement without a completion, all
	// counts are 0.
	Counts *CountAnswer `json:"counts,omitempty"`
}

func (s *Service) count(ctx context.Context, on *placed, of Board) (*CountOutcome, error) {
	if on.refused != nil {
		none := slices.Repeat([]string{"0"}, of.N*of.N)
		return &CountOutcome{&CountAnswer{Total: "0", Through: none, Backend: on.lease.Descriptor.Name}}, nil
	}
	counts, err := s.counts(ctx, on)
	return &CountOutcome{counts}, err
}

// counts returns the numbers of solutions; nil if counting takes longer than countTime.
func (s *Service) counts(ctx context.Context, on *placed) (*CountAnswer, error) {
	start := time.Now()
	counts, by, err := lesson.Count(ctx, s.pool, on.Board, on.lease, countTime)
	if err != nil || counts == nil {
		return nil, err
	}
	answer := &CountAnswer{Total: counts.Total.String(), Backend: by, Through: make([]string, len(counts.Through))}
	for i, count := range counts.Through {
		answer.Through[i] = count.String()
	}
	answer.Seconds = lesson.Seconds(start)
	return answer, nil
}
