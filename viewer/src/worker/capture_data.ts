// A trial as the page draws it: plain arrays, copied out of the module's memory once.
import type { Sinew, Trial } from "sinew";
import { ParameterType, SampleState } from "sinew";
import type { AnalogData, CaptureData, EventInfo, MarkerInfo } from "../protocol";
import { forcePlates } from "./plates";

export function captureData(sinew: Sinew, trial: Trial, about: Pick<CaptureData, "name" | "format" | "notes" | "joinedFrom" | "isRecognised" | "kind">): CaptureData {
  const { markerCount, frameCount } = trial;
  const samples = positionsOf(trial);
  return {
    ...about,
    frameCount,
    firstFrame: trial.firstFrame,
    rate: trial.rate,
    unit: trial.unit,
    up: trial.up,
    markers: markersOf(sinew, trial, samples.states),
    ...samples,
    presence: presenceOf(samples.states, frameCount, markerCount),
    rotationCount: trial.rotationCount,
    analog: analogOf(trial),
    events: eventsOf(trial),
    plates: forcePlates(sinew, trial),
    parameters: parametersOf(sinew, trial),
  };
}

export function positionsOf(trial: Trial, markerCount = trial.markerCount): { positions: Float32Array; states: Uint8Array } {
  const { frameCount, metresPerUnit } = trial;
  const stride = trial.markerCount;
  const sample = trial.sample;
  const state = trial.state;
  const positions = new Float32Array(frameCount * markerCount * 3);
  const states = new Uint8Array(frameCount * markerCount);
  for (let frame = 0, to = 0; frame < frameCount; frame++) {
    for (let marker = 0; marker < markerCount; marker++, to++) {
      const from = frame * stride + marker;
      const isMissing = (states[to] = state[from]) === SampleState.MISSING;
      positions[3 * to] = isMissing ? NaN : sample[4 * from] * metresPerUnit;
      positions[3 * to + 1] = isMissing ? NaN : sample[4 * from + 1] * metresPerUnit;
      positions[3 * to + 2] = isMissing ? NaN : sample[4 * from + 2] * metresPerUnit;
    }
  }
  return { positions, states };
}

function markersOf(sinew: Sinew, trial: Trial, states: Uint8Array): MarkerInfo[] {
  const { frameCount, markerCount } = trial;
  const seen = new Int32Array(markerCount);
  for (let n = 0, at = 0; n < frameCount; n++) for (let m = 0; m < markerCount; m++, at++) if (states[at]) seen[m]++;
  return trial.marker.map((marker, m) => {
    const gaps = sinew.trialGaps(trial, m);
    const { name, description, kind } = marker;
    return { name, description, kind: sinew.pointKindName(kind), seen: seen[m], gaps: gaps.interiorCount, longestGap: gaps.longest };
  });
}

function presenceOf(states: Uint8Array, frameCount: number, markerCount: number): Uint8Array {
  const share = new Uint8Array(frameCount);
  for (let frame = 0, at = 0; frame < frameCount; frame++) {
    let seen = 0;
    for (let m = 0; m < markerCount; m++, at++) if (states[at]) seen++;
    share[frame] = markerCount ? Math.round((255 * seen) / markerCount) : 0;
  }
  return share;
}

function analogOf(trial: Trial): AnalogData | null {
  const { analogCount, analogPerFrame, frameCount } = trial;
  if (!analogCount || !analogPerFrame) return null;
  const channel = trial.analogChannel;
  const raw = trial.analog;
  const length = frameCount * analogPerFrame;
  const values = new Float32Array(analogCount * length);
  channel.forEach(({ scale, offset }, c) => {
    const gain = scale * trial.analogGeneralScale;
    for (let n = 0; n < length; n++) values[c * length + n] = (raw[n * analogCount + c] - offset) * gain;
  });
  return { name: channel.map((c) => c.name), unit: channel.map((c) => c.unit), perFrame: analogPerFrame, values };
}

/** C3D counts events from the instant of frame 1; the page from the first frame that is there. */
function eventsOf(trial: Trial): EventInfo[] {
  const start = trial.rate > 0 ? (trial.firstFrame - 1) / trial.rate : 0;
  return trial.event
    .filter((event) => Number.isFinite(event.time))
    .map(({ time, label, context }) => ({ time: time - start, label, context }))
    .sort((a, b) => a.time - b.time);
}

/** Every parameter of the file as text, long ones cut. */
function parametersOf(sinew: Sinew, trial: Trial): CaptureData["parameters"] {
  return trial.group.flatMap((group) =>
    group.parameter.map((p) => ({ group: group.name, name: p.name, text: parameterText(sinew, p) })),
  );
}

function parameterText(sinew: Sinew, parameter: { type: number; byteCount: number; data: number; dimension: number[] }): string {
  if (!parameter.data || !parameter.byteCount) return "";
  const bytes = sinew.view("u8", parameter.data, Math.min(parameter.byteCount, 4000));
  if (parameter.type === ParameterType.CHAR) {
    const width = Math.max(1, parameter.dimension[0]);
    const text = new TextDecoder().decode(bytes.slice());
    const words: string[] = [];
    for (let at = 0; at < text.length; at += width) words.push(text.slice(at, at + width).trim());
    return words.filter(Boolean).join(", ").slice(0, 400);
  }
  const count = (size: number): number => Math.min(64, Math.floor(parameter.byteCount / size));
  const numbers =
    parameter.type === ParameterType.FLOAT ? sinew.view("f32", parameter.data, count(4))
    : parameter.type === ParameterType.INT16 ? sinew.view("i16", parameter.data, count(2))
    : sinew.view("i8", parameter.data, count(1));
  return Array.from(numbers as ArrayLike<number>, (v) => String(+v.toPrecision(6))).join(", ").slice(0, 400);
}
