# The two commands that matter need no make: see README.md.

.PHONY: test check bench fmt

test: ## the whole suite
	go test ./...

check: ## what a change must pass
	bash .ci/run

fmt:
	gofmt -w $$(git ls-files '*.go')
