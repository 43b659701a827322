// Package robdd is an engine for reduced ordered binary decision diagrams
// (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986), in
// two halves.
//
// A [Manager] builds: it holds any number of functions in one shared node store and
// combines them. A [Diagram] answers: it is one function, immutable, stored level by
// level, as a BDD or a ZDD (Minato, "Zero-suppressed BDDs", 1993), and a query reads it: a
// [Possible], a [Counter], a [Finder], or [Diagram.Solutions].
// [Manager.Freeze] and [Manager.Thaw] convert between the two.
//
// # Contents
//
//	Manager, to build       Mk, And, Or, Restrict
//	  its order             Sift, Window
//	  its memory            Collect, Stats
//	  questions             NodeCount, SatCount
//	Diagram, to keep        Freeze, Thaw, NewDiagram, Convert (BDD to ZDD and back), Save, Load,
//	                        Export (DDDMP, BuDDy, dd, Graphviz), Widths,
//	                        Fingerprint
//	queries                 Possible (literals), Counter (Count, CountEach, Samples), Finder (Any),
//	                        Solutions
//
// An error is a [LimitError], the context's error, or names a mistake in the call. One goroutine at a
// time may use a Manager or a query; any number may share a Diagram. The package's example builds a
// circuit and asks questions about it.
//
// The package has the operations that constructions and questions use. It has no negation, no
// if-then-else of three functions and no composition. To quantify a variable, a caller calls Restrict
// twice and Or once.
//
// # Counting nodes
//
// A node count, here and everywhere, is that of the plain ROBDD: internal nodes, no
// terminals, no complement edges.
//
// Internally, a Manager stores fewer nodes: an edge may skip levels whose variable is false, so a chain
// of nodes with a false high child takes no nodes at all (store.go). All its counts ([Stats],
// [Manager.NodeCount], [Config].MaxNodes) are nevertheless exact counts of plain nodes.
//
// # Memory
//
// A node of a Diagram takes 8 bytes. A node of a Manager takes, in total:
//
//	two edges, level                16     bytes
//	mark                            2
//	slot in a unique table          6     (4 bytes, at most two thirds of them used)
//	at its fullest                 24
//
// The operation cache (24 bytes per entry) grows with the work, up to one entry for every two to four
// nodes. All memory is counted against [Config].MaxBytes before it is allocated. Memory that a table has
// outgrown counts until Go's collector has freed it. A request that would exceed a limit is refused with
// a [LimitError], and existing functions stay as they were. No node is a Go pointer, so the collector
// has nothing to scan.
//
// The limit does not count the process's memory without any node (about 4 MiB), or the memory that a
// finished function takes outside the Manager. Freeze uses 12 bytes per plain node of the function and 4
// per id of the store, and leaves a Diagram of 8 bytes per node. A Counter takes 16 bytes per node that
// its assumptions leave, and 8 to copy these nodes; other queries take a few bits per node.
//
// # Decisions
//
// No complement edges: they would save one node of a queens diagram, and add a bit and a test to every
// step.
//
// Garbage is collected only by [Manager.Collect], when the caller asks for it, so
// node counts and results do not depend on the available memory. Nodes never move.
//
// # Tests
//
// go test -tags exhaustive runs longer random traces, with all invariants of the
// Manager (check_test.go) checked after each step. go test -fuzz FuzzTrace does the same
// for traces from the fuzzer, and -fuzz FuzzRead tests the reader of saved diagrams.
//
// The package knows variables and levels and must never know queens ([queens/board]) or formulas
// ([queens/encode]); it imports the standard library only.
package robdd
