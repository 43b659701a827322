// Package encodetest makes problems of common shapes from a seed, for tests.
package encodetest
