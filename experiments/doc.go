// Package experiments says what a run is, to those who write tasks and to those
// who run them: a [Task] does the work, a [Meter] times its phases, a [Kind]
// names the parameters that a configuration may vary and the results that a
// record holds.
//
// The packages below it make a pipeline, each reading what the one before wrote:
//
//  1. spec turns YAML into a checked [queens/experiments/spec.Spec] and its grid
//     of runs, each named by the hash of its parameters.
//  2. run measures each run in a process of its own, under limits, and judges
//     its answer.
//  3. record appends one row a run, synced before the next run begins. Since runs
//     are named by what they are, resuming, sharding and merging are set
//     operations on names.
//  4. report reads record sets, and nothing else, and makes tables and plots.
//
// Package tasks holds the tasks of this house, and cluster divides a grid among
// the jobs of a scheduler. Apart from tasks none of them knows a queen, a solver
// or a diagram.
package experiments
