package cluster

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"queens/experiments"
)

// Shard is a part of a grid: every K-th run of its random order, starting at the I-th.
// The zero Shard is the whole grid.
type Shard struct {
	I, K int    // 1 <= I <= K
	From string // the environment variable that I comes from, if any
}

// The environment variables that schedulers set: the number of a task in a Slurm array, counted from 1 by
// harness submit, and the index of a pod in an indexed Kubernetes job, counted from 0.
const (
	slurmTask     = "SLURM_ARRAY_TASK_ID"
	kubernetesPod = "JOB_COMPLETION_INDEX"
)

// ParseShard parses I/K, or auto/K to take I from the scheduler's environment variable. An empty text means
// the part of the current task in a Slurm array, or the whole grid if there is no scheduler.
//
// Use auto/K to submit a single failed task of an array again, since Slurm then counts
// only one task.
func ParseShard(text string) (s Shard, err error) {
	part, parts, ok := strings.Cut(text, "/")
	first := "1"
	switch {
	case text == "" && os.Getenv(slurmTask) != "":
		part, parts, first = "auto", os.Getenv("SLURM_ARRAY_TASK_COUNT"), os.Getenv("SLURM_ARRAY_TASK_MIN")
	case text == "" && os.Getenv(kubernetesPod) != "":
		return s, fmt.Errorf("%s is set, but not how many parts there are: give --shard auto/K", kubernetesPod)
	case text == "":
		return s, nil
	case !ok:
		return s, fmt.Errorf("%q: expected I/K, as in 2/8, or auto/K", text)
	}
	if part == "auto" {
		s.From = slurmTask
		if os.Getenv(slurmTask) == "" {
			s.From, first = kubernetesPod, "0"
		}
		part = os.Getenv(s.From)
	}
	i, errI := strconv.Atoi(part)
	k, errK := strconv.Atoi(parts)
	from, errFirst := strconv.Atoi(first)
	if errors.Join(errI, errK, errFirst) != nil {
		return s, fmt.Errorf("part %q of %q: expected I/K, as in 2/8, or auto/K within a job of Slurm or Kubernetes", part, parts)
	}
	if s.From != "" {
		i += 1 - from
	}
	if i < 1 || i > k {
		return s, fmt.Errorf("%q: part %d of %d: expected a part from 1 to %d; give --shard I/K", text, i, k, k)
	}
	s.I, s.K = i, k
	return s, nil
}

// String returns the shard as ParseShard accepts it; empty for the whole grid.
func (s Shard) String() string {
	if s.K == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.K)
}

// Suffix returns what follows the experiment's name in the name of a shard's folder.
func (s Shard) Suffix() string {
	if s.K == 0 {
		return ""
	}
	return fmt.Sprintf(".shards/%d-of-%d", s.I, s.K)
}

// Of returns the shard's runs.
func (s Shard) Of(runs []experiments.Run) []experiments.Run {
	if s.K == 0 {
		return runs
	}
	var part []experiments.Run
	for i := s.I - 1; i < len(runs); i += s.K {
		part = append(part, runs[i])
	}
	return part
}
