package configure

import (
	"cmp"
	"slices"
	"strings"

	"queens/board"
	"queens/encode"
)

// Picture shows a problem on a square board. A problem has one if its variables are named after
// cells, as in a1 (a piece stands there), a1=2 (the cell holds 2) or a1-b1 (a tile covers both), and
// each cell of the board is in some name.
type Picture struct {
	N     int    `json:"n"`
	Piece string `json:"piece"` // the sign of what stands on cells: Q, R, or O for any other
	Name  string `json:"name"`  // what stands there, in a word
	// Spots says where each option is drawn when it is true, group by group.
	Spots []Spot `json:"spots"`
}

// Spot is where an option is drawn.
type Spot struct {
	Cells []int  `json:"cells"` // row by row from a1, which is 0
	Text  string `json:"text"`  // that the cell holds; empty for pieces and tiles
}

// maxPicture is the largest board that is drawn.
const maxPicture = 32

// picture returns the picture of a family's problem, given the names of its variables; nil if there is
// none.
func picture(family string, names []string) *Picture {
	of, _ := encode.FamilyNamed(family)
	p := &Picture{Piece: cmp.Or(of.Sign, "O"), Name: cmp.Or(of.Piece, "piece")}
	cells := make([][]board.Cell, len(names))
	for i, name := range names {
		on, text, _ := strings.Cut(name, "=")
		for word := range strings.SplitSeq(on, "-") {
			c, err := board.ParseCell(word)
			if err != nil || !c.On(maxPicture) {
				return nil
			}
			cells[i] = append(cells[i], c)
			p.N = max(p.N, c.Row+1, c.Col+1)
		}
		p.Spots = append(p.Spots, Spot{Text: text})
	}
	drawn := make([]bool, p.N*p.N)
	for i, on := range cells {
		for _, c := range on {
			drawn[c.Index(p.N)] = true
			p.Spots[i].Cells = append(p.Spots[i].Cells, c.Index(p.N))
		}
	}
	if p.N < 2 || slices.Contains(drawn, false) {
		return nil
	}
	return p
}

// Draw draws the board in plain text. States has one character per option, as in [Outlook]. A cell shows
// what is chosen or forced on it (< and >, or v and ^, are a tile). Otherwise it shows the texts that it
// can still hold, or o for pieces and tiles, or a dot if nothing can be there.
func (p *Picture) Draw(states string) string {
	on, could := make([]string, p.N*p.N), make([]string, p.N*p.N)
	for i, spot := range p.Spots {
		for k, cell := range spot.Cells {
			text := spot.Text
			switch {
			case len(spot.Cells) == 2 && spot.Cells[1] == spot.Cells[0]+1:
				text = "<>"[k : k+1]
			case len(spot.Cells) == 2:
				text = "v^"[k : k+1]
			case text == "":
				text = p.Piece
			}
			switch states[i] {
			case '+', '!':
				on[cell] = text
			case '?':
				if spot.Text == "" {
					could[cell] = Valid.Sign()
				} else {
					could[cell] += text
				}
			}
		}
	}
	return board.Draw(p.N, func(c board.Cell) string {
		at := c.Index(p.N)
		return cmp.Or(on[at], could[at], Invalid.Sign())
	})
}
