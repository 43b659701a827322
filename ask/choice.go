package ask

import (
	"reflect"

	"queens/internal/param"
)

// Choice says who answers a question, and how. [Resolve] fills in a field that is empty or 0
// with what suits the problem and the other fields. The fields' comments are the help of flags, the
// descriptions of axes and the documents' text; their types list the values.
type Choice struct {
	// Back-end that answers.
	Backend BackendName `json:"backend"`
	// The back-end's method for finding the cells; default is its best.
	Method MethodName `json:"method"`
	// Variable order, for diagrams.
	Order OrderName `json:"order"`
	// How the diagram is built.
	Construction ConstructionName `json:"construction"`
	// Kind of diagram.
	Diagram DiagramName `json:"diagram"`
	// How the variable order changes between the steps of the construction.
	Sift ReorderingName `json:"sift"`
	// Outside model counter, in place of a back-end.
	Counter CounterName `json:"counter,omitempty"`
	// At-most-one encoding, for SAT.
	AMO AMOName `json:"amo"`
	// SAT solver, for the back-end sat.
	Solver SolverName `json:"solver"`
	// What the SAT solver is given: the residual formula of each query, or the whole problem
	// under assumptions; closed is whole without the queries that unit propagation decides.
	Formula FormulaName `json:"formula"`
	// Maximum number of processors used; it does not change the answer.
	Workers int `json:"workers" jsonschema:"minimum=1,maximum=1024"`
}

// Check returns a [param.Error] for a field whose value its type does not list.
func (c Choice) Check() error {
	for _, field := range param.Fields(c) {
		value := field.Of(reflect.ValueOf(c))
		e, closed := value.Interface().(param.Enumerated)
		if !closed || value.IsZero() || field.Name == "method" { // Resolve knows the methods that fit
			continue
		}
		if text := param.Wrong(e, value.String()); text != "" {
			return &param.Error{Field: field.Name, Text: text}
		}
	}
	if c.Workers < 0 || c.Workers > mostWorkers { // 0 means one for each processor
		return wrong("workers", "%d: expected 1 to %d", c.Workers, mostWorkers)
	}
	return nil
}

// mostWorkers bounds the goroutines of a back-end, as the schema of configurations does.
const mostWorkers = 1024
