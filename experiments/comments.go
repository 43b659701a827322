package experiments

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed comments.json
var commentsFile []byte

// Comments returns what the Go comments say of the fields that configurations and records
// have, by package, type and field. A program has no comments when it runs, so that
// `make generate` keeps them in a file.
var Comments = sync.OnceValue(func() (comments map[string]string) {
	if err := json.Unmarshal(commentsFile, &comments); err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return comments
})
