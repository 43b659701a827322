// The engine behind the page: a server's HTTP API, or the same code compiled to
// WebAssembly and run in a worker, when the page comes from static files.

export interface Engine { backend: string; name: string; order?: string; nodes?: number; compile?: number;
  seconds: number;
  work?: Record<string, number> }
export interface Reason { cell: string; line: string; cells: string[]; last_free: boolean; text: string }
export interface Ray { from: string; to: string }
/** Frame is one board of a walk: the queens supposed so far, and the line it is about. */
export interface Frame {
  number: string; kind: "suppose" | "forced" | "case" | "emptied" | "verdict" | "attacked";
  text: string; line: string[]; supposed: string[]; rays: Ray[];
}
/** Walk is why a cell can or cannot hold a queen. */
export interface Walk {
  cell: string; valid: boolean; verdict: string; technique: string; text: string; attacked_by: string[];
  hint: string; line?: { name: string; cells: string[]; text: string }; frames: Frame[];
  blame: string[]; smallest: boolean; witness?: string[];
}
export interface Counts { total: string; through: string[]; backend: string; seconds: number }
export interface BoardAnswer {
  n: number; placed: string[]; blocked: string[]; satisfiable: boolean; complete: boolean;
  marks: string; valid: string[]; forced: string[]; reasons: Reason[];
  refused?: { action: string; text: string; explanation?: Walk };
  counts?: Counts; engine: Engine;
}
/** Order is a variable order; n, if set, is the only board size it applies to. */
export interface Order { name: string; reason: string; n?: number }
export interface About { backends: { name: string; title: string; doc: string }[];
  orders: Order[]; max_n: number; max_bdd: number; max_diagram: number; max_built: number }
export interface Solutions { solutions: number[][]; offset: number; more: boolean; backend: string }
export interface CompareRow {
  name: string; backend: string; method: string; build: number; first: number; again: number; runs: number;
  work: Record<string, number>; valid: number; failed?: string;
}
export interface Compare { rows: CompareRow[]; agree: boolean }
export interface OrderAnswer {
  order: string; levels: number[]; nodes: number; widths: number[]; reached: number[]; reached_total: number;
  growth: number[]; construction: string; nodes_created: number; compile: number;
}
export interface DiagramNode { id: number; level: number; cell: string; low: number; high: number; live: boolean;
  low_live: boolean; high_live: boolean }
export interface Diagram { n: number; order: string; nodes: DiagramNode[] }
export interface Rule { id: string; title: string; formula: string }
export interface BuildStep { rule: string; nodes: number; created: number; solutions: string }
export interface Construction {
  n: number; order: string[]; groups: { name: string; title: string; rules: Rule[] }[]; steps: BuildStep[];
  nodes: (DiagramNode & { key: string })[]; drawn: boolean; constant?: string;
}
export interface Lap { n: number; placed: string[]; rows: CompareRow[] }
export interface Improvement { order: string[]; start: number; nodes: number; evaluations: number }
export interface RepairEvent { try: number; step: number; rows?: number[]; moves: { col: number; from: number;
  to: number }[]; conflicts: number }
export interface Repair { method: string; init: string; seed: number; found: boolean; events: RepairEvent[];
  cut: boolean }

export interface Api { call<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> }

class HTTP implements Api {
  async call<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
    const init: RequestInit = { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body) };
    if (signal) init.signal = signal;
    const response = await fetch(`api/v1/${operation}`, init);
    const answer = await response.json().catch(() => { throw new TypeError("failed to fetch: no JSON"); });
    if (!response.ok) throw new Error(answer.error ?? `the server answered with status ${response.status}`);
    return answer as T;
  }
}

interface Waiting { operation: string; body: string; done: (reply: { status: number; answer: string }) => void }

/** Wasm calls the worker, one request at a time, in order. The engine has a single
    thread and receives nothing while it works. So a request aborted before its turn is
    never sent, and the answer to one aborted later is dropped. */
class Wasm implements Api {
  private worker = new Worker("worker.js");
  private queue = new Map<number, Waiting>();
  private running: number | null = null;
  private next = 0;
  constructor() {
    this.worker.addEventListener("message", (e: MessageEvent<{ id: number; status: number; answer: string }>) => {
      const waiting = this.queue.get(e.data.id);
      this.queue.delete(e.data.id);
      this.running = null;
      this.start();
      waiting?.done(e.data);
    });
  }
  private start(): void {
    if (this.running !== null) return;
    const first = this.queue.entries().next();
    if (first.done) return;
    const [id, { operation, body }] = first.value;
    this.running = id;
    this.worker.postMessage({ id, operation, body });
  }
  call<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      signal?.addEventListener("abort", () => {
        this.queue.delete(id);
        reject(new DOMException("aborted", "AbortError"));
      });
      this.queue.set(id, {
        operation, body: JSON.stringify(body),
        done: ({ status, answer }) => {
          const value = JSON.parse(answer);
          if (status === 200) resolve(value as T);
          else reject(new Error(value.error ?? `the engine answered with status ${status}`));
        },
      });
      this.start();
    });
  }
}

export function connect(): Api {
  if (location.protocol === "file:") {
    throw new Error("This page was opened as a file, and browsers do not let a file start its engine. Serve the " +
      "folder instead: run python3 -m http.server in it and open http://localhost:8000/");
  }
  const wasm = document.querySelector('meta[name="engine"]')?.getAttribute("content") === "wasm";
  return wasm ? new Wasm() : new HTTP();
}
