// Package experiments defines what a run is, for the packages that implement tasks and the packages
// that run them. A [Task] does the work, a [Meter] times its phases, and a [TaskKind] names the
// parameters that a configuration may vary and the results that a record holds. A [Run] is decoded
// where the YAML is read, and once more in the process that does the work.
//
// Its subpackages form a pipeline. Each reads what the one before it wrote:
//
//  1. config turns YAML into a checked [queens/experiments/config.Spec] and its grid
//     of runs, each named by the hash of its parameters.
//  2. run measures each run in its own process, under limits, and judges its
//     answer.
//  3. record appends one row per run, synced to disk before the next run begins.
//     Since a run's name is a hash of its parameters, resuming, sharding and
//     merging are set operations on names.
//  4. report reads record sets only, summarises them with stats, and makes tables and plots.
//
// Package tasks implements this project's tasks, and cluster divides a grid among the jobs of a
// scheduler. Of these packages only tasks may import boards, encodings and back-ends. The others know
// outside programs as commands: config lists them by parameter (solver, engine, counter), and run
// compares the versions that they report.
package experiments
