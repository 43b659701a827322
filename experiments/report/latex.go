package report

import (
	"strings"
)

var latexEscapes = []string{
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `$\sim$`, `^`, `\textasciicircum{}`, `±`, `$\pm$`, `×`, `$\times$`, `µ`, `$\mu$`, `>`, `$>$`, `<`, `$<$`,
}

func latexText(s string) string { return strings.NewReplacer(latexEscapes...).Replace(s) }
