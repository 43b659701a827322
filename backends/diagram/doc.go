// Package diagram names the two kinds of decision diagram, for the engine that builds
// them and for what tells their sizes without an engine.
package diagram
