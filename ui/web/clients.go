package web

import (
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Clients hold connections, and answers that they do not read. Both are bounded: when there are too
// many, the oldest are dropped, so that new clients can be answered.

// connections keeps the number of open connections below a limit.
type connections struct {
	most int

	mutex sync.Mutex
	open  map[net.Conn]bool
	idle  []net.Conn // without a request, longest first
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
		last := conn // every other is busy
		if len(c.idle) > 0 {
			last, c.idle = c.idle[0], c.idle[1:]
		}
		delete(c.open, last)
		_ = last.Close()
	}
}

// heldAnswers is how many bytes of answers may wait for clients to read them.
const heldAnswers = 64 << 20

// writing is an answer on its way.
type writing struct {
	bytes   int
	control *http.ResponseController
}

// writings are all such answers.
type writings struct {
	most int

	mutex sync.Mutex
	held  int
	all   []*writing // longest first
}

// write writes an answer. It may be cut short while others are written.
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
