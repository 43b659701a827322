package bdd

// Progress says how far a construction or a count has come.
type Progress struct {
	Step  string // what Done counts: "level", "constraint"
	Done  int
	Total int    // 0: not known
	Items uint64 // there are by now
	Unit  string // of Items: "states", "nodes", "solutions"
}

// tell passes on how far it has come, if anyone asked.
func (b *budget) tell(step string, done, total int, items uint64, unit string) {
	if b.progress != nil {
		b.progress(Progress{step, done, total, items, unit})
	}
}
