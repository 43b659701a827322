// Package robddtest has what tests of several packages do with diagrams.
package robddtest
