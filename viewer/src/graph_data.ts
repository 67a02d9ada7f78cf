// Which curves a document offers, and their numbers.
import { difference, distance } from "./compare";
import type { Document } from "./document";
import type { AngleTable, BodyData, CaptureData, MassData } from "./protocol";
import type { Chosen } from "./selection";

export interface Curve {
  name: string;
  color: string;
  values: (number | null)[];
  isDashed?: boolean;
}

export interface Plot {
  title: string;
  unit: string;
  /** Seconds, or percent of the cycle. */
  x: number[];
  curves: Curve[];
  isCyclic?: boolean;
  /** Only this part is drawn, whatever is played. */
  isPart?: boolean;
}

const xyz = ["#d9485f", "#3f9b63", "#3d7dd8"];
const leftColor = "#3d7dd8";
const rightColor = "#e0772a";
const many = ["#3d7dd8", "#e0772a", "#3f9b63", "#cf3f74", "#7e57c2", "#1b9cc4", "#b58a1c", "#8c564b"];
/** More points than this per curve nobody sees. */
const pointsMax = 6000;

export function graphKinds(document: Document, kept: BodyData | null): { id: string; name: string }[] {
  const capture = document.capture.get();
  const body = document.body.get();
  return [
    ...(body?.angles ?? []).map(({ convention }) => ({ id: convention, name: `Angles: ${convention}` })),
    capture ? { id: "markers", name: "Marker coordinates" } : null,
    capture ? { id: "speed", name: "Marker speed" } : null,
    body?.residual ? { id: "residual", name: "Residuals" } : null,
    capture && body ? { id: "lengths", name: "Lengths in the segment" } : null,
    capture?.plates.some((p) => p.force.length) ? { id: "force", name: "Ground reaction" } : null,
    capture?.analog ? { id: "analog", name: "Analog channels" } : null,
    body && document.skins.get().get(body)?.mass.row.length ? { id: "mass", name: "Centre of mass, momentum" } : null,
    body?.angles.length && body.frameCount > 8 ? { id: "taylor", name: "Taylor terms" } : null,
    kept && body ? { id: "difference", name: "Difference to the kept one" } : null,
  ].filter((kind) => kind !== null);
}

export function plotsOf({ document, kept }: { document: Document; kept: BodyData | null }, kind: string, chosen: Chosen, how: { isPaired: boolean; isCyclic: boolean }): Plot[] {
  const capture = document.capture.get();
  const body = document.body.get();
  const plots =
    kind === "markers" && capture ? markerPlots(capture, document.filled.get()?.positions ?? null, chosen)
    : kind === "speed" && capture ? [speedPlot(capture, chosen)]
    : kind === "residual" && body?.residual ? residualPlots(body, capture, chosen)
    : kind === "lengths" && capture && body ? [lengthPlot(capture, body, chosen)]
    : kind === "force" && capture ? forcePlots(capture)
    : kind === "mass" && body && document.skins.get().has(body) ? massPlots(body, document.skins.get().get(body)!.mass)
    : kind === "difference" && body && kept ? differencePlots(body, kept, chosen)
    : kind === "analog" && capture?.analog ? analogPlots(capture)
    : body ? anglePlots(body, kind, chosen, how.isPaired)
    : [];
  const useful = plots.filter((plot) => plot.curves.some(({ values }) => doesMove(values)));
  return how.isCyclic && capture ? useful.map((plot) => cyclePlot(plot, capture)) : useful;
}

/** Every nth frame, so that no curve has more points than pixels. */
function frames(count: number, rate: number): { step: number; x: number[] } {
  const step = Math.max(1, Math.ceil(count / pointsMax));
  return { step, x: Array.from({ length: Math.ceil(count / step) }, (_, n) => (n * step) / rate) };
}

/** A curve that stays at nothing tells nothing: ends of a BVH, joints that a format cannot turn. */
const doesMove = (values: (number | null)[]): boolean => values.some((value) => value !== null && Math.abs(value) > 1e-6);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

// ---- angles ----

/** Columns that belong to one joint share a plot, or one to each angle with left and right in it. */
function anglePlots(body: BodyData, convention: string, chosen: Chosen, isPaired: boolean): Plot[] {
  const table = body.angles.find((t) => t.convention === convention);
  if (!table) return [];
  const unit = body.joints.length ? "deg" : ""; // a table without a body does not say what its columns are
  const { step, x } = frames(body.frameCount, body.rate);
  const columns = table.name.map((name, c) => ({ name, c, joint: jointOf(name, body) })).filter(({ name }) => !/_t[xyz]$/.test(name));
  const carrying = body.jointOf ? chosen.markers.map((m) => body.jointOf![m]).filter((j) => j >= 0) : [];
  const wanted = new Set(chosen.joint >= 0 ? [chosen.joint] : carrying);
  const hits = columns.filter(({ joint }) => wanted.has(joint));
  const shown = hits.length ? hits : columns;
  const curve = (c: number, name: string, color: string): Curve => ({ name, color, values: column(table, c, body.frameCount, step) });
  const plots: Plot[] = [];
  const done = new Set<number>();
  for (const { name, c } of shown) {
    if (done.has(c)) continue;
    const twin = isPaired ? table.name.indexOf(otherSide(name) ?? "") : -1;
    if (twin >= 0) {
      const isLeft = /left|^l_|_l$/i.test(name);
      const [own, other] = isLeft ? [leftColor, rightColor] : [rightColor, leftColor];
      plots.push({ title: plain(name), unit, x, curves: [curve(c, isLeft ? "left" : "right", own), curve(twin, isLeft ? "right" : "left", other)] });
      done.add(c).add(twin);
      continue;
    }
    const stem = name.replace(/_[^_]*$/, "");
    const family = shown.filter((other) => !done.has(other.c) && other.name.replace(/_[^_]*$/, "") === stem && (!isPaired || table.name.indexOf(otherSide(other.name) ?? "") < 0));
    plots.push({ title: stem.replace(/_/g, " "), unit, x, curves: family.map((f, n) => curve(f.c, angleName(f.name.slice(stem.length)), xyz[n % 3])) });
    for (const { c: own } of family) done.add(own);
  }
  return plots;
}

/** The joint that a column is about: the one whose name it starts with, or whose words it has ("left_knee" is the LeftLeg's joint). */
function jointOf(column: string, body: BodyData): number {
  const exact = body.joints.findIndex(({ name }) => column.startsWith(`${name}_`));
  if (exact >= 0) return exact;
  const words: [RegExp, RegExp][] = [[/hip/, /UpLeg$/], [/knee/, /(Left|Right)Leg$/], [/ankle/, /Foot$/], [/shoulder/, /(Left|Right)Arm$/], [/elbow/, /ForeArm$/], [/wrist/, /Hand$/], [/pelvis/, /^Hips$/], [/neck|head/, /^Head$/], [/spine|thorax|trunk|back/, /^Chest$/]];
  const side = /left|_l$/i.test(column) ? "Left" : /right|_r$/i.test(column) ? "Right" : "";
  const match = words.find(([word]) => word.test(column.toLowerCase()));
  return match ? body.joints.findIndex(({ name }) => match[1].test(name) && name.startsWith(side)) : -1;
}

const angleName = (suffix: string): string => ({ _angle: "angle", _angle2: "second angle", _rx: "about x", _ry: "about y", _rz: "about z", _slide: "slide" })[suffix] ?? suffix.slice(1);
const plain = (name: string): string => name.replace(/left_?|right_?/i, "").replace(/^[LR]_|_[lr]$/, "").replace(/_(r[xyz]|angle2?)$/, (word) => ` ${angleName(word)}`).replace(/_/g, " ").trim() || name;

export function otherSide(name: string): string | null {
  if (/left/i.test(name)) return name.replace(/left/i, (word) => (word[0] === "L" ? "Right" : "right"));
  if (/right/i.test(name)) return name.replace(/right/i, (word) => (word[0] === "R" ? "Left" : "left"));
  if (/^L[A-Z_]/.test(name)) return `R${name.slice(1)}`;
  if (/^R[A-Z_]/.test(name)) return `L${name.slice(1)}`;
  if (/_l$/.test(name)) return name.replace(/_l$/, "_r");
  if (/_r$/.test(name)) return name.replace(/_r$/, "_l");
  return null;
}

function column(table: AngleTable, index: number, frameCount: number, step: number): (number | null)[] {
  const out: (number | null)[] = [];
  for (let f = 0; f < frameCount; f += step) out.push(finite(table.values[index * frameCount + f]));
  return out;
}

// ---- markers ----

function chosenMarkers(capture: CaptureData, chosen: Chosen): number[] {
  const list = chosen.markers.filter((m) => m < capture.markers.length);
  return list.length ? list.slice(0, 8) : capture.markers.map((_, m) => m).slice(0, 4);
}

function markerPlots(capture: CaptureData, filled: Float32Array | null, chosen: Chosen): Plot[] {
  const { step, x } = frames(capture.frameCount, capture.rate);
  const list = chosenMarkers(capture, chosen);
  const count = capture.markers.length;
  return list.map((m) => ({
    title: capture.markers[m].name, unit: "m", x,
    curves: ["x", "y", "z"].flatMap((axis, k) => {
      const measured: (number | null)[] = [];
      const made: (number | null)[] = [];
      for (let f = 0; f < capture.frameCount; f += step) {
        const at = 3 * (f * count + m) + k;
        measured.push(finite(capture.positions[at]));
        made.push(filled && !Number.isFinite(capture.positions[at]) ? finite(filled[at]) : null);
      }
      const curve: Curve = { name: axis, color: xyz[k], values: measured };
      return made.some((v) => v !== null) ? [curve, { name: `${axis} filled`, color: xyz[k], values: made, isDashed: true }] : [curve];
    }),
  }));
}

function speedPlot(capture: CaptureData, chosen: Chosen): Plot {
  const { step, x } = frames(capture.frameCount, capture.rate);
  const count = capture.markers.length;
  const p = capture.positions;
  const curves = chosenMarkers(capture, chosen).map((m, n) => {
    const values: (number | null)[] = [];
    for (let f = 0; f < capture.frameCount; f += step) {
      const a = 3 * (Math.max(0, f - 1) * count + m);
      const b = 3 * (Math.min(capture.frameCount - 1, f + 1) * count + m);
      values.push(finite((Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]) * capture.rate) / 2));
    }
    return { name: capture.markers[m].name, color: many[n % many.length], values };
  });
  return { title: "Speed", unit: "m/s", x, curves };
}

function residualPlots(body: BodyData, capture: CaptureData | null, chosen: Chosen): Plot[] {
  const { step, x } = frames(body.frameCount, body.rate);
  const all: (number | null)[] = [];
  for (let f = 0; f < body.frameCount; f += step) all.push(finite(1000 * body.residual!.frame[f]));
  const list = capture && chosen.markers.length ? chosen.markers.slice(0, 8) : worst(body, 5);
  const curves = list.map((m, n) => {
    const values: (number | null)[] = [];
    for (let f = 0; f < body.frameCount; f += step) values.push(finite(1000 * body.residual!.distance[m * body.frameCount + f]));
    return { name: capture?.markers[m]?.name ?? `#${m}`, color: many[n % many.length], values };
  });
  return [
    { title: "All markers, rms", unit: "mm", x, curves: [{ name: "residual", color: many[0], values: all }] },
    { title: chosen.markers.length ? "Chosen markers" : "The five that fit worst", unit: "mm", x, curves },
  ];
}

function worst(body: BodyData, count: number): number[] {
  const rms = body.residual!.marker;
  return [...rms.keys()].filter((m) => rms[m] > 0).sort((a, b) => rms[b] - rms[a]).slice(0, count);
}

/** Distances inside a segment: constant if it is rigid. */
function lengthPlot(capture: CaptureData, body: BodyData, chosen: Chosen): Plot {
  const { step, x } = frames(capture.frameCount, capture.rate);
  const segmentOf = body.segmentOf ?? body.jointOf!;
  const segment = chosen.joint >= 0 ? body.jointOf?.findIndex((j) => j === chosen.joint) ?? -1 : (chosen.markers[0] ?? 0);
  const home = segmentOf[Math.max(0, segment)];
  const list = chosen.markers.length > 1 ? chosen.markers.slice(0, 6) : [...segmentOf.keys()].filter((m) => segmentOf[m] === home).slice(0, 5);
  const count = capture.markers.length;
  const p = capture.positions;
  const curves: Curve[] = [];
  list.forEach((a, n) => list.slice(n + 1).forEach((b) => {
    const values: (number | null)[] = [];
    for (let f = 0; f < capture.frameCount; f += step) {
      const i = 3 * (f * count + a);
      const j = 3 * (f * count + b);
      values.push(finite(1000 * Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2])));
    }
    curves.push({ name: `${capture.markers[a].name}–${capture.markers[b].name}`, color: many[curves.length % many.length], values });
  }));
  return { title: "Distances between markers", unit: "mm", x, curves: curves.slice(0, 10) };
}

// ---- the body as a whole ----

function massPlots(body: BodyData, mass: MassData): Plot[] {
  const { step, x } = frames(body.frameCount, body.rate);
  const curve = (column: number, name: string, color: string): Curve => {
    const values: (number | null)[] = [];
    for (let f = 0; f < body.frameCount; f += step) values.push(finite(mass.row[10 * f + column]));
    return { name, color, values };
  };
  const three = (title: string, unit: string, first: number): Plot => ({ title, unit, x, curves: ["x", "y", "z"].map((axis, k) => curve(first + k, axis, xyz[k])) });
  return [three("Centre of mass", "m", 0), three("Momentum", "kg m/s", 3), three("Angular momentum", "kg m²/s", 6), { title: "Kinetic energy", unit: "J", x, curves: [curve(9, "", many[0])] }];
}

// ---- comparison ----

/** How far joints of one name are apart: all of them, then each, left and right in one; and what angles differ by. */
function differencePlots(body: BodyData, kept: BodyData, chosen: Chosen): Plot[] {
  const { step, x } = frames(body.frameCount, body.rate);
  const { pairs } = difference(body, kept);
  const far = pairs.map((pair) => {
    const values: (number | null)[] = [];
    for (let f = 0; f < body.frameCount; f += step) values.push(finite(1000 * distance(body, kept, pair, f)));
    return { name: body.joints[pair[0]].name, joint: pair[0], values };
  });
  if (!far.length) return [];
  const at = (n: number): number[] => far.flatMap(({ values }) => values[n] ?? []);
  const mean = x.map((_, n) => at(n).reduce((sum, v) => sum + v, 0) / Math.max(1, at(n).length));
  const most = x.map((_, n) => Math.max(0, ...at(n)));
  const hits = far.filter(({ joint }) => joint === chosen.joint);
  const done = new Set<string>();
  const single = (hits.length ? hits : far).flatMap(({ name, values }): Plot[] => {
    if (done.has(name)) return [];
    const other = far.find((f) => f.name === otherSide(name));
    done.add(name).add(other?.name ?? name);
    const isLeft = /left|^l_|_l$/i.test(name);
    const curves = [{ name: other ? (isLeft ? "left" : "right") : "", color: other && !isLeft ? rightColor : leftColor, values }];
    return [{ title: other ? plain(name) : name, unit: "mm", x, curves: other ? [...curves, { name: isLeft ? "right" : "left", color: isLeft ? rightColor : leftColor, values: other.values }] : curves }];
  });
  return [{ title: "All joints", unit: "mm", x, curves: [{ name: "mean", color: many[0], values: mean }, { name: "most", color: many[3], values: most }] }, ...single];
}

// ---- analog ----

function forcePlots(capture: CaptureData): Plot[] {
  return capture.plates.filter((plate) => plate.force.length).map((plate, n) => {
    const { step, x } = frames(capture.frameCount, capture.rate);
    return { title: `Plate ${n + 1}`, unit: "N", x, curves: ["x", "y", "z"].map((axis, k) => {
      const values: (number | null)[] = [];
      for (let f = 0; f < capture.frameCount; f += step) values.push(finite(plate.force[3 * f + k]));
      return { name: axis, color: xyz[k], values };
    }) };
  });
}

function analogPlots(capture: CaptureData): Plot[] {
  const { name, unit, perFrame, values } = capture.analog!;
  const length = capture.frameCount * perFrame;
  const { step, x } = frames(length, capture.rate * perFrame);
  return name.slice(0, 24).map((title, c) => {
    const out: (number | null)[] = [];
    for (let n = 0; n < length; n += step) out.push(finite(values[c * length + n]));
    return { title, unit: unit[c], x, curves: [{ name: "value", color: many[c % many.length], values: out }] };
  });
}

// ---- cycles ----

/** The value between two frames. */
function between(values: (number | null)[], at: number): number | null {
  const from = Math.floor(at);
  const [a, b] = [values[from] ?? null, values[from + 1] ?? null];
  return a === null || b === null ? a : a + (at - from) * (b - a);
}

/** From strike to strike of the same foot, each stretched to 100 percent. Events without a side count as one side. */
function cyclePlot(plot: Plot, capture: CaptureData): Plot {
  const label = capture.events.some((e) => /strike|contact|on$/i.test(e.label)) ? /strike|contact|on$/i : /./;
  const strikes = capture.events.filter((e) => label.test(e.label));
  const x = Array.from({ length: 101 }, (_, n) => n);
  const rate = plot.x.length > 1 ? 1 / (plot.x[1] - plot.x[0]) : 1;
  const curves: Curve[] = [];
  for (const curve of plot.curves) {
    const side = /left|^l\b/i.test(curve.name) ? "Left" : /right|^r\b/i.test(curve.name) ? "Right" : null;
    const own = side ? strikes.filter((e) => e.context === side) : strikes.filter((e) => e.context === strikes[0]?.context);
    own.slice(0, -1).forEach((start, n) => {
      const length = own[n + 1].time - start.time;
      const values = x.map((percent) => between(curve.values, (start.time + (percent / 100) * length) * rate));
      curves.push({ ...curve, name: n ? "" : `${curve.name}, ${own.length - 1} cycle${own.length > 2 ? "s" : ""}`, values });
    });
  }
  return curves.length ? { ...plot, x, curves, isCyclic: true } : plot;
}
