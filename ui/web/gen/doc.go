// Command gen generates the files that package web embeds. It bundles the page's
// TypeScript and style sheet with esbuild, and describes the API as OpenAPI from the Go
// types of its requests and answers and their comments. Run it with go generate ./ui/web.
// With -check it changes nothing, and fails if a file is out of date. With -static DIR it
// writes the page as static files, including the engine compiled to WebAssembly.
package main
