package bdd

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"golang.org/x/sync/errgroup"

	"queens/backends"
	"queens/robdd"
)

// Folding sorted words of one length into a ZDD.
//
// Words with a common prefix of d levels are the words of one function of the remaining n-d levels.
// Functions of different depths differ, so each depth has its own nodes and unique table, and the depths
// are the stages of a pipeline. The stage of depth d takes the functions that the stage below has made
// for prefixes of d+1 levels, and joins those whose prefixes share the first d levels. A chunk of words
// passes through all stages while it is in the processor's caches; several stages work at once. Each
// stage receives its input in the order of the words, so its nodes and their numbers do not depend on
// scheduling.
//
// The prefixes could also be states of a [graph], for free-set's reduction. That takes a tenth less time
// at n = 12 and 13. But n = 15, including the ROBDD, then took 2.5 s instead of 2.1 with two workers,
// and 3.15 s instead of 2.95 with one.
type folding[W word] struct {
	spelling
	ctx    context.Context
	budget *budget
	words  []W
	common []uint8 // by word: the number of leading levels that it shares with the word before
	stages []*stage[W]
}

// foldChunk is the number of words that pass through the stages together. foldBatch is the number of
// functions that a stage makes side by side, so that their memory accesses overlap. That gains a tenth
// or more where tables outgrow the caches: n = 14 0.65 -> 0.55 s with one worker, 0.67 -> 0.55 s with
// two; at n = 13 hardly anything.
const (
	foldChunk = 1 << 14
	foldBatch = 256
)

// item is a prefix: the number of the first word that has it, and the id of the function of the
// remaining levels, in the stage of the prefix's length.
type item struct{ word, id uint32 }

// stage makes the nodes of one depth. Ids start from 1. A node's low child is a node of the same stage,
// its high child one of the stage below; low 0 is false.
type stage[W word] struct {
	*folding[W]
	depth    int
	word, up int // where the level at this depth lies in a word
	mask     uint64
	nodes    []robdd.Node // by id-1
	level    []uint16
	table    []uint64 // by the first bits of a node's hash: the upper half of the hash, and below it the id
	pending  []item   // items of a group that is not yet complete
	out      [3][]item
	turn     int
	touched  uint64 // keeps the compiler from removing loads that only warm the cache

	// The batch.
	begin, next []int    // by function: its first item, and the next one to take
	rest        []uint32 // by function: the id of the part folded so far
	active      []int    // functions that have items left
	keys        []key    // by place in active
}

// key is a node that a function needs next, with its hash.
type key struct {
	robdd.Node
	level uint16
	hash  uint64
}

func newKey(level uint16, e robdd.Node) key {
	h := (uint64(e.Low)<<32 | uint64(e.High)) * mix1
	return key{e, level, (h ^ h>>32 ^ uint64(level)) * mix2}
}

func newFolding[W word](ctx context.Context, words []W, depths int, spelling spelling, b *budget) *folding[W] {
	f := &folding[W]{spelling: spelling, ctx: ctx, budget: b, words: words, common: make([]uint8, len(words))}
	for depth := range depths {
		word, up := spelling.shift(depth)
		s := &stage[W]{
			folding: f, depth: depth, word: word, up: up, mask: 1<<spelling.width - 1,
			begin: make([]int, foldBatch), next: make([]int, foldBatch), rest: make([]uint32, foldBatch),
			active: make([]int, foldBatch), keys: make([]key, foldBatch),
		}
		f.stages = append(f.stages, s)
	}
	return f
}

// run sends all words through the stages, at most workers of them at a time.
func (f *folding[W]) run(workers int) error {
	if err := f.budget.take(int64(len(f.words))); err != nil {
		return err
	}
	depths, chunks := len(f.stages), (len(f.words)+foldChunk-1)/foldChunk
	// One worker, or one chunk, needs no pipeline: starting its goroutines and their threads would
	// take half as long as building the diagram of a board of 8.
	if workers == 1 || chunks < 2 {
		var begun []item
		for i := range chunks {
			f.tell(i * foldChunk)
			begun = f.chunk(i*foldChunk, begun[:0])
			items, err := begun, f.ctx.Err()
			for d := depths - 1; d >= 0 && err == nil; d-- {
				items, err = f.stages[d].feed(items, i == chunks-1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	var (
		tokens = make(chan struct{}, workers)
		pipe   = make([]chan []item, depths+1) // pipe[d] leads to the stage of depth d-1
	)
	for d := range pipe {
		pipe[d] = make(chan []item, 1)
	}
	g, ctx := errgroup.WithContext(f.ctx)
	send := func(d int, items []item) error {
		select {
		case pipe[d] <- items:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	g.Go(func() error {
		defer close(pipe[depths])
		var out [3][]item
		for i := range chunks {
			f.tell(i * foldChunk)
			tokens <- struct{}{}
			out[i%3] = f.chunk(i*foldChunk, out[i%3][:0])
			<-tokens
			if err := send(depths, out[i%3]); err != nil {
				return err
			}
		}
		return nil
	})
	for d, s := range f.stages {
		g.Go(func() error {
			defer close(pipe[d])
			fed := 0
			for items := range pipe[d+1] {
				fed++
				tokens <- struct{}{}
				items, err := s.feed(items, fed == chunks)
				<-tokens
				if err == nil && d > 0 {
					err = send(d, items)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// tell reports the number of the next word.
func (f *folding[W]) tell(word int) {
	chunk := word/foldChunk + 1
	f.budget.tell("folding, part", chunk, (len(f.words)+foldChunk-1)/foldChunk, uint64(word),
		"solutions in the diagram")
}

// chunk makes the items of the next words: each whole word is a prefix, and the function of its
// remaining levels is true.
func (f *folding[W]) chunk(first int, items []item) []item {
	for i := first; i < min(first+foldChunk, len(f.words)); i++ {
		items = append(items, item{uint32(i), 1})
		if i > 0 {
			f.common[i] = uint8(shared(f.spelling, &f.words[i-1], &f.words[i]))
		}
	}
	return items
}

// feed takes the next prefixes of depth+1 levels, and returns the prefixes of depth levels that are now
// complete.
func (s *stage[W]) feed(items []item, end bool) ([]item, error) {
	s.turn = (s.turn + 1) % len(s.out)
	out := s.out[s.turn][:0]
	s.pending = append(s.pending, items...)
	items = s.pending
	from, groups := 0, 0
	join := func() error {
		err := s.join(items, groups)
		for g := range groups {
			out = append(out, item{items[s.begin[g]].word, s.rest[g]})
		}
		groups = 0
		return err
	}
	for i := 1; i <= len(items); i++ {
		// A prefix that differs within the first depth levels starts another group.
		if i == len(items) && !end || i < len(items) && int(s.common[items[i].word]) >= s.depth {
			continue
		}
		s.begin[groups], s.next[groups] = from, i-1
		groups++
		from = i
		if groups == foldBatch {
			if err := join(); err != nil {
				return nil, err
			}
		}
	}
	if err := join(); err != nil {
		return nil, err
	}
	s.pending = s.pending[:copy(s.pending, items[from:])]
	s.out[s.turn] = out
	if end {
		s.table, s.pending = nil, nil
	}
	return out, nil
}

// join makes the functions of complete groups side by side, each from its last item to its first: one
// node per item, whose low child is the function of the items after it.
func (s *stage[W]) join(items []item, groups int) error {
	if groups == 0 {
		return nil
	}
	if err := s.reserve(s.next[groups-1] + 1 - s.begin[0]); err != nil {
		return err
	}
	active := s.active[:groups]
	for g := range active {
		active[g] = g
		s.rest[g] = 0
	}
	shift := 64 - bits.Len(uint(len(s.table)-1))
	for len(active) > 0 {
		keys := s.keys[:len(active)]
		for k, g := range active {
			it := items[s.next[g]]
			level := uint16(s.words[it.word][s.word] >> (s.up & 63) & s.mask)
			keys[k] = newKey(level, robdd.Node{Low: s.rest[g], High: it.id})
		}
		// First request the memory for all of them, then wait for it. The loops are so short that the
		// processor runs many iterations ahead.
		touched := uint64(0)
		for k := range keys {
			touched ^= s.table[keys[k].hash>>(shift&63)]
		}
		for k := range keys {
			h := keys[k].hash
			if entry := s.table[h>>(shift&63)]; entry != 0 && (entry^h)>>32 == 0 {
				touched ^= uint64(s.nodes[uint32(entry)-1].Low) ^ uint64(s.level[uint32(entry)-1])
			}
		}
		s.touched = touched
		still := active[:0]
		for k, g := range active {
			s.rest[g] = s.node(&keys[k], shift)
			if s.next[g]--; s.next[g] >= s.begin[g] {
				still = append(still, g)
			}
		}
		active = still
	}
	return nil
}

// node returns the id of a node. It makes the node if necessary.
func (s *stage[W]) node(k *key, shift int) uint32 {
	for slot := k.hash >> (shift & 63); ; slot = (slot + 1) & uint64(len(s.table)-1) {
		entry := s.table[slot]
		if entry == 0 {
			s.nodes = append(s.nodes, k.Node)
			s.level = append(s.level, k.level)
			s.table[slot] = k.hash&^(1<<32-1) | uint64(len(s.nodes))
			return uint32(len(s.nodes))
		}
		if id := uint32(entry); (entry^k.hash)>>32 == 0 && s.nodes[id-1] == k.Node && s.level[id-1] == k.level {
			return id
		}
	}
}

// reserve makes room for the given number of further nodes.
func (s *stage[W]) reserve(more int) error {
	want := len(s.nodes) + more
	if want*3 < len(s.table)*2 {
		return nil
	}
	size := max(1<<10, len(s.table))
	for want*3 >= size*2 {
		size *= 2
	}
	room := size*2/3 + 1
	if err := s.budget.take(int64(size-len(s.table))*8 + int64(room-cap(s.nodes))*10); err != nil {
		return err
	}
	s.nodes = append(make([]robdd.Node, 0, room), s.nodes...)
	s.level = append(make([]uint16, 0, room), s.level...)
	// An entry contains enough of its hash to be moved, and it moves along with its neighbours.
	old := s.table
	s.table = make([]uint64, size)
	shift := 64 - bits.Len(uint(size-1))
	for _, entry := range old {
		if entry == 0 {
			continue
		}
		slot := entry >> (shift & 63)
		for s.table[slot] != 0 {
			slot = (slot + 1) & uint64(size-1)
		}
		s.table[slot] = entry
	}
	return nil
}

// byLevel makes the diagram: it collects the nodes of each level, those of the deepest stage first, in
// the order in which they were made.
func (f *folding[W]) byLevel(vars []robdd.Var) (*robdd.Diagram, error) {
	total := 0
	for _, s := range f.stages {
		total += len(s.nodes)
	}
	if most := math.MaxUint32 - 2; total > most {
		return nil, &backends.LimitError{What: "nodes", Limit: int64(most), Want: int64(total)}
	}
	f.words, f.common = nil, nil
	if err := f.budget.take(int64(total) * 12); err != nil {
		return nil, err
	}
	first := make([]uint32, len(vars)+1) // by height; before summing, at h+1 the nodes of height h
	for _, s := range f.stages {
		for _, level := range s.level {
			first[len(vars)-int(level)]++
		}
	}
	first[0] = 2
	for h := range vars {
		first[h+1] += first[h]
	}
	next := slices.Clone(first)
	nodes := make([]robdd.Node, total)
	own, high := []uint32(nil), []uint32{0, 1} // ids of the nodes of a stage, and of the stage below
	for _, s := range slices.Backward(f.stages) {
		own = make([]uint32, len(s.nodes)+1)
		for i, e := range s.nodes {
			at := &next[len(vars)-1-int(s.level[i])]
			nodes[*at-2] = robdd.Node{Low: own[e.Low], High: high[e.High]}
			own[i+1] = *at
			*at++
		}
		high = own
	}
	root := own[len(own)-1]
	f.stages = nil
	return robdd.NewDiagram(robdd.ZDD, vars, first, nodes, root)
}
