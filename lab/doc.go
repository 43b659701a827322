// Package lab is what the faces show beside a session: the same question put to
// every back-end, variable orders side by side, a diagram to look at and how it
// grows while it is built, the course of a local search, and an explanation as a
// walk of one board at a time. It also holds the policies that faces share: who
// counts and who lists solutions when the back-end at hand does so slowly.
//
// Answers are plain values, ready to be drawn or written as JSON, with cells in
// chess notation. The package must never know a connection, a screen or a page.
package lab
