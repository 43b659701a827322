package param

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed comments.json
var commentsFile []byte

// Comments returns the Go comments of the fields of configurations and records, by package, type and
// field. A compiled program contains no comments, so `make generate` keeps them in a file.
var Comments = sync.OnceValue(func() (comments map[string]string) {
	if err := json.Unmarshal(commentsFile, &comments); err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return comments
})
