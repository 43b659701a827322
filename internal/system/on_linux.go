package system

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"golang.org/x/sys/unix"
)

// Executable returns the file of this program, even after another file has replaced it.
func Executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err != nil {
		return os.Executable() // no /proc
	}
	return self, nil
}

// attributes makes the kernel kill the process when the thread that started it ends, which
// also happens when this process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// children returns the children of a process. The kernel lists them by thread.
func children(pid int) (all []int) {
	tasks := fmt.Sprintf("/proc/%d/task/", pid)
	threads, _ := os.ReadDir(tasks)
	for _, thread := range threads {
		text, _ := os.ReadFile(tasks + thread.Name() + "/children")
		for _, child := range strings.Fields(string(text)) {
			if c, err := strconv.Atoi(child); err == nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// memoryOf returns the current and peak resident memory of a process in bytes, as the kernel
// reports them; 0 if it has ended. ru_maxrss would be wrong: a child's starts at its parent's
// size.
func memoryOf(pid int) (now, peak uint64) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return statistic(status, "VmRSS:") << 10, statistic(status, "VmHWM:") << 10
}

// ownMemory returns the resident memory of this process, in bytes. It takes a twentieth of Used's time.
func ownMemory() uint64 {
	pages, _ := os.ReadFile("/proc/self/statm")
	var size, resident uint64
	_, _ = fmt.Sscan(string(pages), &size, &resident)
	return resident * uint64(os.Getpagesize())
}

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	_, peak := memoryOf(os.Getpid())
	return peak, nil
}

// processorTimeOf returns the processor time of a process, to the nanosecond, plus that of the children
// that it has waited for, to a hundredth of a second; 0 if it has ended.
func processorTimeOf(pid int) time.Duration {
	var spent unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|2), &spent) != nil { // its clock (clock_getcpuclockid)
		return 0
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // fields from the third on
	for _, i := range []int{16, 17} {                                         // cutime, cstime
		if len(fields) > i-3 {
			ticks, _ := strconv.ParseInt(fields[i-3], 10, 64)
			spent.Nsec += ticks * int64(time.Second/100)
		}
	}
	return time.Duration(spent.Nano())
}

// LimitData limits how many bytes of data this process may map. It complements a limit that another
// process enforces, for memory that grows faster than that process can check it.
func LimitData(limit uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("limiting memory to %d bytes: %w", limit, err)
	}
	return nil
}

// Lacks lists the features for measurements that this system lacks.
func Lacks() []string {
	if _, memory := delegated(); !memory {
		return []string{"files in memory (/dev/shm) do not count as a run's memory"}
	}
	return nil
}

// allowed returns how much more memory the control groups and limits of this process allow.
func allowed() uint64 {
	status, _ := os.ReadFile("/proc/self/status")
	most := min(left(unix.RLIMIT_AS, statistic(status, "VmSize:")), left(unix.RLIMIT_DATA, statistic(status, "VmData:")))
	if limit, err := memlimit.FromCgroup(); err == nil {
		most = min(most, limit-min(Used(), limit))
	}
	return most
}

// left returns how many bytes a limit of this process leaves while usedKiB are in use.
func left(resource int, usedKiB uint64) uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(resource, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.MaxUint64
	}
	return limit.Cur - min(usedKiB<<10, limit.Cur)
}

// statistic returns the number after a name at the beginning of a line; 0 if it is missing.
func statistic(text []byte, name string) uint64 {
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == name {
			n, _ := strconv.ParseUint(words[1], 10, 64)
			return n
		}
	}
	return 0
}
