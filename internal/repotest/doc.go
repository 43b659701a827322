// Package repotest tells tests which files belong to the project. Readers of its documents save other
// files beside them, such as the tutorial's configs/spiral.yaml, which tests must not take for the
// project's own.
package repotest
