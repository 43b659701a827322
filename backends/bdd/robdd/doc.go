// Package robdd is an engine for reduced ordered binary decision diagrams
// (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986), in
// two halves.
//
// A [Manager] builds: it holds any number of functions in one shared node store
// with a unique table for each level and an operation cache, and combines them.
// A [Diagram] answers: it is one function, immutable, stored level by level, and
// every question about it is a pass or two over an array. [Manager.Freeze] and
// [Manager.Thaw] go between the two.
//
// There are no complement edges: a node count is the plain ROBDD's, terminals
// not counted.
//
// The package knows variables and levels and must never know queens, formulas or
// files on the command line; it imports the standard library only.
package robdd
