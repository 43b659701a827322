// Package report turns records into tables and plots.
//
// It reads record sets and nothing else: it must never run a back-end, read a clock or know
// about queens. The same records give the same bytes on every machine.
package report
