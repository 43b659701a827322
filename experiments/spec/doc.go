// Package spec turns a question written in YAML into a checked [Spec], and a Spec
// into its grid: a list of [Run]s, each named by the hash of its parameters.
//
// A bad configuration is reported as [Mistakes], all at once, each with its place
// in the file or the override that is to blame. What is checked is the JSON Schema
// that editors are given ([Schema]), reflected from the Go types of tasks.
package spec
