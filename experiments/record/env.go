package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"queens/experiments"
	"queens/experiments/config"
	"queens/internal/param"
	"queens/internal/system"
)

// Environment is the machine and the program that made records.
type Environment struct {
	ID             string            `json:"id"` // hash of the machine and the program
	GoVersion      string            `json:"go_version"`
	Module         string            `json:"module"`
	ModuleVersions map[string]string `json:"module_versions"`
	Revision       string            `json:"revision"`            // or "unknown"
	RevisionFrom   string            `json:"revision_from"`       // "build info", "source tree" or ""
	Modified       string            `json:"modified"`            // "true", "false" or "unknown"
	Code           string            `json:"code"`                // hash of the program's machine code and data
	CPU            string            `json:"cpu"`                 // model, as the kernel names it
	Cores          int               `json:"cores"`               // that the program may use
	MemoryBytes    uint64            `json:"memory_bytes"`        // of the machine
	OS             string            `json:"os"`                  // system, kernel and architecture
	Lacks          []string          `json:"lacks,omitempty"`     // what the system cannot do for a measurement
	Isolation      string            `json:"isolation,omitempty"` // what holds a run's processes
	Variables      map[string]string `json:"variables"`           // that change how Go programs run
	ConfigHash     string            `json:"config_hash"`         // of what is measured, presentation aside
	Started        string            `json:"started"`             // RFC 3339, UTC
	Load           string            `json:"load"`                // average over the last minute: other work disturbs times
	Shard          string            `json:"shard,omitempty"`     // I/K, when only a part was run
	// Programs holds the versions of outside programs whose rows do not tell them, by parameter and name, as in backbone
	// cadiback; empty for one that tells none. It is nil if an older program made the records, which did not ask.
	Programs map[string]string `json:"programs,omitzero"`
}

// With returns the environment with the versions of outside programs.
func (e Environment) With(programs map[string]string) Environment {
	e.Programs = programs
	e.ID = e.identity()
	return e
}

// Observe returns the environment of this machine and program, for a spec's records.
func Observe(s config.Spec) Environment {
	e := Environment{
		GoVersion:   runtime.Version(),
		Revision:    "unknown",
		Modified:    "unknown",
		Code:        ownCode(),
		CPU:         system.Processor(),
		Cores:       runtime.GOMAXPROCS(0),
		MemoryBytes: system.Memory(),
		OS:          system.Name(),
		Variables:   map[string]string{},
		ConfigHash:  s.Hash(),
		Lacks:       system.Lacks(),
		Isolation:   system.Isolation(),
		Started:     Now(),
		Load:        system.Load(),
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
	}
	e.findRevision()
	e.ID = e.identity()
	return e
}

// Commit returns the commit that the build noted, and whether the sources were modified. It is empty if the
// build noted none.
func Commit() (revision string, modified bool) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	return revision, modified
}

// findRevision finds the revision that the program was built from: what the build noted, or what git says.
func (e *Environment) findRevision() {
	if revision, modified := Commit(); revision != "" {
		e.Revision, e.RevisionFrom, e.Modified = revision, "build info", strconv.FormatBool(modified)
		return
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) { // not built with -trimpath
		e.askGit(filepath.Dir(file))
	}
}

// identity hashes the fields that a measurement depends on, but not when it was made.
func (e Environment) identity() string {
	e.ID, e.Started, e.Load, e.Shard, e.ConfigHash = "", "", "", "", ""
	data, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return param.Digest(data)
}

// Now returns the current time in the format of records.
func Now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// noProgram lists the parts of the source tree that are in no program. Files of any other
// name may be embedded.
var noProgram = []string{":(top,exclude)results", ":(top,exclude)configs", ":(top,exclude)docs", ":(top,exclude)*.md"}

// askGit finds the revision of the source tree that the program was built from, with dir in it,
// for builds that are not stamped (go run, -buildvcs=false). It stays unknown if the
// tree is gone or is not a git work tree.
func (e *Environment) askGit(dir string) {
	revision, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		return
	}
	e.Revision, e.RevisionFrom = strings.TrimSpace(string(revision)), "source tree"
	// Without --no-optional-locks git would refresh its index, and leave a lock on it if a
	// signal to the whole job kills it.
	ask := append([]string{"--no-optional-locks", "-C", dir, "status", "--porcelain", "--", ":/"}, noProgram...)
	if status, err := exec.Command("git", ask...).Output(); err == nil {
		e.Modified = strconv.FormatBool(len(status) > 0)
	}
}

// sameProgram reports whether two environments ran the same program: the same code, or
// the same unmodified revision built differently.
func (e Environment) sameProgram(f Environment) bool {
	if e.Code == f.Code && e.Code != "unknown" {
		return true
	}
	return e.Revision == f.Revision && e.Revision != "unknown" && e.Modified == "false" && f.Modified == "false" &&
		e.GoVersion == f.GoVersion
}

// Difference lists what differs between two environments, one line each, except start
// times.
func (e Environment) Difference(f Environment) []string {
	return EnvironmentDifferences([]Environment{e}, []Environment{f})
}

// EnvironmentDifferences lists what differs between the environments of two record sets, one line each. If a
// fact varies within a set, the line lists all its values.
func EnvironmentDifferences(a, b []Environment) []string {
	facts := func(list []Environment) map[string]string {
		values, joined := map[string][]string{}, map[string]string{}
		for _, e := range list {
			for k, v := range e.facts() {
				values[k] = append(values[k], v)
			}
		}
		for k, v := range values {
			slices.Sort(v)
			joined[k] = strings.Join(slices.Compact(v), " or ")
		}
		return joined
	}
	return Differences(facts(a), facts(b), "now")
}

// Differences lists the keys whose values differ, one line each. of introduces the value
// in b, as in "now".
func Differences(a, b map[string]string, of string) []string {
	either := maps.Clone(a)
	maps.Copy(either, b)
	var lines []string
	for _, k := range slices.Sorted(maps.Keys(either)) {
		if a[k] != b[k] {
			lines = append(lines, fmt.Sprintf("%s: %s, %s %s", k, cmp.Or(a[k], "(none)"), of, cmp.Or(b[k], "(none)")))
		}
	}
	return lines
}

func (e Environment) facts() map[string]string {
	m := map[string]string{
		"go_version": e.GoVersion, "revision": e.Revision, "modified": e.Modified, "code": e.Code, "cpu": e.CPU,
		"lacks": strings.Join(e.Lacks, "; "), "cores": strconv.Itoa(e.Cores),
		"memory_bytes": strconv.FormatUint(e.MemoryBytes, 10), "os": e.OS, "isolation": e.Isolation,
	}
	for k, v := range e.ModuleVersions {
		m["module_versions."+k] = v
	}
	for k, v := range e.Variables {
		m["variables."+k] = v
	}
	for k, v := range e.Programs {
		m["programs."+k] = v
	}
	return m
}

// envFile is env.json: the fields of the first environment, further environments from
// resuming elsewhere or merging, and the columns of the records.
type envFile struct {
	Environment
	Others  []Environment       `json:"others,omitempty"`
	Columns experiments.Columns `json:"columns"`
}

// parseEnvironments parses env.json. Each environment's id must match its fields.
func parseEnvironments(path string, data []byte) ([]Environment, experiments.Columns, error) {
	var f envFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", path, err)
	}
	// JSON itself rejects raw control characters below U+0020; these are the escapes.
	if escape := regexp.MustCompile(`(?i)\\u00([01].|7f|[89].)`).Find(data); escape != nil {
		return nil, nil, fmt.Errorf("reading %s: %s: expected text without control characters", path, escape)
	}
	all := append([]Environment{f.Environment}, f.Others...)
	for _, e := range all {
		if id := e.identity(); id != e.ID {
			return nil, nil, fmt.Errorf("%s: environment %q: the id of its fields is %s", path, e.ID, id)
		}
	}
	return all, f.Columns, nil
}

func formatEnvironments(envs []Environment, columns experiments.Columns) ([]byte, error) {
	data, err := json.MarshalIndent(envFile{envs[0], envs[1:], columns}, "", "  ")
	return append(data, '\n'), err
}

// columnDifference lists the columns that only one of two record sets has, one line each.
func columnDifference(old, now []string, of string) string {
	sets := [2]map[string]string{{}, {}}
	for i, names := range [][]string{old, now} {
		for _, name := range names {
			sets[i][name] = "there"
		}
	}
	return cmp.Or(strings.Join(Differences(sets[0], sets[1], of), "; "), "another order")
}
