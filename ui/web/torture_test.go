package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/backends/conformance"
	"queens/configure"
	"queens/configure/pool"
	"queens/encode/cnf"
	"queens/encode/encodetest"
	"queens/ui/web/api"
)

// TestHostileMinute attacks a server in every way at once while honest clients click: with
// expensive questions about boards and about the served problem, malformed bodies and headers, and
// slow clients. What follows from choices is right all the time. When it ends, memory
// and goroutines are back to what they were. With TORTURE_SECONDS set it also checks that
// honest clients wait less than 250 ms at the 99th percentile.
//
//	TORTURE_SECONDS=60 TORTURE_SEED=1 go test -count 1 -v -run HostileMinute ./ui/web
func TestHostileMinute(t *testing.T) {
	seconds, seed := conformance.Number(t, "TORTURE_SECONDS", 0), conformance.Number(t, "TORTURE_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d", seed)
	warm := pool.New(pool.Limits{Bytes: 64 << 20})
	variables := conformance.Number(t, "TORTURE_VARIABLES", 100)
	served := newServed(t, int(variables), seed)
	server := New(warm, Config{Options: served.options})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	serving, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(serving, listener) }()
	url := "http://" + listener.Addr().String()
	client := &http.Client{Transport: &http.Transport{}}
	for i := range 64 { // warm everything up
		require.NoError(t, click(client, url, i))
		require.NoError(t, served.choose(client, url, i))
	}
	client.CloseIdleConnections()
	goroutines, memory := runtime.NumGoroutine(), liveMemory(warm, served.warm)

	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(max(seconds, 1))*time.Second)
	defer cancel()
	attacks := []*sync.WaitGroup{
		attack(ctx, url, 12, seed, served.hostile...),
		rawAttack(ctx, listener.Addr().String(), 8, seed, nonsense),
		rawAttack(ctx, listener.Addr().String(), 8, seed+1, slowly),
	}
	waits := honest(ctx, t, url, 4, served)
	for _, done := range attacks {
		done.Wait()
	}
	http.DefaultClient.CloseIdleConnections()
	p50, p99, most := waits[len(waits)/2], waits[len(waits)*99/100], waits[len(waits)-1]
	t.Logf("%d clicks, all answered: median %s, 99th percentile %s, longest %s", len(waits), p50, p99, most)
	if seconds > 0 && variables <= 1000 {
		assert.Less(t, p99, 250*time.Millisecond)
	}
	assert.Eventually(t, func() bool { return len(server.fast.places)+len(server.slow.places) == 0 }, time.Minute, 10*time.Millisecond, "work continues for clients that are gone")
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, time.Minute, 50*time.Millisecond, "goroutines are left over")
	served.stop()
	after := liveMemory(warm, served.warm)
	for deadline := time.Now().Add(time.Minute); after > memory+16<<20 && time.Now().Before(deadline); time.Sleep(time.Second) {
		after = liveMemory(warm, served.warm)
	}
	t.Logf("goroutines %d before, %d after; live memory outside the warm %.1f MiB before, %.1f MiB after; the warm holds %.1f MiB",
		goroutines, runtime.NumGoroutine(), mib(memory), mib(after), mib(warm.Bytes()))
	assert.Less(t, after, memory+16<<20, "memory is left over")
	assert.Less(t, warm.Bytes(), int64(64<<20+1), "more than the warm may hold")
	stop()
	require.NoError(t, <-ended)
}

// honest clicks as people do, but with shorter pauses, until ctx ends. It returns how long
// each click waited, sorted.
func honest(ctx context.Context, t *testing.T, url string, clients int, served *served) []time.Duration {
	var done sync.WaitGroup
	var mu sync.Mutex
	var waits []time.Duration
	for c := range clients {
		done.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for i := c; ctx.Err() == nil; i++ {
				start := time.Now()
				ask := click
				if i/clients%2 == 1 {
					ask = served.choose
				}
				err := ask(client, url, i)
				wait := time.Since(start)
				mu.Lock()
				assert.NoError(t, err)
				waits = append(waits, wait)
				mu.Unlock()
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	done.Wait()
	slices.Sort(waits)
	return waits
}

// served is a problem that the server configures, questions about it with the right answers, and
// questions that are meant to harm.
type served struct {
	options *configure.Options
	warm    *pool.Pool // its back-ends
	stop    func()     // ends building the diagram that nobody waits for
	asked   []asked
	hostile [][2]string
}

type asked struct{ body, states string }

// newServed makes a feature model, which the server answers from a diagram, and
// asks a SAT solver what follows from 32 sets of choices. A model of more than 1,000 variables takes
// seconds for each answer: it is served as the command would, attacked, and not asked by honest clients.
func newServed(t *testing.T, variables int, seed uint64) *served {
	ctx, stop := context.WithCancel(context.Background())
	p := encodetest.Make("features", variables, seed, true)
	open := func(backend ask.BackendName) (*configure.Options, *pool.Pool) {
		warm := pool.New(pool.Limits{Bytes: 64 << 20})
		warm.Own(ctx, p, ask.Choice{Backend: backend}, nil)
		return configure.NewOptions(warm), warm
	}
	s, clicks := &served{stop: stop}, 32
	s.options, s.warm = open("bdd")
	if variables > 1000 {
		s.options, s.warm = open("")
		clicks = 0
	}
	judge, _ := open("sat")
	rng := rand.New(rand.NewPCG(seed, 1))
	body := func(request any) string {
		text, err := json.Marshal(request)
		require.NoError(t, err)
		return string(text)
	}
	var all, none []string
	for _, v := range rng.Perm(p.NumVars()) {
		name := p.VarName(cnf.Var(v + 1))
		all, none = append(all, name), append(none, "-"+name)
	}
	for i := range clicks {
		words := slices.Clone(all[i : i+rng.IntN(6)])
		for i := range words {
			if rng.IntN(2) == 0 {
				words[i] = "-" + words[i]
			}
		}
		c, err := judge.Open(words)
		require.NoError(t, err)
		look, err := c.Look(ctx)
		require.NoError(t, err)
		s.asked = append(s.asked, asked{body(api.ChooseRequest{Decided: words}), look.States})
	}
	for _, words := range [][]string{all, none, all[:1], slices.Repeat(all, 60), {"f%d"}, {strings.Repeat("-", 60_000)}, {"", "-"}} {
		s.hostile = append(s.hostile, [2]string{"choose", body(api.ChooseRequest{Decided: words})},
			[2]string{"why", body(api.WhyRequest{Decided: words, Literal: all[0]})},
			[2]string{"why", body(api.WhyRequest{Decided: words, Literal: none[99]})})
	}
	return s
}

// choose asks what follows from some choices, and returns an error if the answer is not right.
func (s *served) choose(client *http.Client, url string, i int) error {
	if len(s.asked) == 0 {
		return click(client, url, i)
	}
	q := s.asked[i%len(s.asked)]
	answer, err := askServer(client, url+"/api/v1/choose", q.body)
	if err != nil {
		return err
	}
	var look configure.Outlook
	if err := json.Unmarshal(answer, &look); err != nil || look.States != q.states {
		return fmt.Errorf("%s: %s (%v), expected %s", q.body, answer, err, q.states)
	}
	return nil
}

// rawAttack opens connections and passes them to misuse until the context ends.
func rawAttack(ctx context.Context, addr string, clients int, seed uint64, misuse func(net.Conn, *rand.Rand)) *sync.WaitGroup {
	var done sync.WaitGroup
	for i := range clients {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for ctx.Err() == nil {
				conn, err := net.Dial("tcp", addr)
				if err != nil {
					continue
				}
				_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
				misuse(conn, rng)
				conn.Close()
			}
		})
	}
	return &done
}

// nonsense sends requests that are malformed or forbidden.
func nonsense(conn net.Conn, rng *rand.Rand) {
	junk := make([]byte, rng.IntN(70_000))
	for i := range junk {
		junk[i] = byte(rng.Uint32())
	}
	post := func(headers, body string) string {
		return "POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers + "\r\n" + body
	}
	length := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n", len(body)) }
	deep := strings.Repeat(`{"n":`, rng.IntN(10_000))
	requests := []string{
		string(junk),
		"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"GET /" + strings.Repeat("../", 2000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
		post("X-Long: "+strings.Repeat("x", 20<<10)+"\r\n", ""),
		post(strings.Repeat("X-Many: y\r\n", 3000), ""),
		post("Content-Length: 9223372036854775807\r\n", "{"),
		post("Content-Length: -1\r\n", "{}"),
		post("Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\n{"),
		post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
		post("Origin: http://evil.example\r\n"+length("{}"), "{}"),
		post(length(string(junk)), string(junk)),
		post(length(deep), deep),
		post(length(`{"n":1e308}`), `{"n":1e308}`),
		post("Expect: 100-continue\r\nContent-Length: 65000\r\n", ""),
	}
	_, _ = io.WriteString(conn, requests[rng.IntN(len(requests))])
	_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<20))
}

// slowly sends a request one byte at a time, never ends it, or does not read the answer.
func slowly(conn net.Conn, rng *rand.Rand) {
	head := "POST /api/v1/board HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	switch body := `{"n":100,"counts":true}`; rng.IntN(3) {
	case 0:
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	case 1:
		head += "Content-Length: 60000\r\n\r\n{"
	}
	if rng.IntN(2) == 0 {
		_, _ = io.WriteString(conn, head)
		time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond)
		return
	}
	for i := range head {
		if _, err := io.WriteString(conn, head[i:i+1]); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// liveMemory returns the bytes in use, without those that the pool says it holds.
func liveMemory(pools ...*pool.Pool) int64 {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	live := int64(stats.HeapAlloc)
	for _, warm := range pools {
		live -= warm.Bytes()
	}
	return live
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
