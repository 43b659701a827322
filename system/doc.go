// Package system is what differs between operating systems: ending a process with
// everything it started, limiting and measuring memory, processor time, locks,
// atomic files, temporary folders, and what the machine is.
//
// Callers see one API; each system has files of its own. Where a system cannot do
// something, [Lacks] says so in words for a record. The package knows nothing of
// ours.
package system
