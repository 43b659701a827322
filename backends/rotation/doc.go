// Package rotation changes one solution of a problem into others, without a search: it makes a literal true and repairs the
// constraints that this violates.
//
// This is model rotation (Belov and Marques-Silva, Accelerating MUS Extraction with Recursive Model Rotation, FMCAD
// 2011), but a flip may change several variables. Back-ends that have a solution find others by it. The package must
// never know one of them: [queens/backends/sat] or [queens/backends/near].
package rotation
