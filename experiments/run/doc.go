// Package run measures the runs of a grid, one after the other, each in its own process.
//
//  1. A [Runner] takes the next run that has no record, and starts the program's
//     own executable as a hidden command ([Self]).
//  2. The process reads the run's parameters, measures the task and writes its
//     findings ([One]). It ends when the harness does.
//  3. Meanwhile the harness watches time and memory, and kills the whole process tree
//     at a limit.
//  4. One function classifies how the process ended, and decides whether to record
//     it: nothing is recorded once the harness itself has been told to stop.
//  5. The answer is compared with the known one and with the references' answers.
//     References run outside the measured process.
//
// When the harness is asked to stop (Ctrl-Z), the run stops with it; the time counts
// neither for the limit nor in the measurements.
package run
