// Command bench compares our constructions with other BDD packages: the same
// operations in the same sequence, on one machine, in one sitting.
//
//	go run -tags buddy . [-n 11,12] [-construction bdd-benchmark,row-wise] [-repeats 7]
//
// Every measurement is a separate process, which times its construction in CPU
// seconds (user and system, all threads) and reads its own peak of resident memory
// (VmHWM). Competitors take turns in a random sequence whose seed is printed, so a
// slow minute of the machine affects all alike. Answers are compared: a wrong node
// count or number of solutions ends the program.
//
// It is a separate module, so the product never depends on another BDD package. The
// tag buddy selects rudd's faster node table. The BuDDy driver is compiled from
// buddy/queens.c; it needs a C compiler and Debian's libbdd-dev.
package main
