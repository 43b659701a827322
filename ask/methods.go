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

// MethodNames lists the names of the back-end's methods, the generally best one first.
func (d Descriptor) MethodNames() []string { return backends.Names(d.Methods) }
