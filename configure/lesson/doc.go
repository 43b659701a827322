// Package lesson provides what the user interfaces show in addition to a session: one
// question put to every back-end, variable orders side by side, a diagram built
// rule by rule, the course of a local search, and an explanation walked through
// one board at a time.
//
// Answers are plain values, ready to be drawn or written as JSON, with cells in chess notation. The package
// must never know a connection ([net/http]), a screen or a page ([queens/ui]).
package lesson
