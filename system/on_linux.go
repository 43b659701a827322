package system

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// attributes makes the kernel kill the process when the thread that started it ends, which
// also happens when this process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Memory returns the current resident memory of the tree, and the peak of its first process,
// in bytes; both are 0 if it has ended.
func (t *tree) Memory() (now, peak uint64) { return memoryBelow(t.group) }

func memoryBelow(pid int) (now, peak uint64) {
	now, peak, err := memoryOf(pid)
	if err != nil {
		return 0, 0 // it has ended meanwhile
	}
	for _, child := range childrenOf(pid) {
		below, _ := memoryBelow(child)
		now += below
	}
	return now, peak
}

func childrenOf(pid int) (children []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(text)) {
			if c, err := strconv.Atoi(child); err == nil {
				children = append(children, c)
			}
		}
	}
	return children
}

// stopBelow stops all descendants of a process and returns their ids. Each is stopped before
// its children are listed, so none is missed.
func stopBelow(pid int) (below []int) {
	for _, child := range childrenOf(pid) {
		_ = unix.Kill(child, unix.SIGSTOP)
		below = append(append(below, child), stopBelow(child)...)
	}
	return below
}

// memoryOf returns the current and peak resident memory of a process, as the kernel reports
// them. ru_maxrss would be wrong: a child's starts at its parent's size.
func memoryOf(pid int) (now, peak uint64, err error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, 0, err
	}
	status, err := p.NewStatus()
	return status.VmRSS, status.VmHWM, err
}

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	_, peak, err := memoryOf(os.Getpid())
	return peak, err
}

// LimitData limits how many bytes of data this process may map. It is a backstop to a limit
// that is kept from outside, for memory that grows faster than it is checked.
func LimitData(limit uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("limiting memory to %d bytes: %w", limit, err)
	}
	return nil
}

// Lacks lists what this system cannot do for a measurement.
func Lacks() []string { return nil }

// Processor returns the model of the processor, or "unknown".
func Processor() string {
	if fs, err := procfs.NewDefaultFS(); err == nil {
		if cpus, err := fs.CPUInfo(); err == nil && len(cpus) > 0 && cpus[0].ModelName != "" {
			return cpus[0].ModelName
		}
	}
	return "unknown"
}

// Memory returns the machine's memory in bytes; 0 if unknown.
func Memory() uint64 {
	if fs, err := procfs.NewDefaultFS(); err == nil {
		if info, err := fs.Meminfo(); err == nil && info.MemTotalBytes != nil {
			return *info.MemTotalBytes
		}
	}
	return 0
}

// Load returns the load average over the last minute, or "unknown".
func Load() string {
	if fs, err := procfs.NewDefaultFS(); err == nil {
		if load, err := fs.LoadAvg(); err == nil {
			return strconv.FormatFloat(load.Load1, 'f', -1, 64)
		}
	}
	return "unknown"
}
