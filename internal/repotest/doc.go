// Package repotest tells tests which files the project ships. A reader of its documents saves others beside
// them, such as the tutorial's configs/spiral.yaml, and no test may take those for ours.
package repotest
