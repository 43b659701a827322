package run

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/record"
)

// Progress shows how far the runs have come.
type Progress struct {
	w          io.Writer
	terminal   bool
	parameters []string
	started    time.Time
	total      int
	left       int
	made       int
	failed     []string
}

// NewProgress returns a Progress that writes to w: one line, rewritten after each run, if w is a
// terminal, and a line per run otherwise.
func NewProgress(w io.Writer, terminal bool, columns experiments.Columns) *Progress {
	return &Progress{w: w, terminal: terminal, parameters: columns.In(experiments.Parameter)}
}

func (p *Progress) begin(total, todo int) { p.started, p.total, p.left = time.Now(), total, todo }

func (p *Progress) done(r record.Row) {
	p.left--
	p.made++
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K"+p.line(r))
		return
	}
	var params []string
	for _, name := range p.parameters {
		params = append(params, name+"="+r.Cell(name))
	}
	seconds, _ := r.Number("wall_seconds")
	line := fmt.Sprintf("[%*d/%d] %-12s %8.3fs  %s repeat=%s", len(fmt.Sprint(p.total)), p.total-p.left, p.total,
		r.Cell("outcome"), seconds, strings.Join(params, " "), r.Cell("repeat"))
	if r.Cell("reason") != "" {
		line += ": " + r.Cell("reason")
	}
	fmt.Fprintln(p.w, line)
}

// line estimates the remaining time from the third run on. The order of the runs is random,
// so their mean so far is a fair estimate for the rest.
func (p *Progress) line(r record.Row) string {
	text := fmt.Sprintf("%d of %d runs", p.total-p.left, p.total)
	if p.made >= 3 && p.left > 0 {
		left := time.Since(p.started) / time.Duration(p.made) * time.Duration(p.left)
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	if r.Outcome() != record.OK && !slices.Contains(p.failed, r.Cell("outcome")) {
		p.failed = append(p.failed, r.Cell("outcome"))
	}
	if p.failed != nil {
		text += " (some " + strings.Join(p.failed, ", ") + ")"
	}
	return text
}

func (p *Progress) end() {
	if p.terminal {
		fmt.Fprintln(p.w)
	}
}
