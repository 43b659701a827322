package cluster

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"time"

	"queens/experiments/config"
)

// Submission is a grid to be run as an array of jobs on a cluster, followed by a merge.
type Submission struct {
	config.Experiment
	Tasks   int      // parts of the grid; 0: one per run, up to MaxTasks
	Harness string   // the executable, as the cluster sees it
	Config  string   // the configuration, as the cluster sees it
	Sets    []string // overrides
	Out     string   // folder of the merged records
	Dir     string   // working folder of the jobs
	Options []string // additional options for sbatch
}

// MaxTasks is the largest array that every Slurm accepts: MaxArraySize is 1001 unless an
// administrator has raised it. In larger grids, a task has several runs.
const MaxTasks = 1000

// harnessMemory is the memory that a job needs beyond its run's limit: for the harness itself, and for the
// amount by which a run may exceed its limit before the harness notices.
const harnessMemory = 256 << 20

// parts returns the number of tasks.
func (s Submission) parts() int {
	parts := s.Tasks
	if parts == 0 {
		parts = min(len(s.Runs), MaxTasks)
	}
	return max(1, min(parts, len(s.Runs)))
}

// longest returns the time limit of a part: the time if every process in it, runs and references, reaches its
// own limit, and a minute more.
func (s Submission) longest() time.Duration {
	references := 0
	for _, r := range s.Runs {
		references = max(references, len(r.Task.References()))
	}
	runs := (len(s.Runs) + s.parts() - 1) / s.parts()
	return time.Duration(runs*(1+references))*time.Duration(s.Spec.Limits.WallClock) + time.Minute
}

// workers returns the number of processors that a run keeps busy: the largest value of the parameter workers,
// at least 1.
func (s Submission) workers() int {
	most := 1
	for _, r := range s.Runs {
		if workers, err := strconv.Atoi(r.Task.Parameters()["workers"]); err == nil {
			most = max(most, workers)
		}
	}
	return most
}

// quote quotes a word for a POSIX shell. A line break is refused: it could end a heredoc or begin another
// command.
func quote(word string) (string, error) {
	if strings.ContainsAny(word, "\n\r\x00") {
		return "", fmt.Errorf("%q: expected no line break, since it goes into a job's script", word)
	}
	if regexp.MustCompile(`^[A-Za-z0-9/._=:,+@%-]+$`).MatchString(word) {
		return word, nil
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'", nil
}

// slurmSource single-quotes every word from the user, both in the script and in the jobs,
// whose text the quoted heredocs leave unchanged.
const slurmSource = `#!/bin/sh
# {{.Spec.Name}}: {{len .Runs}} runs in {{.Parts}} parts, then a merge of their records. Submitting
# again measures only the missing runs: a complete part leaves its records alone.
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
#SBATCH --cpus-per-task={{.Processors}}
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

// Slurm returns a shell script that submits the array and a merge that depends on it. A word
// that cannot be part of the script is an error.
func (s Submission) Slurm() ([]byte, error) {
	minutes := int((s.longest() + time.Minute - 1) / time.Minute)
	source, err := template.New("slurm").Funcs(template.FuncMap{"quote": quote}).Parse(slurmSource)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, struct {
		Submission
		Parts, Processors int
		Time              string
		MiB               uint64
		Shards            string
	}{
		s, s.parts(), s.workers(), fmt.Sprintf("%d-%02d:%02d:00", minutes/1440, minutes/60%24, minutes%60),
		(uint64(s.Spec.Limits.Memory) + harnessMemory) >> 20, s.Out + ".shards",
	})
	return b.Bytes(), err
}
