// Package api answers the configurator's questions, as JSON. Between two questions it keeps only warm
// engines. A request holds the whole placement, so any number of servers can run in parallel.
//
// Package web serves the answers over HTTP, and the browser calls the same code directly, compiled to
// WebAssembly; so the package must never know the server and its pages ([queens/ui/web]), nor how a question
// is answered: [queens/backends], [queens/encode], [queens/order], [queens/configure/explain] or
// [queens/experiments]. openapi.json describes every request and answer, and a
// test keeps it in step.
package api
