package engines

// stats describes what a Pool holds.
type stats struct {
	Diagrams     int
	DiagramBytes int64 // of their ROBDDs and ZDDs, compiled and loaded
	Idle         int
	IdleBytes    int64 // an estimate of what idle back-ends hold
	Compiles     int64
}

func (p *Pool) stats() stats {
	held := p.Bytes()
	p.mu.Lock()
	defer p.mu.Unlock()
	different := map[*CompiledBoard]bool{} // a diagram may have several names
	for _, d := range p.diagrams {
		different[d] = true
	}
	s := stats{Diagrams: len(different), Idle: len(p.shelf), Compiles: p.compiles}
	for _, l := range p.shelf {
		s.IdleBytes += l.bytes
	}
	s.DiagramBytes = held - s.IdleBytes
	return s
}
