//go:build slow

package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/websocket"

	"queens/configure/pool"
)

// bidi is one tab of a real Firefox, driven by WebDriver BiDi
// (https://www.w3.org/TR/webdriver-bidi/): commands and answers are JSON objects on a
// web socket.
type bidi struct {
	t    *testing.T
	ws   *websocket.Conn
	next int
	tab  string
}

// firefox starts Firefox with a fresh profile and opens a tab.
func firefox(t *testing.T) *bidi {
	if testing.Short() {
		t.Skip("drives a browser")
	}
	program, err := exec.LookPath("firefox-esr")
	need(t, "firefox-esr", "apt-get install firefox-esr", err != nil)
	const origin = "http://localhost"
	ctx, cancel := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--profile", t.TempDir(),
		"--width", "1440", "--height", "1000", "--remote-debugging-port", "0", "--remote-allow-origins", origin)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // lets it end its own processes
	c.WaitDelay = 20 * time.Second
	said, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		cancel()
		_ = c.Wait()
	})
	address := make(chan string, 1)
	go func() {
		pattern := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if m := pattern.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	f := &bidi{t: t}
	select {
	case a := <-address:
		f.ws, err = websocket.Dial(a+"/session", "", origin)
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("Firefox did not say where it listens")
	}
	t.Cleanup(func() { f.ws.Close() })
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{}, &tree)
	f.tab = tree.Contexts[0].Context
	// Errors that the page writes to the console fail the test.
	f.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	return f
}

// call sends a command and waits for its answer.
func (f *bidi) call(method string, params, result any) {
	f.t.Helper()
	f.next++
	require.NoError(f.t, f.ws.SetDeadline(time.Now().Add(time.Minute)))
	require.NoError(f.t, websocket.JSON.Send(f.ws, map[string]any{"id": f.next, "method": method, "params": params}))
	for {
		var m struct {
			ID      int
			Type    string
			Message string
			Method  string
			Params  struct{ Level, Text string }
			Result  json.RawMessage
		}
		require.NoError(f.t, websocket.JSON.Receive(f.ws, &m), method)
		if m.Method == "log.entryAdded" && m.Params.Level == "error" {
			f.t.Errorf("the console says: %s", m.Params.Text)
		}
		if m.ID != f.next {
			continue
		}
		require.Equal(f.t, "success", m.Type, "%s: %s", method, m.Message)
		if result != nil {
			require.NoError(f.t, json.Unmarshal(m.Result, result))
		}
		return
	}
}

func (f *bidi) open(link string) {
	f.t.Helper()
	f.call("browsingContext.navigate", map[string]any{"context": f.tab, "url": "about:blank", "wait": "complete"}, nil)
	f.call("browsingContext.navigate", map[string]any{"context": f.tab, "url": link, "wait": "complete"}, nil)
	f.waitFor(`document.body.hasAttribute("data-shown")`)
}

// js evaluates an expression and returns its value as text.
func (f *bidi) js(expression string) string {
	f.t.Helper()
	var answer struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate", map[string]any{
		"expression": "String(" + expression + ")", "awaitPromise": true, "target": map[string]any{"context": f.tab},
	}, &answer)
	require.Equal(f.t, "success", answer.Type, "%s: %s", expression, answer.ExceptionDetails.Text)
	return answer.Result.Value
}

func (f *bidi) waitFor(expression string) {
	f.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); f.js("Boolean("+expression+")") != "true"; {
		if time.Now().After(deadline) {
			require.Fail(f.t, "waited in vain for", "%s\nlive: %s\nlink: %s", expression,
				f.js(`document.querySelector("#live").textContent`), f.js("location.hash"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// at returns the middle of an element in window coordinates.
func (f *bidi) at(selector string) (x, y int) {
	f.t.Helper()
	f.waitFor(fmt.Sprintf("document.querySelector(%q)", selector))
	place := f.js(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: "nearest" });
		const r = e.getBoundingClientRect(); return Math.round(r.x + r.width / 2) + " " + Math.round(r.y + r.height / 2);
			})()`,
		selector))
	_, err := fmt.Sscan(place, &x, &y)
	require.NoError(f.t, err, place)
	return x, y
}

// act performs actions of one device: "pointer" or "key".
func (f *bidi) act(device string, actions ...map[string]any) {
	f.t.Helper()
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{
		map[string]any{"type": device, "id": device, "actions": actions},
	}}, nil)
}

func move(x, y int) map[string]any { return map[string]any{"type": "pointerMove", "x": x, "y": y} }

var (
	down = map[string]any{"type": "pointerDown", "button": 0}
	up   = map[string]any{"type": "pointerUp", "button": 0}
)

func (f *bidi) click(selector string) {
	f.t.Helper()
	x, y := f.at(selector)
	f.act("pointer", move(x, y), down, up)
}

// drag drags one element to another, through a point between them.
func (f *bidi) drag(from, to string) {
	f.t.Helper()
	x, y := f.at(from)
	u, v := f.at(to)
	f.act("pointer", move(x, y), down, move((x+u)/2, (y+v)/2), move(u, v), up)
}

func (f *bidi) press(keys string) {
	f.t.Helper()
	for _, key := range keys {
		f.act(
			"key",
			map[string]any{"type": "keyDown", "value": string(key)},
			map[string]any{"type": "keyUp", "value": string(key)},
		)
	}
}

func (f *bidi) holds(selector, text string) {
	f.t.Helper()
	f.waitFor(fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", selector, text))
}

// The main features once in Firefox.
func TestPageInFirefox(t *testing.T) {
	t.Parallel()
	f := firefox(t)
	s := httptest.NewServer(New(pool.New(pool.Limits{}), Config{}))
	defer s.Close()
	const escape = "\uE00C"

	t.Run("place, refuse, explain step by step, take back", func(t *testing.T) {
		f.t = t
		f.open(s.URL + "/#n=8&q=a1")
		f.click(cellAt("e8"))
		f.waitFor(`document.body.dataset.shown === "#n=8&q=a1,e8"`)
		f.click(cellAt("b3"))
		f.holds("#step-count", "1 of 6")
		f.click("#step-next")
		f.press("]")
		f.holds("#step-count", "3 of 6")
		f.waitFor(`document.querySelectorAll(".over .emptied").length === 8`)
		f.click("#level-hint")
		f.holds("#why-text", "look at row 6")
		f.click("#level-proof")
		f.click("#step-6")
		f.click(".blame-button")
		f.waitFor(`document.body.dataset.shown === "#n=8&q=e8"`)
		f.press("u")
		f.waitFor(`document.body.dataset.shown === "#n=8&q=a1,e8"`)
	})
	t.Run("build, drag neighbours, the panel fills the window", func(t *testing.T) {
		f.t = t
		f.open(s.URL + "/#n=4&tab=build")
		f.click("#build-next")
		f.holds("#build-nodes", "16")
		f.click("#build-play")
		f.waitFor(
			`document.querySelector("#build-nodes").textContent === "29" && document.querySelector("#build-next").disabled`,
		)
		f.drag(`#build-order [data-at="3"]`, `#build-order [data-at="4"]`)
		f.waitFor(`document.querySelector('#build-order [data-at="3"]').textContent === "a2"`)
		f.press("f")
		f.waitFor(`document.body.dataset.stage === "panel"`)
		f.press(escape)
		f.waitFor(`document.body.dataset.stage === undefined`)
	})
	t.Run("compare, orders, diagram, local search", func(t *testing.T) {
		f.t = t
		f.open(s.URL + "/#n=6&q=b1&tab=compare")
		f.holds("#compare-verdict", "same cells")
		f.click("#tab-orders")
		f.click("#order-search")
		f.waitFor(`Number(document.querySelector(".order-column.second dd")?.textContent) < 129`)
		f.open(s.URL + "/#n=4&q=b1&tab=diagram")
		f.waitFor(`document.querySelectorAll(".edge.live").length > 0`)
		f.click("#tab-repair")
		f.click("#repair-step")
		f.waitFor(`document.querySelectorAll(".over .queen").length === 4`)
	})
	t.Run("a large board, projector, pictures", func(t *testing.T) {
		f.t = t
		f.open(s.URL + "/#n=100")
		x, y := f.at("#board")
		f.act("pointer", move(x, y), down, up)
		f.waitFor(`/^#n=100&q=[a-z]+[0-9]+$/.test(document.body.dataset.shown)`)
		f.js(`(() => { URL.createObjectURL = (b) => { window.blob = b; return "data:,"; };
			HTMLAnchorElement.prototype.click = function () {}; })()`)
		f.click(`[data-save="board-png"]`)
		f.waitFor(`window.blob?.type === "image/png" && window.blob.size > 10000`)
		side := `document.querySelector("#board").getBoundingClientRect().width`
		before := f.js(side)
		f.press("p")
		f.waitFor(side + " !== " + before)
		f.press("p")
	})
	t.Run("a problem's options: choose, why not, take back, search, a board", func(t *testing.T) {
		f.t = t
		f.open(serveProblem(t, "latin", 3) + "/#d=a1=1")
		f.holds("#choices-left", "4")
		f.click(`[data-spot="b1=1"]`)
		f.holds("#choice-why", "b1=1 cannot be chosen, because of")
		f.click(`[data-blame="a1=1"]`)
		f.waitFor(`document.body.dataset.shown === "#d="`)
		f.click(`[data-spot="b1=1"]`)
		f.waitFor(`document.body.dataset.shown === "#d=b1=1"`)
		f.press(" ") // the same again, by keyboard
		f.waitFor(`document.body.dataset.shown === "#d="`)
		f.click("#choices-undo")
		f.waitFor(`document.body.dataset.shown === "#d=b1=1"`)
		f.click("#choices-search")
		f.press("c3=2")
		f.waitFor(`document.querySelectorAll(".choice:not([hidden])").length === 1`)
		f.click(`[data-option="c3=2"] .choice-yes`)
		f.waitFor(`document.body.dataset.shown === "#d=b1=1,c3=2"`)
		f.holds("#choices-left", "1")
	})
	require.False(t, strings.Contains(f.js("document.body.className"), "stale"))
}
