package ask

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A back-end whose package imports that of another shares code with it.
func TestSharesNamesWhatIsImported(t *testing.T) {
	shared := 0
	for _, d := range All() {
		deps, err := exec.Command("go", "list", "-deps", "queens/backends/"+d.Name).Output()
		require.NoError(t, err)
		for _, e := range All() {
			if e.Name != d.Name && slices.Contains(strings.Fields(string(deps)), "queens/backends/"+e.Name) {
				assert.True(t, d.SharesWith(e, Valid) && e.SharesWith(d, Valid), "%s imports %s", d.Name, e.Name)
				shared++
			}
		}
	}
	assert.GreaterOrEqual(t, shared, 4)
	names := map[string]Descriptor{}
	for _, d := range All() {
		names[d.Name] = d
	}
	assert.True(t, names["table"].SharesWith(names["ddnnf"], Valid), "both have search's")
	assert.True(t, names["bdd"].SharesWith(names["portfolio"], Count), "it counts for it")
	assert.False(t, names["bdd"].SharesWith(names["portfolio"], Valid))
	assert.False(t, names["near"].SharesWith(names["sat"], Valid))
	assert.False(t, names["bdd"].SharesWith(names["search"], Valid))
}
