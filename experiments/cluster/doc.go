// Package cluster divides an experiment's grid among the jobs of a scheduler: a
// [Shard] is one part, by --shard or by the scheduler's environment, and a
// [Submission] is a Slurm array of all parts with a merge behind it.
//
// It writes scripts and reads variables; it starts nothing.
package cluster
