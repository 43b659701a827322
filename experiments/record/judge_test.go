package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/experiments"
)

// asked is a question n and who answers it, how.
type asked struct {
	N      int    `json:"n"`
	Engine string `json:"engine"`
	Method string `json:"method"`
}

// Rows of one question that answer differently are settled: an answer that two ways give, or one and a check, refutes the
// others; otherwise all are contradicted. Judging again changes nothing.
func TestJudge(t *testing.T) {
	kind := experiments.Kind[asked]{
		Name: "asked", Result: struct{}{}, Ways: []string{"engine", "method"},
		Title: func(a *asked) string { return a.Engine + " " + a.Method },
	}.Erase()
	for _, c := range []struct{ rows, want string }{
		{"1 bdd a 5; 1 sat a 5; 1 bdd b 5", "ok ok ok"},
		{"1 bdd a 5; 2 bdd a 4; 1 sat a 5", "ok ok ok"},                               // two questions
		{"1 bdd a 5; 1 sat a 4", "contradicted contradicted"},                         // one against one
		{"1 bdd a 5; 1 bdd b 5; 1 sat a 4", "contradicted contradicted contradicted"}, // two methods are one way
		{"1 bdd a 5; 1 table a 5; 1 sat a 4", "ok ok wrong"},
		{"1 bdd a 5 yes:table scan; 1 sat a 4", "ok wrong"},              // a check confirms one
		{"1 bdd a 5 yes:table scan; 1 sat a 4 yes:sat core", "ok wrong"}, // sat's own code does not
		{"1 bdd a 5 yes:table scan; 1 sat a 4 yes:near", "contradicted contradicted"},
		{"1 bdd a 5; 1 table a 5; 1 sat a 4; 1 mdd a 4", "contradicted contradicted contradicted contradicted"},
		{"1 bdd a 5; 1 table a 5; 1 sat a 4; 1 mdd a 3", "ok ok wrong wrong"},
		{"1 bdd a 5; 1 bdd a 4", "contradicted contradicted"},
		{"1 bdd a 5; 1 sat a 4 no:known", "ok wrong"}, // refuted before
		{"1 bdd a 5; 1 sat a", "ok ok"},               // no answer
	} {
		s := Set{Kind: kind, Columns: kind.Columns()}
		for i, text := range strings.Split(c.rows, "; ") {
			words := strings.SplitN(text, " ", 5)
			cells := map[string]string{"id": fmt.Sprint(i), "n": words[0], "engine": words[1], "method": words[2], "outcome": "ok"}
			if len(words) > 3 {
				cells["answer"] = words[3]
			}
			if len(words) > 4 {
				cells["agree"], cells["checked_by"], _ = strings.Cut(words[4], ":")
				if cells["agree"] == "no" {
					cells["outcome"], cells["reason"] = "wrong", "known"
				}
			}
			s.Rows = append(s.Rows, NewRow(s.Columns, cells))
		}
		for again := range 2 {
			changed := s.judge()
			var got []string
			for _, r := range s.Rows {
				got = append(got, r.Cell("outcome"))
				assert.Empty(t, contradiction(r), c.rows)
			}
			assert.Equal(t, c.want, strings.Join(got, " "), c.rows)
			assert.False(t, again > 0 && changed, c.rows)
		}
		if c.rows == "1 bdd a 5; 1 table a 5; 1 sat a 4" {
			assert.Equal(t, "bdd;table", s.Rows[2].Cell("checked_by"))
			assert.Equal(t, []string{"engine sat: wrong: the answer is 4, but bdd, table say 5"}, Refuted(s.Rows, []string{"engine"}))
		}
	}
}
