// The page's side of the worker: requests as promises, progress, and cancelling, which ends the worker. A new one starts at the
// next request and is told again what was open, so cancelling loses the work that was cancelled and nothing else.
import type { FromWorker, Requests, Results } from "./protocol";
import { Signal } from "./signal";

export interface Progress {
  stage: string;
  share: number;
}

export class Cancelled extends Error {}

interface Waiting {
  resolve(result: never): void;
  reject(error: Error): void;
}

export class Engine {
  /** What is being worked on, or null. */
  readonly progress = new Signal<Progress | null>(null);
  private worker: Promise<Worker> | null = null;
  private waiting = new Map<number, Waiting>();
  private next = 0;
  private reopen: { kind: keyof Requests; payload: unknown } | null = null;
  private isStale = false;

  constructor(private readonly start: () => Promise<Worker>, private readonly isSilent = false) {}

  /** Sends a request; `kind` open and example are remembered for a restart. */
  async ask<K extends keyof Requests>(kind: K, payload: Requests[K]): Promise<Results[K]> {
    if (this.isStale && this.reopen && kind !== "open" && kind !== "example") {
      this.isStale = false;
      await this.send(this.reopen.kind, this.reopen.payload);
    }
    if (kind === "open" || kind === "example") {
      this.reopen = { kind, payload };
      this.isStale = false;
    }
    return (await this.send(kind, payload)) as Results[K];
  }

  /** What a restart opens changes with every edit. */
  remember(payload: Requests["open"]): void {
    if (this.reopen?.kind === "open") this.reopen = { kind: "open", payload };
  }

  cancel(): void {
    void this.worker?.then((worker) => worker.terminate());
    this.worker = null;
    this.isStale = true;
    this.progress.set(null);
    for (const { reject } of this.waiting.values()) reject(new Cancelled("cancelled"));
    this.waiting.clear();
  }

  private send(kind: keyof Requests, payload: unknown): Promise<unknown> {
    const mine = (this.worker ??= this.begin());
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as never, reject });
      mine.then((worker) => this.worker === mine && worker.postMessage({ id, kind, payload }), (error: Error) => this.fail(error.message));
    });
  }

  private async begin(): Promise<Worker> {
    const worker = await this.start();
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    worker.onerror = (event) => this.fail(event.message || "the worker stopped");
    return worker;
  }

  private receive(message: FromWorker): void {
    if (message.kind === "progress") {
      if (!this.isSilent) this.progress.set({ stage: message.stage, share: message.share });
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!this.waiting.size) this.progress.set(null);
    if (message.kind === "done") waiting?.resolve(message.result as never);
    else waiting?.reject(new Error(message.message));
  }

  /** The worker itself broke, out of memory for one: all that waited failed with it. */
  private fail(sentence: string): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.cancel();
    for (const { reject } of waiting) reject(new Error(sentence));
  }
}
