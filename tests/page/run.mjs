// The page in Chromium, as a person uses it. usage: node run.mjs SOURCE_DIR SINEW WORK_DIR [only these words]
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { exported, launch, openFiles, openPage, sentence, solved } from "./browser.mjs";

const [source, sinew, work, ...only] = process.argv.slice(2);
const address = pathToFileURL(join(source, "build/page/sinew.html")).href;
const at = (name) => join(work, name);
const run = (...words) => execFileSync(sinew, words, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "ignore"] });
const browser = await launch(source);
const failures = [];

/** Two people in one capture, each with a name before the labels, the second two metres aside. */
function twoActors(...motions) {
  const tables = motions.map((motion, n) => {
    run("synth", at(`pair-${motion}.csv`), "--motion", motion, "--seconds", "3");
    const [head, ...rows] = readFileSync(at(`pair-${motion}.csv`), "utf8").trim().split(/\r?\n/).map((line) => line.split(","));
    const moved = rows.map((row) => row.map((v, c) => (n && c > 1 && v !== "" && (c - 2) % 3 === 0 ? String(Number(v) + 2000) : v)));
    return [head.map((name, c) => (c < 2 ? name : `${n ? "Joe" : "Ann"}:${name}`)), ...moved];
  });
  return tables[0].map((row, n) => [...row, ...tables[1][n].slice(2)].join(",")).join("\n") + "\n";
}

/** The same bytes, or the same numbers as near as two compilers' arithmetic leaves them. */
function assertSame(bytes, path, claim) {
  const native = readFileSync(path);
  if (bytes.equals(native)) return;
  const numbers = (text) => (text.toString("latin1").match(/-?\d+\.?\d*(e[-+]?\d+)?/g) ?? []).map(Number);
  const [a, b] = [numbers(bytes), numbers(native)];
  assert.equal(a.length, b.length, claim);
  const worst = a.reduce((most, v, n) => Math.max(most, Math.abs(v - b[n])), 0);
  assert.ok(worst < 1e-5, `${claim}: numbers differ by ${worst}`);
  console.log(`   ${claim} differs from the command's by at most ${worst}`);
}

async function test(claim, body) {
  if (only.length && !only.some((word) => claim.includes(word))) return;
  const start = Date.now();
  try {
    await body();
    console.log(`ok ${((Date.now() - start) / 1000).toFixed(1)} s  ${claim}`);
  } catch (error) {
    failures.push(claim);
    console.log(`FAILED ${claim}\n${error.stack}`);
    for (const page of browser.contexts().flatMap((c) => c.pages())) await page.screenshot({ path: at("failed.png") }).catch(() => undefined);
  }
}

// ---- files that the command makes: those of a row at once, each row from the ones before ----
const later = promisify(execFile);
const make = (...rows) => Promise.all(rows.map((words) => later(sinew, words, { maxBuffer: 1 << 26 })));
await make(
  ["synth", at("walk.c3d"), "--seconds", "3", "--truth", at("walk"), "--gaps", "LKNE@100+50"],
  ["synth", at("steps.c3d"), "--motion", "walk", "--seconds", "6"],
  ["synth", at("unnamed.c3d"), "--unlabelled", "--seconds", "3", "--gaps", "LKNE@100+50"],
  ["synth", at("hand.c3d"), "--motion", "gestures", "--hand", "right", "--seconds", "3"],
  ["synth", at("session.csv"), "--motion", "boxing", "--trackers", "4", "--seconds", "3"]);
writeFileSync(at("pair.csv"), twoActors("walk", "boxing"));
writeFileSync(at("broken.c3d"), readFileSync(at("walk.c3d")).subarray(0, 300));
await make(
  ["convert", at("walk.c3d"), at("walk.trc")],
  ["convert", at("walk.c3d"), at("walk.csv")],
  ["convert", at("walk-motion.bvh"), at("body.asf")],
  ["convert", at("walk-motion.bvh"), at("body.amc")],
  ["solve", at("walk.c3d"), "--save-actor", at("joe.actor"), "-o", at("walk.bvh")],
  ["solve", at("walk.c3d"), "-o", at("filled.c3d")],
  ["gait", at("steps.c3d"), "-o", at("events.c3d"), "--cycles", at("cycles.csv")],
  ["solve", at("unnamed.c3d"), "-o", at("unnamed.bvh")],
  ["solve", at("unnamed.c3d"), "-o", at("unnamed-filled.c3d")],
  ["solve", at("pair.csv"), "-o", at("pair.bvh"), "--save-actor", at("pair.actor")],
  ["solve", at("pair.csv"), "-o", at("pair-filled.c3d")],
  ["hand", at("hand.c3d"), "-o", at("hand.bvh"), "--save-profile", at("hand.actor")],
  ["hand", at("hand.c3d"), "-o", at("hand-points.c3d")],
  ["avatar", at("session.csv"), "-o", at("session.bvh")]);

/** Pages that show something else than the start open with a shorter example, and only one page moves at a time. */
const brief = "seconds=2";
const aside = async (hash, options) => {
  await page.evaluate(() => sinewPage.clock.isPlaying.set(false));
  return openPage(browser, `${address}#${hash}`, options);
};

const page = await openPage(browser, address);
const state = () => page.evaluate(() => ({ name: sinewPage.document.name, markers: sinewPage.document.capture.get()?.markers.length ?? 0, joints: sinewPage.document.body.get()?.joints.length ?? 0, frame: sinewPage.clock.frame.get() }));

/** The playground, with a body that has answered. */
async function reach(body) {
  await page.getByRole("button", { name: "Reach" }).click();
  await page.waitForFunction(() => sinewPage.play.answers.length && !sinewPage.play.isBusy);
  await page.locator("#play-body").selectOption(body);
  await page.waitForFunction((name) => sinewPage.play.choice.preset === name && sinewPage.play.answers[0]?.world.length === 7 * sinewPage.play.body.joints.length && !sinewPage.play.isBusy, body);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // the camera has settled
}

await test("opens with a dance, made and solved in the page, playing", async () => {
  await solved(page);
  const { name, markers, joints } = await state();
  assert.deepEqual([name, markers], ["dance", 41]);
  assert.ok(joints >= 15);
  assert.ok(await page.evaluate(() => sinewPage.clock.isPlaying.get()));
  const first = (await state()).frame;
  await page.waitForFunction((frame) => sinewPage.clock.frame.get() !== frame, first);
  assert.match(await page.locator("#data").innerText(), /Markers lie \d+\.\d mm \(rms\) from the body/);
  // Something is in the picture: many colours, not one.
  const colours = await page.evaluate(async () => {
    const image = await createImageBitmap(await sinewPage.viewport.stage.picture(false));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    for (let n = 0; n < data.length; n += 4) seen.add((data[n] >> 4) * 4096 + (data[n + 1] >> 4) * 64 + (data[n + 2] >> 4));
    return seen.size;
  });
  assert.ok(colours > 25, `${colours} colours`);
});

await test("cameras of a calibration stand in the scene, and one looks from there", async () => {
  run("synth", at("seen.c3d"), "--motion", "boxing", "--seconds", "1", "--cameras", "4", "--views", at("seen.csv"), "-f");
  const told = JSON.parse(run("cameras", at("seen.toml"), "--json")).cameras;
  const page = await openPage(browser, `${address}#${brief}`);
  await openFiles(page, at("seen.c3d"), at("seen.toml"));
  await page.waitForFunction(() => sinewPage.document.cameras.get().length === 4 && sinewPage.document.capture.get()?.name === "seen.c3d");
  const cameras = await page.evaluate(() => sinewPage.document.cameras.get());
  for (const [n, camera] of cameras.entries()) {
    assert.equal(camera.name, told[n].name);
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(camera.place[k] - told[n].place_m[k]) < 1e-6 && Math.abs(camera.axis[k] - told[n].looks[k]) < 1e-6, `camera ${n}`);
  }
  await page.getByRole("button", { name: told[2].name, exact: true }).click();
  const stands = await page.evaluate(() => { const { lab, camera } = sinewPage.viewport.stage; return lab.worldToLocal(camera.position.clone()).toArray(); });
  assert.ok(stands.every((v, k) => Math.abs(v - told[2].place_m[k]) < 1e-3), `stands at ${stands}`);
  await page.screenshot({ path: at("cameras.png") });
  page.noComplaints();
  await page.close();
});

await test("the start says what to drop and offers six examples: each opens, and nothing is orange", async () => {
  const card = page.locator(".start");
  assert.match(await card.innerText(), /Drop a capture or a motion here/);
  assert.deepEqual(await card.locator(".chips button").allInnerTexts(), ["Walk", "Dance", "Two people", "Hand", "Avatar", "Robot"]);
  assert.equal(await page.locator(".judgement.amber, .judgement.red, .verdict.bad").count(), 0);
  const [motion, below] = [await page.locator("#motion").boundingBox(), await card.boundingBox()];
  assert.ok(motion.y + motion.height <= below.y + 1, "the card hides nothing of the picture");
  await card.getByRole("button", { name: "Robot" }).click();
  await page.waitForFunction(() => sinewPage.play.choice.preset === "panda" && sinewPage.play.body?.joints.length > 6 && !sinewPage.play.isBusy);
  assert.equal(await card.count(), 0);
  for (const [name, title, bodies, joints] of [["pair", "Two people", 2, 19], ["hand", "Hand", 1, 25], ["avatar", "Avatar", 1, 21], ["walk", "Walk", 1, 19], ["dance", "Dance", 1, 19]]) {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(".menu button", { hasText: title }).first().click();
    await page.waitForFunction((wanted) => sinewPage.document.name === wanted && sinewPage.document.body.get()?.name === wanted && !sinewPage.engine.progress.get(), name);
    const found = await page.evaluate(() => sinewPage.document.bodies.get().map((body) => [body.joints.length, body.judgement?.verdict ?? "green"]));
    assert.deepEqual(found, Array(bodies).fill([joints, "green"]), name);
  }
});

await test("scrubs to exactly the frame under the pointer, steps and loops", async () => {
  const box = await page.locator("#timeline .track").boundingBox();
  const last = await page.evaluate(() => sinewPage.clock.frameCount.get() - 1);
  for (const share of [0.1, 0.77, 0.5]) {
    await page.mouse.move(box.x + share * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.up();
    const want = Math.round(((Math.round(box.x + share * box.width) - box.x) / box.width) * last);
    assert.ok(Math.abs((await state()).frame - want) <= Math.ceil(last / box.width), `${(await state()).frame}, not ${want}`);
  }
  const before = (await state()).frame;
  await page.getByRole("button", { name: "One frame on" }).click();
  assert.equal((await state()).frame, before + 1);
  await page.evaluate(() => { sinewPage.clock.window.set({ first: 10, last: 20 }); sinewPage.clock.seek(10); sinewPage.clock.isPlaying.set(true); });
  await page.waitForTimeout(600);
  assert.ok((await state()).frame >= 10 && (await state()).frame <= 20);
  await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.window.set(null); });
});

await test("what is chosen in the list is chosen in the picture and the graphs", async () => {
  await page.locator("#data .row .name", { hasText: /^LKNE$/ }).click();
  const chosen = await page.evaluate(() => sinewPage.selection.chosen.get().markers.map((m) => sinewPage.document.capture.get().markers[m].name));
  assert.deepEqual(chosen, ["LKNE"]);
  await page.locator("#graphs select[aria-label='What is drawn']").first().selectOption("markers");
  await page.waitForFunction(() => document.querySelector(".plot h3")?.textContent.startsWith("LKNE"));
  // And the other way round: a click on a marker in the picture.
  const place = await page.evaluate(() => {
    const { viewport, document, clock } = sinewPage;
    viewport.stage.look("front");
    viewport.fit();
    viewport.stage.camera.updateMatrixWorld();
    const capture = document.capture.get();
    const m = capture.markers.findIndex((x) => x.name === "RKNE");
    const p = capture.positions.subarray(3 * (clock.frame.get() * capture.markers.length + m));
    const v = viewport.stage.camera.position.clone().set(p[0], p[1], p[2]);
    viewport.stage.lab.localToWorld(v).project(viewport.stage.camera);
    const box = viewport.stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * v.x) * box.width, box.top + (0.5 - 0.5 * v.y) * box.height];
  });
  await page.waitForTimeout(300);
  await page.mouse.click(...place);
  const picked = await page.evaluate(() => sinewPage.selection.chosen.get());
  assert.ok(picked.markers.length === 1 || picked.joint >= 0, JSON.stringify(picked));
  await page.keyboard.press("Escape");
});

await test("opens every kind of file", async () => {
  run("convert", at("walk-motion.bvh"), at("look.glb"), "--force");
  run("convert", at("walk-motion.bvh"), at("look.vrm"), "--names", "vrm", "--force");
  for (const [files, name, markers] of [[["walk.trc"], "walk.trc", 41], [["walk.csv"], "walk.csv", 41], [["walk-motion.bvh"], "walk-motion.bvh", 0], [["body.asf", "body.amc"], "body.amc", 0], [["look.glb"], "look.glb", 0], [["look.vrm"], "look.vrm", 0], [["walk.c3d", "joe.actor"], "walk.c3d", 41]]) {
    await openFiles(page, ...files.map(at));
    assert.equal(await sentence(page), null);
    const now = await state();
    assert.deepEqual([now.name, now.markers], [name, markers], files.join());
    assert.ok(now.joints > 10, files.join());
  }
  assert.ok(await page.evaluate(() => sinewPage.document.solveOptions.get().actor?.length > 100), "the actor was used");
});

await test("says of a broken file what the command says", async () => {
  const said = spawnSync(sinew, ["info", at("broken.c3d")], { encoding: "utf8" }).stderr;
  await openFiles(page, at("broken.c3d"));
  const shown = await sentence(page);
  assert.ok(shown && said.replace(`${work}/`, "").includes(shown), `${shown} / ${said}`);
  assert.ok((await page.locator(".toast.bad").innerText()).includes(shown));
  await page.locator(".toast.bad button").click();
  assert.equal((await state()).name, "walk.c3d"); // what was open stays open
});

await test("coordinates of OpenSim without a body are shown as graphs", async () => {
  run("solve", at("walk.c3d"), "-o", at("walk.mot"), "--force");
  await openFiles(page, at("walk.mot"));
  assert.equal(await sentence(page), null);
  await page.waitForFunction(() => document.querySelectorAll(".plot h3").length > 10);
  assert.match(await page.locator("#data").innerText(), /Columns\s+\d\d[^]*without a body to draw/);
  const told = run("info", at("walk.mot"));
  const { name, frames } = await page.evaluate(() => ({ name: sinewPage.document.body.get().angles[0].name, frames: sinewPage.document.body.get().frameCount }));
  assert.ok(told.includes(`${name.length} columns, ${frames} rows`) && name.every((word) => told.includes(word)), told);
});

await test("exports what the command exports", async () => {
  await openFiles(page, at("walk.c3d"));
  const bvh = await exported(page, "motion.bvh");
  assert.equal(bvh.name, "walk.bvh");
  assertSame(bvh.bytes, at("walk.bvh"), "BVH");
  const filled = await exported(page, "solved.c3d");
  assert.equal(filled.name, "walk-solved.c3d");
  assert.ok(filled.bytes.equals(readFileSync(at("filled.c3d"))), "filled C3D");
  assert.ok((await exported(page, "capture.trc")).bytes.equals(readFileSync(at("walk.trc"))), "TRC");
});

await test("recognises the person in markers without names, and exports what the command exports", async () => {
  await openFiles(page, at("unnamed.c3d"));
  assert.equal(await sentence(page), null);
  const text = await page.locator("#data").innerText();
  assert.match(text, /names recognised/);
  assert.ok(text.includes(JSON.parse(run("solve", at("unnamed.c3d"), "--json")).notes.find((note) => /recognised/.test(note.text ?? note)).text), "the command's own words");
  assertSame((await exported(page, "motion.bvh")).bytes, at("unnamed.bvh"), "BVH");
  assert.ok((await exported(page, "solved.c3d")).bytes.equals(readFileSync(at("unnamed-filled.c3d"))), "filled C3D");
});

await test("two actors: both are solved, chosen and exported as the command does", async () => {
  await openFiles(page, at("pair.csv"));
  assert.equal(await sentence(page), null);
  const bodies = await page.evaluate(() => sinewPage.document.bodies.get().map((body) => body.joints.length));
  assert.equal(bodies.length, 2);
  assertSame((await exported(page, "motion.bvh")).bytes, at("pair.bvh"), "first BVH");
  await page.getByRole("button", { name: "Body 2" }).click();
  const second = await exported(page, "motion.bvh");
  assert.equal(second.name, "pair-2.bvh");
  assertSame(second.bytes, at("pair-2.bvh"), "second BVH");
  assertSame((await exported(page, "actor.actor")).bytes, at("pair-2.actor"), "second actor");
  assert.ok((await exported(page, "solved.c3d")).bytes.equals(readFileSync(at("pair-filled.c3d"))), "both in one C3D");
});

await test("a hand of eight markers and trackers of an upper body are solved as the command does", async () => {
  await openFiles(page, at("hand.c3d"));
  assert.equal(await sentence(page), null);
  assert.match(await page.locator("#data").innerText(), /Right hand\. Fingertips lie \d\.\d\d mm/);
  assertSame((await exported(page, "motion.bvh")).bytes, at("hand.bvh"), "hand BVH");
  assertSame((await exported(page, "actor.actor")).bytes, at("hand.actor"), "hand actor");
  assert.ok((await exported(page, "points.c3d")).bytes.equals(readFileSync(at("hand-points.c3d"))), "hand points");
  await openFiles(page, at("session.csv"));
  assert.equal(await sentence(page), null);
  assert.match(await page.locator("#data").innerText(), /Upper body\. Moved by head, chest, left hand, right hand/);
  assertSame((await exported(page, "motion.bvh")).bytes, at("session.bvh"), "upper body BVH");
});

await test("corrects labels, takes them back, and exports the corrected capture", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.locator("#data .row .name", { hasText: /^LKNE$/ }).click();
  await page.getByLabel("Name of the marker").fill("KNEE");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.waitForFunction(() => sinewPage.document.capture.get().markers.some((m) => m.name === "KNEE") && !sinewPage.engine.progress.get());
  run("convert", at("walk.c3d"), at("renamed.c3d"), "--rename", "LKNE=KNEE", "--force");
  assert.ok((await exported(page, "capture.c3d")).bytes.equals(readFileSync(at("renamed.c3d"))), "renamed C3D");
  await page.evaluate(async () => {
    const { document: d } = sinewPage;
    const find = (name) => d.capture.get().markers.findIndex((m) => m.name === name);
    globalThis.whole = d.capture.get().positions.slice();
    d.setBodies([]); // the body is not what is looked at: no solve for each correction
    await d.edit({ kind: "swap", marker: find("LANK"), other: find("RANK"), first: 50, last: 120 });
    await d.edit({ kind: "split", marker: find("RTOE"), frame: 100, name: "RTOE_2" });
    await d.edit({ kind: "join", marker: find("RTOE"), other: find("RTOE_2") });
    await d.edit({ kind: "delete", marker: find("LTOE"), first: 0, last: 1e9 });
  });
  assert.equal((await state()).markers, 40);
  for (let n = 0; n < 4; n++) await page.evaluate(() => sinewPage.document.undo());
  assert.ok(await page.evaluate(() => sinewPage.document.capture.get().positions.every((v, n) => Object.is(v, globalThis.whole[n]))), "undo brings every sample back");
  await page.keyboard.press("Escape");
  await page.locator(".bench .fix button").click();
  await page.waitForFunction(() => !sinewPage.document.edits.get().length && !sinewPage.engine.progress.get());
  assert.ok((await exported(page, "capture.c3d")).bytes.equals(readFileSync(at("walk.c3d"))), "undone C3D");
});

await test("a renamed marker and its undo leave the followed body where it was seen", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.evaluate(() => { sinewPage.settings.set({ follow: true }); sinewPage.clock.isPlaying.set(false); sinewPage.clock.seek(60); });
  const seen = () => page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { stage } = sinewPage.viewport;
    const p = stage.controls.target.clone().fromArray(sinewPage.document.body.get().world, 7 * 60 * sinewPage.document.body.get().joints.length);
    return stage.lab.localToWorld(p).project(stage.camera).toArray().slice(0, 2);
  });
  const before = await seen();
  await page.evaluate(async () => { await sinewPage.document.edit({ kind: "rename", marker: 3, name: "other" }); await sinewPage.document.undo(); });
  const after = await seen();
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 0.02, `${before} became ${after}`);
});

await test("the right button offers what can be done with a marker where it is; after a menu the space bar plays", async () => {
  const at = await page.evaluate(() => {
    const { document: d, viewport, clock } = sinewPage;
    clock.isPlaying.set(false);
    const count = d.capture.get().markers.length;
    const { left, top, width, height } = viewport.stage.canvas.getBoundingClientRect();
    const p = viewport.stage.controls.target.clone().fromArray(d.capture.get().positions, 3 * (clock.frame.get() * count + 3));
    viewport.stage.lab.localToWorld(p).project(viewport.stage.camera);
    return [left + (0.5 + 0.5 * p.x) * width, top + (0.5 - 0.5 * p.y) * height];
  });
  await page.mouse.click(...at, { button: "right" });
  const menu = await page.locator(".menu").boundingBox();
  assert.ok(Math.abs(menu.x - at[0]) < 300 && Math.abs(menu.y - at[1]) < 300, JSON.stringify([menu, at]));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "What is drawn" }).click();
  await page.keyboard.press("Escape");
  const wasPlaying = await page.evaluate(() => sinewPage.clock.isPlaying.get());
  await page.keyboard.press(" ");
  assert.equal(await page.locator(".menu").count(), 0);
  assert.equal(await page.evaluate(() => sinewPage.clock.isPlaying.get()), !wasPlaying);
  await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.selection.clear(); });
});

await test("exports with names, floor, held feet and a rate as the command does", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.getByRole("button", { name: "Export" }).click();
  await page.locator("#rig-names").selectOption("mixamo");
  await page.locator("#rig-floor").check();
  await page.locator("#rig-lock").check();
  await page.locator("#rig-equal").check();
  await page.locator("#rig-rate").selectOption("30");
  await page.keyboard.press("Escape");
  run("solve", at("walk.c3d"), "-o", at("rig.bvh"), "--names", "mixamo", "--floor", "--foot-lock", "--symmetric", "--rate", "30", "--force");
  const { bytes } = await exported(page, "motion.bvh");
  assert.match(bytes.toString(), /mixamorig:LeftUpLeg[^]*Frame Time: 0\.0333/);
  assertSame(bytes, at("rig.bvh"), "rigged BVH");
  await page.evaluate(() => { sinewPage.document.rig = { names: "keep", isOnFloor: false, hasFootLock: false, isSymmetric: false, rate: 0 }; });
});

await test("two solves are compared: over each other, beside, their differences as graphs, and a blind vote", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.seek(60); globalThis.first = sinewPage.document.body.get(); });
  await page.getByRole("button", { name: "Solve" }).click();
  await page.locator(".menu button", { hasText: "Keep to compare" }).click();
  assert.match(await page.locator(".compare").innerText(), /walk\.c3d, auto, kept/);
  await page.evaluate(async () => {
    sinewPage.document.solveOptions.set({ ...sinewPage.document.solveOptions.get(), method: "mvm" });
    await sinewPage.document.solve();
    sinewPage.document.solveOptions.set({ ...sinewPage.document.solveOptions.get(), method: "auto" });
    sinewPage.graphs.choose("difference");
  });
  // What is told is what the two bodies say, counted here anew.
  const [told, mean, most] = await page.evaluate(() => {
    const [a, b] = [globalThis.first, sinewPage.document.body.get()];
    const far = [];
    b.joints.forEach(({ name }, j) => {
      const i = a.joints.findIndex((joint) => joint.name === name);
      for (let f = 0; i >= 0 && f < b.frameCount; f++) far.push(Math.hypot(...[0, 1, 2].map((k) => a.world[7 * (f * a.joints.length + i) + k] - b.world[7 * (f * b.joints.length + j) + k])));
    });
    return [document.querySelector(".compare p").textContent, far.reduce((s, v) => s + v, 0) / far.length, Math.max(...far)];
  });
  const numbers = told.match(/by (\d+\.\d) mm on average, by (\d+) mm/).slice(1).map(Number);
  assert.ok(Math.abs(numbers[0] - 1000 * mean) < 0.06 && Math.abs(numbers[1] - 1000 * most) <= 1, `${told} / ${mean} ${most}`);
  await page.waitForFunction(() => sinewPage.graphs.plots[0]?.plot.title === "All joints" && !sinewPage.graphs.queue.length);
  const peak = await page.evaluate(() => Math.max(...sinewPage.graphs.plots[0].plot.curves[1].values));
  assert.ok(Math.abs(peak - 1000 * most) < 1e-3, `${peak} / ${most}`);
  const places = () => page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [sinewPage.viewport.bones, sinewPage.viewport.kept].map(({ group }) => ({ at: group.position.toArray(), isSeen: group.visible }));
  });
  assert.deepEqual((await places()).map(({ at, isSeen }) => [Math.hypot(...at), isSeen]), [[0, true], [0, true]]);
  await page.locator(".compare").getByRole("button", { name: "Beside" }).click();
  assert.ok(Math.hypot(...(await places())[1].at) > 0.5);
  // Blind: who is on which side changes from round to round, and nothing names them.
  await page.locator(".compare").getByRole("button", { name: "Blind test" }).click();
  assert.doesNotMatch(await page.locator(".compare").innerText(), /walk/);
  assert.ok(!(await page.evaluate(() => sinewPage.viewport.markers.object.visible)) || (await places(), !(await page.evaluate(() => sinewPage.viewport.markers.object.visible))));
  await page.evaluate(() => { let n = 0; sinewPage.comparison.random = () => [0.9, 0.1, 0.9][n++ % 3]; sinewPage.comparison.nextRound(); });
  for (const name of ["The left one", "The left one", "Cannot tell"]) await page.locator(".compare").getByRole("button", { name }).click();
  await page.locator(".tally summary").click();
  const [csv] = await Promise.all([page.waitForEvent("download"), page.locator(".tally button").click()]);
  const rows = readFileSync(await csv.path(), "utf8").trim().split("\n").map((row) => row.split(",").slice(0, -1).join());
  assert.deepEqual(rows, ["round,left,right,vote,taken_for_real", '1,"walk.c3d, auto","walk.c3d",left,"walk.c3d, auto"', '2,"walk.c3d","walk.c3d, auto",left,"walk.c3d"', '3,"walk.c3d, auto","walk.c3d",neither,""']);
  await page.getByRole("button", { name: "End the comparison" }).click();
  assert.equal(await page.locator(".compare").count(), 0);
});

await test("fills gaps as the command does", async () => {
  await page.evaluate(() => sinewPage.document.fill("auto"));
  assert.deepEqual(await page.evaluate(() => { const { gapCount, filledCount } = sinewPage.document.filled.get(); return [gapCount, filledCount]; }), [1, 1]);
  run("fill", at("walk.c3d"), "-o", at("fill.c3d"), "--force");
  assert.ok((await exported(page, "filled.c3d")).bytes.equals(readFileSync(at("fill.c3d"))), "filled C3D");
});

await test("solves by another method, and a cancelled solve leaves the page usable", async () => {
  await page.getByRole("button", { name: "Solve" }).click();
  await page.locator("#method").selectOption("mvm");
  await page.evaluate(() => { globalThis.before = sinewPage.document.body.get(); });
  await page.getByRole("button", { name: "Solve again" }).click();
  await page.waitForFunction(() => sinewPage.document.body.get() !== globalThis.before);
  await page.evaluate(() => {
    sinewPage.document.solveOptions.set({ ...sinewPage.document.solveOptions.get(), method: "auto" });
    globalThis.before = sinewPage.document.body.get();
    void sinewPage.document.solve();
    sinewPage.engine.cancel();
  });
  assert.equal(await sentence(page), null);
  assert.ok(await page.evaluate(() => sinewPage.document.body.get() === globalThis.before));
  await page.evaluate(() => sinewPage.document.solve());
  assert.ok(await page.evaluate(() => sinewPage.document.body.get() !== globalThis.before));
});

await test("everything by keyboard", async () => {
  await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.seek(5); document.activeElement.blur(); });
  const frame = async () => (await state()).frame;
  await page.keyboard.press("ArrowRight");
  assert.equal(await frame(), 6);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await frame(), 16);
  await page.keyboard.press("End");
  assert.equal(await frame(), await page.evaluate(() => sinewPage.clock.frameCount.get() - 1));
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  assert.ok(await page.evaluate(() => sinewPage.clock.isPlaying.get()));
  await page.keyboard.press("Space");
  await page.keyboard.press("t");
  assert.ok(await page.evaluate(() => sinewPage.settings.get().trails));
  await page.keyboard.press("n");
  assert.deepEqual(await page.evaluate(() => sinewPage.selection.chosen.get().markers), [0]);
  await page.keyboard.press("t");
  await page.keyboard.press("?");
  assert.ok(await page.locator(".menu kbd").first().isVisible());
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu").count(), 0);
  // Tab reaches the buttons of every pane, in order.
  const reached = new Set();
  await page.evaluate(() => document.body.focus());
  for (let n = 0; n < 45; n++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.closest("header, #data, #motion, #graphs, #timeline")?.id ?? ""));
  }
  assert.ok(["bar", "data", "motion", "graphs", "timeline"].every((id) => reached.has(id)), [...reached].join());
  await page.locator("#data .row .name").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => sinewPage.selection.chosen.get().joint), 1);
  await page.keyboard.press("Escape");
});

await test("what the body weighs and how it moves as a whole is what the command says", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.waitForFunction(() => sinewPage.document.skins.get().size);
  const told = JSON.parse(run("mass", at("walk.c3d"), "--json", "-o", at("momentum.mot"), "--force"));
  const rows = readFileSync(at("momentum.mot"), "utf8").trim().split("\n").slice(-360).map((line) => line.split("\t").map(Number));
  const shown = await page.evaluate(() => {
    const { mass } = sinewPage.document.skins.get().get(sinewPage.document.body.get());
    return { row: [...mass.row], kilograms: [...mass.joint].reduce((sum, own) => sum + own, 0) };
  });
  assert.equal(shown.row.length, 10 * rows.length);
  // The page's triangles are larger: a hundredth of the mass, some millimetres.
  assert.ok(Math.abs(shown.kilograms / told.mass - 1) < 0.02, `${shown.kilograms} kg, ${told.mass} kg`);
  for (const frame of [0, 100, 359]) for (let k = 0; k < 3; k++) assert.ok(Math.abs(shown.row[10 * frame + k] - rows[frame][1 + k]) < 0.005, `frame ${frame}`);
  await page.keyboard.press("w");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(await page.evaluate(() => sinewPage.viewport.massPath.group.visible));
  await page.keyboard.press("w");
  await page.locator('select[aria-label="What is drawn"]').selectOption("mass");
  await page.waitForFunction(() => [...document.querySelectorAll(".plot h3")].some((head) => /Angular momentum/.test(head.textContent)));
  assert.match(await page.locator("#data").innerText(), /Mass: \d+\.\d kg, by the surface/);
});

await test("Taylor terms: the expansion is the command's, sliders change its terms", async () => {
  await openFiles(page, at("walk.c3d"));
  await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.window.set({ first: 60, last: 180 }); });
  await page.locator('select[aria-label="What is drawn"]').selectOption("taylor");
  await page.locator(".terms input").nth(5).waitFor();
  await page.waitForFunction(() => /0\.50 to 1\.50 s/.test(document.querySelector(".taylor .hint").textContent));
  const shown = await page.evaluate(() => {
    const { table, terms, factor } = sinewPage.graphs.taylor;
    const length = table.values.length / table.name.length;
    return { values: [...table.values.slice(60, 181)], terms, factor, length };
  });
  // Least squares over the same samples, solved here: the residual is perpendicular to every power.
  const { center, coefficient, error } = shown.terms;
  const rest = shown.values.map((value, n) => value - coefficient.reduce((sum, c, k) => sum + c * (0.5 + n / 120 - center) ** k, 0)).map((r) => r || 0); // where the angle is not known nothing is fitted
  assert.ok(Math.abs(Math.max(...rest.map(Math.abs)) - error) < 1e-6 * Math.max(1, error), `${error}`);
  for (let k = 0; k < 6; k++) assert.ok(Math.abs(rest.reduce((sum, r, n) => sum + r * (n / 60 - 1) ** k, 0)) < 1e-3, `power ${k}`);
  await page.waitForFunction(() => sinewPage.graphs.plots.length === 1);
  await page.locator(".terms input").nth(0).fill("0");
  const [motion, summed] = await page.evaluate(() => sinewPage.graphs.plots[0].plot.curves.map((curve) => curve.values[0]));
  assert.ok(Math.abs(motion - shown.values[0]) < 1e-6 && Math.abs(summed - (motion - rest[0] - coefficient[0])) < 1e-6, "without its first term");
  await page.evaluate(() => sinewPage.clock.window.set(null));
});

await test("graphs: kinds, hover moves the body, drag chooses a part", async () => {
  await page.waitForFunction(() => sinewPage.document.skins.get().size);
  await page.locator("#graphs option[value=mass]").waitFor({ state: "attached" });
  const kinds = await page.locator("#graphs select[aria-label='What is drawn'] option").evaluateAll((options) => options.map((o) => o.value));
  assert.deepEqual(kinds, ["Plug-in-Gait", "functional", "joint coordinates", "markers", "speed", "residual", "lengths", "mass", "taylor"]);
  for (const kind of kinds) {
    await page.locator("#graphs select[aria-label='What is drawn']").selectOption(kind);
    await page.waitForFunction(() => document.querySelectorAll(".plot").length > 0);
  }
  await page.locator("#graphs select[aria-label='What is drawn']").selectOption("functional");
  // Graphs are drawn one after the other, and anew while their pane settles: one that stands still is looked at.
  const boxed = () => page.evaluate(() => { const { x, y, width } = document.querySelector(".u-over")?.getBoundingClientRect() ?? { x: 0, y: 0, width: 0 }; return sinewPage.graphs.queue.length ? { x, y, width: 0 } : { x, y, width }; });
  let over = await boxed();
  for (let tries = 0, before = null; tries < 100 && !(over.width > 0 && JSON.stringify(over) === JSON.stringify(before)); tries++) {
    before = over;
    await page.waitForTimeout(100);
    over = await boxed();
  }
  await page.mouse.move(over.x + 0.4 * over.width, over.y + 20);
  const hovered = (await state()).frame;
  const want = 0.4 * (await page.evaluate(() => sinewPage.clock.frameCount.get()));
  assert.ok(Math.abs(hovered - want) < 0.05 * want, `${hovered}, not ${want}`);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.7 * over.width, over.y + 20, { steps: 4 });
  await page.mouse.up();
  const part = await page.evaluate(() => sinewPage.clock.window.get());
  assert.ok(part && part.last > part.first + 20, JSON.stringify(part));
  await page.evaluate(() => sinewPage.clock.window.set(null));
});

/** What a click on a line of a menu saves. */
async function saved(menu, line, options) {
  await page.getByRole("button", { name: menu }).click();
  const [download] = await Promise.all([page.waitForEvent("download", options), page.locator(".menu button", { hasText: line }).first().click()]);
  return readFileSync(await download.path());
}

await test("cycles between events are laid over each other: their mean is that of the command", async () => {
  await openFiles(page, at("events.c3d"));
  await page.locator("#graphs select[aria-label='What is drawn']").selectOption("Plug-in-Gait");
  await page.getByRole("button", { name: /Cycle view/ }).click();
  await page.waitForFunction(() => sinewPage.graphs.plots.length > 6 && !sinewPage.graphs.queue.length && sinewPage.graphs.plots.every(({ plot }) => plot.isCyclic));
  const shown = await page.evaluate(() => sinewPage.graphs.plots.map(({ plot }) => ({ title: plot.title, curves: plot.curves.map(({ name, values }) => ({ name: name.trim(), values })) })));
  const csv = (await saved("Save these graphs", "As CSV")).toString();
  await page.getByRole("button", { name: /Cycle view/ }).click();
  assert.match(csv, /^"percent",/);
  // The page lays every stride over the others, the command gives their mean: of the left side, at every percent.
  const [head, ...rows] = readFileSync(at("cycles.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  for (const title of ["hip flexion", "knee flexion", "ankle flexion"]) {
    const { curves } = shown.find((plot) => plot.title === title);
    const strides = curves.slice(0, curves.findIndex(({ name }) => /^right, \d+ cycles$/.test(name)));
    assert.ok(strides.length > 2, `${strides.length} strides`);
    const column = head.indexOf(`left_${title.replace(" ", "_")}_mean`);
    rows.forEach((row, percent) => {
      const mean = strides.reduce((sum, { values }) => sum + values[percent], 0) / strides.length;
      assert.ok(Math.abs(mean - Number(row[column])) < 0.15, `${title} at ${percent} %: ${mean}, command ${row[column]}`);
    });
  }
});

await test("graphs are saved as they are seen: the numbers, and a picture that is well-formed", async () => {
  await page.locator("#graphs select[aria-label='What is drawn']").selectOption("joint coordinates");
  await page.evaluate(() => sinewPage.clock.window.set({ first: 30, last: 59 }));
  await page.waitForFunction(() => sinewPage.graphs.plots.length > 3 && !sinewPage.graphs.queue.length);
  const csv = (await saved("Save these graphs", "As CSV")).toString().trim().split("\n");
  assert.equal(csv.length, 31, "a head and the thirty frames of the part");
  const { name, value } = await page.evaluate(() => {
    const [{ plot }] = sinewPage.graphs.plots;
    return { name: plot.curves[0].name, value: plot.curves[0].values[30] };
  });
  assert.ok(csv[0].includes(name), csv[0].slice(0, 200));
  assert.ok(Math.abs(parseFloat(csv[1].split(",")[1]) - value) < 1e-6, `${csv[1].slice(0, 60)} / ${value}`);
  const svg = (await saved("Save these graphs", "As SVG")).toString();
  const complaint = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? null, svg);
  assert.equal(complaint, null);
  assert.equal(svg.includes("NaN") || svg.includes("Infinity"), false, "every number is one");
  await page.evaluate(() => sinewPage.clock.window.set(null));
});

await test("pictures with and without background", async () => {
  const png = await saved("Picture or film", "Picture");
  const clear = await saved("Picture or film", "Transparent picture");
  const corner = (bytes) => page.evaluate(async (text) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return [...context.getImageData(1, 1, 1, 1).data];
  }, bytes.toString("base64"));
  assert.equal((await corner(png))[3], 255);
  assert.equal((await corner(clear))[3], 0);
});

/** Elements of EBML from `from` to `to`: [identifier, start of the content, its end]. */
function elements(bytes, from, to) {
  const found = [];
  while (from < to) {
    const idLength = Math.clz32(bytes[from]) - 23;
    const id = bytes.readUIntBE(from, idLength);
    const sizeLength = Math.clz32(bytes[from + idLength]) - 23;
    const size = Number(BigInt("0x" + bytes.subarray(from + idLength, from + idLength + sizeLength).toString("hex")) & ((1n << BigInt(7 * sizeLength)) - 1n));
    const start = from + idLength + sizeLength;
    found.push([id, start, start + size]);
    from = start + size;
  }
  assert.equal(from, to, "elements fill what holds them");
  return found;
}

await test("a film has every picture of what is played, can be cancelled, and comes as pictures too", async () => {
  const before = await page.evaluate(() => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.seek(7); sinewPage.clock.window.set({ first: 0, last: 59 }); return sinewPage.clock.rate; });
  assert.equal(before, 120);
  const film = await saved("Picture or film", "Film");
  const [[ebml], [segment, start, end]] = elements(film, 0, film.length);
  assert.deepEqual([ebml, segment], [0x1a45dfa3, 0x18538067]);
  const inside = elements(film, start, end);
  const pictures = inside.filter(([id]) => id === 0x1f43b675).flatMap(([, from, to]) => {
    const [[, timeAt, timeEnd], ...blocks] = elements(film, from, to);
    const time = Number(film.readBigUInt64BE(timeEnd - 8));
    assert.ok(timeEnd > timeAt && blocks.every(([id]) => id === 0xa3));
    return blocks.map(([, at]) => ({ time: time + film.readInt16BE(at + 1), isKey: film[at + 3] === 0x80 }));
  });
  assert.equal(pictures.length, 15, "half a second, thirty pictures a second");
  assert.ok(pictures[0].isKey && pictures.every(({ time }, n) => Math.abs(time - (n * 1000) / 30) <= 1), JSON.stringify(pictures));
  // Chromium plays it, and its last picture is another one than its first.
  const [width, height, seconds, change] = await page.evaluate(async (text) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    const at = (time) => new Promise((resolve, reject) => {
      video.onerror = () => reject(new Error("the film cannot be played"));
      video.onseeked = () => {
        const context = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext("2d");
        context.drawImage(video, 0, 0);
        resolve(context.getImageData(0, 0, video.videoWidth, video.videoHeight).data);
      };
      video.currentTime = time;
    });
    const first = await at(0.01);
    const last = await at(video.duration - 0.01);
    return [video.videoWidth, video.videoHeight, video.duration, first.reduce((sum, v, n) => sum + (Math.abs(v - last[n]) > 40), 0)];
  }, film.toString("base64"));
  const canvas = await page.evaluate(() => [sinewPage.viewport.stage.canvas.width & ~1, sinewPage.viewport.stage.canvas.height & ~1]);
  assert.deepEqual([width, height], canvas);
  assert.ok(Math.abs(seconds - 0.5) < 0.01 && change > 50, `${seconds} s, ${change} elements changed`);
  assert.equal((await state()).frame, 7, "the clock is where it was");
  // Pictures: an archive that unzip takes, of PNGs.
  await page.evaluate(() => sinewPage.clock.window.set({ first: 0, last: 11 }));
  writeFileSync(at("film.zip"), await saved("Picture or film", "Pictures"));
  const listed = execFileSync("python3", ["-c", "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()), all(z.read(n)[:4]==b'\\x89PNG' for n in z.namelist()))", at("film.zip")], { encoding: "utf8" });
  assert.equal(listed.trim(), "3 True");
  // Cancelled: nothing is saved, and the page goes on.
  await page.evaluate(() => sinewPage.clock.window.set(null));
  await page.getByRole("button", { name: "Picture or film" }).click();
  await page.locator(".menu button", { hasText: "Film" }).click();
  await page.locator(".toast button", { hasText: "Cancel" }).click();
  await page.waitForFunction(() => !sinewPage.film.progress.get());
  assert.equal(await sentence(page), null);
});

await test("a link shows the same view", async () => {
  await page.evaluate(() => { sinewPage.selection.clear(); sinewPage.clock.seek(33); dispatchEvent(new Event("sinew-address")); });
  const there = await aside(`${brief}&example=walk&frame=77&markers=RKNE&show=mb&theme=dark&graph=residual`);
  await solved(there);
  await there.waitForFunction(() => sinewPage.clock.frame.get() === 77);
  const seen = await there.evaluate(() => ({ name: sinewPage.document.name, chosen: sinewPage.selection.chosen.get().markers.map((m) => sinewPage.document.capture.get().markers[m].name), floor: sinewPage.settings.get().floor, theme: document.documentElement.dataset.theme }));
  assert.deepEqual(seen, { name: "walk", chosen: ["RKNE"], floor: false, theme: "dark" });
  there.noComplaints();
  await there.context().close();
});

await test("the playground: drag an effector, read where it came", async () => {
  await reach("chain10");
  const from = await page.evaluate(() => {
    const lane = sinewPage.play.lanes[0];
    lane.stage.camera.updateMatrixWorld();
    const v = lane.stage.camera.position.clone().fromArray(sinewPage.play.targets[0].position).project(lane.stage.camera);
    const box = lane.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * v.x) * box.width, box.top + (0.5 - 0.5 * v.y) * box.height];
  });
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] - 120, from[1] - 90, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => !sinewPage.play.isBusy);
  const { target, tip, outcome } = await page.evaluate(() => ({ target: sinewPage.play.targets[0].position, tip: [...sinewPage.play.answers[0].world.slice(63, 66)], outcome: sinewPage.play.answers[0].outcome }));
  assert.equal(outcome, "reached");
  assert.ok(Math.abs(target[0] - 0.9) > 0.05, "the target moved");
  assert.ok(Math.hypot(...target.map((v, k) => v - tip[k])) < 1e-3, `${target} / ${tip}`);
});

await test("the playground: every method answers or says why not; two side by side", async () => {
  await reach("chain10");
  const names = await page.locator("#play-method option").evaluateAll((options) => options.map((o) => o.value));
  assert.equal(names.length, 27);
  for (const name of names) {
    await page.locator("#play-method").selectOption(name);
    await page.waitForFunction((solver) => sinewPage.play.answers[0]?.solver === solver && !sinewPage.play.isBusy, name);
    const { outcome, refusal } = await page.evaluate(() => sinewPage.play.answers[0]);
    assert.ok(refusal ? refusal.length > 15 : ["reached", "stalled", "out of iterations", "unreachable"].includes(outcome), `${name}: ${outcome} ${refusal}`);
  }
  await page.locator("#play-method").selectOption("fabrik");
  await page.locator("#play-beside").selectOption("dls");
  await page.waitForFunction(() => sinewPage.play.answers.length === 2 && !sinewPage.play.isBusy);
  assert.equal(await page.locator("#play .stage").count(), 2);
  await page.locator("#play-beside").selectOption("nothing");
  await page.waitForFunction(() => sinewPage.play.answers.length === 1 && !sinewPage.play.isBusy);
});

await test("FABRIK's sweeps as drawn are the library's iteration", async () => {
  await reach("chain10");
  await page.locator("#play-method").selectOption("fabrik");
  await page.getByRole("button", { name: "Start again" }).click();
  await page.waitForFunction(() => !sinewPage.play.isBusy && sinewPage.play.answers[0]?.solver === "fabrik");
  await page.getByLabel("One iteration at a time").check();
  await page.evaluate(() => sinewPage.play.moveTarget(0, [0.4, 0.45, 0.1]));
  const drawn = await page.evaluate(() => {
    const [, outwards] = sinewPage.play.lanes[0].extras.map((line) => [...line.geometry.getAttribute("position").array]);
    return outwards;
  });
  await page.getByRole("button", { name: "Take one iteration" }).click();
  await page.waitForFunction(() => !sinewPage.play.isBusy && sinewPage.play.answers[0].iterations === 1);
  const taken = await page.evaluate(() => Array.from({ length: 10 }, (_, j) => [...sinewPage.play.answers[0].world.slice(7 * j, 7 * j + 3)]).flat());
  const worst = drawn.reduce((most, v, n) => Math.max(most, Math.abs(v - taken[n])), 0);
  assert.ok(worst < 1e-5, `${worst} m`); // both are floats of half a metre by then
  await page.getByLabel("One iteration at a time").uncheck();
});

await test("limits, floor, pole, loop and the circle can be switched; the open body reaches", async () => {
  await reach("humanoid");
  await page.locator("#play-method").selectOption("auto");
  await page.waitForFunction(() => sinewPage.play.answers[0].solver === "auto" && !sinewPage.play.isBusy);
  await page.evaluate(() => sinewPage.play.moveTarget(0, [0.3, 0.5, 0.35]));
  for (const label of ["Poles for elbows and knees", "The circle of two spheres", "Show limits, drag their rims", "Nothing below the floor", "The whole body may move"]) {
    await page.getByLabel(label).check();
    await page.waitForFunction(() => !sinewPage.play.isBusy);
    await page.waitForTimeout(100);
    assert.ok(await page.evaluate(() => sinewPage.play.answers[0].refusal === null), label);
  }
  const circle = await page.evaluate(() => sinewPage.play.lanes[0].extras.length);
  assert.equal(circle, 3, "two spheres and the circle in which they meet");
  // The elbow lies on that circle.
  const off = await page.evaluate(() => {
    const { world, extras } = sinewPage.play.lanes[0];
    const joints = sinewPage.play.body.joints;
    const ring = extras[2];
    const elbow = ring.position.clone().fromArray(world, 7 * joints.findIndex((j) => j.name === "left_elbow"));
    return Math.abs(elbow.distanceTo(ring.position) - ring.geometry.parameters.outerRadius / 1.015);
  });
  assert.ok(off < 1e-4, `${off} m off the circle`);
  for (const label of ["Poles for elbows and knees", "Nothing below the floor", "The whole body may move", "The circle of two spheres"]) await page.getByLabel(label).uncheck();
  await page.getByLabel("Hands hold together").check();
  await page.waitForFunction(() => !sinewPage.play.isBusy);
  await page.locator("#play-body").selectOption("the open body");
  await page.waitForFunction(() => sinewPage.play.body.joints.some((j) => j.name === "LeftForeArm") && !sinewPage.play.isBusy);
});

await test("a walk is led up stairs", async () => {
  await reach("humanoid");
  await page.getByLabel("Up stairs").check();
  await page.waitForFunction(() => sinewPage.play.climb);
  const { climbed, gone, moves } = await page.evaluate(async () => {
    const { climb: { world, frameCount, along }, lanes: [lane] } = sinewPage.play;
    const size = world.length / frameCount, last = size * (frameCount - 1);
    const first = lane.world[1];
    await new Promise((done) => setTimeout(done, 700));
    return { climbed: world[last + 1] - world[1], gone: (world[last] - world[0]) * along[0] + (world[last + 2] - world[2]) * along[2], moves: lane.world[1] !== first };
  });
  // A step of 0.15 every 0.3: half as high as far, to a step.
  assert.ok(gone > 3 && Math.abs(climbed - gone / 2) < 0.3, `${climbed} m up on ${gone} m`);
  assert.ok(moves);
  await page.getByLabel("Up stairs").uncheck();
  await page.waitForFunction(() => !sinewPage.play.climb && !sinewPage.play.isBusy);
  assert.equal(await page.locator("#play .note").first().innerText(), "");
});

await test("a thousand bodies reach at once; what a target's joint reaches is shown", async () => {
  await reach("arm7");
  const note = page.locator("#play .note").first();
  await page.getByLabel("A thousand of them").check();
  await page.waitForFunction(() => sinewPage.play.crowdAnswer);
  const { size, count, reached, path, apart } = await page.evaluate(() => {
    const { crowdAnswer: { outcome, reached, path, position, pointCount }, body } = sinewPage.play;
    const first = [...position.slice(0, 3)], last = [...position.slice(3 * pointCount * (outcome.length - 1)).slice(0, 3)];
    return { size: body.size, count: outcome.length, reached, path, apart: Math.hypot(...first.map((v, k) => v - last[k])) };
  });
  assert.equal(count, 1000);
  assert.ok(reached > 900, `${reached} of 1000 reached`);
  assert.notEqual(path, "one by one");
  assert.ok(apart > 15 * size, `the first and the last stand ${apart / size} bodies apart`);
  assert.match(await note.innerText(), /^1000 bodies in [\d.]+ ms, \d+ reached \(eight at a time\)$/);
  // The crowd follows what is dragged: a target that nobody reaches leaves all of them short.
  const home = await page.evaluate(() => sinewPage.play.targets[0].position);
  await page.evaluate(([x, y, z]) => sinewPage.play.moveTarget(0, [x + 50, y, z]), home);
  await page.waitForFunction(() => sinewPage.play.crowdAnswer.reached === 0);
  await page.evaluate((place) => sinewPage.play.moveTarget(0, place), home);
  await page.getByLabel("A thousand of them").uncheck();
  await page.waitForFunction(() => !sinewPage.play.crowdAnswer);
  assert.equal(await note.innerText(), "");
  await page.getByLabel("What the chosen target reaches").check();
  await page.waitForFunction(() => sinewPage.play.mapAnswer);
  const map = await page.evaluate(() => {
    const { mapAnswer: { share, volume, cell }, body } = sinewPage.play;
    return { reached: share.filter((s) => s > 0).length, whole: share.filter((s) => s === 1).length, outside: share.filter((s) => s < 0 || s > 1).length, volume, cell, size: body.size };
  });
  assert.ok(map.reached > 20 && map.whole < map.reached && map.outside === 0, JSON.stringify(map));
  assert.ok(map.volume > 0 && map.volume <= map.reached * map.cell ** 3 * (1 + 1e-9), JSON.stringify(map));
  assert.match(await note.innerText(), /reaches [\d.]+ m³/);
  await page.getByLabel("What the chosen target reaches").uncheck();
});

await test("the rim of a limit is dragged, and the body keeps to it", async () => {
  await reach("humanoid");
  await page.getByLabel("Show limits, drag their rims").check();
  const [joint, ...place] = await page.evaluate(() => {
    const { lanes: [lane], body } = sinewPage.play;
    const found = body.joints.findIndex((j) => j.name === "left_shoulder");
    const rect = lane.canvas.getBoundingClientRect();
    const [x, y] = lane.screen(lane.stage.camera.position.clone().fromArray(lane.world, 7 * found), rect);
    return [found, rect.left + x, rect.top + y];
  });
  await page.mouse.click(...place);
  await page.waitForFunction(() => sinewPage.play.lanes[0].knobs.some(({ knob }) => knob.kind === "cone"));
  const rim = () => page.evaluate(() => {
    const lane = sinewPage.play.lanes[0];
    const { knob } = lane.knobs.find(({ knob: k }) => k.kind === "cone" && k.index === 0);
    const rect = lane.canvas.getBoundingClientRect();
    const [x, y] = lane.screen(knob.position, rect);
    return [rect.left + x, rect.top + y];
  });
  const before = await page.evaluate((j) => [...sinewPage.play.body.joints[j].limits.cone], joint);
  const from = await rim();
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] + 25, from[1] + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => !sinewPage.play.isBusy);
  const after = await page.evaluate((j) => [...sinewPage.play.body.joints[j].limits.cone], joint);
  assert.ok(Math.abs(after[0] - before[0]) > 0.02, `${before} / ${after}`);
  assert.deepEqual(after.slice(1), before.slice(1), "the other three stay");
  await page.getByLabel("Show limits, drag their rims").uncheck();
});

await test("what is copied runs: command, C and Python give what the page shows", async () => {
  await reach("humanoid");
  await page.evaluate(() => sinewPage.play.moveTarget(0, [0.4, 0.3, 0.4]));
  await page.waitForFunction(() => !sinewPage.play.isBusy);
  const text = {};
  for (const language of ["Command", "C", "Python", "JavaScript"]) {
    await page.getByLabel("Language").selectOption(language);
    text[language] = await page.getByLabel("Program").innerText();
  }
  const shell = spawnSync("bash", ["-c", `${text.Command} --json`], { encoding: "utf8", env: { ...process.env, PATH: `${sinew.replace(/\/[^/]*$/, "")}:${process.env.PATH}` } });
  assert.equal(JSON.parse(shell.stdout).answers[0].outcome, "reached", shell.stderr);
  const python = spawnSync("python3", ["-c", text.Python], { encoding: "utf8", env: { ...process.env, PATH: `${sinew.replace(/\/[^/]*$/, "")}:${process.env.PATH}` } });
  assert.equal(JSON.parse(python.stdout).answers[0].outcome, "reached", python.stderr);
  writeFileSync(at("reach.c"), text.C);
  const build = sinew.replace(/\/[^/]*$/, "");
  execFileSync("gcc", ["-std=c17", "-Wall", "-Werror", "-I", join(source, "include"), at("reach.c"), join(build, "libsinew.a"), "-lm", "-pthread", "-o", at("reach")]);
  assert.match(execFileSync(at("reach"), { encoding: "utf8" }), /^reached/);
  writeFileSync(at("reach.mjs"), text.JavaScript.replace('"sinew/ik"', JSON.stringify(pathToFileURL(join(source, "build/npm/ik/index.js")).href)));
  assert.match(execFileSync(process.execPath, [at("reach.mjs")], { encoding: "utf8" }), /outcome: 0/);
  await page.getByRole("button", { name: "Motion" }).click();
});

await test("accessible: light, dark, phone, playground (axe-core)", async () => {
  const axe = readFileSync(join(source, "node_modules/axe-core/axe.min.js"), "utf8");
  const audit = async (which, words) => {
    await which.evaluate(axe);
    // Colours are measured when nothing fades any more.
    await which.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))));
    await which.waitForTimeout(200);
    const found = await which.evaluate(() => axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
    assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 90)).slice(0, 3).join(" | ")}`), [], words);
  };
  await page.getByRole("button", { name: "Motion" }).click();
  await page.evaluate(() => sinewPage.clock.isPlaying.set(false));
  await audit(page, "light");
  await page.getByRole("button", { name: "Light or dark" }).click();
  await page.waitForTimeout(150);
  await audit(page, "dark");
  await page.getByRole("button", { name: "Reach" }).click();
  await page.waitForFunction(() => !sinewPage.play.isBusy);
  await audit(page, "playground");
  await page.getByRole("button", { name: "Motion" }).click();
  await page.getByRole("button", { name: "Export" }).click();
  await audit(page, "a menu");
  await page.keyboard.press("Escape");
});

await test("on a phone one pane at a time, nothing wider than the screen", async () => {
  const phone = await aside(`${brief}&frame=40`, { width: 390, height: 760, touch: true });
  await solved(phone);
  for (const pane of ["Data", "Graphs", "Motion"]) {
    await phone.locator("#tabs button", { hasText: pane }).click();
    const seen = await phone.evaluate(() => ["data", "motion", "graphs"].filter((id) => getComputedStyle(document.getElementById(id)).visibility === "visible"));
    assert.deepEqual(seen, [pane.toLowerCase()]);
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  const cut = await phone.locator("#bar button:visible").evaluateAll((buttons) => buttons.filter((b) => b.getBoundingClientRect().right > innerWidth).map((b) => b.textContent));
  assert.deepEqual(cut, [], "buttons beyond the edge");
  const small = await phone.locator("#timeline button:visible, #tabs button:visible").evaluateAll((buttons) => buttons.map((b) => b.getBoundingClientRect()).filter((r) => r.width < 32 || r.height < 32).length);
  assert.equal(small, 0, "buttons large enough for a finger");
  phone.noComplaints();
  await phone.context().close();
});

await test("on a wall screen everything is there, and larger", async () => {
  const wall = await aside(`${brief}&frame=40`, { width: 3840, height: 2160 });
  await solved(wall);
  await wall.waitForFunction(() => document.querySelectorAll(".plot").length > 1);
  const seen = await wall.evaluate(() => {
    const box = (id) => document.getElementById(id).getBoundingClientRect();
    return { motion: box("motion").width, right: box("graphs").right, plots: document.querySelectorAll(".plot").length, text: parseFloat(getComputedStyle(document.querySelector("#data")).fontSize), scroll: document.documentElement.scrollWidth };
  });
  assert.ok(seen.motion > 1800 && seen.right <= 3840 && seen.scroll <= 3840 && seen.plots > 1 && seen.text >= 16, JSON.stringify(seen));
  await wall.screenshot({ path: at("wall.png") });
  wall.noComplaints();
  await wall.context().close();
});

await test("served by the command: opens the named files, quits with the page", async () => {
  const server = spawn(sinew, ["view", "--no-open", "--quit", at("walk.c3d"), at("walk-motion.bvh")], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const where = await new Promise((resolve) => server.stdout.once("data", (text) => resolve(String(text).trim())));
  const served = await openPage(browser, where);
  await solved(served);
  assert.equal(await served.evaluate(() => sinewPage.document.name), "walk.c3d");
  assert.equal(await served.locator(".shelf .row").count(), 2);
  served.noComplaints();
  await served.context().close();
  assert.equal(await ended, 0);
});

await test("a page with its file inside opens it, from disk, without a server", async () => {
  run("view", "--export", at("one.html"), at("walk.c3d"), "--force");
  const one = await openPage(browser, pathToFileURL(at("one.html")).href);
  await solved(one);
  assert.deepEqual(await one.evaluate(() => [sinewPage.document.name, sinewPage.document.capture.get().markers.length]), ["walk.c3d", 41]);
  one.noComplaints();
  await one.context().close();
});

await test("a damaged page says so", async () => {
  const whole = readFileSync(join(source, "build/page/sinew.html"), "latin1");
  const start = whole.indexOf('id="module">') + 100000;
  writeFileSync(at("damaged.html"), whole.slice(0, start) + "A".repeat(400) + whole.slice(start + 400), "latin1");
  const damaged = await openPage(browser, pathToFileURL(at("damaged.html")).href);
  await damaged.locator(".toast.bad").waitFor();
  assert.match(await damaged.locator(".toast.bad").innerText(), /\w/);
  await damaged.context().close();
});

await test("poses that come live are shown as they come, the last minute can be kept, and live goes on", async () => {
  run("solve", at("walk.c3d"), "--save-actor", at("live.actor"), "--force");
  const command = spawn(sinew, ["live", "--replay", at("walk.c3d"), "--speed", "0.1", "--actor", at("live.actor"), "--page"]);
  const url = await new Promise((resolve) => {
    let text = "";
    command.stderr.on("data", (data) => { text += data; const found = /viewer (http\S+)/.exec(text); if (found) resolve(found[1]); });
  });
  const onlooker = await openPage(browser, url);
  await onlooker.waitForFunction(() => sinewPage.document.body.get());
  const seen = () => onlooker.evaluate(() => [...sinewPage.document.body.get().world.subarray(0, 3)]);
  const first = await seen();
  await onlooker.waitForFunction((place) => [...sinewPage.document.body.get().world.subarray(0, 3)].some((v, k) => Math.abs(v - place[k]) > 0.02), first);
  const { joints, markers } = await onlooker.evaluate(() => ({ joints: sinewPage.document.body.get().joints.length, markers: sinewPage.document.capture.get().markers.map((m) => m.name) }));
  assert.ok(joints >= 15 && markers.length === 41 && markers.some((name) => name.endsWith("LKNE")), `${joints} joints, ${markers}`);
  assert.match(await onlooker.locator(".live").innerText(), /In to pose\s+\d+\.\d\d ms[^]*replay/);
  await onlooker.getByRole("button", { name: "Keep the last minute" }).click();
  assert.ok(await onlooker.evaluate(() => sinewPage.document.body.get().frameCount > 3 && sinewPage.clock.frameCount.get() === sinewPage.document.body.get().frameCount));
  await onlooker.getByRole("button", { name: "Live again" }).click();
  await onlooker.waitForFunction(() => sinewPage.document.body.get()?.frameCount === 1);
  onlooker.noComplaints();
  await onlooker.context().close();
  command.kill("SIGINT");
});

await test("nothing is sent anywhere", async () => {
  const quiet = await aside(brief);
  const asked = [];
  quiet.on("request", (request) => !/^(file|blob|data):/.test(request.url()) && asked.push(request.url()));
  await solved(quiet);
  const escaped = await quiet.evaluate(() => fetch("https://example.com/").then(() => true, () => false));
  assert.ok(!escaped, "the page's own policy lets nothing out");
  assert.deepEqual(asked.filter((url) => !url.startsWith("https://example.com")), []);
  await quiet.context().close();
});

if (!only.length) page.noComplaints();
await browser.close();
if (failures.length) {
  console.log(`${failures.length} failed: ${failures.join("; ")}`);
  process.exit(1);
}
