// A module of its own, so that the product never depends on another BDD package.
module queens/bench

go 1.26.0

require (
	github.com/dalzilio/rudd v1.1.1-0.20230806153452-9e08a6ea8170
	queens v0.0.0
)

replace queens => ../
