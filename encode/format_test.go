package encode_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/encode"
	"queens/encode/cnf"
)

// Whichever way a format is read, its name is the problem's family, unless the problem is a known board.
func TestFormatsNameTheirProblems(t *testing.T) {
	small := map[string]string{"cnf": "p cnf 1 1\n1 0\n", "opb": "+1 x1 >= 1 ;\n", "uvl": "features\n    Shop\n"}
	for _, f := range encode.Formats() {
		text := small[f.Name]
		require.NotEmpty(t, text, "a small file of the format %s", f.Name)
		for way, read := range map[string]func(io.Reader, string) (encode.Problem, []cnf.Var, error){
			"Read": f.Read, "Provable": f.Provable, "Whole": f.Whole,
		} {
			if read != nil {
				p, _, err := read(strings.NewReader(text), "f")
				require.NoError(t, err)
				assert.Equal(t, f.Name, p.Family, "%s of %s", way, f.Name)
			}
		}
	}
}
