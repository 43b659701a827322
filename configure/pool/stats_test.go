package pool

// stats describes what a Pool holds.
type stats struct {
	Diagrams     int
	DiagramBytes int64 // of their ROBDDs and ZDDs, compiled and loaded
	Idle         int
	IdleBytes    int64 // an estimate of what idle back-ends hold
}

func (p *Pool) stats() stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := stats{Idle: len(p.shelf)}
	for _, l := range p.shelf {
		s.IdleBytes += l.bytes
	}
	s.DiagramBytes = p.bytes - s.IdleBytes
	different := map[*Diagram]bool{} // a diagram may have several names
	for _, d := range p.diagrams {
		if d.loaded && !different[d] {
			s.DiagramBytes += d.Compiled.Bytes()
		}
		different[d] = true
	}
	s.Diagrams = len(different)
	return s
}
