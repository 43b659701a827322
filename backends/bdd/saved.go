package bdd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// The keys of a saved diagram's metadata. Variables are identified by number. All entries except the
// order and the construction must match the problem for which the diagram is loaded.
const (
	MetaOrder        = "order"
	MetaConstruction = "construction"
	metaProblem      = "problem"
	metaSize         = "n"
	metaConstraints  = "constraints" // fingerprint, which includes the number of variables
	metaNames        = "names"       // fingerprint of the variables' names
	metaFixed        = "fixed"       // literals, as in 3,-5
	metaFunction     = "function"    // fingerprint of the nodes' function, see [robdd.Diagram.Fingerprint]
)

// Meta returns the metadata to save with the diagram.
func (c *Compiled) Meta(orderName string) robdd.Meta {
	fixed := slices.Clone(c.Problem.Fixed)
	slices.Sort(fixed)
	var lits []string
	for _, l := range slices.Compact(fixed) {
		lits = append(lits, strconv.Itoa(int(l)))
	}
	return robdd.Meta{
		metaProblem:      c.Problem.Family,
		metaSize:         strconv.Itoa(c.Problem.N),
		metaConstraints:  c.Problem.Fingerprint(),
		metaNames:        namesOf(c.Problem),
		metaFixed:        strings.Join(lits, ","),
		metaFunction:     functionOf(c.made),
		MetaOrder:        orderName,
		MetaConstruction: c.Construction,
	}
}

// functionOf returns the fingerprint of a diagram's function.
func functionOf(d *robdd.Diagram) string {
	sum, _ := d.Fingerprint(context.Background()) // this context cannot end
	return strconv.FormatUint(sum, 16)
}

func namesOf(p encode.Problem) string {
	sum := sha256.New()
	for v := range p.NumVars() {
		_, _ = io.WriteString(sum, p.VarName(cnf.Var(v+1))+"\n")
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Limited makes a limit of the engine, which knows no back-end, one of a back-end.
func Limited(err error) error {
	if at := (*robdd.LimitError)(nil); errors.As(err, &at) {
		return (*backends.LimitError)(at)
	}
	return err
}

// Loaded makes a Compiled from a saved diagram of either kind. It returns an error if the metadata does
// not match the problem, or the nodes do not have the function whose fingerprint the metadata contains.
// The problem must fix the literals that were fixed when the diagram was compiled, and may fix more. A
// file in which both nodes and fingerprint were changed is not detected.
func Loaded(p encode.Problem, d *robdd.Diagram, meta robdd.Meta, maxBytes int64) (*Compiled, error) {
	for _, key := range []string{metaProblem, metaSize, metaConstraints, metaNames, metaFixed, metaFunction} {
		if _, has := meta[key]; !has {
			return nil, fmt.Errorf("the file does not say its %s: compile it again", key)
		}
	}
	switch {
	case meta[metaProblem] != p.Family:
		return nil, fmt.Errorf("the file holds a diagram of another problem, not of %s", p.Family)
	case meta[metaSize] != strconv.Itoa(p.N):
		return nil, fmt.Errorf("the file holds a board of size %.20s, not %d", meta[metaSize], p.N)
	case d.Vars() != p.NumVars():
		return nil, fmt.Errorf("the file holds a diagram of %d variables, not %d", d.Vars(), p.NumVars())
	case meta[metaConstraints] != p.Fingerprint():
		return nil, fmt.Errorf("the file holds a diagram of other constraints")
	case meta[metaNames] != namesOf(p):
		return nil, fmt.Errorf("the file holds a diagram of the same constraints on variables of other names")
	case meta[metaFunction] != functionOf(d):
		return nil, fmt.Errorf("the file's nodes are not those of the diagram that was saved: compile it again")
	}
	if meta[metaFixed] != "" {
		for text := range strings.SplitSeq(meta[metaFixed], ",") {
			l, err := strconv.ParseInt(text, 10, 32)
			if err != nil || l == 0 || max(l, -l) > int64(p.NumVars()) {
				return nil, fmt.Errorf("the file's diagram was compiled with literal %.20q, which is none of this problem's", text)
			}
			if fixed := cnf.Lit(l); !slices.Contains(p.Fixed, fixed) {
				return nil, fmt.Errorf("the file's diagram was compiled with %s, which this problem does not have", wordsOf(p, fixed))
			}
		}
	}
	return &Compiled{Problem: p, Construction: meta[MetaConstruction], made: d, limit: maxBytes}, nil
}

// Foreign makes a Compiled from an ROBDD that another program has built; nothing says that it is the problem's.
func Foreign(p encode.Problem, d *robdd.Diagram, maxBytes int64) *Compiled {
	return &Compiled{Problem: p, made: d, limit: maxBytes}
}

// IsForeign reports whether another program has built the diagram.
func (c *Compiled) IsForeign() bool { return c.Construction == "" }

// wordsOf returns a phrase that says that a literal is true.
func wordsOf(p encode.Problem, l cnf.Lit) string {
	words := [2]string{"false", "true"}
	if p.IsBoard() {
		words = [2]string{"blocked", "placed"}
	}
	word := words[0]
	if l.Positive() {
		word = words[1]
	}
	return p.VarName(l.Var()) + " " + word
}
