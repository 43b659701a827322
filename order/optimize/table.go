package optimize

import "math/bits"

// table is a hash table from well-mixed words to numbers, with open addressing. Emptying it takes no
// time, since entries of earlier rounds count as free.
type table struct {
	entries []entry
	mask    uint64
	round   uint32
	used    int
}

type entry struct {
	word   uint64
	number int32
	round  uint32
}

// clear empties the table and makes room for the given number of words.
func (t *table) clear(words int) {
	size := 1 << bits.Len(uint(2*words))
	if t.round++; size > cap(t.entries) || t.round == 0 { // the round has wrapped around
		*t = table{entries: make([]entry, max(size, cap(t.entries))), round: 1}
	}
	t.entries, t.mask, t.used = t.entries[:size], uint64(size-1), 0
}

// find returns the entry of a word and true, or the free entry where it belongs and false.
func (t *table) find(word uint64) (e *entry, known bool) {
	for at := word; ; at++ {
		e = &t.entries[at&t.mask]
		if e.round != t.round || e.word == word {
			return e, e.round == t.round
		}
	}
}

// add fills the free entry that find has just returned.
func (t *table) add(e *entry, word uint64, number int32) {
	*e = entry{word, number, t.round}
	if t.used++; 2*t.used <= len(t.entries) {
		return
	}
	old := *t
	t.entries = nil
	t.clear(old.used)
	for _, e := range old.entries {
		if e.round == old.round {
			to, _ := t.find(e.word)
			t.add(to, e.word, e.number)
		}
	}
}

// mix spreads a 64-bit word: the finalizer of SplitMix64 (Steele, Lea and
// Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
