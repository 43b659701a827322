package system

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Free returns how much more memory this process may take, in bytes: the least of what the
// machine has available, what its control groups leave, and what its own limits leave;
// 0 if unknown.
func Free() uint64 {
	free := uint64(math.MaxUint64)
	if fs, err := procfs.NewDefaultFS(); err == nil {
		if info, err := fs.Meminfo(); err == nil && info.MemAvailableBytes != nil {
			free = min(free, *info.MemAvailableBytes)
		}
	}
	if self, err := procfs.Self(); err == nil {
		if groups, err := self.Cgroups(); err == nil {
			free = min(free, freeInGroups("/sys/fs/cgroup", groups))
		}
		if status, err := self.NewStatus(); err == nil {
			free = min(free, leftOf(unix.RLIMIT_AS, status.VmSize), leftOf(unix.RLIMIT_DATA, status.VmData))
		}
	}
	if free == math.MaxUint64 {
		return 0
	}
	return free
}

// leftOf returns what a limit of this process leaves of a resource.
func leftOf(resource int, used uint64) uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(resource, &limit) != nil || limit.Cur == unix.RLIM_INFINITY {
		return math.MaxUint64
	}
	return limit.Cur - min(used, limit.Cur)
}

// LimitedMaps reports whether the memory that this process may map is limited, as by ulimit
// -v: the Go runtime ends the program if a mapping is refused.
func LimitedMaps() bool {
	return leftOf(unix.RLIMIT_AS, 0) != math.MaxUint64 || leftOf(unix.RLIMIT_DATA, 0) != math.MaxUint64
}

// freeInGroups returns how much memory the control groups of a process, and the groups
// above them, leave it. root is where the file systems of both versions are mounted. In a
// container the mount begins at the container's own group, so its path as seen from outside
// does not exist; the groups above it that do exist still count.
func freeInGroups(root string, groups []procfs.Cgroup) uint64 {
	free := uint64(math.MaxUint64)
	for _, g := range groups {
		for _, version := range []struct {
			mount, limit, used, idle string
			is                       bool
		}{
			{"", "memory.max", "memory.current", "inactive_file", g.HierarchyID == 0},
			{"unified", "memory.max", "memory.current", "inactive_file", g.HierarchyID == 0},
			{
				"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
				slices.Contains(g.Controllers, "memory"),
			},
		} {
			if !version.is {
				continue
			}
			for path := filepath.Join("/", g.Path); ; path = filepath.Dir(path) {
				dir := filepath.Join(root, version.mount, path)
				if limit, limited := number(filepath.Join(dir, version.limit)); limited {
					used, _ := number(filepath.Join(dir, version.used))
					// The kernel drops cached file pages before it kills a process.
					used -= min(used, statistic(filepath.Join(dir, "memory.stat"), version.idle))
					free = min(free, limit-min(used, limit))
				}
				if path == "/" {
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

// statistic reads the number of a name from a file of names and numbers; 0 if it is missing.
func statistic(file, name string) uint64 {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, name+" "); is {
			n, _ := strconv.ParseUint(strings.TrimSpace(rest), 10, 64)
			return n
		}
	}
	return 0
}

// Used returns the resident memory of this process and of its descendants, in bytes.
func Used() uint64 {
	now, _ := memoryBelow(os.Getpid())
	return now
}
