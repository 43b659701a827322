// Package registry is the one list of back-ends: their names, the problems they take,
// how to make them and the options they use. The interfaces of package backends that a
// back-end implements say what it can do. Commands, experiments and the configurator
// take names, help and choices from here.
//
// A new back-end is a package and an entry in [All]; the conformance test of this
// package then checks everything that it can answer. The package must never know its
// callers.
package registry
