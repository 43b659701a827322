package tasks

import (
	"queens/ask"
	"queens/internal/param"
)

// EngineName is the name of a diagram package, or its command.
type EngineName string

var _ param.Patterned = EngineName("")

// ours is the built-in engine, which runs in this process.
const ours EngineName = "queens"

// Values lists the engines that a configuration need not describe.
func (EngineName) Values() []string { return []string{string(ours)} }

// Pattern accepts the command of any engine, and names defined in a configuration.
func (EngineName) Pattern() (expression, title string) {
	return `.`, "a name from engines, or a command with {cnf} or {ops}, as in bin/engines/buddy {ops}"
}

// ownWay stands for the construction of an engine that reads the problem itself.
const ownWay ask.ConstructionName = "own"

// outsideResult is the part of [CompileResult] and of the measurements that an outside engine
// reports. Its memory replaces the memory of the run's process.
type outsideResult struct {
	Nodes        int     `json:"nodes"`
	PeakNodes    *uint64 `json:"peak_nodes"`
	Solutions    string  `json:"solutions"`
	EngineIs     string  `json:"engine_is"`
	PeakRSSBytes *uint64 `json:"peak_rss_bytes"`
}
