// Package recall keeps what the answers to earlier questions about one problem say about the next one.
//
// Three things outlast a question:
//
//   - A solution is a witness for every question whose assumptions it satisfies: its literals are possible.
//   - A literal that is impossible stays impossible under more assumptions.
//   - An answer is the answer to the same question, as after taking a decision back.
//
// So a person's next question, which assumes one decision more than the last one, is nearly answered before a
// back-end begins. A [Memory] has no notion of a session: it looks for what fits among everything that it keeps,
// so the questions of several people may be mixed, and decisions may be taken back in any order. A [Mover] also
// moves its solutions along with the decisions.
//
// Back-ends ask a Memory before they begin, and hand it the solutions that they find. It must never know one of
// them: [queens/backends/sat], [queens/backends/search], [queens/backends/portfolio] or [queens/backends/bdd].
package recall
