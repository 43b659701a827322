//go:build js && wasm

// Command wasm is the configurator's engine for the browser: the operations of package api, called by the
// page's worker instead of a server. All it knows of JavaScript is how it is called.
package main
