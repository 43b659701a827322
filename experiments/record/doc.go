// Package record keeps what runs found: one [Row] a run in records.csv, in which
// [Environment] each was made in env.json, and the configuration in config.yaml.
//
// [Read] is the one reader of record sets: it checks columns, types, ids,
// duplicates and the grid, and names file, line and column of what is wrong. A
// [Store] appends rows, each synced to the disk before the next run begins, and
// [Merge] unites the sets of shards. The package never starts a run, and knows no
// task: a set's env.json says what its columns are for.
package record
