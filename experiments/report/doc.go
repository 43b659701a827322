// Package report turns records into tables and plots.
//
// It reads record sets and nothing else: it must never run a back-end, look at a
// clock or know a queen. The same records give the same bytes on every machine.
package report
