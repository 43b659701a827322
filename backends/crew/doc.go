// Package crew lets several goroutines work for one caller.
//
// Results must not depend on which goroutine does what: each result has its own place, and
// the error is that of the first task that failed. A worker's panic is raised again where
// the caller waits, so guarding a call guards its workers, too.
//
// The package knows nothing about the work itself.
package crew
