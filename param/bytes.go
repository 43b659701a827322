package param

import (
	"fmt"
	"regexp"
	"strconv"
)

// Bytes is an amount of memory written as 512MiB or 4GiB.
type Bytes uint64

// BytesPattern is the form of an amount.
const BytesPattern = `^([1-9][0-9]{0,8})(KiB|MiB|GiB)$`

func (b Bytes) String() string {
	for _, u := range []struct {
		size Bytes
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}} {
		if b >= u.size && b%u.size == 0 {
			return fmt.Sprintf("%d%s", b/u.size, u.name)
		}
	}
	return fmt.Sprintf("%dKiB", b>>10)
}

// MarshalText writes the amount as UnmarshalText reads it.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads a positive amount in KiB, MiB or GiB.
func (b *Bytes) UnmarshalText(text []byte) error {
	m := regexp.MustCompile(BytesPattern).FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("memory %q: expected a number and a unit, as in 512MiB or 4GiB", text)
	}
	v, _ := strconv.ParseUint(string(m[1]), 10, 64) // nine digits at most
	*b = Bytes(v) << map[string]uint{"KiB": 10, "MiB": 20, "GiB": 30}[string(m[2])]
	return nil
}
