package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"queens/experiments"
	"queens/experiments/record"
)

// A check that a limit ended is counted by question; a run that nothing checked is one of all.
func TestAgreementCountsWhatWasChecked(t *testing.T) {
	rows := func(checks ...string) (list []record.Row) {
		columns := experiments.Columns{}
		for _, name := range []string{"agree", "answer", "checked_by"} {
			columns = append(columns, experiments.Column{Name: name})
		}
		for _, by := range checks {
			agree := "yes"
			if by == "" {
				agree = ""
			}
			list = append(list, record.NewRow(columns, map[string]string{"agree": agree, "answer": "1", "checked_by": by}))
		}
		return list
	}
	d := &data{set: record.Set{Rows: rows("constraints;proof", "proof (3 of 10)", "search full;proof (9 of 10)", "")}}
	assert.Equal(t, "3 of 4 answers were compared with others (constraints, proof, search full); 0 disagreed. "+
		"In 2 of them the check ended at a limit, after 12 of 20 questions.", d.agreement())
}
