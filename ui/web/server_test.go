package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/configure/pool"
)

func testServer(t *testing.T, limits pool.Limits, config Config) *httptest.Server {
	s := httptest.NewServer(New(pool.New(limits), config))
	t.Cleanup(s.Close)
	return s
}

func post(t *testing.T, s *httptest.Server, operation, body string) (int, map[string]any) {
	t.Helper()
	resp, err := http.Post(s.URL+"/api/v1/"+operation, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	var answer map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer), "%s %s", operation, body)
	return resp.StatusCode, answer
}

func TestBadRequestsGetAClearAnswer(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{})
	for _, test := range []struct {
		operation, body string
		status          int
		message         string
	}{
		{"board", `{"n":8,"placed":["a9"]}`, 400, "cell a9 is off the board: for n = 8 cells go from a1 to h8"},
		{"board", `{"n":8,"placed":["queen"]}`, 400, `cell "queen": expected`},
		{"board", `{"n":8,"placed":[null]}`, 400, `cell null: expected text such as "a1"`},
		{"board", `{"n":8,"placed":["a1","a1"]}`, 400, "cell a1 is given twice"},
		{"board", `{"n":8,"placed":["a1"],"blocked":["a1"]}`, 400, "both placed and blocked"},
		{"board", `{"n":0}`, 400, "board size n = 0: expected 1 or more"},
		{"board", `{"n":-1}`, 400, "board size n = -1"},
		{"board", `{"n":201}`, 422, "board size n = 201: expected 1 to 200"},
		{"board", `{"n":14,"backend":"bdd"}`, 422, "back-end bdd takes 1 to 13 here"},
		{"board", `{"n":"8"}`, 400, `field "n": string: expected a whole number`},
		{"board", `{"n":8,"size":8}`, 400, `unknown field "size"`},
		{"board", `{"n":8,"n":9}`, 400, `request: field "n" is given twice`},
		{"board", `{"n":8,"placed":["a1"],"N":8}`, 400, `request: field "N" is given twice`},
		{"board", `{"n":8} {}`, 400, "more follows the JSON object"},
		{"board", `[`, 400, "request: "},
		{"board", `{"n":8,"forced":"always"}`, 400, "expected off, suggest or place"},
		{"board", `{"n":8,"backend":"cplex"}`, 422, "expected one of bdd, sat, search"},
		{"board", `{"n":8,"order":"best"}`, 422, `order "best": expected one of`},
		{"explain", `{"n":8}`, 400, "cell: expected the cell to explain"},
		{"explain", `{"n":8,"cell":"z9"}`, 400, "cell z9 is off the board"},
		{"explain", `{"n":8,"placed":["a1","b2"],"cell":"c1"}`, 400, "the placement has no completion: cannot place b2"},
		{"solutions", `{"n":8,"limit":1000}`, 400, "limit 1000: expected 1 to 100"},
		{"solutions", `{"n":8,"offset":-1}`, 400, "offset -1"},
		{"orders", `{"n":8}`, 400, "0 orders: expected 1 to 4"},
		{"diagram", `{"n":14}`, 422, "back-end bdd takes 1 to 13 here"},
		{"dance", `{}`, 404, `operation "dance": expected one of about, board`},
	} {
		status, answer := post(t, s, test.operation, test.body)
		assert.Equal(t, test.status, status, "%s %s: %v", test.operation, test.body, answer)
		assert.Contains(t, answer["error"], test.message, "%s %s", test.operation, test.body)
		assert.EqualValues(t, status, answer["status"])
	}

	resp, err := http.Post(s.URL+"/api/v1/board", "text/plain", strings.NewReader(`{"n":8}`))
	require.NoError(t, err)
	assert.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode)
	resp, err = http.Get(s.URL + "/api/v1/board")
	require.NoError(t, err)
	assert.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode)
	assert.Equal(t, "POST", resp.Header.Get("Allow"))
	resp, err = http.Get(s.URL + "/api/v2/board")
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
	assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
}

// An error that quotes bytes that are not text is still JSON.
func TestErrorsAreJSON(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{})
	for _, path := range []string{"/api/%01%ff", "/api/%07%22%5c%7f", "/api/%e2%80%a8"} {
		resp, err := http.Get(s.URL + path)
		require.NoError(t, err)
		var answer struct {
			Status int
			Error  string
		}
		assert.NoError(t, json.NewDecoder(resp.Body).Decode(&answer), path)
		resp.Body.Close()
		assert.Equal(t, http.StatusNotFound, answer.Status, path)
		assert.Contains(t, answer.Error, "no such call", path)
	}
}

func TestBodyTooLarge(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{})
	status, answer := post(t, s, "board", `{"n":8,"placed":["`+strings.Repeat("a", 64<<10)+`"]}`)
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Equal(t, "request body: more than 65536 bytes", answer["error"])
}

func TestHeadersAndAssets(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{})
	for path, kind := range map[string]string{
		"/": "text/html", "/app.js": "text/javascript", "/app.css": "text/css", "/icon.svg": "image/svg+xml",
		"/api/openapi.json": "application/json", "/healthz": "application/json",
	} {
		resp, err := http.Get(s.URL + path)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		assert.Contains(t, resp.Header.Get("Content-Type"), kind, path)
		assert.NotEmpty(t, body, path)
		assert.Contains(
			t,
			resp.Header.Get("Content-Security-Policy"),
			"default-src 'none'; script-src 'self'; style-src 'self'",
		)
		assert.NotContains(t, resp.Header.Get("Content-Security-Policy"), "unsafe")
		assert.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"))
		assert.Equal(t, "DENY", resp.Header.Get("X-Frame-Options"))
		if tag := resp.Header.Get("ETag"); tag != "" {
			request, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
			require.NoError(t, err)
			request.Header.Set("If-None-Match", tag)
			again, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			assert.Equal(t, http.StatusNotModified, again.StatusCode)
		}
	}
	resp, err := http.Get(s.URL + "/page/src/app.ts")
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
}

// A question that takes longer than allowed gets an answer in time that says so.
func TestTimeLimit(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{Time: 50 * time.Millisecond})
	status, answer := post(t, s, "solutions", `{"n":150,"backend":"search","offset":100000}`)
	assert.Equal(t, http.StatusServiceUnavailable, status, "%v", answer)
	assert.Contains(t, answer["error"], "no answer within 50ms")
}

// slow asks a question that keeps a processor busy until the client goes away.
func slow(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		url+"/api/v1/solutions",
		strings.NewReader(`{"n":150,"backend":"search","offset":100000}`),
	)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(request)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

// When the client goes away, the work ends and the processor is free again.
func TestCancelledWhenTheClientGoesAway(t *testing.T) {
	server := New(pool.New(pool.Limits{}), Config{Time: time.Minute})
	s := httptest.NewServer(server)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	for range cap(server.slow.places) {
		go slow(ctx, s.URL)
	}
	require.Eventually(
		t,
		func() bool { return len(server.slow.places) == cap(server.slow.places) },
		time.Minute,
		time.Millisecond,
	)
	cancel()
	require.Eventually(
		t,
		func() bool { return len(server.slow.places) == 0 },
		time.Minute,
		time.Millisecond,
		"work continues for a client that is gone",
	)
	status, _ := post(t, s, "board", `{"n":8}`)
	assert.Equal(t, http.StatusOK, status)
}

// jam fills the slow lane and its queue.
func jam(ctx context.Context, t *testing.T, server *Server, url string) {
	t.Helper()
	for i := range cap(server.slow.places) + int(server.slow.most) {
		go slow(ctx, url)
		require.Eventually(
			t,
			func() bool { return len(server.slow.places)+int(server.slow.waiting.Load()) > i },
			time.Minute,
			time.Millisecond,
		)
	}
}

func TestFullQueueTurnsAway(t *testing.T) {
	server := New(pool.New(pool.Limits{}), Config{Time: time.Minute, Queue: 1})
	s := httptest.NewServer(server)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	jam(ctx, t, server, s.URL)
	status, answer := post(t, s, "compare", `{"n":8}`)
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, answer["error"], "too many requests are waiting")
}

// Clicks are answered however many expensive questions are asked.
func TestExpensiveQuestionsDoNotStarveClicks(t *testing.T) {
	server := New(pool.New(pool.Limits{}), Config{Time: time.Minute, Queue: 50})
	s := httptest.NewServer(server)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	jam(ctx, t, server, s.URL)
	for _, question := range [][2]string{
		{"board", `{"n":8,"placed":["a1"],"counts":true}`}, {"explain", `{"n":8,"placed":["a1"],"cell":"c5"}`},
		{"diagram", `{"n":4}`}, {"about", `{}`}, {"solutions", `{"n":8,"limit":10}`}, {"board", `{"n":50}`},
	} {
		status, answer := post(t, s, question[0], question[1])
		assert.Equal(t, http.StatusOK, status, "%v: %v", question, answer["error"])
	}
	assert.Len(t, server.slow.places, cap(server.slow.places))
	assert.Empty(t, server.fast.places)
}

// A question that looks quick but is not gives up its place in the fast lane.
func TestLongQuestionsLeaveTheFastLane(t *testing.T) {
	server := New(pool.New(pool.Limits{}), Config{Time: time.Minute})
	s := httptest.NewServer(server)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	long := `{"n":100,"backend":"search","placed":["a1","b5"]}`
	question, err := server.service.Read("board", []byte(long))
	require.NoError(t, err)
	require.False(t, question.Slow, "it looks quick")
	for range 2 * cap(server.fast.places) {
		go func() {
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/api/v1/board", strings.NewReader(long))
			if err != nil {
				return
			}
			request.Header.Set("Content-Type", "application/json")
			if resp, err := http.DefaultClient.Do(request); err == nil {
				resp.Body.Close()
			}
		}()
	}
	require.Eventually(t, func() bool {
		return len(server.slow.places) == cap(server.slow.places) && server.slow.waiting.Load() > 0 && len(server.fast.places) == 0
	}, time.Minute, time.Millisecond)
	status, _ := post(t, s, "board", `{"n":8}`)
	assert.Equal(t, http.StatusOK, status)
}

// A question that is stopped for want of a place in the slow lane is told so, even if its time runs out at that moment:
// its client has not gone away.
func TestNoPlaceInTheSlowLane(t *testing.T) {
	server := New(pool.New(pool.Limits{}), Config{Time: slice + time.Millisecond})
	s := httptest.NewServer(server)
	defer s.Close()
	for range cap(server.slow.places) {
		server.slow.places <- struct{}{}
	}
	for range 5 {
		status, answer := post(t, s, "board", `{"n":100,"backend":"search","placed":["a1","b5"]}`)
		assert.Equal(t, http.StatusServiceUnavailable, status, "%v", answer)
	}
}

// docs/do/serve.md: no foreign page can ask, not even one whose name resolves to
// this machine.
func TestHostAndOrigin(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{Hosts: []string{"queens.example.org"}})
	for _, test := range []struct {
		host, origin, site string
		status             int
	}{
		{"127.0.0.1:8080", "", "", 200},
		{"[::1]:8080", "", "", 200},
		{"192.168.7.9", "", "", 200},
		{"localhost:8080", "http://localhost:8080", "same-origin", 200},
		{"LocalHost.", "", "", 200},
		{"queens.localhost", "", "", 200},
		{"queens.example.org", "https://queens.example.org", "", 200},
		{"127.0.0.1:8080", "https://queens.example.org", "", 200}, // from a proxy whose name is configured
		{"evil.example", "", "", 421},
		{"evil.example", "http://evil.example", "same-origin", 421},
		{"127.0.0.1.evil.example", "", "", 421},
		{"queens.example.org.evil.example", "", "", 421},
		{"localhost:8080", "http://evil.example", "cross-site", 403},
		{"localhost:8080", "http://localhost:9999", "same-site", 403},
		{"127.0.0.1:8080", "null", "", 403},
		{"127.0.0.1:8080", "http://", "", 403},
		{"127.0.0.1:8080", "", "cross-site", 403},
	} {
		for _, path := range []string{"/", "/healthz", "/api/openapi.json", "POST /api/v1/board"} {
			method, body := http.MethodGet, ""
			if rest, isPost := strings.CutPrefix(path, "POST "); isPost {
				method, path, body = http.MethodPost, rest, `{"n":5}`
			}
			request, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
			require.NoError(t, err)
			request.Host = test.host
			request.Header.Set("Content-Type", "application/json")
			for name, value := range map[string]string{"Origin": test.origin, "Sec-Fetch-Site": test.site} {
				if value != "" {
					request.Header.Set(name, value)
				}
			}
			resp, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			resp.Body.Close()
			assert.Equal(t, test.status, resp.StatusCode, "%+v %s", test, path)
		}
	}
}

// Clients that never finish their request are disconnected, and delay nobody.
func TestSlowClients(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- New(pool.New(pool.Limits{}), Config{Patience: 400 * time.Millisecond}).Serve(ctx, l)
	}()
	begun := []string{"GET / HTT", "POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\n",
		"POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"n"}
	var clients []net.Conn
	for i := range 60 {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, begun[i%len(begun)])
		require.NoError(t, err)
		clients = append(clients, c)
	}
	resp, err := http.Post("http://"+l.Addr().String()+"/api/v1/board", "application/json", strings.NewReader(`{"n":8}`))
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	for _, c := range clients {
		require.NoError(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
		_, err := io.ReadAll(c) // until the server closes the connection
		assert.NoError(t, err, "the server is still waiting for the client")
	}
	stop()
	assert.NoError(t, <-ended)
}

// Shutdown lets a request under way finish and accepts no new ones.
func TestGracefulShutdown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	server := New(pool.New(pool.Limits{}), Config{Time: 300 * time.Millisecond})
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	url := "http://" + l.Addr().String()
	answered := make(chan error, 1)
	go func() { answered <- slow(context.Background(), url) }()
	require.Eventually(t, func() bool { return len(server.slow.places) == 1 }, time.Minute, time.Millisecond)
	stop()
	assert.NoError(t, <-answered, "the request under way was cut off")
	assert.NoError(t, <-ended)
	_, err = http.Get(url + "/healthz")
	assert.Error(t, err)
}

// A request that waited for a processor has only the rest of its time left, so shutdown
// need not wait any longer.
func TestShutdownAfterWaiting(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	server := New(pool.New(pool.Limits{}), Config{Time: time.Second})
	for range cap(server.slow.places) {
		server.slow.places <- struct{}{}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	answered := make(chan error, 1)
	go func() { answered <- slow(context.Background(), "http://"+l.Addr().String()) }()
	require.Eventually(t, func() bool { return server.slow.waiting.Load() == 1 }, time.Minute, time.Millisecond)
	stop()
	time.Sleep(600 * time.Millisecond) // most of its time
	server.slow.leave()
	assert.NoError(t, <-answered, "the request under way was cut off")
	assert.NoError(t, <-ended)
}

// Clicks of many people at once cause no error and leave nothing behind.
func TestManyAtOnceLeaveNothingBehind(t *testing.T) {
	s := testServer(t, pool.Limits{}, Config{})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	click := func(i int) error {
		body := fmt.Sprintf(`{"n":8,"placed":["%c1"],"counts":true,"backend":"%s"}`, 'a'+i%8, ask.Names(ask.Able(ask.Valid))[i%3])
		resp, err := client.Post(s.URL+"/api/v1/board", "application/json", strings.NewReader(body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d: %v", resp.StatusCode, err)
		}
		return nil
	}
	require.NoError(t, click(0))
	before := runtime.NumGoroutine()
	errs := make(chan error, 16)
	for worker := range 16 {
		go func() {
			for i := range 40 {
				if err := click(worker + i); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range 16 {
		assert.NoError(t, <-errs)
	}
	client.CloseIdleConnections()
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 10*time.Millisecond,
		"%d goroutines, before %d", runtime.NumGoroutine(), before)
}
