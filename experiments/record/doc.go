// Package record stores what runs found: one [Row] per run in records.csv, the
// [Environment] in which each was measured in env.json, and the configuration in
// config.yaml.
//
// [Read] is the only reader of record sets: it checks columns, types, ids and
// duplicates, and its errors name the file, line and column. A set's [Coverage] compares
// it with the configuration's grid. A [Store] appends rows, each synced to disk before
// the next run begins, and [Merge] unites the sets of shards. The package never starts a
// run and imports no task: a set's env.json describes its columns.
package record
