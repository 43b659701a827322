// Package experiments turns a question written in YAML into records: spec ->
// runs -> records.
//
// A [Spec] says what is varied; its grid is a set of [Run]s, each named by the
// hash of its parameters; a [Runner] measures each run in a process of its own
// and appends one [Record] a run to a [Store], synced before the next begins.
// Since runs are named by what they are, resuming, sharding and merging are set
// operations on names.
//
// What a run does is a [Kind], given from outside: the package must never know
// a queen, a solver or a diagram. It is the only importer of viper.
package experiments
