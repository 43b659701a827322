package system

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a job object. It contains the process and all its descendants, and they end when its
// last handle is closed, even if this process is killed.
type tree struct{ job windows.Handle }

// start starts the process suspended, so nothing of it runs outside the job.
func (t *tree) start(cmd *exec.Cmd, memory uint64) (err error) {
	if t.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return fmt.Errorf("making a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if memory > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		limits.JobMemoryLimit = uintptr(memory)
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

// Memory returns the most that the tree has ever committed, in bytes, as both numbers: the
// system does not report the current memory of a job.
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

// Lacks lists what this system cannot do for a measurement.
func Lacks() []string {
	return []string{
		"the memory limit is on committed memory, not on resident memory",
		"processor time is without child processes",
		"the load average is unknown",
	}
}

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	getProcessMemoryInfo = kernel32.NewProc("K32GetProcessMemoryInfo")
	globalMemoryStatusEx = kernel32.NewProc("GlobalMemoryStatusEx")
)

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

// ProcessorTime returns the time that this process has used in user mode and in the kernel.
func ProcessorTime() (user, kernel time.Duration) {
	var created, exited, inKernel, inUser windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &inKernel, &inUser) != nil {
		return 0, 0
	}
	// Here a Filetime is a duration in units of 100 ns, not a date.
	span := func(f windows.Filetime) time.Duration {
		return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
	}
	return span(inUser), span(inKernel)
}

// Processor returns the model of the processor, or "unknown".
func Processor() string {
	if model := os.Getenv("PROCESSOR_IDENTIFIER"); model != "" {
		return model
	}
	return "unknown"
}

// Memory returns the machine's memory in bytes; 0 if unknown.
func Memory() uint64 {
	total, _ := memoryStatus()
	return total
}

// Free returns how much more memory this process may take, in bytes; 0 if unknown. It is the
// machine's free memory, or what can be committed if that is less.
func Free() uint64 {
	_, free := memoryStatus()
	return free
}

func memoryStatus() (total, free uint64) {
	var status struct { // MEMORYSTATUSEX
		size, load                      uint32
		total, free                     uint64
		totalCommit, freeCommit         uint64
		totalVirtual, freeVirtual, more uint64
	}
	status.size = uint32(unsafe.Sizeof(status))
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0, 0
	}
	return status.total, min(status.free, status.freeCommit)
}

// Name returns the operating system, its version and the processor's architecture.
func Name() string {
	v := windows.RtlGetVersion()
	return "Windows " + strconv.Itoa(int(v.MajorVersion)) + "." + strconv.Itoa(int(v.MinorVersion)) + "." +
		strconv.Itoa(int(v.BuildNumber)) + " " + runtime.GOARCH
}

// ReplacesOpen reports whether an open file can be replaced by another.
const ReplacesOpen = false

// Replace writes the file atomically: a reader sees either the old content or the new. If
// write returns an error, the file is unchanged.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
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
