package web

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/configure/pool"
)

// expensive lists questions that take much processor time or memory, and oversized requests.
var expensive = [][2]string{
	{"solutions", `{"n":150,"backend":"search","offset":100000}`},
	{"solutions", `{"n":16,"backend":"search","offset":100000,"limit":100}`},
	{"board", `{"n":100,"backend":"search","placed":["a1"]}`},
	{"board", `{"n":200,"counts":true}`},
	{"board", `{"n":12,"backend":"bdd","order":"random:%d"}`},
	{"board", `{"n":13,"backend":"bdd","order":"force:%d"}`},
	{"explain", `{"n":150,"placed":["a1","c2","e3"],"cell":"h8"}`},
	{"explain", `{"n":11,"order":"random:%d","backend":"bdd","cell":"a1"}`},
	{"compare", `{"n":60}`},
	{"compare", `{"n":12,"order":"random:%d"}`},
	{"orders", `{"n":10,"orders":["random:%d","hilbert","spiral-in","row-major"]}`},
	{"count", `{"n":16,"backend":"search"}`},
	{"repair", `{"n":60,"method":"most-conflicts","seed":%d}`},
	{"board", `{"n":8,"placed":[` + strings.Repeat(`"a1",`, 9000) + `"a1"]}`},
	{"board", strings.Repeat("[", 60000)},
	{"board", strings.Repeat(" ", 70000)},
	{"board", `{"n":8,"order":"` + strings.Repeat("x", 60000) + `"}`},
}

// attack asks expensive questions, and more, from a number of clients until the context ends;
// many clients go away before they are answered.
func attack(ctx context.Context, url string, clients int, seed uint64, more ...[2]string) *sync.WaitGroup {
	var done sync.WaitGroup
	questions := slices.Concat(expensive, more)
	for i := range clients {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for ctx.Err() == nil {
				question := questions[rng.IntN(len(questions))]
				body := question[1]
				if strings.Contains(body, "%d") {
					body = fmt.Sprintf(body, rng.Uint32())
				}
				one, cancel := context.WithTimeout(ctx, time.Duration(rng.IntN(4000))*time.Millisecond)
				request, err := http.NewRequestWithContext(
					one,
					http.MethodPost,
					url+"/api/v1/"+question[0],
					strings.NewReader(body),
				)
				if err == nil {
					request.Header.Set("Content-Type", "application/json")
					if resp, err := http.DefaultClient.Do(request); err == nil {
						_, _ = io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
				}
				cancel()
			}
		})
	}
	return &done
}

// click asks what an honest client asks: a queen on a board of 8.
func click(client *http.Client, url string, i int) error {
	_, err := askServer(client, url+"/api/v1/board", fmt.Sprintf(`{"n":8,"placed":["%c1"],"counts":true}`, 'a'+i%8))
	return err
}

// askServer returns the answer to a question, or an error if there is none.
func askServer(client *http.Client, url, body string) ([]byte, error) {
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %v", resp.StatusCode, err)
	}
	return answer, nil
}

// Under attack every click is answered, and afterwards nothing is left of the attack.
func TestHostileRequestsLeaveNothingBehind(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	server := New(pool.New(pool.Limits{}), Config{})
	s := httptest.NewServer(server)
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{}}
	require.NoError(t, click(client, s.URL, 0))
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	done := attack(ctx, s.URL, 12, seed)
	for i := 0; ctx.Err() == nil; i++ {
		require.NoError(t, click(client, s.URL, i))
	}
	done.Wait()
	assert.Eventually(
		t,
		func() bool { return len(server.fast.places)+len(server.slow.places) == 0 },
		time.Minute,
		10*time.Millisecond,
		"work continues for clients that are gone",
	)
	http.DefaultClient.CloseIdleConnections()
	client.CloseIdleConnections()
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 10*time.Millisecond,
		"%d goroutines, before %d", runtime.NumGoroutine(), before)
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	assert.Less(t, memory.HeapAlloc, uint64(1<<30+256<<20), "more than the warm may hold")
}

// BenchmarkClickUnderAttack measures how long a click takes for its client while twelve
// other clients ask expensive questions all the time.
//
//	go test ./ui/web -run '^$' -bench UnderAttack -benchtime 60s
func BenchmarkClickUnderAttack(b *testing.B) {
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{}}
	if err := click(client, s.URL, 0); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := attack(ctx, s.URL, 12, 1)
	var took []time.Duration
	var failed atomic.Int64
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := click(client, s.URL, i); err != nil {
			failed.Add(1)
		}
		took = append(took, time.Since(start))
		time.Sleep(5 * time.Millisecond) // people are slower
	}
	cancel()
	done.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-max")
	b.ReportMetric(float64(failed.Load()), "failed")
}
