// Package ask says who answers a question about a problem, and how: [Choice] is the one
// description, from which flags, axes of experiments and the page's requests are made; [All] is
// the one list of back-ends; [Open] is the one way to make a back-end answer.
//
// A new back-end is a package and an entry in [All]; the tests of this package then hold it to
// what its entry declares. The package must never know its callers.
package ask
