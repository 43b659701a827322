// Package ask takes a question down to a back-end and brings the answer back.
//
// A [Choice] says who answers, and how; flags, axes of experiments and the page's requests are
// made from it. [Resolve] fills in what the choice leaves open, [Start] opens the back-end, and
// [Opened.Ask] answers a [Question] with everything that a command prints, a run records or the page
// shows. [Once] does all three. [Compile] returns the diagram itself. [All] describes the back-ends.
//
// A new back-end is a package, a name (names.go) and its [Descriptor] (list.go); this package's tests then
// check it against its Descriptor. Its methods are told in its own package. The package must never know its callers:
// [queens/configure], [queens/experiments] or [queens/ui].
package ask
