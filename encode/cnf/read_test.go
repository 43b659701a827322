package cnf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// A file reads the same however its numbers, blanks and lines are written and in whatever portions they come;
// what is wrong is found on the same line.
func TestReadingDoesNotDependOnTheForm(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	ended, wrong := 0, 0
	files := 1000
	if testing.Short() {
		files = 200
	}
	for range files {
		var plain, odd strings.Builder
		var want [][]Lit
		var lines []int32
		var clause []Lit
		vars, clauses := 1+rng.IntN(30), rng.IntN(12)
		line, bad, open := 2, 0, true
		header := fmt.Sprintf("c made at random\np cnf %d %d\n", vars, clauses)
		plain.WriteString(header)
		odd.WriteString(header)
		for open && len(want) < clauses {
			line++
			switch rng.IntN(12) {
			case 0:
				remark := pick("c a remark 1 0\n", "\n", " c\n")
				plain.WriteString(remark)
				odd.WriteString(remark)
				continue
			case 1:
				if rng.IntN(6) == 0 {
					plain.WriteString("%\n0 junk\n")
					odd.WriteString("%\n0 junk\n")
					open, line = false, line-1
					continue
				}
			}
			for range rng.IntN(6) {
				l := Lit(rng.IntN(2*vars+1) - vars)
				if rng.IntN(3) == 0 {
					l = 0
				}
				text := fmt.Sprint(int(l))
				if rng.IntN(200) == 0 && bad == 0 && len(want) < clauses {
					text, bad = pick("x", "1x", "--1", "1c", "123456789012", fmt.Sprint(vars+1), "c"), line
				}
				fmt.Fprint(&plain, text, pick(" ", "  ", "\t"))
				if l > 0 && text[0] != '-' && text[0] <= '9' {
					text = pick("+", "0", "+00") + text
				}
				fmt.Fprint(&odd, text, pick(" ", "\v", "\f\r "))
				switch {
				case bad > 0:
				case l != 0:
					clause = append(clause, l)
				case len(want) == clauses:
					bad = line // one clause too many
				default:
					want, lines, clause = append(want, clause), append(lines, int32(line)), nil
				}
				if bad > 0 {
					break
				}
			}
			if bad > 0 {
				break
			}
			end := pick("\n", "\r\n")
			plain.WriteString(end)
			odd.WriteString(end)
		}
		if bad == 0 && (len(clause) > 0 || len(want) < clauses) {
			bad = line // the file ends too early
		}
		for _, text := range []string{plain.String(), odd.String()} {
			for _, portion := range []bool{false, true} {
				r := iotest.OneByteReader(strings.NewReader(text))
				if !portion {
					r = strings.NewReader(text)
				}
				f, err := ReadDIMACS(r, "file")
				if bad > 0 {
					wrong++
					require.ErrorContains(t, err, fmt.Sprintf("file:%d: ", bad), "seed %d: %q", seed, text)
					continue
				}
				ended++
				require.NoError(t, err, "seed %d: %q", seed, text)
				var got [][]Lit
				for i := range f.Len() {
					got = append(got, append([]Lit(nil), f.At(i)...))
				}
				require.Equal(t, want, got, "seed %d: %q", seed, text)
				require.Equal(t, vars, f.Vars)
				require.Len(t, f.Lines, len(lines))
				for i := range lines {
					require.Equal(t, lines[i], f.Lines[i], "seed %d: %q", seed, text)
				}
			}
		}
	}
	require.Greater(t, min(ended, wrong), files/2, "seed %d", seed)
}

// BenchmarkReadDIMACS reads a group of alternatives as models of systems have it: a clause of all, and one for each
// pair.
func BenchmarkReadDIMACS(b *testing.B) {
	const features = 480
	var f Formula
	all := make([]Lit, features)
	for i := range all {
		all[i] = Lit(i + 1)
		for k := range i {
			f.Add(-Lit(i+1), -Lit(k+1))
		}
	}
	f.Add(all...)
	var text strings.Builder
	require.NoError(b, f.WriteDIMACS(&text, nil, nil))
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		_, err := ReadDIMACS(strings.NewReader(text.String()), "file")
		require.NoError(b, err)
	}
}
