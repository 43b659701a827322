package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/big"

	"queens/ask"
	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// printDIMACS writes a solution in the format of the SAT competitions: the status, then value lines with each
// variable by its number in the problem's file.
func printDIMACS(w io.Writer, p encode.Problem, status backends.Status, model []cnf.Lit) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "s %s\n", status)
	line := []byte{'v'}
	write := func(word string) {
		if len(line)+1+len(word) > 78 {
			b.Write(append(line, '\n'))
			line = append(line[:0], 'v')
		}
		line = append(append(line, ' '), word...)
	}
	if status == backends.Sat {
		for _, l := range model {
			write(fmt.Sprint(p.InFile(l)))
		}
		write("0")
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}

// printMC writes a count in the format of the Model Counting Competition; pmc marks a projected count.
func printMC(w io.Writer, p encode.Problem, a ask.Answer) error {
	kind := "mc"
	if p.Projected {
		kind = "pmc"
	}
	estimate := "-inf"
	if a.Count.Sign() > 0 {
		mantissa := new(big.Float)
		exponent := new(big.Float).SetInt(a.Count).MantExp(mantissa)
		m, _ := mantissa.Float64()
		estimate = fmt.Sprintf("%.12g", math.Log10(m)+float64(exponent)*math.Log10(2))
	}
	_, err := fmt.Fprintf(w, "s %s\nc s type %s\nc s log10-estimate %s\nc s exact arb int %s\n", a.Status, kind, estimate, a.Count)
	return err
}
