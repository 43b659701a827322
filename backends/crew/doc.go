// Package crew lets several goroutines work for one caller.
//
// What they do must not depend on who does what: results go to places of their own, and
// the error is that of the first task that had one. A worker's panic is the caller's: it
// is raised again where the caller waits, so that whoever guards a call guards its workers,
// too.
//
// The package knows nothing of what is done.
package crew
