package cluster

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"queens/experiments/spec"
)

// Shard is a part of a grid: every K-th run of its random order, from the I-th.
// The zero Shard is the whole grid.
type Shard struct {
	I, K int    // 1 <= I <= K
	From string // the environment variable that gave it, if one did
}

var shardPattern = regexp.MustCompile(`^([0-9]{1,6}|auto)/([0-9]{1,6})$`)

// ParseShard reads I/K, or auto/K where the scheduler's environment gives I.
// From the empty text and an environment without a scheduler comes the whole
// grid; under a Slurm array, the task's part of it.
//
// K must be named when a single failed task of an array is submitted again,
// since Slurm then counts one task: auto/K is for that.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		if os.Getenv("SLURM_ARRAY_TASK_ID") != "" {
			return slurmShard()
		}
		if os.Getenv("JOB_COMPLETION_INDEX") != "" {
			return Shard{}, fmt.Errorf("JOB_COMPLETION_INDEX is set, but not how many parts there are: give --shard auto/K")
		}
		return Shard{}, nil
	}
	m := shardPattern.FindStringSubmatch(text)
	if m == nil {
		return Shard{}, fmt.Errorf("%q: expected I/K, as in 2/8, or auto/K", text)
	}
	s := Shard{}
	s.K, _ = strconv.Atoi(m[2]) // six digits at most
	if m[1] == "auto" {
		if err := s.fromScheduler(); err != nil {
			return Shard{}, fmt.Errorf("%q: %w", text, err)
		}
	} else {
		s.I, _ = strconv.Atoi(m[1])
	}
	if s.I < 1 || s.I > s.K {
		return Shard{}, fmt.Errorf("%q: part %d of %d: expected one from 1 to %d", text, s.I, s.K, s.K)
	}
	return s, nil
}

// fromScheduler takes the part from the one scheduler whose variable is set.
func (s *Shard) fromScheduler() error {
	for _, scheduler := range []struct {
		variable string
		first    int
	}{{"SLURM_ARRAY_TASK_ID", 1}, {"JOB_COMPLETION_INDEX", 0}} {
		text := os.Getenv(scheduler.variable)
		if text == "" {
			continue
		}
		if s.From != "" {
			return fmt.Errorf("both %s and %s are set: give the part as I/K", s.From, scheduler.variable)
		}
		i, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s=%q: expected an integer", scheduler.variable, text)
		}
		s.I, s.From = i-scheduler.first+1, scheduler.variable
	}
	if s.From == "" {
		return errors.New("neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set")
	}
	return nil
}

// slurmShard takes the part from the array's own variables.
func slurmShard() (Shard, error) {
	const name = "SLURM_ARRAY_TASK_"
	value := map[string]int{"STEP": 1}
	for _, key := range []string{"ID", "MIN", "COUNT", "STEP"} {
		text, set := os.LookupEnv(name + key)
		if !set && key == "STEP" {
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return Shard{}, fmt.Errorf("%s%s=%q: expected an integer; give --shard I/K instead", name, key, text)
		}
		value[key] = v
	}
	offset, step := value["ID"]-value["MIN"], max(value["STEP"], 1)
	s := Shard{I: offset/step + 1, K: value["COUNT"], From: name + "ID"}
	if offset < 0 || offset%step != 0 || s.I > s.K {
		return Shard{}, fmt.Errorf("%sID=%d is not one of %d tasks from %d in steps of %d; give --shard I/K instead",
			name, value["ID"], s.K, value["MIN"], step)
	}
	return s, nil
}

// String writes the shard as ParseShard reads it; the whole grid is empty.
func (s Shard) String() string {
	if s.K == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.K)
}

// Suffix is what a shard's folder has after the experiment's name.
func (s Shard) Suffix() string {
	if s.K == 0 {
		return ""
	}
	return fmt.Sprintf(".shards/%d-of-%d", s.I, s.K)
}

// Of returns the shard's runs.
func (s Shard) Of(runs []spec.Run) []spec.Run {
	if s.K == 0 {
		return runs
	}
	var part []spec.Run
	for i := s.I - 1; i < len(runs); i += s.K {
		part = append(part, runs[i])
	}
	return part
}
