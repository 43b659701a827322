// Command rudd carries out a construction's operations with the BDD package rudd and
// prints one line of JSON: see docs/do/package.md.
//
//	go build -tags buddy -o rudd . && ./rudd FILE
//
// The tag buddy selects rudd's faster node table.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/dalzilio/rudd"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rudd FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rudd:", err)
		os.Exit(1)
	}
}

// engine is a manager and the functions made so far.
type engine struct {
	b     *rudd.BDD
	level map[int]int // of each variable
	made  []rudd.Node
}

func run(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	e := engine{level: map[int]int{}}
	var start time.Time
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case words[0] == "c":
			v, err := strconv.Atoi(words[1])
			if err != nil {
				return err
			}
			e.level[v] = len(e.level)
		case words[0] == "p":
			if err := e.begin(len(e.level)); err != nil {
				return err
			}
			start = time.Now()
		default:
			if err := e.do(words); err != nil {
				return fmt.Errorf("%s: %w", lines.Text(), err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return e.report(time.Since(start))
}

// begin makes the manager: with a table that suits boards of 8 to 10, and is a large
// part of what larger ones need.
func (e *engine) begin(vars int) error {
	nodes := 1 << 17
	switch {
	case vars >= 121:
		nodes = 1 << 22
	case vars >= 100:
		nodes = 1 << 20
	}
	b, err := rudd.New(vars, rudd.Nodesize(nodes), rudd.Cachesize(nodes/4), rudd.Cacheratio(25),
		rudd.Maxnodeincrease(nodes))
	if err != nil {
		return err
	}
	e.b, e.made = b, []rudd.Node{b.False(), b.True()}
	return nil
}

// do carries out one operation.
func (e *engine) do(words []string) error {
	var n []int
	for _, word := range words[1:] {
		number, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		n = append(n, number)
	}
	b := e.b
	var f rudd.Node
	switch words[0] {
	case "free":
		e.made[n[0]] = nil // rudd frees it when the Go runtime collects it
		return nil
	case "cube":
		f = b.True()
		for _, l := range n[:len(n)-1] {
			f = b.And(e.literal(l), f)
		}
	case "clause":
		f = b.False()
		for _, l := range n[:len(n)-1] {
			f = b.Or(e.literal(l), f)
		}
	case "and":
		f = b.And(e.made[n[0]], e.made[n[1]])
	case "or":
		f = b.Or(e.made[n[0]], e.made[n[1]])
	case "node":
		f = b.Ite(b.Ithvar(e.level[n[0]]), e.made[n[2]], e.made[n[1]])
	default:
		return fmt.Errorf("unknown operation %q", words[0])
	}
	if b.Errored() {
		return fmt.Errorf("rudd: %s", b.Error())
	}
	e.made = append(e.made, f)
	return nil
}

func (e *engine) literal(l int) rudd.Node {
	if l < 0 {
		return e.b.NIthvar(e.level[-l])
	}
	return e.b.Ithvar(e.level[l])
}

func (e *engine) report(spent time.Duration) error {
	f := e.made[len(e.made)-1]
	nodes := 0
	err := e.b.Allnodes(func(id, _, _, _ int) error {
		if id > 1 {
			nodes++
		}
		return nil
	}, f)
	if err != nil {
		return err
	}
	answer := map[string]any{
		"engine": "rudd " + version() + ", built with " + runtime.Version(), "nodes": nodes, "solutions": e.b.Satcount(f).String(),
		"build_seconds": spent.Seconds(),
	}
	if peak, err := peakBytes(); err == nil {
		answer["bytes"] = peak
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}

// version returns the version of rudd that was linked.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/dalzilio/rudd" {
				return m.Version
			}
		}
	}
	return "unknown"
}

// peakBytes returns this process's peak resident memory.
func peakBytes() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no VmHWM in /proc/self/status")
}
