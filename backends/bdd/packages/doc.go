// Package packages lets other diagram packages build a problem's diagram. They are programs that read
// the problem as DIMACS, or the operations of a construction, and print one line of JSON.
// docs/do/package.md describes the formats.
//
// The package must never know a board ([queens/board]), and never links a diagram package.
package packages
