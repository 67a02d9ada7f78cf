// Records what the picture shows as WebM, until stopped or until the part that is played has been played once.
import type { Clock } from "./clock";

/** A slow computer may not have drawn a second picture when the part has been played: it gets these milliseconds more. */
const patience = 8000;
const leastParts = 2;

export class Film {
  private recorder: MediaRecorder | null = null;
  constructor(private readonly canvas: HTMLCanvasElement) {}

  get isSupported(): boolean {
    return typeof MediaRecorder !== "undefined" && typeof this.canvas.captureStream === "function";
  }
  get isRunning(): boolean {
    return this.recorder !== null;
  }

  toggle(done: (film: Blob) => void, clock: Clock): void {
    if (this.recorder) {
      this.recorder.stop();
      return;
    }
    const stream = this.canvas.captureStream(60);
    const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 12e6 });
    const parts: Blob[] = [];
    let isPlayed = false; // once
    const endWhenPlayed = (): void => {
      if (isPlayed && parts.length >= leastParts && recorder.state === "recording") recorder.stop();
    };
    recorder.ondataavailable = (event) => {
      if (event.data.size) parts.push(event.data);
      endWhenPlayed();
    };
    recorder.onstop = () => {
      this.recorder = null;
      for (const track of stream.getTracks()) track.stop();
      done(new Blob(parts, { type: "video/webm" }));
    };
    this.recorder = recorder;
    clock.seek(clock.span.first);
    clock.isPlaying.set(true);
    recorder.start(100);
    const seconds = (clock.span.last - clock.span.first + 1) / clock.rate / clock.speed.get();
    const end = Math.min(seconds, 600) * 1000 + 200;
    setTimeout(() => {
      isPlayed = true;
      endWhenPlayed();
    }, end);
    setTimeout(() => recorder.state === "recording" && recorder.stop(), end + patience);
  }
}
