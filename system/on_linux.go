package system

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

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

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	_, peak := memoryOf(os.Getpid())
	return peak, nil
}

// processorTimeOf returns the processor time of a process to the nanosecond, and of the children
// that it has waited for, to a hundredth of a second; 0 if it has ended.
func processorTimeOf(pid int) time.Duration {
	var spent unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|2), &spent) != nil { // its clock, as from clock_getcpuclockid
		return 0
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third on
	for _, i := range []int{16, 17} {                                         // cutime, cstime
		if len(fields) > i-3 {
			ticks, _ := strconv.ParseInt(fields[i-3], 10, 64)
			spent.Nsec += ticks * int64(time.Second/100)
		}
	}
	return time.Duration(spent.Nano())
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

// stalled returns for how long, since the system started, all processes that had work waited
// for memory; 0 if the kernel does not report it (CONFIG_PSI).
func stalled() time.Duration {
	text, _ := os.ReadFile("/proc/pressure/memory")
	_, total, _ := strings.Cut(string(text[max(0, strings.Index(string(text), "full")):]), "total=")
	us, _ := strconv.ParseInt(strings.TrimSpace(total), 10, 64)
	return time.Duration(us) * time.Microsecond
}

// allowed returns how much more memory the control groups and limits of this process allow.
func allowed() uint64 {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	status, _ := os.ReadFile("/proc/self/status")
	return min(leftInGroups("/sys/fs/cgroup", string(groups)),
		left(unix.RLIMIT_AS, statistic(status, "VmSize:")), left(unix.RLIMIT_DATA, statistic(status, "VmData:")))
}

// left returns what a limit of this process leaves of a resource of which usedKiB are in use.
func left(resource int, usedKiB uint64) uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(resource, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.MaxUint64
	}
	return limit.Cur - min(usedKiB<<10, limit.Cur)
}

// leftInGroups returns how much memory a process's control groups, listed as in
// /proc/self/cgroup, and the groups above them leave it. root is where the file systems of
// both versions are mounted. In a container the mount begins at the container's own group, so
// its path as seen from outside does not exist; the groups above it that do exist still count.
func leftInGroups(root, groups string) uint64 {
	free := uint64(math.MaxUint64)
	for group := range strings.Lines(groups) {
		_, group, _ = strings.Cut(strings.TrimSpace(group), ":")
		controllers, path, _ := strings.Cut(group, ":")
		files, mounts := []string{"memory.max", "memory.current", "inactive_file"}, []string{"", "unified"}
		if controllers != "" { // version 1
			files, mounts = []string{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, []string{"memory"}
			if !slices.Contains(strings.Split(controllers, ","), "memory") {
				continue
			}
		}
		for _, mount := range mounts {
			for dir := filepath.Join("/", path); ; dir = filepath.Dir(dir) {
				here := filepath.Join(root, mount, dir) + "/"
				if limit, limited := number(here + files[0]); limited {
					used, _ := number(here + files[1])
					stat, _ := os.ReadFile(here + "memory.stat")
					// The kernel drops cached file pages before it kills a process.
					used -= min(used, statistic(stat, files[2]))
					free = min(free, limit-min(used, limit))
				}
				if dir == "/" {
					break
				}
			}
		}
	}
	return free
}

// number reads a file with a single number; the second result is false for "max".
func number(file string) (uint64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
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
