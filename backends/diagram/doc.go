// Package diagram names the two kinds of decision diagram, for the engine that builds
// them and for the code that computes their sizes without an engine.
package diagram
