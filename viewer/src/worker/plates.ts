// Force plates of a C3D file: corners, and for types 2 and 4 the force and where it acts.
// Types as the C3D manual has them: 2 gives Fx Fy Fz Mx My Mz about the plate's origin, 4 the same through a calibration matrix.
import type { Sinew, Trial } from "sinew";
import type { PlateData } from "../protocol";

/** Less than this, in newtons, is an empty plate: the point of application would be noise divided by noise. */
const loaded = 20;

export function forcePlates(sinew: Sinew, trial: Trial): PlateData[] {
  const used = numbers(sinew, trial, "USED")[0] ?? 0;
  const corners = numbers(sinew, trial, "CORNERS");
  const types = numbers(sinew, trial, "TYPE");
  const plates: PlateData[] = [];
  for (let plate = 0; plate < used && 12 * plate + 11 < corners.length; plate++) {
    const corner = [0, 1, 2, 3].map((c) => [0, 1, 2].map((k) => corners[12 * plate + 3 * c + k] * trial.metresPerUnit));
    const empty = { corners: corner, force: new Float32Array(), point: new Float32Array(), perFrame: trial.analogPerFrame };
    plates.push(types[plate] === 2 || types[plate] === 4 ? { ...empty, ...forces(sinew, trial, plate, corner, types[plate]) } : empty);
  }
  return plates;
}

function numbers(sinew: Sinew, trial: Trial, name: string): number[] {
  const parameter = sinew.trialFindParameter(trial, "FORCE_PLATFORM", name);
  if (!parameter?.data) return [];
  if (parameter.type === 4) return Array.from(sinew.view("f32", parameter.data, parameter.byteCount / 4));
  if (parameter.type === 2) return Array.from(sinew.view("i16", parameter.data, parameter.byteCount / 2));
  return Array.from(sinew.view("i8", parameter.data, parameter.byteCount));
}

function forces(sinew: Sinew, trial: Trial, plate: number, corner: number[][], type: number): { force: Float32Array; point: Float32Array } {
  const channels = numbers(sinew, trial, "CHANNEL");
  const origin = numbers(sinew, trial, "ORIGIN").slice(3 * plate, 3 * plate + 3).map((v) => v * trial.metresPerUnit);
  const per = Math.max(6, Math.round(channels.length / Math.max(1, numbers(sinew, trial, "USED")[0])));
  const index = channels.slice(per * plate, per * plate + 6).map((c) => c - 1);
  const samples = trial.frameCount * trial.analogPerFrame;
  if (index.length < 6 || index.some((c) => c < 0 || c >= trial.analogCount) || type === 4) return { force: new Float32Array(), point: new Float32Array() };
  const raw = trial.analog;
  const channel = trial.analogChannel;
  const gain = index.map((c) => channel[c].scale * trial.analogGeneralScale);
  const offset = index.map((c) => channel[c].offset);
  // Moments are in newtons times the file's unit.
  const momentUnit = (channel[index[3]].unit || "").toLowerCase().includes("mm") ? 0.001 : trial.metresPerUnit;
  const frame = plateFrame(corner);
  const force = new Float32Array(3 * samples);
  const point = new Float32Array(3 * samples);
  for (let n = 0; n < samples; n++) {
    const v = index.map((c, k) => (raw[n * trial.analogCount + c] - offset[k]) * gain[k] * (k < 3 ? 1 : momentUnit));
    // What the plate measures is the body's push; what acts on the body is its opposite.
    const f = [-v[0], -v[1], -v[2]];
    const isLoaded = Math.abs(v[2]) > loaded;
    // Moment about the plate's surface, whose height over the origin is -origin z.
    const mx = v[3] - (v[2] * -origin[1] - v[1] * -origin[2]);
    const my = v[4] - (v[0] * -origin[2] - v[2] * -origin[0]);
    const local = isLoaded ? [-my / v[2], mx / v[2], 0] : [NaN, NaN, NaN];
    for (let k = 0; k < 3; k++) {
      force[3 * n + k] = frame.x[k] * f[0] + frame.y[k] * f[1] + frame.z[k] * f[2];
      point[3 * n + k] = frame.center[k] + frame.x[k] * local[0] + frame.y[k] * local[1];
    }
  }
  return { force, point };
}

/** x from the middle towards corners 1 and 4, y towards 1 and 2, z into the floor, as the manual draws a plate. */
function plateFrame(c: number[][]): { center: number[]; x: number[]; y: number[]; z: number[] } {
  const unit = (v: number[]): number[] => v.map((a) => a / (Math.hypot(...v) || 1));
  const center = [0, 1, 2].map((k) => (c[0][k] + c[1][k] + c[2][k] + c[3][k]) / 4);
  const x = unit([0, 1, 2].map((k) => c[0][k] + c[3][k] - c[1][k] - c[2][k]));
  const y = unit([0, 1, 2].map((k) => c[0][k] + c[1][k] - c[2][k] - c[3][k]));
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  return { center, x, y, z };
}
