package report

import (
	"fmt"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"

	plotfont "gonum.org/v1/plot/font"
)

// outlined is a canvas whose text is drawn as shapes. Embedding whole fonts would make each PDF
// 200 KiB; a PDF without them depends on the reader's fonts.
type outlined struct {
	vg.CanvasWriterTo
	buffer sfnt.Buffer
	err    error
}

// FillString draws the text's glyphs, starting at the point on the baseline.
func (c *outlined) FillString(face plotfont.Face, at vg.Point, text string) {
	ppem := fixed.Int26_6(face.Font.Size.Points() * 64)
	unit := func(v fixed.Int26_6) vg.Length { return vg.Points(float64(v) / 64) }
	var pen fixed.Int26_6
	for _, r := range text {
		index, err := face.Face.GlyphIndex(&c.buffer, r)
		if err == nil {
			var segments sfnt.Segments
			if segments, err = face.Face.LoadGlyph(&c.buffer, index, ppem, nil); err == nil {
				// The font's y axis points down.
				point := func(p fixed.Point26_6) vg.Point {
					return vg.Point{X: at.X + unit(pen+p.X), Y: at.Y - unit(p.Y)}
				}
				c.fill(segments, point)
				var advance fixed.Int26_6
				advance, err = face.Face.GlyphAdvance(&c.buffer, index, ppem, font.HintingNone)
				pen += advance
			}
		}
		if err != nil && c.err == nil {
			c.err = fmt.Errorf("drawing %q of %q: %w", r, text, err)
		}
	}
}

func (c *outlined) fill(segments sfnt.Segments, point func(fixed.Point26_6) vg.Point) {
	var path vg.Path
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(path) > 0 {
				path.Close()
			}
			path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(path) > 0 {
		path.Close()
		c.Fill(path)
	}
}
