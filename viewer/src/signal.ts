// A value with one owner that others may watch. All state of the page lives in signals; whoever changes one calls set().

export interface Readable<T> {
  get(): T;
  /** Calls back now and after every change, until the returned function is called. */
  watch(listener: (value: T) => void): () => void;
}

/** Runs once, in a task of its own, however often it was asked for: no change makes the page stop for long. */
export function coalesced(run: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    setTimeout(() => {
      isPending = false;
      run();
    });
  };
}

export class Signal<T> implements Readable<T> {
  private readonly listeners = new Set<(value: T) => void>();
  constructor(private value: T) {}
  get(): T {
    return this.value;
  }
  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of [...this.listeners]) listener(value);
  }
  /** Tells the listeners although the value is the same object: its insides changed. */
  touch(): void {
    for (const listener of [...this.listeners]) listener(this.value);
  }
  watch(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    listener(this.value);
    return () => this.listeners.delete(listener);
  }
}
