package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"
)

// Submission is a grid to be run as an array of jobs on a cluster, with a merge
// behind it.
type Submission struct {
	Spec    Spec
	Runs    []Run
	Kind    Kind
	Tasks   int      // parts of the grid; 0: one a run, as far as MaxTasks allows
	Harness string   // the executable, as the cluster sees it
	Config  string   // the configuration, as the cluster sees it
	Sets    []string // overrides
	Out     string   // folder of the merged records
	Dir     string   // working folder of the jobs
	Options []string // further options of the scheduler, one a line
	Image   string   // container image, for Kubernetes
	Claim   string   // volume claim that holds the records, for Kubernetes
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
		task, err := s.Kind.task(r.Params)
		if err != nil {
			return 0, err
		}
		if t, ok := task.(Referred); ok {
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

const slurmSource = `#!/bin/sh
# {{.Spec.Name}}: {{len .Runs}} runs in {{.Parts}} parts, then a merge of their records. Doing this
# again makes what is missing: a part that is complete leaves its records alone.
set -eu
cd {{quote .Dir}}
mkdir -p {{quote .Shards}}
array=$(sbatch --parsable <<'JOB'
#!/bin/sh
#SBATCH --job-name={{.Spec.Name}}
#SBATCH --array=1-{{.Parts}}
#SBATCH --time={{.Time}}
#SBATCH --mem={{.MiB}}M
#SBATCH --ntasks=1
#SBATCH --output={{.Shards}}/slurm-%A-%a.log
#SBATCH --requeue
{{- range .Options}}
#SBATCH {{.}}
{{- end}}
exec {{quote .Harness}} run {{quote .Config}}{{range .Sets}} --set {{quote .}}{{end}} --shard "$SLURM_ARRAY_TASK_ID/{{.Parts}}" --resume --out {{quote .Shards}}/"$SLURM_ARRAY_TASK_ID-of-{{.Parts}}"
JOB
)
array=${array%%;*}
merge=$(sbatch --parsable --dependency=afterany:"$array" --kill-on-invalid-dep=yes <<'JOB'
#!/bin/sh
#SBATCH --job-name={{.Spec.Name}}-merge
#SBATCH --time=10
#SBATCH --mem=512M
#SBATCH --ntasks=1
#SBATCH --output={{.Shards}}/slurm-%A-merge.log
{{- range .Options}}
#SBATCH {{.}}
{{- end}}
exec {{quote .Harness}} merge {{quote .Shards}}/*-of-{{.Parts}} --out {{quote .Out}}
JOB
)
echo "array job $array, merge job ${merge%%;*}; records go to {{.Out}}"
`

// Slurm writes a shell script that submits the array and, dependent on it, the
// merge.
func (s Submission) Slurm() ([]byte, error) {
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
	}{s, s.parts(), fmt.Sprintf("%d-%02d:%02d:00", minutes/1440, minutes/60%24, minutes%60), (uint64(s.Spec.Limits.Memory) + harnessMemory) >> 20, s.Out + ".shards"})
	return b.Bytes(), err
}

// Kubernetes writes the manifests of an Indexed Job, of the configuration it
// reads, and of a suspended Job that merges. Kubernetes has no dependent jobs:
// the comment at the head says what to do when the first is complete. JSON is
// YAML, and this much of it is written by the machine anyway.
func (s Submission) Kubernetes() ([]byte, error) {
	longest, err := s.longest()
	if err != nil {
		return nil, err
	}
	config, err := s.Spec.YAML()
	if err != nil {
		return nil, err
	}
	type object = map[string]any
	name := s.Spec.objectName()
	parts := s.parts()
	shards := s.Out + ".shards"
	job := func(jobName string, memory Bytes, command []string, spec object) object {
		container := object{
			"name": "harness", "image": s.Image, "workingDir": "/work", "command": command,
			"resources":    object{"requests": object{"cpu": "1", "memory": memory.k8s()}, "limits": object{"memory": memory.k8s()}},
			"volumeMounts": []object{{"name": "work", "mountPath": "/work"}, {"name": "config", "mountPath": "/config"}},
		}
		spec["template"] = object{"spec": object{
			"restartPolicy": "Never",
			"containers":    []object{container},
			"volumes": []object{
				{"name": "work", "persistentVolumeClaim": object{"claimName": s.Claim}},
				{"name": "config", "configMap": object{"name": name}},
			},
		}}
		return object{"apiVersion": "batch/v1", "kind": "Job", "metadata": object{"name": jobName}, "spec": spec}
	}
	// A part whose runs failed (exit code 3 or 4) has its records all the same, and
	// is complete; only a lost pod is worth another try.
	run := []string{"/bin/sh", "-c", fmt.Sprintf("%s run /config/config.yaml --shard auto/%d --resume --out %s/$((JOB_COMPLETION_INDEX+1))-of-%d; code=$?; [ $code = 3 ] || [ $code = 4 ] || exit $code",
		quote(s.Harness), parts, quote(shards), parts)}
	merge := []string{"/bin/sh", "-c", fmt.Sprintf("exec %s merge %s/*-of-%d --out %s", quote(s.Harness), quote(shards), parts, quote(s.Out))}
	documents := []object{
		{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": name}, "data": object{"config.yaml": string(config)}},
		job(name, s.Spec.Limits.Memory+harnessMemory, run, object{
			"completionMode": "Indexed", "completions": parts, "parallelism": min(parts, 16),
			"backoffLimitPerIndex":  2,
			"activeDeadlineSeconds": int(longest.Seconds()) * parts,
		}),
		job(name+"-merge", 512<<20, merge, object{"suspend": true}),
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: %d runs in %d parts. The image holds %s; the claim %s is mounted at /work.\n", s.Spec.Name, len(s.Runs), parts, s.Harness, s.Claim)
	fmt.Fprintf(&b, "#   kubectl apply -f THIS\n#   kubectl wait --for=condition=complete --timeout=-1s job/%s\n#   kubectl patch job/%s-merge -p '{\"spec\":{\"suspend\":false}}'\n", name, name)
	for _, d := range documents {
		data, err := json.MarshalIndent(d, "", "  ")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "---\n%s\n", data)
	}
	return b.Bytes(), nil
}

// objectName is the experiment's name as one of Kubernetes' objects may have it, with
// room for -merge and a pod's index in the 63 letters of a label. One that has to be
// altered ends in a hash, so that no two experiments share an object.
func (s Spec) objectName() string {
	const longest = 50
	name := strings.Trim(strings.NewReplacer(".", "-", "_", "-").Replace(s.Name), "-")
	if name == s.Name && len(name) <= longest {
		return name
	}
	return strings.TrimRight(name[:min(len(name), longest-9)], "-") + "-" + hash([]byte(s.Name))[:8]
}

// k8s writes an amount as Kubernetes does.
func (b Bytes) k8s() string { return strings.TrimSuffix(b.String(), "B") }
