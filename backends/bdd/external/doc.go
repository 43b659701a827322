// Package external has other diagram packages build a problem's diagram: programs that
// read the problem as DIMACS, or a construction's operations, and print one line of JSON.
// docs/bring-your-own.md has the formats.
//
// The package must never know what problem it passes on, and never link a package.
package external
