package web

import (
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Clients hold connections, and may be slow to read their answers. Both are bounded: if there are too
// many, the oldest are dropped, so that new clients can be answered.

// connections keeps the number of open connections below a limit.
type connections struct {
	most int

	mutex sync.Mutex
	open  map[net.Conn]bool
	idle  []net.Conn // without a request, longest idle first
}

// changed is called when the state of a connection changes.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.idle = slices.DeleteFunc(c.idle, func(other net.Conn) bool { return other == conn })
	switch state {
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
		return
	case http.StateNew:
		c.open[conn] = true
		c.idle = append(c.idle, conn)
	case http.StateIdle:
		c.idle = append(c.idle, conn)
	}
	for len(c.open) > c.most {
		last := conn // if every other one is busy, close the new one
		if len(c.idle) > 0 {
			last, c.idle = c.idle[0], c.idle[1:]
		}
		delete(c.open, last)
		_ = last.Close()
	}
}

// heldAnswers limits the bytes of answers that wait for clients to read them.
const heldAnswers = 64 << 20

// writing is an answer that is being written.
type writing struct {
	bytes   int
	control *http.ResponseController
}

// writings holds all answers that are being written.
type writings struct {
	most int

	mutex sync.Mutex
	held  int
	all   []*writing // longest first
}

// write writes an answer. The answer may be cut short if too many others are being written.
func (w *writings) write(to http.ResponseWriter, answer []byte) {
	one := &writing{len(answer), http.NewResponseController(to)}
	w.mutex.Lock()
	w.all, w.held = append(w.all, one), w.held+one.bytes
	for w.held > w.most && len(w.all) > 1 {
		_ = w.all[0].control.SetWriteDeadline(time.Now())
		w.all, w.held = w.all[1:], w.held-w.all[0].bytes
	}
	w.mutex.Unlock()
	_, _ = to.Write(answer)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if i := slices.Index(w.all, one); i >= 0 {
		w.all, w.held = slices.Delete(w.all, i, i+1), w.held-one.bytes
	}
}
