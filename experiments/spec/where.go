package spec

import "encoding/json"

// Meets reports whether a record's parameters meet every condition: records are selected by the
// same conditions that exclude runs.
func (e Exclusion) Meets(parameters map[string]string) (bool, error) {
	ints := map[string]int64{}
	for name, text := range parameters {
		if v, ok := integer(json.Number(text)); ok {
			ints[name] = v
		}
	}
	return e.excludes(parameters, ints)
}
