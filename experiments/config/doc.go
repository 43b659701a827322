// Package config turns a question written in YAML into a checked [Spec], and a Spec into its grid: a list of
// runs, each named by the hash of its parameters.
//
// All mistakes in a configuration are reported at once, as [Mistakes], each with its place in
// the file or the override at fault. Configurations are checked against the JSON Schema that
// editors use ([Schema]), which is reflected from the Go types of tasks.
package config
