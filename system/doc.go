// Package system contains what differs between operating systems: ending a process with
// everything it started, limiting and measuring memory, processor time, locks, atomic
// files, temporary folders, and the description of the machine.
//
// The API is the same everywhere; each system has its own files. If a system cannot do
// something, [Lacks] says so in words for a record. The package depends on no other
// package of this module.
package system
