// A film of the part that is played: every picture is drawn and kept, however long that takes. WebM where the browser can encode
// (WebCodecs), else, or when asked, a picture for each moment in one archive.
import type { Clock } from "./clock";
import type { Progress } from "./engine";
import type { Stage } from "./scene/stage";
import { Signal } from "./signal";
import { webm, type FilmChunk } from "./webm";
import { Zip } from "./zip";

/** Pictures a second. */
export const filmRate = 30;
const bitsPerSecond = 12e6;
const keyEvery = 2 * filmRate;

export class Film {
  /** What the page shows of a film that is being made; null: none is. */
  readonly progress = new Signal<Progress | null>(null);
  private isCancelled = false;

  constructor(private readonly stage: Stage, private readonly clock: Clock) {}

  get canEncode(): boolean {
    return typeof VideoEncoder !== "undefined";
  }

  cancel(): void {
    this.isCancelled = true;
  }

  /** Frames of the motion that are shown, one for each picture of the film. */
  private get frames(): number[] {
    const { first, last } = this.clock.span;
    const step = (this.clock.rate * this.clock.speed.get()) / filmRate;
    const count = Math.max(1, Math.round((last - first + 1) / step));
    return Array.from({ length: count }, (_, n) => Math.min(last, Math.floor(first + n * step + 1e-6)));
  }

  /** Null when it was cancelled. */
  async webm(): Promise<Uint8Array | null> {
    const { width, height } = this.stage.canvas;
    const size = { width: width & ~1, height: height & ~1 };
    const chunks: FilmChunk[] = [];
    let failure: Error | null = null;
    const encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        chunks.push({ bytes, milliseconds: Math.round(chunk.timestamp / 1000), isKey: chunk.type === "key" });
      },
      error: (error) => (failure = error),
    });
    encoder.configure({ codec: "vp8", ...size, bitrate: bitsPerSecond, framerate: filmRate });
    const isWhole = await this.shoot(async (n) => {
      if (failure) throw failure;
      const picture = new VideoFrame(this.stage.canvas, { timestamp: Math.round((n * 1e6) / filmRate), duration: Math.round(1e6 / filmRate), visibleRect: { x: 0, y: 0, ...size } });
      encoder.encode(picture, { keyFrame: n % keyEvery === 0 });
      picture.close();
      while (encoder.encodeQueueSize > 4) await rest(); // no more pictures than memory holds
    }, async () => encoder.flush());
    encoder.close();
    return isWhole ? webm(chunks, { ...size, seconds: chunks.length / filmRate }) : null;
  }

  /** PNGs in one archive; null when it was cancelled. */
  async pictures(name: string): Promise<Blob | null> {
    const zip = new Zip();
    const isWhole = await this.shoot(async (n) => {
      const blob = await new Promise<Blob | null>((resolve) => this.stage.canvas.toBlob(resolve, "image/png"));
      if (!blob) throw new Error("there is no memory for the picture");
      zip.add(`${name}-${String(n + 1).padStart(5, "0")}.png`, new Uint8Array(await blob.arrayBuffer()));
    });
    return isWhole ? zip.blob() : null;
  }

  /** Draws one picture after the other; false when somebody cancelled. The clock is afterwards where it was. */
  private async shoot(keep: (n: number) => Promise<void>, end: () => Promise<void> = async () => undefined): Promise<boolean> {
    const before = this.clock.frame.get();
    const { frames } = this;
    this.isCancelled = false;
    this.clock.isPlaying.set(false);
    try {
      for (let n = 0; n < frames.length && !this.isCancelled; n++) {
        this.progress.set({ stage: `picture ${n + 1} of ${frames.length}`, share: n / frames.length });
        this.clock.seek(frames[n]);
        this.stage.drawNow();
        await keep(n);
        await rest();
      }
      if (!this.isCancelled) await end();
      return !this.isCancelled;
    } finally {
      this.progress.set(null);
      this.clock.seek(before);
    }
  }
}

/** Lets the page answer in between; a hidden tab goes on. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
