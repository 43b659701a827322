package backends

import (
	"fmt"
	"strings"
)

// Method describes one way in which a back-end finds the values that variables can still take. Flags, the
// schema, documents and tests are made from it.
type Method struct {
	Name string // as flags and axes take it
	// Title is for people, beside the back-end's title; empty if that says enough.
	Title string
	// Doc says what the method does: a sentence without its subject, which is the name.
	Doc string
	// Kind is the kind of diagram that it reads, and whose nodes [Valid.Work] counts, as in zdd; empty if it
	// reads none.
	Kind string
	// LargestBoard is the largest board on which it is fast enough for interactive use; 0 for any.
	LargestBoard int
	// Remembers says that it keeps what it finds, or prepares, for later questions, which pays in a session of one person.
	Remembers bool
}

// Suits reports whether the method is fast enough for interactive use on a board of size n; n is 0 for other problems.
func (m Method) Suits(n int) bool { return m.LargestBoard == 0 || n <= m.LargestBoard }

// Way is a [Method] with the function that answers by it. A back-end lists its ways, the generally best one
// first.
type Way[F any] struct {
	Method
	Answer F
}

// Methods returns the methods of a list of ways.
func Methods[F any](ways []Way[F]) []Method {
	list := make([]Method, len(ways))
	for i, w := range ways {
		list[i] = w.Method
	}
	return list
}

// Names returns the names of methods.
func Names(methods []Method) []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
	}
	return names
}

// Choose returns the way with the name, or the first way if the name is empty. The error lists the back-end's
// methods.
func Choose[F any](ways []Way[F], backend, name string) (*Way[F], error) {
	for i := range ways {
		if w := &ways[i]; w.Name == name || name == "" {
			return w, nil
		}
	}
	return nil, fmt.Errorf("method %q: back-end %s has %s", name, backend, strings.Join(Names(Methods(ways)), ", "))
}
