package web

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"queens/configure/pool"
)

// BenchmarkLargeBoard measures a board of 200 in Chromium: the first paint of the page, the
// time between frames while it is zoomed and moved, and the page's own part of a click, from
// the answer to the paint.
//
//	go test ./ui/web -run '^$' -bench LargeBoard -benchtime 1x
func BenchmarkLargeBoard(b *testing.B) {
	if _, err := os.Stat("/usr/bin/chromium"); err != nil {
		b.Skip("chromium is not installed: apt-get install chromium")
	}
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("/usr/bin/chromium"),
		chromedp.DisableGPU,
		chromedp.UserDataDir(b.TempDir()),
		chromedp.WindowSize(1440, 900),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(b.Context(), options...)
	defer cancel()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	require.NoError(
		b,
		chromedp.Do(ctx, chromedp.Navigate(s.URL+"/#n=200"), chromedp.WaitVisible(chromedp.CSS("#board [data-cell]"))),
	)
	first, err := chromedp.Run(
		ctx,
		chromedp.Evaluate[float64](`performance.getEntriesByName("first-contentful-paint")[0].startTime`),
	)
	require.NoError(b, err)
	_, err = chromedp.Call(ctx, performance.Enable, performance.EnableParams{})
	require.NoError(b, err)
	busy := func() float64 { // ms that the page's thread has worked
		result, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
		require.NoError(b, err)
		for _, m := range result.Metrics {
			if m.Name == "TaskDuration" {
				return 1000 * m.Value
			}
		}
		b.Fatal("Chromium reports no TaskDuration")
		return 0
	}
	for b.Loop() {
		before := busy()
		frames, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`new Promise((done) => {
			const board = document.querySelector("#board"), r = board.getBoundingClientRect(), times = [];
			let last = 0, i = 0;
			const step = (now) => {
				if (last) times.push(now - last);
				last = now;
				board.dispatchEvent(new WheelEvent("wheel", { deltaY: i % 60 < 30 ? -40 : 40, ctrlKey: true, clientX: r.x +
					200 + i, clientY: r.y + 300, cancelable: true }));
				if (i++ < 240) requestAnimationFrame(step); else { times.sort((a, b) => a - b); done([times[120], times[228]]); }
			};
			requestAnimationFrame(step);
		})`, chromedp.EvalAwaitPromise))
		require.NoError(b, err)
		b.ReportMetric((busy()-before)/240, "ms/frame-work")
		b.ReportMetric(frames[0], "ms/frame-p50")
		b.ReportMetric(frames[1], "ms/frame-p95")
		clicks, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(async () => {
			const board = document.querySelector("#board"), times = [];
			document.querySelector("#zoom-all").click();
			const real = window.fetch;
			let answered = 0;
			window.fetch = async (...args) => { const r = await real(...args); const text = await r.text();
				return { ok: r.ok, status: r.status, json: async () => { answered = performance.now(); return JSON.parse(text);
				} }; };
			for (let i = 0; i < 20; i++) {
				const m = board.getScreenCTM(), p = new DOMPoint((3 * i + 2) * 100 + 50, (7 * i + 5) * 100 + 50).matrixTransform(m);
				const shown = document.body.dataset.shown;
				const begun = performance.now();
				board.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: p.x, clientY: p.y, detail: 1 }));
				const sent = performance.now() - begun;
				for (let k = 0; k < 300 && document.body.dataset.shown === shown; k++) await new Promise(requestAnimationFrame);
				times.push(sent + performance.now() - answered);
				await new Promise((r) => setTimeout(r, 30));
			}
			times.sort((a, b) => a - b);
			return [times[10], times[18]];
		})()`, chromedp.EvalAwaitPromise))
		require.NoError(b, err)
		b.ReportMetric(clicks[0], "ms/click-p50")
		b.ReportMetric(clicks[1], "ms/click-p95")
	}
	b.ReportMetric(first, "ms/first-paint")
}
