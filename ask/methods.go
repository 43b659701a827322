package ask

import (
	"slices"

	"queens/backends"
)

// MethodName is the name of a back-end's method for finding what is possible.
type MethodName string

// bestMethod stands for the back-end's best method.
const bestMethod = "default"

// Values lists the methods of all back-ends.
func (MethodName) Values() []string {
	names := []string{bestMethod}
	for _, b := range All() {
		for _, m := range b.MethodNames() {
			if !slices.Contains(names, m) {
				names = append(names, m)
			}
		}
	}
	return names
}

// Method returns the back-end's method with the name; the best one if the name is empty or default. ok is
// false if it has none.
func (d Descriptor) Method(name MethodName) (m backends.Method, ok bool) {
	for _, m := range d.Methods {
		if m.Name == string(name) || name == "" || name == bestMethod {
			return m, true
		}
	}
	return m, false
}

// best returns the method that a choice names, or else the back-end's best one that reads the chosen kind of
// diagram. Its name is empty if the back-end has none.
func best(d Descriptor, c Choice) (m backends.Method) {
	if m, has := d.Method(c.Method); has && (c.Diagram == "" || c.Method != "" && c.Method != bestMethod) {
		return m
	}
	for _, m := range d.Methods {
		if m.Kind == string(c.Diagram) {
			return m
		}
	}
	m, _ = d.Method(c.Method)
	return m
}

// ForSessions returns the plan for a person who makes one decision after another: unless the choice names a method,
// the first that remembers, reads the same kind of diagram and suits a board of this size, if there is one.
func (p Plan) ForSessions(c Choice) Plan {
	if c.Method != "" {
		return p
	}
	for _, m := range p.Descriptor.Methods {
		if m.Remembers && m.Suits(p.Problem.N) && DiagramName(m.Kind) == p.Choice.Kind() {
			p.Choice.Method = MethodName(m.Name)
			return p
		}
	}
	return p
}

// MethodNames lists the names of the back-end's methods, the generally best one first.
func (d Descriptor) MethodNames() []string { return backends.Names(d.Methods) }
