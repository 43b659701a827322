// Command release packs the harness for every system: an archive a target with the
// program, manual pages, completions for shells, the configurations and the licences of
// all that is linked in, and SHA256SUMS beside them.
//
//	go run ./cmd/release -version v1.0.0 -date 1767225600 -out bin/release
//
// The same sources, version, date and Go give the same bytes, whoever packs where. It
// must never know what the harness does.
package main
