package bdd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queens/encode"
	"queens/encode/cnf"
	"queens/robdd"
)

// The keys of a saved diagram's metadata.
const (
	MetaOrder        = "order"
	MetaConstruction = "construction"
	metaProblem      = "problem"
	metaSize         = "n"
	metaConstraints  = "constraints" // fingerprint of the constraints
	metaPlaced       = "placed"
	metaBlocked      = "blocked"
)

// Meta returns the metadata to save the diagram with.
func (c *Compiled) Meta(orderName string) robdd.Meta {
	p := c.Problem
	return robdd.Meta{
		metaProblem:      p.Family,
		metaSize:         strconv.Itoa(p.N),
		metaConstraints:  p.Fingerprint(),
		metaPlaced:       strings.Join(p.VarNames(p.FixedVars(true)), ","),
		metaBlocked:      strings.Join(p.VarNames(p.FixedVars(false)), ","),
		MetaOrder:        orderName,
		MetaConstruction: c.Construction,
	}
}

// Describes returns an error if a saved diagram with this metadata does not belong to the
// problem. The problem must fix the cells that were placed or blocked when the diagram was
// compiled; it may fix more.
func Describes(meta robdd.Meta, p encode.Problem) error {
	if meta[metaProblem] != p.Family {
		return fmt.Errorf("the file holds a diagram of another problem, not of %s", p.Family)
	}
	if meta[metaSize] != strconv.Itoa(p.N) {
		return fmt.Errorf("the file holds a board of size %s, not %d", meta[metaSize], p.N)
	}
	if saved, has := meta[metaConstraints]; has && saved != p.Fingerprint() {
		return fmt.Errorf("the file holds a diagram of other constraints")
	}
	for _, list := range []struct {
		key   string
		given []cnf.Var
	}{{metaPlaced, p.FixedVars(true)}, {metaBlocked, p.FixedVars(false)}} {
		saved, err := p.ParseVars(meta[list.key])
		if err != nil {
			return err
		}
		for _, v := range saved {
			if !slices.Contains(list.given, v) {
				return fmt.Errorf("the file's diagram was compiled with %s %s, which this problem does not have",
					meta[list.key], list.key)
			}
		}
	}
	return nil
}
