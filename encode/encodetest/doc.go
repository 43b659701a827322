// Package encodetest makes problems for tests: of common shapes from a seed, of a family, and positions of queens.
package encodetest
