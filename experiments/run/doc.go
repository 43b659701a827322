// Package run measures the runs of a grid, one after the other, each in a process
// of its own.
//
//  1. A [Runner] takes the next run that has no record, and starts the program's
//     own executable as a hidden command ([Self]).
//  2. The process reads the run's parameters, times the task and writes what it
//     found ([One]). It ends when the harness does.
//  3. Meanwhile the harness watches time and memory, and kills the whole tree of
//     processes at a limit.
//  4. One function decides what the end of the process means, and whether it is a
//     record at all: nothing is recorded once the harness itself was told to stop.
//  5. The answer is compared with the known one and with those of references,
//     which run outside the measured process.
package run
