// What every part of the worker needs: the library, and a way to say how far the work is.
import type { Sinew } from "sinew";

export interface Context {
  sinew: Sinew;
  progress(stage: string, share: number): void;
}
