package system

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A process can leave its group and its parent (setsid, a double fork). Two mechanisms keep hold of it.
// This process and each measured one adopt the orphans of their descendants, and kill them. A measured
// tree also gets a control group, version 2, if this process may make one: no process leaves such a group
// by itself, the kernel ends the whole group at once, and the memory controller also counts files in
// memory (/dev/shm).

// adopt makes this process the parent of descendants whose own parents end.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endAdopted kills and reaps the processes that this one has adopted: children in groups other than its own,
// when no tree is running. Since their orphans are adopted, too, it repeats that, for at most a second.
func endAdopted() {
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		left := false
		for _, child := range children(os.Getpid()) {
			if group, err := syscall.Getpgid(child); err != nil || group == syscall.Getpgrp() {
				continue
			}
			left = true
			for _, pid := range append(stopBelow(child), child) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			_, _ = syscall.Wait4(child, nil, syscall.WNOHANG, nil)
		}
		if !left {
			return
		}
	}
}

// confinement is the control group of a tree. Its owner keeps the folder locked, so that other processes can
// tell a running group from an abandoned one, even from another PID namespace, where the owner's process id
// means nothing.
type confinement struct {
	dir  string // empty: none
	lock *os.File
}

// groupPrefix begins the names of our control groups.
const groupPrefix = "queens-run-"

// delegated returns the folder in which this process may make control groups, or "", and whether
// they count memory. It removes abandoned groups.
var delegated = sync.OnceValues(func() (dir string, memory bool) {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	dir = ownGroup(string(groups), string(mounts))
	if dir == "" {
		return "", false
	}
	sweepGroups(dir)
	probe, err := newGroup(dir)
	if err != nil {
		return "", false
	}
	defer probe.release()
	if _, err := os.Stat(filepath.Join(probe.dir, "cgroup.kill")); err != nil { // before Linux 5.14
		return "", false
	}
	return dir, countMemory(dir)
})

// ownGroup returns the folder of this process's control group of version 2, or "".
func ownGroup(groups, mounts string) string {
	for group := range strings.Lines(groups) {
		path, is := strings.CutPrefix(strings.TrimSpace(group), "0::")
		for mount := range strings.Lines(mounts) {
			// id parent device root folder options [tags] - type source options
			fields := strings.Fields(mount)
			if at := slices.Index(fields, "-"); !is || at < 5 || fields[at+1] != "cgroup2" {
				continue
			}
			below, err := filepath.Rel(fields[3], path) // a container may see only a part
			if err == nil && !strings.HasPrefix(below, "..") {
				return filepath.Join(fields[4], below)
			}
		}
	}
	return ""
}

// countMemory enables memory counting and processor pinning for the groups in dir. The kernel allows that
// only if dir itself has no process, so this process moves to a group of its own if it is alone there.
func countMemory(dir string) bool {
	control := filepath.Join(dir, "cgroup.subtree_control")
	err := os.WriteFile(control, []byte("+memory"), 0)
	own := strconv.Itoa(os.Getpid())
	if inside, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs")); errors.Is(err, unix.EBUSY) &&
		strings.TrimSpace(string(inside)) == own {
		if ownLeaf, err = newGroup(dir); err == nil {
			err = errors.Join(os.WriteFile(filepath.Join(ownLeaf.dir, "cgroup.procs"), []byte(own), 0),
				os.WriteFile(control, []byte("+memory"), 0))
		}
	}
	_ = os.WriteFile(control, []byte("+cpuset"), 0) // affinity also pins, but a process can change its own
	return err == nil
}

// ownLeaf is the group that this process has made for itself and moved to, if any; it stays locked.
var ownLeaf confinement

// newGroup makes a control group and locks it.
func newGroup(dir string) (c confinement, err error) {
	for range 100 {
		if c.dir, err = os.MkdirTemp(dir, groupPrefix); err != nil {
			return confinement{}, err
		}
		if c.lock, err = os.Open(c.dir); err == nil && Lock(c.lock) == nil {
			if _, err := os.Stat(c.dir); err == nil {
				return c, nil
			}
		}
		c.lock.Close() // another process is removing it
	}
	return confinement{}, fmt.Errorf("making a control group in %s: other processes keep removing it", dir)
}

// sweepGroups ends the groups that nobody has locked, since their owners are gone.
func sweepGroups(dir string) {
	names, _ := fs.Glob(os.DirFS(dir), groupPrefix+"*") // the folder's own name is no pattern
	for _, name := range names {
		group := filepath.Join(dir, name)
		lock, err := os.Open(group)
		if err != nil {
			continue
		}
		if Lock(lock) == nil {
			(&confinement{dir: group}).release()
		}
		lock.Close()
	}
}

// Isolation names the mechanism that holds a measured tree, for a record.
func Isolation() string {
	switch dir, memory := delegated(); {
	case dir == "":
		return "process group, adopting parents"
	case !memory:
		return "process group, adopting parents, control group without memory"
	}
	return "process group, adopting parents, control group"
}

// confine puts the process, which must not have started others yet, into a control group, if one can be
// made. If the kernel refuses, the tree runs without a group.
func (c *confinement) confine(pid int, limits Limits) {
	dir, memory := delegated()
	if dir == "" {
		return
	}
	var err error
	if *c, err = newGroup(dir); err != nil {
		return
	}
	if memory {
		c.set("memory.max", limits.Memory)
		c.set("memory.swap.max", 0)
		c.set("memory.oom.group", 1)
	}
	if limits.Processors > 0 {
		c.set("cpuset.cpus", strings.Trim(fmt.Sprint(first(limits.Processors)), "[]"))
	}
	c.set("cgroup.procs", pid)
}

func (c *confinement) set(file string, value any) {
	_ = os.WriteFile(filepath.Join(c.dir, file), []byte(fmt.Sprint(value)), 0)
}

func (c *confinement) read(file string) []byte {
	if c.dir == "" {
		return nil
	}
	text, _ := os.ReadFile(filepath.Join(c.dir, file))
	return text
}

// killAll kills every process of the group, including those just being started.
func (c *confinement) killAll() {
	if c.dir != "" {
		c.set("cgroup.kill", 1)
	}
}

// release kills every process of the group, waits until they are gone, and removes it.
func (c *confinement) release() {
	if c.dir == "" {
		return
	}
	c.killAll()
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline) && os.Remove(c.dir) != nil; {
		time.Sleep(time.Millisecond)
	}
	c.lock.Close() // no effect if there is none
	c.dir = ""
}

// charged returns the memory charged to the group, without cached files, in bytes; 0 if unknown.
func (c *confinement) charged() uint64 {
	stat := c.read("memory.stat")
	return statistic(stat, "anon") + statistic(stat, "shmem")
}

// OutOfMemory reports whether the kernel has ended the group at its memory limit.
func (c *confinement) OutOfMemory() bool { return statistic(c.read("memory.events"), "oom_kill") > 0 }

// spent returns the processor time of all processes that were ever in the group; 0 if unknown.
func (c *confinement) spent() (user, kernel time.Duration) {
	stat := c.read("cpu.stat")
	return time.Duration(statistic(stat, "user_usec")) * time.Microsecond,
		time.Duration(statistic(stat, "system_usec")) * time.Microsecond
}

// pin pins this thread, and the processes that it starts, to some processors until unpin is called.
func pin(processors int) (unpin func(), err error) {
	var before, now unix.CPUSet
	if processors == 0 {
		return func() {}, nil
	}
	chosen := first(processors)
	if err = unix.SchedGetaffinity(0, &before); err == nil && len(chosen) < processors {
		err = fmt.Errorf("this process may use only %d", len(chosen))
	}
	for _, cpu := range chosen {
		now.Set(cpu)
	}
	if err == nil {
		err = unix.SchedSetaffinity(0, &now)
	}
	if err != nil {
		return nil, fmt.Errorf("pinning to %d processors: %w", processors, err)
	}
	return func() { _ = unix.SchedSetaffinity(0, &before) }, nil
}

// first returns up to the given number of the processors that this process may use, one per core before a
// second one of any core.
func first(processors int) (chosen []int) {
	var allowed unix.CPUSet
	if unix.SchedGetaffinity(os.Getpid(), &allowed) != nil {
		return nil
	}
	var later []int
	seen := map[string]bool{}
	for cpu := range len(allowed) * 64 {
		if !allowed.IsSet(cpu) {
			continue
		}
		core, _ := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
		if core = bytes.TrimSpace(core); len(core) > 0 && seen[string(core)] {
			later = append(later, cpu)
			continue
		}
		seen[string(core)] = true
		chosen = append(chosen, cpu)
	}
	chosen = append(chosen, later...)
	return chosen[:min(processors, len(chosen))]
}
