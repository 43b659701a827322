package term

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"queens/configure"
	"queens/configure/pool"
)

// Running a script always ends, whatever it holds, and any error is the script's fault.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		"place a1\nshow\nexplain c5\nundo\n", "size 4\nheat\nsolutions 9\n", "backend search\norder hilbert\nengine\n",
		"forced\nforced place\nvalid\ncount\nlink\nhelp\n", "explain zz99\n", "solutions -1\n",
		"size 0\nsize 100000\n",
		"order random:7\nbackend bdd\nshow\n", "\x00\xff\n", "place\nplace a1 b2\n", "# nothing\n\n",
	} {
		f.Add(text)
	}
	warm := pool.New(pool.Limits{MaxN: 7, MaxBDD: 5})
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		p, err := Open(ctx, warm, configure.State{N: 5}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		if err := Script(ctx, p, strings.NewReader(text), "f", AsIs, io.Discard); err != nil && !BadInput(err) {
			t.Fatalf("not the script's fault: %v", err)
		}
	})
}
