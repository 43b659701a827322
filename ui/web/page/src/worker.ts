// The worker of the static page runs the engine, compiled to WebAssembly, and passes
// questions to it. queens.wasm and wasm_exec.js are in the same folder.

declare function importScripts(...urls: string[]): void;
declare class Go { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> }
interface Reply { status: number; answer: string }
interface Scope {
  queens: (operation: string, body: string) => Promise<Reply>;
  queensReady: () => void;
  addEventListener(type: "message", act: (e: MessageEvent<{ id: number; operation: string; body: string }>) =>
    void): void;
  postMessage(message: unknown): void;
}
const scope = self as unknown as Scope;

importScripts("wasm_exec.js");
const go = new Go();
const ready = new Promise<void>((resolve, reject) => {
  scope.queensReady = resolve;
  WebAssembly.instantiateStreaming(fetch("queens.wasm"), go.importObject)
    .catch(async () => { // a server that does not know the type of .wasm
      const bytes = await (await fetch("queens.wasm")).arrayBuffer();
      return WebAssembly.instantiate(bytes, go.importObject);
    })
    .then(({ instance }) => void go.run(instance), reject);
});

scope.addEventListener("message", async (e) => {
  const { id, operation, body } = e.data;
  try {
    await ready;
    const { status, answer } = await scope.queens(operation, body);
    scope.postMessage({ id, status, answer });
  } catch (err) {
    scope.postMessage({ id, status: 500, answer: JSON.stringify({ error: `the engine did not start: ${err}` }) });
  }
});
