// Package contexttest has a context that ends at a chosen place of a computation, for tests of what an
// interrupted one leaves. It imports the standard library only.
package contexttest
