// Package configure is the interactive configurator: a session in which a person
// places queens and sees the rest of the board react.
//
// A [Session] holds the person's decisions (queens placed, cells blocked) and
// their history, and asks a back-end for everything else: valid and forced
// cells, counts, solutions, and why a cell is not valid. A decision that would
// leave no completion is refused, with the reason.
//
// The back-end is any backends.Oracle of the empty board; decisions reach it as
// assumptions, so one compiled diagram or one solver serves all sessions of a
// size. The package must never know which back-end it uses, nor how a session is
// shown.
package configure
