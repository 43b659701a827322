// Package ask takes a question down to a back-end and brings the answer back.
//
// A [Choice] says who answers, and how; flags, axes of experiments and the page's requests are
// made from it. [Resolve] fills in what it leaves open (policy.go), [Open] makes a [Session] with
// one back-end, and [Session.Ask] answers a [Question] with everything that a command prints, a
// run records or the page shows. [Once] is all three. [All] is the one list of back-ends.
//
// A new back-end is a package and an entry in [All]; the tests of this package then hold it to
// what its entry declares. The package must never know its callers.
package ask
