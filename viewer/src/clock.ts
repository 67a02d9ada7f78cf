// The one clock of the page: which frame is shown, whether it runs, how fast, and between which frames it loops.
import { Signal } from "./signal";

export interface Span {
  first: number;
  last: number;
}

export class Clock {
  /** Frame that is shown, an integer. */
  readonly frame = new Signal(0);
  readonly isPlaying = new Signal(false);
  readonly speed = new Signal(1);
  readonly isLooping = new Signal(true);
  /** Part of the motion that is played; null: all of it. */
  readonly window = new Signal<Span | null>(null);
  readonly frameCount = new Signal(0);
  rate = 100;
  private time = 0; // frames, with a fraction, while it runs
  private last = 0; // milliseconds

  /** A new motion; stays near the frame where it was when it is the same one again. */
  reset(frameCount: number, rate: number, keep: boolean): void {
    this.rate = rate > 0 ? rate : 100;
    this.frameCount.set(frameCount);
    if (!keep) this.window.set(null);
    this.seek(keep ? this.frame.get() : 0);
  }

  get span(): Span {
    return this.window.get() ?? { first: 0, last: Math.max(0, this.frameCount.get() - 1) };
  }

  seek(frame: number): void {
    const most = Math.max(0, this.frameCount.get() - 1);
    this.time = Math.min(Math.max(0, Math.round(frame)), most);
    this.frame.set(this.time);
  }

  step(frames: number): void {
    this.isPlaying.set(false);
    this.seek(this.frame.get() + frames);
  }

  toggle(): void {
    const { first, last } = this.span;
    if (!this.isPlaying.get() && this.frame.get() >= last) this.seek(first);
    this.isPlaying.set(!this.isPlaying.get());
  }

  /** Called once for each picture. */
  tick(now: number): void {
    const elapsed = Math.min(now - this.last, 250); // a tab that slept does not jump
    this.last = now;
    if (!this.isPlaying.get() || !this.frameCount.get()) return;
    const { first, last } = this.span;
    this.time = (Math.abs(this.time - this.frame.get()) < 1 ? this.time : this.frame.get()) + (elapsed / 1000) * this.rate * this.speed.get();
    if (this.time > last || this.time < first) {
      if (this.isLooping.get()) this.time = first + ((((this.time - first) % (last - first + 1)) + (last - first + 1)) % (last - first + 1));
      else {
        this.time = last;
        this.isPlaying.set(false);
      }
    }
    this.frame.set(Math.floor(this.time));
  }
}
