package configure

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"queens/backends"
	"queens/backends/search"
	"queens/encode"
)

// small makes a back-end for boards small enough to fuzz.
func small(n int) (backends.Oracle, error) {
	if n > 8 {
		return nil, errors.New("too large for this test")
	}
	problem, err := encode.Queens(n, nil, nil)
	if err != nil {
		return nil, err
	}
	return search.New(problem), nil
}

// Loading any text returns a session or an error that names a place, and a loaded
// session survives Save and Load.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"queens 8\nplace a1\nblock d4\nundo\nforced suggest\n",
		"queens 4 # a board\n\nplace b1\nclear\nundo\nredo\nforced place\n",
		"queens 1\nplace a1\nremove a1\n",
		"queens 6\nblock a1\nblock a1\n",
		"queens 8\nplace a1\nplace b2\n",
		"queens 0\n", "queens 99999999999999999999\n", "queens\n", "place a1\n", "", "\x00",
		"queens 8\nplace zzzzzzz9999999\n",
		"queens 5\nforced off\nforced on\n", "queens 5\n" + strings.Repeat("place a1\nundo\n", 50),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s, err := Load(ctx, strings.NewReader(text), "f", small)
		if err != nil {
			if !strings.Contains(err.Error(), "f:") {
				t.Fatalf("the error does not name a place: %v", err)
			}
			return
		}
		var first, second bytes.Buffer
		if err := s.Save(&first); err != nil {
			t.Fatal(err)
		}
		again, err := Load(ctx, bytes.NewReader(first.Bytes()), "g", small)
		if err != nil {
			t.Fatalf("%v\nread back:\n%s", err, &first)
		}
		if !again.State().equal(s.State()) || len(again.past) != len(s.past) || len(again.future) != len(s.future) {
			t.Fatalf("read back as a different session:\n%s", &first)
		}
		if err := again.Save(&second); err != nil || second.String() != first.String() {
			t.Fatalf("written as\n%sand then as\n%s(%v)", &first, &second, err)
		}
	})
}
