// Package registry is the one list of the back-ends: how each is called, what it takes,
// how it is made and what it uses. What a back-end can do is told by the interfaces of
// package backends that it meets. Commands, experiments and the configurator read their
// names, help and choices here.
//
// A new back-end is a package and an entry in [All]; the conformance test of this
// package then asks it everything that it can answer. The package must never know who
// asks.
package registry
