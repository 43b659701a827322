package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/dalzilio/rudd"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/board"
	"queens/encode"
	"queens/order"
)

// measure builds once with an engine, in this process.
func measure(engine string, c contest, order string) (measurement, error) {
	switch engine {
	case "queens":
		return ours(c, order)
	case "rudd":
		return ruddEngine(c)
	}
	return measurement{}, fmt.Errorf("engine %q: expected queens or rudd", engine)
}

func ours(c contest, orderName string) (measurement, error) {
	p, err := encode.Queens(c.n, nil, nil)
	if err != nil {
		return measurement{}, err
	}
	named, err := order.ByName(orderName)
	if err != nil {
		return measurement{}, err
	}
	o := named.Of(c.n)
	start := cpuSeconds()
	compiled, err := bdd.Compile(context.Background(), p, o, bdd.Options{Construction: c.construction})
	if err != nil {
		return measurement{}, err
	}
	d, err := compiled.As(context.Background(), robdd.BDD)
	if err != nil {
		return measurement{}, err
	}
	m := measurement{Nodes: d.Len(), Seconds: cpuSeconds() - start, PeakKiB: peakKiB()}
	count, err := bdd.New(compiled).Count(context.Background(), nil)
	if err != nil {
		return measurement{}, err
	}
	m.Solutions = count.String()
	return m, nil
}

// ruddEngine makes the same cubes and performs the same operations as our
// constructions.
func ruddEngine(c contest) (measurement, error) {
	nodes := 1 << 17
	if c.n >= 10 {
		nodes = 1 << 20
	}
	if c.n >= 11 {
		nodes = 1 << 22
	}
	b, err := rudd.New(c.n*c.n, rudd.Nodesize(nodes), rudd.Cachesize(nodes/4), rudd.Cacheratio(25),
		rudd.Maxnodeincrease(nodes))
	if err != nil {
		return measurement{}, err
	}
	start := cpuSeconds()
	// A queen on a cell and none where it attacks, from the given row down.
	cube := func(at board.Cell, from int) rudd.Node {
		f := b.True()
		for i := c.n*c.n - 1; i >= from*c.n; i-- {
			switch other := board.At(c.n, i); {
			case other == at:
				f = b.And(b.Ithvar(i), f)
			case at.Attacks(other):
				f = b.And(b.NIthvar(i), f)
			}
		}
		return f
	}
	var f rudd.Node
	switch c.construction {
	case "bdd-benchmark":
		f = b.True()
		for row := range c.n {
			r := b.False()
			for col := range c.n {
				r = b.Or(r, cube(board.Cell{Row: row, Col: col}, 0))
			}
			f = b.And(f, r)
		}
	case "row-wise":
		f = b.True()
		for row := c.n - 1; row >= 0; row-- {
			below := f
			f = b.False()
			for col := range c.n {
				f = b.Or(f, b.And(cube(board.Cell{Row: row, Col: col}, row), below))
			}
		}
	default:
		return measurement{}, fmt.Errorf("rudd: construction %q: expected bdd-benchmark or row-wise", c.construction)
	}
	if b.Errored() {
		return measurement{}, fmt.Errorf("rudd: %s", b.Error())
	}
	m := measurement{Seconds: cpuSeconds() - start, PeakKiB: peakKiB(), Solutions: b.Satcount(f).String()}
	err = b.Allnodes(func(id, level, low, high int) error {
		if id > 1 {
			m.Nodes++
		}
		return nil
	}, f)
	return m, err
}

// cpuSeconds returns the processor time of this process so far, user and system.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// peakKiB returns the peak of this process's resident memory.
func peakKiB() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kib
		}
	}
	return 0
}
