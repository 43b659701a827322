// Package web serves the configurator to browsers: the page, which is embedded
// in the binary, and the API of package api over HTTP, with its limits, metrics
// and security headers.
//
// It keeps nothing about its users, needs no network beyond its own port, and
// must never know how a question is answered.
//
// The page's sources are TypeScript in page/src; gen bundles them, with
// esbuild's Go API, into page/dist, and writes the API's description:
//
//	go generate ./ui/web
package web

//go:generate go run ./gen
