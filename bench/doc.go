// Package bench is a module of its own, so the product never depends on another BDD
// package. It holds what lets outside packages take part in our experiments: bridges to the
// libraries of SAT solvers, drivers for diagram packages, and a test that compares our
// engine with rudd node by node.
package bench
