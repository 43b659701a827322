// Package packages lets other diagram packages build a problem's diagram. They are
// programs that read the problem as DIMACS, or a construction's operations, and print one
// line of JSON. docs/do/package.md describes the formats.
//
// The package must never know what problem it passes on, and never link a diagram
// package.
package packages
