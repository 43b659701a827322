package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Environment is where and by what records were made.
type Environment struct {
	ID             string            `json:"id"` // hash of the machine and the program: equal where both are
	GoVersion      string            `json:"go_version"`
	Module         string            `json:"module"`
	ModuleVersions map[string]string `json:"module_versions"`
	Revision       string            `json:"revision"`        // or "unknown"
	RevisionFrom   string            `json:"revision_from"`   // "build info", "source tree" or ""
	Modified       string            `json:"modified"`        // "true", "false" or "unknown"
	Code           string            `json:"code"`            // hash of the program's machine code and data
	CPU            string            `json:"cpu"`             // model, as the kernel names it
	Cores          int               `json:"cores"`           // that the program may use
	MemoryBytes    uint64            `json:"memory_bytes"`    // of the machine
	OS             string            `json:"os"`              // system, kernel and architecture
	Variables      map[string]string `json:"variables"`       // that change how Go programs run
	ConfigHash     string            `json:"config_hash"`     // of what is measured, presentation aside
	Started        string            `json:"started"`         // RFC 3339, UTC
	Load           string            `json:"load"`            // average over the minute before: other work disturbs times
	Shard          string            `json:"shard,omitempty"` // I/K, when only a part was run
}

// hash names content: the first 16 hexadecimal digits of its SHA-256.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Observe describes this machine and this program, for a spec's records.
func Observe(spec Spec) Environment {
	e := Environment{
		GoVersion:   runtime.Version(),
		Revision:    "unknown",
		Modified:    "unknown",
		Code:        ownCode(),
		CPU:         cpuModel(),
		Cores:       runtime.GOMAXPROCS(0),
		MemoryBytes: totalMemory(),
		OS:          osName(),
		Variables:   map[string]string{},
		ConfigHash:  spec.Hash(),
		Started:     now(),
		Load:        loadAverage(),
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOAMD64"} {
		if v, ok := os.LookupEnv(name); ok {
			e.Variables[name] = v
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		e.Module = info.Main.Path
		e.ModuleVersions = map[string]string{}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			e.ModuleVersions[m.Path] = m.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				e.Revision, e.RevisionFrom = s.Value, "build info"
			case "vcs.modified":
				e.Modified = s.Value
			}
		}
	}
	if e.RevisionFrom == "" {
		e.askGit()
	}
	e.ID = e.identity()
	return e
}

// identity hashes what a measurement depends on, and not when it was made.
func (e Environment) identity() string {
	e.ID, e.Started, e.Load, e.Shard, e.ConfigHash = "", "", "", "", ""
	data, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return hash(data)
}

// now is the present as records write it.
func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// noProgram is what of a source tree is in no program; embedded files may have any
// name.
var noProgram = []string{":(top,exclude)results", ":(top,exclude)configs", ":(top,exclude)docs", ":(top,exclude)*.md"}

// askGit finds the revision of the source tree that the program was built from,
// for builds that are not stamped (go run, -buildvcs=false). It stays unknown
// when the tree is gone or is no git work tree.
func (e *Environment) askGit() {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return // built with -trimpath
	}
	dir := filepath.Dir(file)
	if _, err := os.Stat(file); err != nil {
		return
	}
	revision, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return
	}
	e.Revision, e.RevisionFrom = strings.TrimSpace(string(revision)), "source tree"
	ask := append([]string{"-C", dir, "status", "--porcelain", "--", ":/"}, noProgram...)
	if status, err := exec.Command("git", ask...).Output(); err == nil {
		e.Modified = strconv.FormatBool(len(status) > 0)
	}
}

func cpuModel() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// loadAverage is the kernel's average over the last minute.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(data), " ")
	return one
}

func totalMemory() uint64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kib uint64
	if _, err := fmt.Sscanf(string(data), "MemTotal: %d kB", &kib); err != nil {
		return 0
	}
	return kib << 10
}

func osName() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return runtime.GOOS + " " + runtime.GOARCH
	}
	return fmt.Sprintf("%s %s %s", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]), runtime.GOARCH)
}

// sameProgram reports whether two environments ran the same program: the same
// code, or the same unmodified revision built in another way.
func (e Environment) sameProgram(f Environment) bool {
	if e.Code == f.Code && e.Code != "unknown" {
		return true
	}
	return e.Revision == f.Revision && e.Revision != "unknown" && e.Modified == "false" && f.Modified == "false" && e.GoVersion == f.GoVersion
}

// Difference lists what differs between two environments, a line each, start
// times aside.
func (e Environment) Difference(f Environment) []string {
	return differences(e.facts(), f.facts(), "now")
}

// differences lists the keys with different values, a line each; of introduces
// the second one's.
func differences(a, b map[string]string, of string) []string {
	var keys []string
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var lines []string
	for _, k := range keys {
		if a[k] != b[k] {
			lines = append(lines, fmt.Sprintf("%s: %s, %s %s", k, orNone(a[k]), of, orNone(b[k])))
		}
	}
	return lines
}

func (e Environment) facts() map[string]string {
	m := map[string]string{
		"go_version": e.GoVersion, "revision": e.Revision, "modified": e.Modified, "code": e.Code, "cpu": e.CPU,
		"cores": strconv.Itoa(e.Cores), "memory_bytes": strconv.FormatUint(e.MemoryBytes, 10), "os": e.OS,
	}
	for k, v := range e.ModuleVersions {
		m["module_versions."+k] = v
	}
	for k, v := range e.Variables {
		m["variables."+k] = v
	}
	return m
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
