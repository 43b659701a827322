package report

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed page.html report.md.tmpl table.tex.tmpl
var templates embed.FS

// filled fills in a plain-text template.
func filled(name string, with any) ([]byte, error) {
	functions := template.FuncMap{"tex": latexText, "environment": environmentText}
	var b bytes.Buffer
	source, err := template.New(name).Delims("<<", ">>").Funcs(functions).ParseFS(templates, name)
	if err == nil {
		err = source.Execute(&b, with)
	}
	if err != nil {
		return nil, fmt.Errorf("the report's %s: %w", name, err)
	}
	return b.Bytes(), nil
}

var latexEscapes = []string{
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `$\sim$`, `^`, `\textasciicircum{}`, `±`, `$\pm$`, `×`, `$\times$`, `µ`, `$\mu$`, `>`, `$>$`, `<`, `$<$`,
	`≡`, `$\equiv$`,
}

func latexText(s string) string { return strings.NewReplacer(latexEscapes...).Replace(s) }
