package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"queens/experiments"
)

// coherent bounds the ratio of two sets' values for one point. What differs more is not quoted without a word.
const coherent = 1.3

// mentions holds the numbers that documents quote, by the points that they are about.
type mentions struct {
	documents  *Documents
	by         map[string][]mention
	processors map[string]map[string]bool // of the sets whose times a document quotes, by the document's file name
}

// mention is a number that a document quotes from a set.
type mention struct {
	document, set string
	value         float64
}

// mentioned remembers what the documents quote from now on.
func mentioned(documents *Documents) mentions {
	m := mentions{documents, map[string][]mention{}, map[string]map[string]bool{}}
	documents.quotes = m.add
	return m
}

// add remembers the number of a chosen cell, so that incoherent can compare it, and who measured a time.
func (m mentions) add(set string, from quotable, c cell) {
	document := m.documents.document
	if c.number != nil && unit(c.measure) == "s" {
		if m.processors[document] == nil {
			m.processors[document] = map[string]bool{}
		}
		for _, name := range from.processors {
			m.processors[document][name] = true
		}
	}
	if c.number == nil || c.of == nil || c.number.Center <= 0 {
		return
	}
	point := pointOf(from.parameters, c)
	seen := mention{document, set, c.number.Center}
	if !slices.Contains(m.by[point], seen) {
		m.by[point] = append(m.by[point], seen)
	}
}

// pointOf names what a cell measured: the task, the measure, and all parameters but seeds, the number of questions,
// over which medians are taken, and usual values, which older sets do not record.
func pointOf(parameters []string, c cell) string {
	words := []string{c.of[0].Cell("task"), c.measure}
	for _, p := range parameters {
		usual := map[string]string{"want": "valid", "workers": "1"}[p]
		if experiments.IsSeed(p) || p == "queries" {
			continue
		}
		var values []string
		for _, r := range c.of {
			if v := r.Cell(p); v != "" && v != "false" && v != usual && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if slices.Sort(values); values != nil {
			words = append(words, p+" = "+strings.Join(values, ", "))
		}
	}
	return strings.Join(words, "; ")
}

// incoherent lists the points that documents quote from two sets, of one document or of two, whose values
// differ too much, each with the sets; compared is the number of points that two sets have.
func (m mentions) incoherent() (list []string, compared int) {
	for point, all := range m.by {
		slices.SortFunc(all, func(a, b mention) int { return cmp.Compare(a.value, b.value) })
		least, most := all[0], all[len(all)-1]
		if !slices.ContainsFunc(all, func(m mention) bool { return m.set != least.set }) {
			continue
		}
		compared++
		if most.value > coherent*least.value {
			list = append(list, fmt.Sprintf("%s: %s in %s (%s), %s in %s (%s)", point, number("", least.value), least.set,
				least.document, number("", most.value), most.set, most.document))
		}
	}
	slices.Sort(list)
	return list, compared
}
