// Package compilers runs other compilers: programs that read a DIMACS file and write its d-DNNF in the format of c2d or
// d4.
//
// The package must never link a compiler, and never reads what one has written: [queens/backends/ddnnf] does.
package compilers
