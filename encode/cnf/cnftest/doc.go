// Package cnftest judges formulas in tests with the simplest possible solver,
// which shares nothing with the code it checks, and makes a hard one.
package cnftest
