package run

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"queens/experiments"
	"queens/experiments/record"
)

// NewProgress returns a Progress that writes to w: a bar if w is a terminal, and one line
// per run otherwise.
func NewProgress(w io.Writer, terminal bool, columns experiments.Columns) Progress {
	if terminal {
		return &bar{w: w}
	}
	return &lines{w: w, parameters: columns.In(experiments.Parameter)}
}

type lines struct {
	w          io.Writer
	parameters []string
	total      int
	n          int
}

func (l *lines) Begin(total, todo int) { l.total, l.n = total, total-todo }

func (l *lines) Done(r record.Row) {
	l.n++
	var params []string
	for _, p := range l.parameters {
		params = append(params, p+"="+r[p])
	}
	seconds, _ := r.Number("wall_seconds")
	line := fmt.Sprintf("[%*d/%d] %-12s %8.3fs  %s repeat=%s", len(fmt.Sprint(l.total)), l.n, l.total, r["outcome"],
		seconds, strings.Join(params, " "), r["repeat"])
	if r["reason"] != "" {
		line += ": " + r["reason"]
	}
	fmt.Fprintln(l.w, line)
}

func (l *lines) End() {}

// bar estimates the remaining time from the third run on. The order of the runs is random,
// so their mean so far is a fair estimate for the rest.
type bar struct {
	w       io.Writer
	bar     *progressbar.ProgressBar
	started time.Time
	done    int
	todo    int
	failed  []string
}

func (b *bar) Begin(total, todo int) {
	b.started, b.todo = time.Now(), todo
	b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.w), progressbar.OptionSetPredictTime(false),
		progressbar.OptionShowCount(), progressbar.OptionFullWidth(), progressbar.OptionSetDescription("runs"))
	_ = b.bar.Set(total - todo)
}

func (b *bar) Done(r record.Row) {
	b.done++
	description := "runs"
	if b.done >= 3 && b.done < b.todo {
		left := time.Since(b.started) / time.Duration(b.done) * time.Duration(b.todo-b.done)
		description = fmt.Sprintf("runs, about %s left", left.Round(time.Second))
	}
	if r.Outcome() != record.OK && !slices.Contains(b.failed, r["outcome"]) {
		b.failed = append(b.failed, r["outcome"])
	}
	if b.failed != nil {
		description += " (some " + strings.Join(b.failed, ", ") + ")"
	}
	b.bar.Describe(description)
	_ = b.bar.Add(1)
}

func (b *bar) End() { fmt.Fprintln(b.w) }
