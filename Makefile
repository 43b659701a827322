# The two most important commands do not need make: see README.md.

.PHONY: processes reports core slow release bridges engines generate fuzz torture race vulncheck test check fmt bench growth defaults slurm reference csplib archive static load

test: ## the whole suite
	.ci/test

slow: ## the whole suite, and the tests that take minutes
	go test -tags slow -timeout 0 ./...

check: ## what a change must pass
	bash .ci/run

generate: ## regenerate the schema, documents, numbers quoted from records, the page's bundle and pictures in documents (Debian: chromium)
	UPDATE_SCHEMA=1 go test -count=1 -run Comments ./experiments/tasks
	UPDATE_SCHEMA=1 go test -count=1 -run Schema ./experiments/tasks
	UPDATE_INSTANCES=1 go test -count=1 -run Instances ./experiments/tasks
	UPDATE_DOCS=1 go test -count=1 -run 'Picture|Lookups' ./docs ./cmd/harness
	go run ./cmd/harness docs docs/src/README.md
	go run ./cmd/harness docs $(filter-out %/README.md,$(wildcard docs/src/*.md)) --out docs/results
	cd ui/web && go generate ./...
	UPDATE_DOCS=1 go test -count=1 -tags slow -run DocumentPictures ./ui/web

FUZZTIME ?= 60s

fuzz: ## every fuzz target for a minute each, bounded in memory
	.ci/fuzz $(FUZZTIME)

KILLS ?= 1000
CASES ?= 1000000
ATTACK ?= 60

torture: ## kills, differential cases and hostile requests, half an hour on two cores: docs/understand/trust.md
	TORTURE_KILLS=$(KILLS) go test -count 1 -timeout 0 -v -run '^TestTorture$$' ./cmd/harness
	TORTURE_CASES=$(CASES) go test -count 1 -timeout 0 -v -run '^TestDifferential$$' ./ask
	TORTURE_SECONDS=$(ATTACK) TORTURE_VARIABLES=10000 go test -count 1 -timeout 0 -v -run '^TestHostileMinute$$' ./ui/web
	TORTURE_SECONDS=$(ATTACK) go test -count 1 -timeout 0 -v -run '^TestHostileMinute$$' ./ui/web

race: ## the whole suite under the race detector
	GORACE=atexit_sleep_ms=0 go test -race -timeout 0 ./...

vulncheck: ## known vulnerabilities of our dependencies; asks vuln.go.dev
	go run $(GOVULNCHECK) ./...

GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.8.0

module: ## rename the module for a fork, so that go install finds it: make module MODULE=example.org/you/queens
	@test -n "$(MODULE)" || { echo "make module: expected MODULE=example.org/you/queens" >&2; exit 2; }
	old=$$(go list -m) && find . -name '*.go' -o -name comments.json | \
		OLD=$$old NEW=$(MODULE) xargs perl -pi -e 's#(["`\[])\Q$$ENV{OLD}\E/#$$1$$ENV{NEW}/#g'
	go mod edit -module $(MODULE)
	cd bench && go mod edit -module $(MODULE)/bench
	gofmt -w $$(find . -name '*.go')

fmt:
	gofmt -w $$(git ls-files '*.go')

growth: ## how time grows with unit clauses, hubs and long constraints, and orders with random ones, grids, trees and bands: a minute
	go test -run '^$$' -bench Growth -benchtime 1x ./ask

defaults: ## default back-ends against the fastest one, for 300 questions: ten minutes
	go test -run '^$$' -bench Defaults -benchtime 1x -timeout 0 ./ask

bench: ## our own benchmarks
	go test -run '^$$' -bench . ./backends/bdd/...

engines: ## other diagram packages for the axis engine, into bin/engines (Debian: gcc, g++, libbdd-dev, default-jdk-headless; PREFIX=FOLDER of other installed libraries)
	bench/engines/build.sh bin/engines $(PREFIX)

bridges: ## programs that make SAT solver libraries usable with --solver, into bin/bridges (Debian: g++, minisat, libcadical-dev, libcryptominisat5-dev, picosat)
	bench/bridges/build.sh bin/bridges

VERSION ?= $(shell git describe --tags --always --dirty)

release: ## archives for six systems, with checksums, into bin/release
	.ci/release $(VERSION) $(shell git log -1 --format=%ct) bin/release

slurm: ## a real Slurm on this machine runs a grid, a task is killed, the merge must be complete
	bash .ci/slurm

static: ## the configurator's page with its engine in WebAssembly, as files for any host, in bin/static
	rm -rf bin/static
	cd ui/web && go run ./gen -static ../../bin/static

load: ## clicks of many sessions against harness serve (Debian: wrk, curl)
	ui/web/load/run.sh

# Records name the commit. With -buildvcs=false the program asks git itself, and does not count new
# records and documents as changes. These take minutes on a quiet machine. Other configurations, such
# as those of orders, take longer: name them.
CONFIGS ?= ordering orders-size valid-cells sessions hard-boards break-even break-even-solvers sat-asked bdd-asked kinds-of-question encodings-valid engines constructions valid-cells-large families local-minima min-conflicts orders-time published compression

reference: ## measure configurations again into results/reference, on a quiet machine
	go build -buildvcs=false -o bin/harness ./cmd/harness
	for c in $(CONFIGS); do \
		(cd results/reference && mkdir -p $$c && cd $$c && rm -rf config.yaml env.json records.csv report) && \
		{ bin/harness run configs/$$c.yaml --out results/reference/$$c || [ $$? = 3 ]; } && \
		bin/harness report results/reference/$$c || exit; done

reports: ## make index.html of every shipped record set: open results/reference/SET/report/index.html
	go run ./cmd/harness report $(dir $(wildcard results/reference/*/config.yaml))

core: ## ten minutes that reproduce the conclusions, with a verdict on each: configs/core
	go build -o bin/harness ./cmd/harness
	for c in $(basename $(notdir $(wildcard configs/core/*.yaml))); do \
		bin/harness run configs/core/$$c.yaml --out results/core/$$c --fresh || [ $$? = 3 ] || exit; done
	bin/harness docs configs/core/conclusions.md --records results/core --out -

csplib: ## check every published verdict of CSPLib prob079 with every back-end, or with CSPLIB_BACKENDS=sat,search,portfolio,bdd; needs its files: see docs/do/reproduce.md
	CSPLIB_ALL=1 go test -timeout 0 -count 1 -v -run PublishedVerdicts ./encode/csplib

archive: ## the deposit that a DOI would hold, into bin/archive: sources and records of the last commit, feature models, checksums, RO-Crate
	.ci/archive $(VERSION) bin/archive

processes: ## whole processes, ours and CadiBack's (on the PATH), on every DIMACS file below the folder MODELS: ten minutes
	CGO_ENABLED=0 go build -o bin/harness ./cmd/harness
	cd bench && HARNESS=$(CURDIR)/bin/harness go test -run '^$$' -bench Processes -benchtime 1x -timeout 0
