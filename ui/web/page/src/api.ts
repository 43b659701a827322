// The engine behind the page: a server's HTTP API, or the same code compiled to
// WebAssembly and run in a worker, when the page comes from static files.
import type { Operations } from "./types";
export type * from "./types";

type Operation = keyof Operations;
type Request<K extends Operation> = Operations[K]["request"];
type Answer<K extends Operation> = Operations[K]["answer"];

export interface Api {
  call<K extends Operation>(operation: K, body: Request<K>, signal?: AbortSignal): Promise<Answer<K>>;
  /** alive reports whether the engine can be reached. */
  alive(): Promise<boolean>;
}

/** Gone is the error for an engine that cannot be reached. */
export class Gone extends Error {}

class HTTP implements Api {
  async call<K extends Operation>(operation: K, body: Request<K>, signal?: AbortSignal): Promise<Answer<K>> {
    const init: RequestInit = { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body) };
    if (signal) init.signal = signal;
    const gone = (err: Error): never => { throw err.name === "AbortError" ? err : new Gone(err.message); };
    const response = await fetch(`api/v1/${operation}`, init).catch(gone);
    const answer = await response.json().catch(gone);
    if (!response.ok) throw new Error(answer.error ?? `the server answered with status ${response.status}`);
    return answer;
  }
  alive(): Promise<boolean> { return fetch("healthz").then((r) => r.ok, () => false); }
}

/** Wasm calls the worker, one request at a time, in order: the engine has one thread, and receives nothing while it
    works. So it never sends a request that is aborted before its turn, and drops the answer to one aborted later. */
class Wasm implements Api {
  private worker = new Worker("worker.js");
  private last: Promise<unknown> = Promise.resolve();
  async alive(): Promise<boolean> { return true; }
  call<K extends Operation>(operation: K, body: Request<K>, signal?: AbortSignal): Promise<Answer<K>> {
    const turn = this.last.then(async () => {
      signal?.throwIfAborted();
      const reply = new Promise<MessageEvent>((done) => { this.worker.onmessage = done; });
      this.worker.postMessage({ operation, body: JSON.stringify(body) });
      const { status, answer } = (await reply).data;
      const value = JSON.parse(answer);
      if (status !== 200) throw new Error(value.error);
      return value;
    });
    this.last = turn.catch(() => {});
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      turn.then(resolve, reject);
    });
  }
}

export function connect(): Api {
  const wasm = document.querySelector('meta[name="engine"]')?.getAttribute("content") === "wasm";
  return wasm ? new Wasm() : new HTTP();
}
