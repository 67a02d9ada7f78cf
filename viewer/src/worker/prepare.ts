// From the trial that was read to the one that is shown and solved, in the steps and the order of the command: samples at 0 0 0 are
// missing ones, pieces of trajectories become markers, a person is recognised in markers that nobody named.
import type { Joined, Note, Sinew, Trial } from "sinew";
import { SegmentMethod, NoteCode, SampleState } from "sinew";
import type { Context } from "./context";

/** Holds the trial; disposing of it gives the memory back. */
export interface Prepared {
  joined: Joined;
  /** What the library did, in its words. */
  notes: string[];
  /** Names were given to markers that had none. */
  isRecognised: boolean;
}

export function prepare({ sinew, progress }: Context, raw: Trial): Prepared {
  const notes: Note[] = [];
  progress("joining trajectories", 0.3);
  const joined = joinedOf(sinew, raw, notes);
  progress("recognising the person", 0.5);
  using found = sinew.trialRecognise(joined.trial, notes);
  sinew.recognisedName(found, joined.trial);
  const isRecognised = notes.some((note) => note.code === NoteCode.PERSON_RECOGNISED);
  const whole = isRecognised ? rejoined(sinew, joined, notes) : joined;
  return { joined: whole, notes: notes.map((note) => note.text), isRecognised };
}

/** Pieces that got one name become one marker. */
function rejoined(sinew: Sinew, joined: Joined, notes: Note[]): Joined {
  const whole = sinew.trialJoin(joined.trial, null, notes);
  joined.dispose();
  return whole;
}

/** The trial that was read stays as it is, for it is what "convert" writes. */
function joinedOf(sinew: Sinew, raw: Trial, notes: Note[]): Joined {
  if (!hasZeros(raw)) return sinew.trialJoin(raw, null, notes);
  using copy = sinew.trialCopy(raw);
  sinew.trialDropZeros(copy, notes);
  return sinew.trialJoin(copy, null, notes);
}

/** A large capture is copied only where there is something to drop. */
function hasZeros({ sample, state }: Trial): boolean {
  return state.some((s, n) => s !== SampleState.MISSING && sample[4 * n] === 0 && sample[4 * n + 1] === 0 && sample[4 * n + 2] === 0);
}

/** The trial with markers that exchanged their labels put right; null: none did. `forBody`: also those that never change back, and
 * markers that slip on their segments. */
export function withoutSwaps(sinew: Sinew, trial: Trial, forBody: boolean, notes: Note[]): Trial | null {
  const copy = sinew.trialCopy(trial);
  const [jumps, swaps] = [new Int32Array(1), new Int32Array(1)];
  const before = notes.length;
  sinew.trialUndoJumps(copy, forBody, jumps, notes);
  using segments = segmentsByNames(sinew, copy);
  if (segments) sinew.trialUndoSwaps(copy, segments, swaps, notes);
  if (segments && forBody) sinew.trialUndoSlips(copy, segments, null, notes);
  if (jumps[0] || swaps[0] || notes.length > before) return copy;
  copy.dispose();
  return null;
}

function segmentsByNames(sinew: Sinew, trial: Trial): ReturnType<Sinew["segmentsFind"]> | null {
  try {
    return sinew.segmentsFind(trial, { method: SegmentMethod.NAMES, trustsLabels: true });
  } catch {
    return null; // the labels say nothing of segments
  }
}
