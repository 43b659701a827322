package cluster

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"queens/experiments/spec"
)

// Shard is a part of a grid: every K-th run of its random order, starting at the I-th.
// The zero Shard is the whole grid.
type Shard struct {
	I, K int    // 1 <= I <= K
	From string // the environment variable that I comes from, if any
}

// ParseShard parses I/K, or auto/K to take I from the scheduler's environment variables.
// The empty text means the task's part in a Slurm array, and the whole grid without a
// scheduler.
//
// Use auto/K to submit a single failed task of an array again, since Slurm then counts
// only one task.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		if os.Getenv("SLURM_ARRAY_TASK_ID") != "" {
			return slurmShard()
		}
		if os.Getenv("JOB_COMPLETION_INDEX") != "" {
			return Shard{}, errors.New("JOB_COMPLETION_INDEX is set, but not how many parts there are: " +
				"give --shard auto/K")
		}
		return Shard{}, nil
	}
	m := regexp.MustCompile(`^([0-9]{1,6}|auto)/([0-9]{1,6})$`).FindStringSubmatch(text)
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
		return Shard{}, fmt.Errorf("%q: part %d of %d: expected a part from 1 to %d", text, s.I, s.K, s.K)
	}
	return s, nil
}

// fromScheduler sets the part from the variable of the only scheduler that has set one.
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

// slurmShard returns the part given by the variables of a Slurm array.
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
