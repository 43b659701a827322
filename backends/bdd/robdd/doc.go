// Package robdd is an engine for reduced ordered binary decision diagrams
// (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986), in
// two halves.
//
// A [Manager] builds: it holds any number of functions in one shared node store and
// combines them. A [Diagram] answers: it is one function, immutable, stored level by
// level, as a BDD or a ZDD (Minato, "Zero-suppressed BDDs", 1993), and a [Sweep]
// answers every question about it in a pass or two over an array. [Manager.Freeze]
// and [Manager.Thaw] go between the two.
//
// # Memory
//
// A node of a Diagram takes 8 bytes. A node of a Manager takes, all told:
//
//	children                        8     bytes
//	use of its id, mark             0.25
//	slot in a unique table          5.71  (40 bytes for 8 slots, at most 7 of them used)
//	at its fullest                 13.96  (and its level, 2 bytes, where the order has changed)
//
// The operation cache (16 bytes an entry) grows with the work of depth-first
// operations and stays small, since large ones go breadth first and need none. All
// of it is counted before it is allocated, against [Config].MaxBytes; what passes a
// limit is refused with a [LimitError], and everything there stays as it was. Nothing
// holds a pointer per node, so Go's collector has nothing to scan.
//
// # Decisions
//
// No complement edges: they would save one node of a queens diagram, and cost a bit
// and a test in every step. A node count is the plain ROBDD's, terminals not counted;
// [Diagram.ComplementLen] has the other one.
//
// Depth first for small operations, breadth first for large ones (breadth.go): a
// large operation is bound by memory latency, and level by level its working set fits
// the processor's caches. With a cube for one argument there are no pairs to find again,
// and two passes over the nodes do (cube.go).
//
// Garbage is collected only by [Manager.Collect], where the caller says so, so node
// counts and results do not depend on the memory there is. Nodes never move.
//
// # Tests
//
// go test -tags exhaustive runs longer random traces, with [Manager.Check] after
// each step. go test -fuzz FuzzTrace does so for whatever the fuzzer finds, and -fuzz
// FuzzRead feeds the reader of saved diagrams.
//
// The package knows variables and levels and must never know queens, formulas or
// the command line; it imports the standard library only.
package robdd
