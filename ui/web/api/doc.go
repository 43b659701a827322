// Package api answers the configurator's questions: JSON in, JSON out, and
// nothing kept between two questions but warm engines. A request holds the whole
// placement, so any number of servers can stand side by side.
//
// The same answers are served over HTTP by package web and called directly in the
// browser, compiled to WebAssembly; so the package must never know a connection,
// a header or a page. openapi.json beside it describes every request and answer,
// and a test keeps the two in step.
package api
