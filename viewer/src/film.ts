// Records what the picture shows as WebM, until stopped or until the part that is played has been played once.
import type { Clock } from "./clock";

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
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      for (const track of stream.getTracks()) track.stop();
      done(new Blob(parts, { type: "video/webm" }));
    };
    this.recorder = recorder;
    clock.seek(clock.span.first);
    clock.isPlaying.set(true);
    recorder.start(500);
    const seconds = (clock.span.last - clock.span.first + 1) / clock.rate / clock.speed.get();
    setTimeout(() => this.recorder === recorder && recorder.stop(), Math.min(seconds, 600) * 1000 + 200);
  }
}
