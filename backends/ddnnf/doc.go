// Package ddnnf answers questions from a d-DNNF, the compiled form that product lines use.
//
// The form splits a problem into parts that share no variable, which a decision diagram cannot: it suits formulas
// whose variables depend on few others, as those of features do. A board of queens has no such parts. See Sundermann
// et al., "Exploiting d-DNNFs for repetitive counting queries on feature models" (arXiv 2303.12383), and, on compiling
// constraints in place of clauses, "Pseudo-Boolean d-DNNF compilation for expressive feature modeling constructs"
// (arXiv 2505.05976).
//
//   - graph.go is the form, and how it is put together.
//   - compile.go compiles a problem from its constraints, component by component.
//   - simplify.go makes clauses fewer and shorter meanwhile.
//   - passes.go goes up and down all nodes: solutions, values, counts.
//   - changes.go keeps the state of the last question, and changes it for the next.
//   - solutions.go lists solutions and draws them.
//   - write.go writes files of c2d, and read.go reads those of c2d and d4; entail.go checks a graph against its problem.
//   - oracle.go is the back-end.
//
// It must never know another back-end: [queens/backends/bdd], [queens/backends/sat] or [queens/backends/search].
package ddnnf
