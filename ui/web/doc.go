// Package web serves the configurator to browsers: the page, which is embedded
// in the binary, and the API of package api over HTTP, with its limits
// and security headers.
//
// It stores nothing about its users, needs no network beyond its own port, and must never know how a question
// is answered: [queens/backends], [queens/encode], [queens/order], [queens/configure/explain] or
// [queens/experiments].
//
// The page's sources are TypeScript in page/src; gen bundles them into page/dist
// with esbuild's Go API, and writes the description of the API and its types in TypeScript:
//
//	go generate ./ui/web
package web

//go:generate go run ./gen
