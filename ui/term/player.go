package term

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"queens/ask"
	"queens/board"
	"queens/configure"
	"queens/configure/lesson"
	"queens/configure/pool"
)

// countTime limits counting by back-ends that do not count at once.
const countTime = 300 * time.Millisecond

// Player is one person's session on a board and its back-end, which the person can change at any time. It
// is not safe for concurrent use.
type Player struct {
	pool    *pool.Pool
	lease   *pool.Lease
	session *configure.Board
	backend string // as requested; empty means the best one for n
	order   string
	took    time.Duration // to find last
	last    *configure.View
}

var _ Game = (*Player)(nil)

// Open returns a Player that starts at a state. The error is a *configure.Refusal if the
// state has no completion.
func Open(ctx context.Context, warm *pool.Pool, state configure.State, backend, order string) (*Player, error) {
	p := &Player{pool: warm}
	err := p.borrow(ctx, state.N, backend, order)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if p.session, err = configure.Open(ctx, state, p.lease); err != nil {
		return nil, err
	}
	p.took = time.Since(start)
	p.last, err = p.session.View(ctx) // already known from opening the session
	return p, err
}

// borrow borrows a back-end to replace the current one.
func (p *Player) borrow(ctx context.Context, n int, backend, order string) error {
	choice := ask.Choice{Backend: ask.BackendName(backend), Order: ask.OrderName(order)}
	if by, err := ask.Named(backend, 0); err == nil && !by.Reads("order") {
		choice.Order = "" // kept for the next back-end
	}
	lease, err := p.pool.Lend(ctx, n, choice)
	if err != nil {
		return err
	}
	if p.lease != nil {
		p.pool.Return(p.lease)
	}
	p.lease, p.backend, p.order = lease, backend, order
	return nil
}

// choose changes the back-end and the variable order of diagrams, by name. An empty back-end means the
// best one for n.
func (p *Player) choose(ctx context.Context, backend, order string) error {
	err := p.borrow(ctx, p.session.State().N, backend, order)
	if err == nil {
		p.session.Use(p.lease)
	}
	return err
}

// resize starts over with an empty board of another size.
func (p *Player) resize(ctx context.Context, n int) error {
	if err := p.borrow(ctx, n, p.backend, p.order); err != nil {
		return err
	}
	mode := p.session.State().Mode
	p.session = configure.New(n, p.lease)
	p.session.SetMode(mode)
	return nil
}

// commands implements [Game].
func (p *Player) commands() []command {
	return append([]command{
		{"place CELL", "place a queen on a valid cell", p.on((*configure.Board).Place)},
		{"remove CELL", "take a queen back", p.on((*configure.Board).Remove)},
		{"block CELL", "keep a cell empty", p.on((*configure.Board).Block)},
		{"unblock CELL", "allow it again", p.on((*configure.Board).Unblock)},
		{"forced [off|suggest|place]", "list the forced cells with their reasons, or say what to do with them", p.forced},
		{"show", "show the board and a summary", p.count(func(view *configure.View, counts *configure.Counts) string {
			return drawBoard(view, nil) + summary(view, counts)
		})},
		{"heat", "show the number of solutions through each cell", p.count(
			func(view *configure.View, counts *configure.Counts) string {
				return drawBoard(view, counts) + summary(view, counts)
			})},
		{"valid", "list the valid cells", p.tell(func(view *configure.View) string {
			return orNone(board.FormatCells(view.Valid))
		})},
		{"count", "show the number of solutions", p.count(func(_ *configure.View, counts *configure.Counts) string {
			if counts == nil {
				return fmt.Sprintf("too many to count in %v", countTime)
			}
			return counts.Total.String()
		})},
		{"solutions [K]", "list the first K solutions; K is 1 by default", p.list},
		{"explain CELL", "say why the cell can or cannot hold a queen", p.explain},
		{"size N", "start over with an empty board of size N", p.size},
		{"backend NAME", "choose the back-end; play --help lists the names",
			func(ctx context.Context, args []string, _ io.Writer) error { return p.choose(ctx, args[0], p.order) }},
		{"order NAME", "choose the variable order of the diagram",
			func(ctx context.Context, args []string, _ io.Writer) error { return p.choose(ctx, p.backend, args[0]) }},
		{"engine", "show which back-end answered, and at what cost", p.tell(p.engineLine)},
		{"link", "show the board as the query part of a link", p.tell(
			func(view *configure.View) string { return view.State.Query() })},
	}, history(p.session)...)
}

// on makes a command of an action on a cell.
func (p *Player) on(do func(*configure.Board, context.Context, board.Cell) error) action {
	return func(ctx context.Context, args []string, _ io.Writer) error {
		c, err := board.ParseCell(args[0])
		if err != nil {
			return err
		}
		return do(p.session, ctx, c)
	}
}

// tell makes a command that writes a text about the view; count makes one that writes a text about the
// view and its counts.
func (p *Player) tell(say func(*configure.View) string) action {
	return func(ctx context.Context, _ []string, out io.Writer) error {
		view, err := p.view(ctx)
		if err == nil {
			fmt.Fprintln(out, say(view))
		}
		return err
	}
}

func (p *Player) count(say func(*configure.View, *configure.Counts) string) action {
	return func(ctx context.Context, _ []string, out io.Writer) error {
		view, counts, err := p.look(ctx)
		if err == nil {
			fmt.Fprintln(out, say(view, counts))
		}
		return err
	}
}

// signs implements [Game].
func (p *Player) signs() string { return configure.Legend() }

// forced lists the forced cells, or sets what happens to them.
func (p *Player) forced(ctx context.Context, args []string, out io.Writer) error {
	if len(args) > 0 {
		mode, err := configure.ParseMode(args[0])
		if err == nil {
			p.session.SetMode(mode)
		}
		return err
	}
	view, err := p.view(ctx)
	if err != nil {
		return err
	}
	var sentences []string
	for _, f := range view.Forced {
		sentences = append(sentences, lesson.Capital(f.Sentence(view.State.N))+".")
	}
	fmt.Fprintln(out, orNone(strings.Join(sentences, "\n")))
	return nil
}

// list writes the first solutions, one if no number is given.
func (p *Player) list(ctx context.Context, args []string, out io.Writer) error {
	k := 1
	if len(args) == 1 {
		var err error
		if k, err = strconv.Atoi(args[0]); err != nil || k < 1 {
			return fmt.Errorf("solutions %s: expected a number, 1 or more", args[0])
		}
	}
	var listed []string
	for queens, err := range p.solutions(ctx) {
		if err != nil {
			return err
		}
		if listed = append(listed, board.FormatCells(queens)); len(listed) == k {
			break
		}
	}
	fmt.Fprintln(out, orNone(strings.Join(listed, "\n")))
	return nil
}

// explain writes why a cell can or cannot hold a queen.
func (p *Player) explain(ctx context.Context, args []string, out io.Writer) error {
	c, err := board.ParseCell(args[0])
	if err != nil {
		return err
	}
	w, err := lesson.Explain(ctx, p.session, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, w.Text)
	if w.Verdict != "attacked" { // otherwise the sentence says everything
		for _, f := range w.Frames {
			fmt.Fprintf(out, "%5s  %s\n", f.Number, f.Text)
		}
	}
	if len(w.Witness) > 0 {
		fmt.Fprintf(out, "  %s\n", strings.Join(w.Witness, ","))
	}
	return nil
}

func (p *Player) size(ctx context.Context, args []string, _ io.Writer) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return fmt.Errorf("size %s: expected a board size", args[0])
	}
	return p.resize(ctx, n)
}

// solutions lists the completions, by a back-end that is fast at that.
func (p *Player) solutions(ctx context.Context) iter.Seq2[[]board.Cell, error] {
	listed, _ := lesson.Solutions(ctx, p.pool, p.session, p.lease)
	return listed
}

// view returns what follows from the state, and records how long that took.
func (p *Player) view(ctx context.Context) (*configure.View, error) {
	start := time.Now()
	view, err := p.session.View(ctx)
	if view != p.last { // otherwise it was already known
		p.last, p.took = view, time.Since(start)
	}
	return view, err
}

// look returns the view and the numbers of solutions; these are nil if counting takes too long.
func (p *Player) look(ctx context.Context) (*configure.View, *configure.Counts, error) {
	view, err := p.view(ctx)
	if err != nil {
		return nil, nil, err
	}
	counts, _, err := lesson.Count(ctx, p.pool, p.session, p.lease, countTime)
	return view, counts, err
}

// engineLine says which back-end answers, and at what cost.
func (p *Player) engineLine(view *configure.View) string {
	name := p.lease.Descriptor.MethodTitle(view.Method)
	var parts []string
	if d := p.lease.Diagram; d != nil {
		name += ", " + string(p.lease.Key.Order)
		took := time.Duration(d.Seconds * float64(time.Second))
		parts = append(parts, fmt.Sprintf("%d nodes", p.lease.Nodes()),
			fmt.Sprintf("compiled in %v", took.Round(time.Microsecond)))
	}
	for _, w := range view.Work {
		if w.N > 0 && w.Name != "nodes" && w.Name != "nodes created" {
			parts = append(parts, fmt.Sprintf("%d %s", w.N, w.Name))
		}
	}
	answered := fmt.Sprintf("answered in %v", p.took.Round(time.Microsecond))
	return strings.Join(append([]string{name, answered}, parts...), "; ")
}

// summary describes the state of the board in one line.
func summary(view *configure.View, counts *configure.Counts) string {
	switch {
	case !view.Satisfiable:
		return "No solution."
	case view.Complete:
		return "Solved: no queen attacks another."
	}
	text := fmt.Sprintf("%d of %d queens, %s", len(view.Queens()), view.State.N,
		plural(strconv.Itoa(len(view.Valid)), "valid cell"))
	if view.State.Mode == configure.Suggest && len(view.Forced) > 0 {
		text += fmt.Sprintf(", %d forced", len(view.Forced))
	}
	if counts == nil {
		return text + ", many solutions."
	}
	return text + ", " + plural(counts.Total.String(), "solution") + "."
}

// drawBoard draws the board in plain text, with counts, if given, in place of signs.
func drawBoard(view *configure.View, counts *configure.Counts) string {
	return board.Draw(view.State.N, func(c board.Cell) string {
		mark := view.Mark(c)
		if counts != nil && mark.Open() {
			return counts.Through[c.Index(view.State.N)].String()
		}
		return mark.Sign()
	})
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
