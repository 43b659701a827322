package term

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Reflow breaks a text into lines of at most width columns. The lines of a paragraph flow together. A line with two
// blanks in a row is an entry of a list: it stays apart, and goes on below what follows its key and the blanks, unless
// these take more than half of the width.
func Reflow(text string, width int) string {
	var parts []string // paragraphs, entries and empty lines
	flows := false
	for line := range strings.SplitSeq(text, "\n") {
		apart := line == "" || strings.Contains(line, "  ")
		if flows && !apart {
			parts[len(parts)-1] += " " + line
		} else {
			parts = append(parts, line)
		}
		flows = !apart
	}
	key := regexp.MustCompile(`^ *(\S+( \S+)*  +)?`)
	for i, part := range parts {
		if ansi.StringWidth(part) <= width {
			continue
		}
		line, broken := key.FindString(part), ""
		if len(line) > width/2 {
			line = ""
		}
		indent := strings.Repeat(" ", len(line))
		for k, word := range strings.Fields(part[len(line):]) {
			switch {
			case k == 0:
				line += word
			case ansi.StringWidth(line+" "+word) > width:
				broken += line + "\n"
				line = indent + word
			default:
				line += " " + word
			}
		}
		parts[i] = broken + line
	}
	return strings.Join(parts, "\n")
}
