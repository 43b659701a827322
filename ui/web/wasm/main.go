//go:build js && wasm

package main

import (
	"context"
	"syscall/js"
	"time"

	"queens/configure/pool"
	"queens/ui/web/api"
)

func main() {
	// A browser tab has less memory, and a single, slower thread.
	warm := pool.New(pool.Limits{MaxN: 100, MaxBDD: 11, Bytes: 128 << 20, Idle: 12})
	service := api.New(warm, nil, 8*time.Second)

	// queens(operation, body) returns a promise of {status, answer}.
	js.Global().Set("queens", js.FuncOf(func(_ js.Value, args []js.Value) any {
		operation, body := args[0].String(), []byte(args[1].String())
		var run js.Func
		run = js.FuncOf(func(_ js.Value, args []js.Value) any {
			resolve := args[0]
			go func() { // a callback must not block
				defer run.Release()
				status, answer := service.Do(context.Background(), operation, body)
				resolve.Invoke(map[string]any{"status": status, "answer": string(answer)})
			}()
			return nil
		})
		return js.Global().Get("Promise").New(run)
	}))
	js.Global().Get("queensReady").Invoke()
	select {} // keep the functions alive
}
