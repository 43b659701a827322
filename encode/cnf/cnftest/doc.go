// Package cnftest judges formulas for tests: a solver as simple as can be, which
// shares nothing with what it checks.
package cnftest
