//go:build unix && !linux

package system

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"golang.org/x/sys/unix"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// children returns the children of a process.
func children(pid int) (all []int) {
	found, _ := (&process.Process{Pid: int32(pid)}).Children()
	for _, child := range found {
		all = append(all, int(child.Pid))
	}
	return all
}

// memoryOf returns the current resident memory of a process, in bytes, in place of the peak as well; 0 if
// it has ended.
func memoryOf(pid int) (now, peak uint64) {
	m, err := (&process.Process{Pid: int32(pid)}).MemoryInfo()
	if err != nil {
		return 0, 0
	}
	return m.RSS, m.RSS
}

// ownMemory returns the resident memory of this process, in bytes.
func ownMemory() uint64 {
	now, _ := memoryOf(os.Getpid())
	return now
}

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	var r unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &r)
	if runtime.GOOS == "darwin" {
		return uint64(r.Maxrss), err
	}
	return uint64(r.Maxrss) << 10, err // these systems report KiB
}

// processorTimeOf returns 0: these systems count only children that have ended.
func processorTimeOf(int) time.Duration { return 0 }

// LimitData does nothing: these systems do not limit the data that a process maps.
func LimitData(uint64) error { return nil }

// Lacks lists the features for measurements that this system lacks.
func Lacks() []string {
	return []string{
		"processor time is without child processes that are still running",
		"a run outlives a harness that is killed until it reads its input",
	}
}

func allowed() uint64 { return math.MaxUint64 }

// Executable returns the file of this program; another file may replace it at any time.
func Executable() (string, error) { return os.Executable() }

// Isolation names the mechanism that holds a measured tree, for a record.
func Isolation() string { return "process group" }

// confinement is empty: a tree is its process group and the descendants of its first process.
type confinement struct{}

func (confinement) confine(int, Limits)                 {}
func (confinement) killAll()                            {}
func (confinement) release()                            {}
func (confinement) charged() uint64                     { return 0 }
func (confinement) spent() (user, kernel time.Duration) { return 0, 0 }

// OutOfMemory reports false: these systems do not limit a tree's memory.
func (confinement) OutOfMemory() bool { return false }

func adopt()      {}
func endAdopted() {}

func pin(processors int) (unpin func(), err error) {
	if processors > 0 {
		return nil, fmt.Errorf("pinning to %d processors: this system cannot", processors)
	}
	return func() {}, nil
}
