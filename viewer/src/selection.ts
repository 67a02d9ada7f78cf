// What is chosen, everywhere at once: markers and joints by their numbers in the open document.
import { Signal } from "./signal";

export interface Chosen {
  markers: number[];
  joint: number;
}

const nothing: Chosen = { markers: [], joint: -1 };

export class Selection {
  readonly chosen = new Signal<Chosen>(nothing);
  /** What the pointer is over: a marker, or a joint, or -1. */
  readonly hovered = new Signal<{ marker: number; joint: number }>({ marker: -1, joint: -1 });

  clear(): void {
    this.chosen.set(nothing);
  }
  /** One marker, or one more, or one less. */
  marker(marker: number, isAdding = false): void {
    const before = this.chosen.get().markers;
    if (!isAdding) this.chosen.set({ markers: [marker], joint: -1 });
    else this.chosen.set({ markers: before.includes(marker) ? before.filter((m) => m !== marker) : [...before, marker], joint: -1 });
  }
  markers(markers: number[]): void {
    this.chosen.set({ markers, joint: -1 });
  }
  joint(joint: number): void {
    this.chosen.set({ markers: [], joint });
  }
}
