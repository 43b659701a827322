// Package generate makes problems of common shapes from a seed: feature models,
// local constraints, grids, random clauses. It is for comparing variable orders and back-ends
// on more than boards, where real files may not be shipped. The same seed gives the same
// problem everywhere. The package must never know an order or a back-end.
package generate
