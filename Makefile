# The two commands that matter need no make: see README.md.

.PHONY: test check fmt bench bench-peers

test: ## the whole suite
	go test ./...

check: ## what a change must pass
	bash .ci/run

fmt:
	gofmt -w $$(git ls-files '*.go')

bench: ## our own benchmarks
	go test -run '^$$' -bench . ./backends/bdd/...

bench-peers: ## beside BuDDy and rudd (Debian: gcc, libbdd-dev); prints a table
	cd bench && go run -tags buddy .
