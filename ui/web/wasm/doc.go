//go:build js && wasm

// Command wasm is the configurator's engine for the browser: the operations of
// package api, called by the page's worker in place of a server. It must never
// know more of JavaScript than how to be called.
package main
