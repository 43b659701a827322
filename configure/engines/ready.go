package engines

// Ready reports whether the pool holds the diagram that a key asks for, so
// borrowing it compiles nothing. A back-end without a diagram is always ready.
func (p *Pool) Ready(key Key) bool {
	if p.check(&key) != nil || key.Backend != "bdd" {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.diagrams[key]
	if d == nil {
		return false
	}
	select {
	case <-d.ready:
		return d.err == nil
	default:
		return false
	}
}
