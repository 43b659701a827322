// Package configure is the interactive configurator: a session in which a person
// decides and sees what follows.
//
// A [Session] holds the person's decisions, literals of a problem, with their
// history, and asks a back-end for everything else. A decision that would leave
// no completion is refused, with the reason. [Board] is a session on a board of
// queens, with cells for literals; [Decisions] is one about the options of any
// other problem.
//
// The back-end is any backends.Backend of the problem with nothing decided; decisions reach it as
// assumptions, so one compiled diagram or one solver serves all sessions of a problem. The package must never
// know which back-end it uses ([queens/backends/bdd], [queens/backends/sat], [queens/backends/search],
// [queens/backends/localsearch]), nor how a session is shown ([queens/ui]).
package configure
