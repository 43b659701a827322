package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/encode"
)

// load reads the saved diagram of a problem.
func (f *choiceFlags) load(ctx context.Context, p encode.Problem) (*bdd.Compiled, error) {
	if err := isFile(f.file); err != nil {
		return nil, invalid("flag --diagram-file: %w", err)
	}
	d, meta, err := robdd.Load(ctx, f.file)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, invalid("flag --diagram-file: %w", notDiagram(f.file, err))
	}
	if err := bdd.Describes(meta, p); err != nil {
		return nil, invalid("flag --diagram-file %s: %w", f.file, err)
	}
	return bdd.Loaded(p, meta[bdd.MetaConstruction], d, robdd.Config{MaxBytes: f.memory.limit}), nil
}

// notDiagram returns an error that explains why a file is not a saved diagram.
func notDiagram(file string, err error) error {
	var bad *robdd.FileError
	if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
		return unread
	}
	if !errors.As(err, &bad) {
		return err
	}
	why := fmt.Sprintf("%s, at byte %d", bad.Reason, bad.Offset)
	if bad.Offset == 0 {
		why = "it has no diagram header"
	}
	return fmt.Errorf("%s is not a saved diagram: %s; harness compile -o FILE writes one", file, why)
}
