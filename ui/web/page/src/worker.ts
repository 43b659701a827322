// The worker of the static page runs the engine, compiled to WebAssembly, and passes
// questions to it. queens.wasm and wasm_exec.js are in the same folder.

declare function importScripts(...urls: string[]): void;
declare class Go { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> }
interface Reply { status: number; answer: string }
interface Scope {
  queens: (operation: string, body: string) => Promise<Reply>;
  queensReady: () => void;
  onmessage: (e: MessageEvent<{ operation: string; body: string }>) => void;
  postMessage(message: unknown): void;
}
const scope = self as unknown as Scope;

importScripts("wasm_exec.js");
const go = new Go();
const ready = new Promise<void>((resolve, reject) => {
  scope.queensReady = resolve;
  fetch("queens.wasm").then(async (r) => WebAssembly.instantiate(await r.arrayBuffer(), go.importObject))
    .then(({ instance }) => void go.run(instance), reject);
});

scope.onmessage = async (e) => {
  try {
    await ready;
    scope.postMessage(await scope.queens(e.data.operation, e.data.body));
  } catch (err) {
    scope.postMessage({ status: 500, answer: JSON.stringify({ error: `the engine did not start: ${err}` }) });
  }
};
