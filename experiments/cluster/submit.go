package cluster

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"
	"time"

	"queens/experiments"
	"queens/experiments/spec"
)

// Submission is a grid to be run as an array of jobs on a cluster, with a merge
// behind it.
type Submission struct {
	Spec    spec.Spec
	Runs    []spec.Run
	Kind    experiments.Kind
	Tasks   int      // parts of the grid; 0: one a run, as far as MaxTasks allows
	Harness string   // the executable, as the cluster sees it
	Config  string   // the configuration, as the cluster sees it
	Sets    []string // overrides
	Out     string   // folder of the merged records
	Dir     string   // working folder of the jobs
	Options []string // further options of sbatch
}

// MaxTasks is the size of array that every Slurm accepts: MaxArraySize is 1001
// unless an administrator raised it. Larger grids are grouped.
const MaxTasks = 1000

// harnessMemory is what a job needs besides its run's limit: the harness itself,
// and what a run exceeds its limit by until it is seen.
const harnessMemory = 256 << 20

// parts is the number of tasks.
func (s Submission) parts() int {
	parts := s.Tasks
	if parts == 0 {
		parts = min(len(s.Runs), MaxTasks)
	}
	return max(1, min(parts, len(s.Runs)))
}

// longest is the most time that one part can take, were every process in it to
// reach its limit: runs, their warm-ups, and the references that check them.
func (s Submission) longest() (time.Duration, error) {
	references := 0
	for _, r := range s.Runs {
		task, err := s.Kind.Task(r.Params, s.Spec.Programs())
		if err != nil {
			return 0, err
		}
		if t, ok := task.(experiments.Referred); ok {
			references = max(references, len(t.References()))
		}
	}
	runs := (len(s.Runs) + s.parts() - 1) / s.parts()
	processes := runs * (1 + s.Spec.Warmups + references)
	return time.Duration(processes)*time.Duration(s.Spec.Limits.WallClock) + time.Minute, nil
}

// quote writes a word for a POSIX shell.
func quote(word string) string {
	safe := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-=:,+@%", c)
	}
	if word != "" && strings.IndexFunc(word, func(c rune) bool { return !safe(c) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// slurmSource has every word of a person's in single quotes: in the script, and
// again in the jobs, whose text the quoted heredocs keep as it is.
const slurmSource = `#!/bin/sh
# {{.Spec.Name}}: {{len .Runs}} runs in {{.Parts}} parts, then a merge of their records. Submitting
# again makes what is missing: a part that is complete leaves its records alone.
set -eu
cd {{quote .Dir}}
mkdir -p {{quote .Shards}}
array=$(sbatch --parsable --output={{quote .Shards}}/slurm-%A-%a.log{{range .Options}} {{quote .}}{{end}} <<'JOB'
#!/bin/sh
#SBATCH --job-name={{.Spec.Name}}
#SBATCH --array=1-{{.Parts}}
#SBATCH --time={{.Time}}
#SBATCH --mem={{.MiB}}M
#SBATCH --ntasks=1
#SBATCH --requeue
exec {{quote .Harness}} run {{quote .Config}}{{range .Sets}} --set {{quote .}}{{end}} --resume \
	--shard "$SLURM_ARRAY_TASK_ID/{{.Parts}}" --out {{quote .Shards}}/"$SLURM_ARRAY_TASK_ID-of-{{.Parts}}"
JOB
)
array=${array%%;*}
merge=$(sbatch --parsable --dependency=afterany:"$array" --kill-on-invalid-dep=yes \
	--output={{quote .Shards}}/slurm-%A-merge.log{{range .Options}} {{quote .}}{{end}} <<'JOB'
#!/bin/sh
#SBATCH --job-name={{.Spec.Name}}-merge
#SBATCH --time=10
#SBATCH --mem=512M
#SBATCH --ntasks=1
exec {{quote .Harness}} merge {{quote .Shards}}/*-of-{{.Parts}} --out {{quote .Out}}
JOB
)
printf '%s\n' "array job $array, merge job ${merge%%;*}; records go to "{{quote .Out}}
`

// checkWords refuses what has no place in a script: a line break would end a
// heredoc, or begin a line of its own.
func (s Submission) checkWords() error {
	words := map[string][]string{
		"--set": s.Sets, "--sbatch": s.Options, "--out": {s.Out}, "the harness's path": {s.Harness},
		"the configuration's path": {s.Config}, "the working folder": {s.Dir},
	}
	for what, list := range words {
		for _, word := range list {
			if strings.ContainsAny(word, "\n\r\x00") {
				return fmt.Errorf("%s %q: a line break has no place in a job's script", what, word)
			}
		}
	}
	for _, option := range s.Options {
		if !strings.HasPrefix(option, "-") {
			return fmt.Errorf("--sbatch %q: expected an option of sbatch, as in --partition=long", option)
		}
	}
	return nil
}

// Slurm writes a shell script that submits the array and, dependent on it, the
// merge. Words that cannot be part of a script are an error.
func (s Submission) Slurm() ([]byte, error) {
	if err := s.checkWords(); err != nil {
		return nil, err
	}
	longest, err := s.longest()
	if err != nil {
		return nil, err
	}
	minutes := int((longest + time.Minute - 1) / time.Minute)
	source, err := template.New("slurm").Funcs(template.FuncMap{"quote": quote}).Parse(slurmSource)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, struct {
		Submission
		Parts  int
		Time   string
		MiB    uint64
		Shards string
	}{
		s, s.parts(), fmt.Sprintf("%d-%02d:%02d:00", minutes/1440, minutes/60%24, minutes%60),
		(uint64(s.Spec.Limits.Memory) + harnessMemory) >> 20, s.Out + ".shards",
	})
	return b.Bytes(), err
}
