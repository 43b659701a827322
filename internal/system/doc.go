// Package system contains what differs between operating systems and is not covered by gopsutil: ending a
// process with everything it started, limiting and measuring memory and processor time, locks, atomic
// files, and temporary folders.
//
// The API is the same everywhere; each system has its own files. If a system cannot do
// something, [Lacks] says so in words for a record. The package depends on no other
// package of this module.
package system
