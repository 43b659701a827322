package counters

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"queens/internal/system/program"
)

// said is the content of a counter's output.
type said struct {
	count     *big.Int // nil if there is no number
	unsat     bool
	projected bool
}

// read takes the number from an output. It knows the formats of the Model Counting Competition ("c s
// exact arb int 92" since 2021, "s mc 92" and "s pmc 92" in 2020), of d4 ("s 92") and of sharpSAT ("#
// solutions", the number on the next line). If the output has numbers in several formats, the first in
// this list counts. Two different numbers in that format are an error.
func read(output string) (said, error) {
	var s said
	counts := [4][]string{} // as written, by format in the sequence above
	next := false
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		begins := func(with ...string) bool {
			return len(words) > len(with) && slices.Equal(words[:len(with)], with)
		}
		switch {
		case len(words) == 0:
			continue
		case next:
			counts[3] = append(counts[3], words[0])
		case begins("c", "s", "exact", "arb", "int"):
			counts[0] = append(counts[0], words[5])
		case begins("c", "s", "type"):
			s.projected = s.projected || words[3] == "pmc"
		case begins("c", "s", "approx"):
			return s, errors.New("its answer is approximate")
		case begins("s", "mc"), begins("s", "pmc"):
			counts[1] = append(counts[1], words[2])
			s.projected = s.projected || words[1] == "pmc"
		case begins("s") && strings.HasPrefix(words[1], "UNSAT"):
			s.unsat = true
		case len(words) == 2 && words[0] == "s" && strings.Trim(words[1], "0123456789") == "":
			counts[2] = append(counts[2], words[1])
		}
		next = slices.Equal(words, []string{"#", "solutions"})
	}
	for _, numbers := range counts {
		numbers = slices.Compact(numbers)
		switch {
		case len(numbers) == 0:
			continue
		case len(numbers) > 1:
			return s, fmt.Errorf("it answers %s and %s", program.Clip(numbers[0]), program.Clip(numbers[1]))
		}
		count, ok := new(big.Int).SetString(numbers[0], 10)
		if !ok || count.Sign() < 0 || s.unsat && count.Sign() > 0 {
			return s, fmt.Errorf("it answers %q", program.Clip(numbers[0]))
		}
		s.count = count
		return s, nil
	}
	if s.unsat {
		s.count, s.projected = new(big.Int), true // projected or not, the count is 0
		return s, nil
	}
	return s, errors.New("its output has no number of solutions: expected a line c s exact arb int N, s mc N or s N, or # solutions")
}
