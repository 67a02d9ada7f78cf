// The command, a program of six lines and the binding that the page uses solve the same captures: the same verdict, the same notes
// and judgements word for word, the same motion. usage: node compare.mjs SOURCE_DIR SINEW PROGRAM WORK_DIR [CORPUS]
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [source, sinewCommand, program, work, corpus] = process.argv.slice(2);
const { load, FormatKind, SampleState } = await import(pathToFileURL(join(source, "build/npm/full/index.js")).href);
const sinew = await load();
const at = (name) => join(work, name);
const run = (...words) => execFileSync(sinewCommand, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

// ---- captures in trouble, from ones without ----

/** A synthetic capture as rows of a table; columns 0 and 1 are frame and time, then x, y, z of each marker. */
function table(motion, ...words) {
  run("synth", at("made.csv"), "--motion", motion, "--seconds", "5", "--force", ...words);
  return readFileSync(at("made.csv"), "utf8").trim().split(/\r?\n/).map((line) => line.split(","));
}
const column = (rows, marker) => rows[0].findIndex((name) => name.startsWith(marker));
const save = (name, rows) => (writeFileSync(at(name), rows.map((row) => row.join(",")).join("\n") + "\n"), at(name));

function slip() {
  const rows = table("walk");
  const up = column(rows, "C7") + 1;
  rows.forEach((row, n) => n > 300 && (row[up] = String(Number(row[up]) + 40)));
  return save("slip.csv", rows);
}
function swap() {
  const rows = table("walk");
  const [a, b] = [column(rows, "LKNE"), column(rows, "RKNE")];
  rows.forEach((row, n) => { if (n > 200 && n < 280) for (let k = 0; k < 3; k++) [row[a + k], row[b + k]] = [row[b + k], row[a + k]]; });
  return save("swap.csv", rows);
}
function zeros() {
  const rows = table("walk");
  const first = column(rows, "LKNE");
  rows.forEach((row, n) => { if (n > 200 && n < 260) row.fill("0", first, first + 3); });
  return save("zeros.csv", rows);
}
function unlabelled() {
  run("synth", at("unlabelled.c3d"), "--unlabelled", "--seconds", "5", "--gaps", "LKNE@100+50");
  return at("unlabelled.c3d");
}
function twoPeople() {
  const [one, other] = [table("walk"), table("boxing")];
  const moved = other.map((row, n) => row.slice(2).map((v, c) => (n === 0 ? `Joe:${v}` : v !== "" && c % 3 === 0 ? String(Number(v) + 2000) : v)));
  return save("two.csv", one.map((row, n) => [...row.map((v, c) => (n === 0 && c > 1 ? `Ann:${v}` : v)), ...moved[n]]));
}

// ---- three ways ----

const told = (item) => `judgement ${item.verdict} ${item.sentence}`;

function byCommand(file) {
  const found = JSON.parse(spawnSync(sinewCommand, ["solve", file, "--json", "-o", at("command.c3d"), "--force"], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout);
  const bodies = found.bodies ?? [found];
  const lines = [`verdict ${found.verdict}`];
  bodies.forEach((body) => lines.push(...body.notes.map((note) => `note ${note.text ?? note}`), ...body.judgements.map(told)));
  return { lines, bytes: readFileSync(at("command.c3d")) };
}

function byProgram(file) {
  const lines = execFileSync(program, [file, at("program.c3d")], { encoding: "utf8" }).trim().split("\n");
  return { lines, bytes: readFileSync(at("program.c3d")) };
}

function byBinding(file) {
  const notes = [];
  const trial = sinew.readTrial({ bytes: readFileSync(file), name: file }, null, notes);
  const solution = sinew.solve(trial);
  const said = (list) => list.note.slice(0, list.count).map((note) => `note ${note.text}`);
  const lines = [`verdict ${sinew.verdictName(solution.verdict)}`, ...notes.map((note) => `note ${note.text}`), ...said(solution.notes)];
  let view = null;
  for (const { notes: own, judgements, actor, motion } of solution.body) {
    lines.push(...said(own), ...judgements.item.slice(0, judgements.count).map((item) => told({ ...item, verdict: sinew.verdictName(item.verdict) })));
    const before = view;
    view = sinew.actorTrial({ actor, motion, made: SampleState.FILLED }, before ?? solution.trial);
    before?.dispose();
  }
  const sample = view.sample.slice();
  const state = view.state.slice();
  const bytes = Buffer.from(sinew.writeTrial(view, FormatKind.C3D));
  const millimetres = 1000 * view.metresPerUnit;
  for (const thing of [view, solution, trial]) thing.dispose();
  return { lines, bytes, sample, state, millimetres };
}

/** The largest distance of a coordinate from the command's, millimetres; the same samples are missing. */
function furthest(binding, bytes) {
  const native = sinew.readTrial(bytes);
  assert.deepEqual(native.state.slice().map((s) => s === SampleState.MISSING), binding.state.map((s) => s === SampleState.MISSING));
  let most = 0;
  const sample = native.sample;
  binding.sample.forEach((v, n) => { if (n % 4 < 3 && binding.state[n >> 2] !== SampleState.MISSING) most = Math.max(most, Math.abs(v - sample[n])); });
  native.dispose();
  return most * binding.millimetres;
}

let worst = 0;
function compare(file, sign) {
  const [command, library, binding] = [byCommand(file), byProgram(file), byBinding(file)];
  assert.deepEqual(library.lines, command.lines, `${file}: the program says something else than the command`);
  assert.ok(library.bytes.equals(command.bytes), `${file}: the program's motion is another one than the command's`);
  assert.deepEqual(binding.lines, command.lines, `${file}: the binding says something else than the command`);
  const far = furthest(binding, command.bytes);
  // Iterations stop at 1e-5 rad; what the last digits of two libms make of that on a metre is a hundredth of a millimetre.
  assert.ok(far <= 0.01, `${file}: the binding's motion is ${far} mm off the command's`);
  worst = Math.max(worst, far);
  if (sign) assert.ok(command.lines.some((line) => sign.test(line)), `${file}: nothing says ${sign}`);
  console.log(`  ${file.split("/").at(-1)}: ${command.lines[0]}, ${command.lines.length - 1} notes and judgements, ${far.toExponential(1)} mm`);
}

compare(slip(), /judgement amber C7 moves by/);
compare(swap(), /note .*LKNE.*RKNE|note .*RKNE.*LKNE/);
compare(zeros(), /note .*0 0 0/);
compare(unlabelled(), /note .*recognised/);
compare(twoPeople(), /note .*(2|two) (actors|bodies)/);
const captures = [
  "c3d_body/cmu_02_01_walk.c3d", "c3d_body/cmu_02_05_punch.c3d", "c3d_body/cmu_85_12_breakdance.c3d", "c3d_body/cmu_basketball_dec_int.c3d",
  "c3d_body/optitrack_tennis_nan.c3d", "c3d_body/optotrak_racing_gaps.c3d", "c3d_body/unlabelled_kneel_to_run.c3d", "c3d_body/vicon_nick_freeform_gaps.c3d",
  "c3d_functional/biobuddy_right_knee.c3d", "c3d_producers/qualisys_walk_events.c3d", "c3d_producers/cortex_walk_events.c3d", "c3d_producers/art_hands.c3d",
];
if (corpus) captures.forEach((name) => compare(join(corpus, name)));
console.log(`${5 + (corpus ? captures.length : 0)} captures in three ways; the binding's motion is at most ${worst.toExponential(1)} mm from the command's`);
