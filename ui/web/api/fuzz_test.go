package api

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"queens/configure/pool"
)

// Whatever is asked, the answer is JSON with a fitting status, and never an internal
// error.
func FuzzDo(f *testing.F) {
	for _, seed := range [][2]string{
		{"about", `{}`}, {"about", ``}, {"board", `{"n":6,"placed":["b1"],"blocked":["f6"],"forced":"place","counts":true}`},
		{"board", `{"n":5,"placed":["a1","b2"]}`}, {"board", `{"n":-1}`}, {"board", `{"n":1e99}`},
		{"board", `{"n":7,"backend":"search"}`},
		{"count", `{"n":6,"backend":"sat"}`}, {"explain", `{"n":6,"placed":["a2"],"cell":"c3"}`},
		{"explain", `{"n":6,"cell":"aaaa99999"}`},
		{"solutions", `{"n":6,"offset":2,"limit":2}`}, {"solutions", `{"n":6,"offset":-9223372036854775808}`},
		{"compare", `{"n":4}`}, {"orders", `{"n":5,"orders":["hilbert","random:3"]}`},
		{"orders", `{"n":5,"orders":["force:x"]}`},
		{"diagram", `{"n":4,"placed":["b1"],"order":"snake"}`},
		{"repair", `{"n":7,"method":"swap","init":"permutation","seed":18446744073709551615}`},
		{"build", `{"n":4,"rules":["some:rows","one:columns"],"order":"hilbert"}`},
		{"build", `{"n":2,"rules":["cell:a1"],"order":"a1,b2,a2,b1"}`},
		{"improve", `{"n":4,"order":"hilbert"}`},
		{"repair", `{"n":3}`}, {"board", `{"n":8,"n":9}`}, {"board", `[]`}, {"board", `null`},
		{"board", `{"n":6,"placed":null}`}, {"dance", `{}`}, {"board", "\xff"},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	s := New(pool.New(pool.Limits{MaxN: 8, MaxBDD: 6, Bytes: 64 << 20, CompileBytes: 64 << 20}), nil, 2*time.Second)
	f.Fuzz(func(t *testing.T, operation string, body []byte) {
		status, answer := s.Do(context.Background(), operation, bytes.Clone(body))
		switch status {
		case 200, 400, 404, 422, 503:
		default:
			t.Fatalf("%s %q: status %d: %s", operation, body, status, answer)
		}
		var value map[string]any
		if err := json.Unmarshal(answer, &value); err != nil {
			t.Fatalf("%s %q: %v: %s", operation, body, err, answer)
		}
		if message, _ := value["error"].(string); status != 200 && message == "" {
			t.Fatalf("%s %q: no message: %s", operation, body, answer)
		}
	})
}
