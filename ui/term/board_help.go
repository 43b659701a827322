package term

import "queens/configure"

// boardHelp returns the meanings of keys and signs.
func boardHelp() string {
	return keysText + "Signs: " + configure.Legend() + "\nover the board: " + configure.Legend(configure.Shown,
		configure.Asked, configure.OnLine, configure.Blamed) + ",\nand numbers: queens supposed in turn\n\n" +
		"Press any key to return to the board."
}

const keysText = `HOW TO PLAY

Place n queens so that no two attack each other. A queen that would leave no
solution is refused, with the reason.

  arrows, hjkl     move; home, end, pgup and pgdn: to the edges
  enter, space     place a queen or take it back (left click)
  x                block or unblock a cell (right click)
  u, r, c          undo, redo, clear
  f                forced cells: off, suggest, place
  m                map of the solutions through each cell, more in bolder type
  e, then [ ] .    explain the cell under the cursor: first step, back, next, play
  t                take back the first queen that is to blame
  n, p             next and previous solution; esc ends browsing
  b                next back-end
  o                next variable order of the diagram
  +, -             larger or smaller board
  q                quit

`
