// Package tasktest has a task for tests of the packages around it: a [Toy] that
// squares a number, fails, hangs, grabs memory or dies, as its parameters say.
package tasktest
