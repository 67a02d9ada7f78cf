import type { Clock } from "../clock";
import type { Document } from "../document";

export class Playground {
  constructor(_root: HTMLElement, _start: () => Worker, _parts: { document: Document; clock: Clock }) {}
  async show(): Promise<void> {}
  restyle(_isDark: boolean): void {}
  draw(_now: number): void {}
}
