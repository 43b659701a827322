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
// # What there is
//
//	Manager, to build       Literal, Mk, Apply and a method for each operation, Ite, Restrict
//	                        Exists, Forall, AndExists (the relational product), Compose, Rename
//	  its order             Sift, SetOrder, SwapLevels
//	  its memory            Collect, SetLimits, Stats
//	  questions             NodeCount, Widths, Support, SatCount, AnySat, Top
//	Diagram, to keep        Freeze, Thaw, NewDiagram, Convert (BDD to ZDD and back), Save, Load,
//	                        Export (DDDMP, BuDDy, dd, Graphviz), Check, Equal, Widths
//	Sweep, to ask           Possible, Implied, Count, CountEach, Solutions, Any
//
// Errors are a [LimitError], the context's, or a caller's mistake named. A Manager and
// a Sweep serve one goroutine at a time, a Diagram any number. The example of the package
// builds a circuit and asks about it; that of [Manager.AndExists] finds reachable states.
//
// # API beyond what the harness uses
//
// The harness builds by And, Or, Mk and Restrict. Ite, quantification, the relational product,
// composition, renaming, the other six operations and SetOrder are there because whoever takes
// up a BDD package expects them, and because they put the core to the test: they go through
// every function of three variables in every order, and through random traces. Counts in
// several words (wide.go) serve functions with more than 2^64 solutions, as formulas have.
//
// # Counting nodes
//
// A node count, here and everywhere, is that of the plain ROBDD: internal nodes, no
// terminals, no complement edges. [Diagram.ComplementLen] has the other one.
//
// Inside, a Manager has fewer: an edge may skip levels whose variable is false, so that a
// chain of nodes with a false high child takes none (store.go). All its counts ([Stats],
// [Manager.NodeCount], [Config].MaxNodes) are of plain nodes all the same, to the node.
//
// # Memory
//
// A node of a Diagram takes 8 bytes. A node of a Manager takes, all told:
//
//	two edges, level                16     bytes
//	mark                            2
//	slot in a unique table          5.71  (40 bytes for 8 slots, at most 7 of them used)
//	at its fullest                 23.71
//
// The operation cache (24 bytes an entry) grows with the work to one entry for every
// second to fourth node. All of it is counted before it is allocated, against
// [Config].MaxBytes, and so is memory that a table has outgrown until Go's collector has
// taken it. What passes a limit is refused with a [LimitError], and everything there stays
// as it was. Nothing holds a pointer per node, so the collector has nothing to scan.
//
// Not counted are what the process takes without any node (about 4 MiB), and what a finished
// function takes outside: Freeze works in 20 bytes a plain node of the function and 4 an id
// of the store, and leaves a Diagram of 8 bytes a node; a Sweep takes 16 bytes a node to count,
// and a few bits to find possible literals.
//
// # Decisions
//
// No complement edges: they would save one node of a queens diagram, and cost a bit
// and a test in every step.
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
