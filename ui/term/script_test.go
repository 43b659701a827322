package term

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/configure"
	"queens/configure/pool"
)

func script(t *testing.T, n int, text string) (string, error) {
	p, err := Open(
		context.Background(),
		pool.New(pool.Limits{}),
		configure.State{N: n, Mode: configure.Suggest},
		"",
		"row-major",
	)
	require.NoError(t, err)
	var out bytes.Buffer
	err = Script(context.Background(), p, strings.NewReader(text), "f", AsIs, &out)
	return out.String(), err
}

func TestScript(t *testing.T) {
	out, err := script(t, 4, `# a lecture
place b1   # the first queen
show
place a1
forced
solutions 3
count
link
undo
heat
`)
	require.NoError(t, err)
	assert.Equal(t, `> place b1
> show
4 . x ! .
3 ! x . x
2 x x x !
1 x Q x x
  a b c d
1 of 4 queens, 3 valid cells, 3 forced, 1 solution.
> place a1
Line 4: cannot place a1: a1 is attacked by the queen on b1.
> forced
d2 is the last free cell of row 2.
a3 is the last free cell of row 3.
c4 is the last free cell of row 4.
> solutions 3
b1,d2,a3,c4
> count
1
> link
n=4&q=b1&forced=suggest
> undo
> heat
4 . 1 1 .
3 1 . . 1
2 1 . . 1
1 . 1 1 .
  a b c d
0 of 4 queens, 8 valid cells, 2 solutions.
`, out)
}

// The back-ends give the same answers, so a script prints the same with each, except for
// engine lines.
func TestScriptOverEachBackend(t *testing.T) {
	text := "place c1\nshow\nvalid\nexplain d4\nexplain h8\nforced\n" +
		"block e2\ncount\nremove c1\nheat\nundo\nredo\nsize 5\nshow\n"
	var first string
	for _, backend := range ask.Names(ask.Able(ask.Valid)) {
		out, err := script(t, 8, "backend "+backend+"\n"+text)
		require.NoError(t, err)
		_, out, _ = strings.Cut(out, "\n")
		// Any correct witness or blame will do.
		var kept []string
		for line := range strings.Lines(out) {
			if !strings.HasPrefix(line, "  ") || strings.Contains(line, " a b c") {
				line, _, _ = strings.Cut(line, "; to blame")
				kept = append(kept, strings.TrimSuffix(line, "\n"))
			}
		}
		out = strings.Join(kept, "\n")
		if first == "" {
			first = out
		}
		assert.Equal(t, first, out, backend)
	}
	assert.Contains(t, first, "10 solutions")
}

func TestScriptErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"dance":              `f:1:1: command "dance": unknown; help lists the commands`,
		"\n\n  place z":      `f:3:3: cell "z": expected`,
		"show me":            "f:1:1: command show: 1 arguments, expected 0",
		"solutions none":     "f:1:1: solutions none: expected a number",
		"size":               "f:1:1: command size: 0 arguments, expected 1",
		"size 1000":          "f:1:1: board size n = 1000: expected 1 to 200",
		"backend cplex":      `f:1:1: backend "cplex": expected one of`,
		"order best":         `f:1:1: order "best"`,
		"forced always":      `f:1:1: forced mode "always"`,
		"place a1\nplace":    "f:2:1: command place: 0 arguments, expected 1",
		"solutions 1 2 show": "f:1:1: command solutions: 3 arguments",
	} {
		_, err := script(t, 8, text)
		require.ErrorContains(t, err, want, "%q", text)
		assert.True(t, BadInput(err))
	}
	out, err := script(t, 8, "place z9\nundo\nhelp")
	require.NoError(t, err, "a refusal is an answer")
	assert.Contains(t, out, "Line 1: cannot place z9: the cell is off the board")
	assert.Contains(t, out, "Line 2: cannot undo: nothing has been done.")
}

// A script goes on after lines that cannot be carried out, or ends there, as it is told.
func TestScriptGoesOnOrStops(t *testing.T) {
	for _, test := range []struct {
		text    string
		on      OnError
		want    string // the end of what is written
		failure string
	}{
		{"place a1\nlink", AsIs, "no placed queen is to blame.\n> link\nn=4&forced=suggest\n", ""},
		{"place a1\nlink", GoOn, "no placed queen is to blame.\n> link\nn=4&forced=suggest\n", ""},
		{"place a1\nlink", Stop, "> place a1\n", "f:1:1: cannot place a1: "},
		{"\n dance\nlink", AsIs, "> dance\n", `f:2:2: command "dance": unknown`},
		{"\n dance\nlink", Stop, "> dance\n", `f:2:2: command "dance": unknown`},
		{"place \x1b[31m", AsIs, "", `f:1:1: control character '\x1b'`},
		{"\n dance\nlink", GoOn, "Line 2: command \"dance\": unknown; help lists the commands.\n> link\nn=4&forced=suggest\n",
			"f: 1 line cannot be carried out"},
	} {
		p, err := Open(context.Background(), pool.New(pool.Limits{}), configure.State{N: 4, Mode: configure.Suggest}, "", "row-major")
		require.NoError(t, err)
		var out bytes.Buffer
		err = Script(context.Background(), p, strings.NewReader(test.text), "f", test.on, &out)
		assert.True(t, strings.HasSuffix(out.String(), test.want), "%q %s: %s", test.text, test.on, out.String())
		if test.failure == "" {
			assert.NoError(t, err, "%q %s", test.text, test.on)
		} else {
			assert.ErrorContains(t, err, test.failure, "%q %s", test.text, test.on)
			assert.True(t, BadInput(err))
		}
	}
}
