// Package cluster divides an experiment's grid among the jobs of a scheduler: a
// [Shard] is one part, chosen by --shard or by the scheduler's environment variables,
// and a [Submission] is a Slurm array of all parts, followed by a merge.
//
// It writes scripts and reads variables, but starts nothing.
package cluster
