package system

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"
	"golang.org/x/sys/windows"
)

// tree is a job object. It contains the process and all its descendants, and they end when its
// last handle is closed, even if this process is killed.
type tree struct{ job windows.Handle }

// start starts the process suspended, so that none of its code runs outside the job.
func (t *tree) start(cmd *exec.Cmd, most Limits) (err error) {
	if most.Processors > 0 {
		return fmt.Errorf("pinning to %d processors: this system cannot", most.Processors)
	}
	if t.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return fmt.Errorf("making a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if most.Memory > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		limits.JobMemoryLimit = uintptr(most.Memory)
	}
	if _, err = windows.SetInformationJobObject(t.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return errors.Join(fmt.Errorf("limiting a job object: %w", err), windows.CloseHandle(t.job))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED}
	if err = cmd.Start(); err != nil {
		return errors.Join(err, windows.CloseHandle(t.job))
	}
	if err = t.adopt(uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return errors.Join(err, windows.CloseHandle(t.job))
	}
	return nil
}

// adopt puts the suspended process into the job and lets its only thread run.
func (t *tree) adopt(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("opening process %d: %w", pid, err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(t.job, process); err != nil {
		return fmt.Errorf("putting process %d into a job object: %w", pid, err)
	}
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("listing the threads of process %d: %w", pid, err)
	}
	defer windows.CloseHandle(threads)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &entry); err == nil; err = windows.Thread32Next(threads, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("opening the thread of process %d: %w", pid, err)
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return fmt.Errorf("process %d has no thread: %w", pid, err)
}

// Kill ends the tree.
func (t *tree) Kill() { _ = windows.TerminateJobObject(t.job, 1) }

func (t *tree) close() { _ = windows.CloseHandle(t.job) }

// Memory returns the peak committed memory of the tree, in bytes, for both numbers: the system does not
// report the current memory of a job.
func (t *tree) Memory() (now, peak uint64) {
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)), nil)
	if err != nil {
		return 0, 0
	}
	return uint64(limits.PeakJobMemoryUsed), uint64(limits.PeakJobMemoryUsed)
}

// LimitData does nothing: the job object limits the memory of a run.
func LimitData(uint64) error { return nil }

// Lacks lists the features for measurements that this system lacks.
func Lacks() []string {
	return []string{
		"the memory limit is on committed memory, not on resident memory",
		"processor time is without child processes",
		"the load average is unknown",
	}
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// PeakMemory returns the highest resident memory of this process, in bytes.
func PeakMemory() (uint64, error) {
	var counters struct { // PROCESS_MEMORY_COUNTERS
		size, faults uint32
		peak         uintptr
		_            [8]uintptr
	}
	counters.size = uint32(unsafe.Sizeof(counters))
	ok, _, err := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&counters)),
		uintptr(counters.size))
	if ok == 0 {
		return 0, fmt.Errorf("reading this process's memory: %w", err)
	}
	return uint64(counters.peak), nil
}

// ProcessorTime returns the user and kernel time of this process.
func ProcessorTime() (user, kernel time.Duration) {
	t, err := (&process.Process{Pid: int32(os.Getpid())}).Times()
	if err != nil {
		return 0, 0
	}
	return time.Duration(t.User * float64(time.Second)), time.Duration(t.System * float64(time.Second))
}

// Used returns the resident memory of this process, in bytes.
func Used() uint64 {
	m, err := (&process.Process{Pid: int32(os.Getpid())}).MemoryInfo()
	if err != nil {
		return 0
	}
	return m.RSS
}

// ownMemory returns what Used does.
func ownMemory() uint64 { return Used() }

// allowed returns how much more memory can be committed, in bytes.
func allowed() uint64 {
	m, err := mem.NewExWindows().VirtualMemory()
	if err != nil {
		return math.MaxUint64
	}
	return m.PageFileAvail
}

// Executable returns the file of this program; another file may replace it at any time.
func Executable() (string, error) { return os.Executable() }

// Isolation names the mechanism that holds a measured tree, for a record.
func Isolation() string { return "job object" }

// OutOfMemory reports false: a process to which a job refuses memory reports that itself.
func (t *tree) OutOfMemory() bool { return false }

// ProcessorTime returns the user and kernel time of the tree's first process, whose state shows that it
// has ended.
func (t *tree) ProcessorTime(state *os.ProcessState) (user, kernel time.Duration) {
	return state.UserTime(), state.SystemTime()
}

// EndWith does nothing: a job object ends a run together with its harness.
func EndWith(io.Reader) {}

// Signal returns "": signals do not end processes here.
func Signal(*os.ProcessState) string { return "" }

// Name returns the operating system, its version and the processor's architecture.
func Name() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d %s", v.MajorVersion, v.MinorVersion, v.BuildNumber, runtime.GOARCH)
}

// Lock keeps other processes from locking the file until it is closed. The error is
// [ErrLocked] if another process has locked it. It locks only a byte far beyond the end,
// since a lock here also prevents reading.
func Lock(f *os.File) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
