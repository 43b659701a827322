// Package tasktest provides a task for the tests of the packages around it: a [Toy] that
// squares a number, fails, hangs, grabs memory or dies, as its parameters say.
package tasktest
