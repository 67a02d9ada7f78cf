// Corrections of the markers of a trial: each makes the trial that a corrected file would have given. The trial that was read
// stays as it is, so undoing is leaving the last correction out.
import type { Sinew, Trial } from "sinew";
import { SampleState } from "sinew";
import type { Edit } from "../protocol";

const newMarker = -1;

/** The trial with all corrections; the caller disposes of it. */
export function edited(sinew: Sinew, trial: Trial, edits: Edit[]): Trial {
  let result = sinew.trialCopy(trial);
  for (const edit of edits) {
    const next = apply(sinew, result, edit);
    if (next !== result) result.dispose();
    result = next;
  }
  return result;
}

function apply(sinew: Sinew, trial: Trial, edit: Edit): Trial {
  const all = Array.from({ length: trial.markerCount }, (_, m) => m);
  check(trial, edit.marker);
  switch (edit.kind) {
    case "rename":
      sinew.trialSetMarkerName(trial, edit.marker, edit.name);
      return trial;
    case "swap":
      check(trial, edit.other);
      eachFrame(trial, edit.first, edit.last, (frame) => exchange(trial, frame, edit.marker, edit.other));
      return trial;
    case "split": {
      const wider = sinew.trialPick(trial, [...all, newMarker]);
      const added = wider.markerCount - 1;
      sinew.trialSetMarkerName(wider, added, edit.name);
      eachFrame(wider, edit.frame, wider.frameCount - 1, (frame) => exchange(wider, frame, edit.marker, added));
      return wider;
    }
    case "join": {
      check(trial, edit.other);
      const state = trial.state;
      eachFrame(trial, 0, trial.frameCount - 1, (frame) => {
        const at = frame * trial.markerCount;
        if (state[at + edit.marker] === SampleState.MISSING) exchange(trial, frame, edit.marker, edit.other);
      });
      return sinew.trialPick(trial, all.filter((m) => m !== edit.other));
    }
    case "delete": {
      if (edit.first <= 0 && edit.last >= trial.frameCount - 1) return sinew.trialPick(trial, all.filter((m) => m !== edit.marker));
      const nowhere = { x: 0, y: 0, z: 0 };
      eachFrame(trial, edit.first, edit.last, (frame) => sinew.trialSet(trial, frame, edit.marker, nowhere, SampleState.MISSING));
      return trial;
    }
  }
}

function check(trial: Trial, marker: number): void {
  if (!(marker >= 0 && marker < trial.markerCount)) throw new Error(`there is no marker number ${marker + 1}`);
}

function eachFrame(trial: Trial, first: number, last: number, visit: (frame: number) => void): void {
  for (let frame = Math.max(0, first); frame <= Math.min(last, trial.frameCount - 1); frame++) visit(frame);
}

function exchange(trial: Trial, frame: number, a: number, b: number): void {
  const sample = trial.sample;
  const state = trial.state;
  const at = frame * trial.markerCount;
  for (let k = 0; k < 4; k++) {
    const kept = sample[4 * (at + a) + k];
    sample[4 * (at + a) + k] = sample[4 * (at + b) + k];
    sample[4 * (at + b) + k] = kept;
  }
  const kept = state[at + a];
  state[at + a] = state[at + b];
  state[at + b] = kept;
}
