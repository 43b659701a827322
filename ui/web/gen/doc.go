// Command gen makes what package web embeds: it bundles the page's TypeScript and
// style sheet with esbuild, and describes the API as OpenAPI from the Go types of
// its requests and answers and their comments. Run it by go generate ./ui/web;
// with -check it changes nothing and fails when the files are out of step. With
// -static DIR it writes the page as files that need no server, the engine compiled
// to WebAssembly among them.
package main
