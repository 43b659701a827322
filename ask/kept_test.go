package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/backends/conformance"
	"queens/encode"
	"queens/internal/param"
)

// A random problem that fails is cut down and kept in testdata/kept, where [TestKept] asks about it in later
// runs. Each trial runs that test in a process of its own, so that a crash or an endless loop also counts as
// a failure.

// keptChoice begins the comment that holds the choice with which a problem failed.
const keptChoice = "* choice "

// TestKept asks every back-end, and the choice in the file if there is one, about problems that once
// failed or are edge cases of the file formats. With KEPT it asks about this file alone.
func TestKept(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "kept", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if one := os.Getenv("KEPT"); one != "" {
		files = []string{one}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for seed := range conformance.Cases(10) {
			askKept(t, string(data), filepath.Ext(file), rand.New(rand.NewPCG(seed, 0)), fmt.Sprintf("%s, seed %d", file, seed))
		}
	}
}

func askKept(t *testing.T, text, ext string, rng *rand.Rand, hint string) {
	p, err := readProblem(text, ext)
	if err != nil && os.Getenv("KEPT") != "" {
		return // a file that is cut too short to read does not count as a failure
	}
	require.NoError(t, err, hint)
	checkFile(t, text, ext, rng, hint)
	for line := range strings.Lines(text) {
		if choice, has := strings.CutPrefix(line, keptChoice); has {
			var c Choice
			require.NoError(t, json.Unmarshal([]byte(choice), &c), hint)
			made, err := Start(context.Background(), p, c, 0, Resources{})
			require.NoError(t, err, hint)
			b, err := Named(string(c.Backend), 0)
			require.NoError(t, err, hint)
			conformance.Of(p).Ask(t, made.Backend, b.Methods, rng, 12, hint)
			require.NoError(t, made.Close(), hint)
		}
	}
}

func readProblem(text, ext string) (p encode.Problem, err error) {
	read := encode.ReadOPB
	if ext == ".cnf" {
		read = encode.ReadCNF
	}
	p, _, err = read(strings.NewReader(text), "f"+ext)
	return p, err
}

// keepFailed cuts a problem down and keeps it if the test has failed; it is called by defer.
func keepFailed(t *testing.T, text, ext string) {
	if !t.Failed() {
		return
	}
	trial := filepath.Join(t.TempDir(), "trial"+ext)
	fails := func(text string) bool {
		if os.WriteFile(trial, []byte(text), 0o644) != nil {
			return false
		}
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKept$", "-test.timeout", "1m")
		cmd.Env = append(os.Environ(), "KEPT="+trial)
		return cmd.Run() != nil
	}
	if !fails(text) {
		t.Log("the problem alone does not fail: repeat it by its seed")
		return
	}
	text = cutDown(text, fails)
	kept := filepath.Join("testdata", "kept", param.Digest([]byte(text))+ext)
	if err := os.WriteFile(kept, []byte(text), 0o644); err != nil {
		t.Log(err)
	}
	t.Logf("cut down and kept as %s:\n%s", kept, text)
}

// keepChosen is keepFailed for a problem that failed with a choice.
func keepChosen(t *testing.T, p encode.Problem, c Choice) {
	var text strings.Builder
	if choice, err := json.Marshal(c); t.Failed() && err == nil && p.WriteOPB(&text, nil) == nil {
		keepFailed(t, keptChoice+string(choice)+"\n"+text.String(), ".opb")
	}
}

var (
	sumTerm = regexp.MustCompile(`[+-]\d+ ~?x\d+ `)
	literal = regexp.MustCompile(`-?[1-9]\d* `)
	headOf  = regexp.MustCompile(`(?m)^(p cnf \d+) \d+$`)
	comment = regexp.MustCompile(`^(p|c|\*)`)
	needed  = regexp.MustCompile(`^(p|\* (#|choice))`)
)

// cutDown removes constraints, many at once first, and then terms of constraints, as long as the
// problem still fails.
func cutDown(text string, fails func(string) bool) string {
	lines := slices.Collect(strings.Lines(text))
	joined := func(lines []string) string {
		clauses := len(slices.DeleteFunc(slices.Clone(lines), comment.MatchString))
		return headOf.ReplaceAllString(strings.Join(lines, ""), fmt.Sprintf("$1 %d", clauses))
	}
	try := func(with []string) bool {
		if fails(joined(with)) {
			lines = with
			return true
		}
		return false
	}
	for size := len(lines) / 2; size > 0; size /= 2 {
		for at := len(lines) - size; at >= 0; at -= size {
			if part := lines[at : at+size]; !slices.ContainsFunc(part, needed.MatchString) {
				try(slices.Concat(lines[:at], lines[at+size:]))
			}
			at = min(at, len(lines))
		}
	}
	for i := range lines {
		for k := 0; !comment.MatchString(lines[i]); k++ {
			term := literal
			if strings.Contains(lines[i], ";") {
				term = sumTerm
			}
			terms := term.FindAllStringIndex(lines[i], -1)
			if k >= len(terms) {
				break
			}
			shorter := slices.Clone(lines)
			if shorter[i] = lines[i][:terms[k][0]] + lines[i][terms[k][1]:]; try(shorter) {
				k--
			}
		}
	}
	return joined(lines)
}

// cutDown leaves only the parts that make a problem fail.
func TestCutDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 50 {
		text := randomDIMACS(rng, 8)
		cut := cutDown(strings.Replace(text, "0\n", "0\n3 -8 5 0\n1 2 -7 0\n", 1), func(text string) bool {
			return regexp.MustCompile(`(?m)^(.* )?-8 (.* )?0$`).MatchString(text) && regexp.MustCompile(`(?m)^(.* )?-7 (.* )?0$`).MatchString(text)
		})
		if !strings.Contains(text, "-7") && !strings.Contains(text, "-8") {
			assert.Equal(t, "p cnf 8 2\n-8 0\n-7 0\n", cut)
		}
		assert.LessOrEqual(t, strings.Count(cut, "\n"), 3, cut)
	}
	opb := "* #variable= 3 #constraint= 2\n+1 x1 +1 ~x2 >= 1 ;\n+1 x3 <= 1 ;\n"
	assert.Equal(t, "* #variable= 3 #constraint= 2\n+1 ~x2 >= 1 ;\n", cutDown(opb, func(text string) bool { return strings.Contains(text, "~x2") }))
}
