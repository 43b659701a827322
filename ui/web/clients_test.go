package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/configure/pool"
)

// listening returns the address of a server that listens as the command does.
func listening(t *testing.T, s *Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return l.Addr().String()
}

// Connections that ask nothing, or nothing more, make room for who comes.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	const most = 20
	addr := listening(t, New(pool.New(pool.Limits{}), Config{Clients: most}))
	for i := range 3 * most {
		c, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		defer c.Close()
		require.NoError(t, c.SetDeadline(time.Now().Add(10*time.Second)))
		if i%2 == 0 { // the others send nothing
			_, err = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
			require.NoError(t, err)
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
		}
	}
	client := http.Client{Timeout: 10 * time.Second} // less than idle connections are kept
	resp, err := client.Post("http://"+addr+"/api/v1/board", "application/json", strings.NewReader(`{"n":8}`))
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, http.StatusOK, resp.StatusCode)
}

// Answers that nobody reads are bounded: the oldest are dropped, and whoever reads is answered.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const size, most, clients = 16 << 20, 48 << 20, 12 // an answer is more than the system's buffers hold
	answer := []byte(strings.Repeat("x", size))
	answers := writings{most: most}
	begun := make(chan bool, clients)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		answers.write(w, answer)
	}))
	defer s.Close()
	for range clients {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		<-begun
	}
	resp, err := http.Get(s.URL)
	require.NoError(t, err)
	read, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Len(t, read, size)
	answers.mutex.Lock()
	defer answers.mutex.Unlock()
	assert.LessOrEqual(t, answers.held, most)
	assert.LessOrEqual(t, len(answers.all), most/size)
}
