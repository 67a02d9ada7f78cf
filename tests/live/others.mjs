// `sinew live` against other people's implementations: WebSocket by ws, OSC by osc-min. usage: node others.mjs SINEW FOLDER
// The folder holds walk.c3d, joe.actor, track.c3d, avatar.actor (tests/check_live_others makes them).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromBuffer, toBuffer } from "osc-min";
import { WebSocket, WebSocketServer } from "ws";

const [sinew, folder] = process.argv.slice(2);
const at = (name) => join(folder, name);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A client of `sinew live`: what it says on stderr, and its report once it is told to end. */
function live(...words) {
  const child = spawn(sinew, ["live", ...words, "--json"]);
  let out = "", told = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (told += text));
  const end = async () => {
    if (child.exitCode === null) child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
    try {
      return JSON.parse(out);
    } catch {
      assert.fail(`it says ${out} ${told}`);
    }
  };
  return { child, end, told: () => told };
}

async function udp() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

// ---- a server by ws sends frames: as text, as text in three fragments with pings between them ----
execFileSync(sinew, ["convert", at("walk.c3d"), at("walk.trc"), "--force"], { stdio: "ignore" });
const rows = readFileSync(at("walk.trc"), "utf8").split(/\r?\n/);
const names = rows[3].split("\t").slice(2).filter(Boolean);
const frames = rows.slice(5).filter((row) => row.trim()).map((row, f) => {
  const cells = row.split("\t").slice(2);
  const points = Object.fromEntries(names.map((name, k) => [name, cells.slice(3 * k, 3 * k + 3).map((cell) => Number(cell) / 1000)]));
  return JSON.stringify({ frame: f, time: f / 100, rate: 100, up: "y", points });
});
for (const isCut of [false, true]) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const client = live("--ws", `127.0.0.1:${server.address().port}`, "--actor", at("joe.actor"));
  const [socket] = await once(server, "connection");
  let pongs = 0, complaint = null;
  socket.on("pong", () => pongs++);
  socket.on("error", (error) => (complaint = error)); // ws is strict: unmasked frames, bad UTF-8, wrong lengths
  for (const text of frames.slice(0, 200)) {
    if (isCut) {
      const third = Math.ceil(text.length / 3);
      socket.send(text.slice(0, third), { fin: false });
      socket.ping("still there?");
      socket.send(text.slice(third, 2 * third), { fin: false });
      socket.send(text.slice(2 * third), { fin: true });
    } else socket.send(text);
    await pause(5);
  }
  await pause(300);
  const report = await client.end();
  server.close();
  assert.equal(complaint, null);
  assert.ok(report.frames >= 195 && report.sources[0].lost === 0 && report.followed >= report.frames - 8, JSON.stringify(report));
  assert.ok(!isCut || pongs === 200, `${pongs} pongs for 200 pings`);
}
console.log("ws serves frames, whole and in fragments, and gets a pong for every ping");

// ---- a client by ws looks on ----
{
  const client = live("--replay", at("walk.c3d"), "--speed", "0.5", "--actor", at("joe.actor"), "--page");
  while (!/token=\w+/.test(client.told())) await pause(20);
  const [, host, token] = /http:\/\/([^/]+)\/\?token=(\w+)/.exec(client.told());
  const socket = new WebSocket(`ws://${host}/live?token=${token}`);
  const heard = [];
  socket.on("message", (data) => heard.push(JSON.parse(data.toString())));
  await once(socket, "open");
  while (heard.length < 40) await pause(20);
  socket.close();
  await once(socket, "close");
  const report = await client.end();
  assert.ok("hello" in heard[0] && heard.some((m) => m.people?.[0]?.places), "a greeting, then poses");
  assert.ok(report.frames > 20, JSON.stringify(report));
}
console.log("ws takes the page's stream");

// ---- what leaves by VMC is OSC to osc-min, every packet, in strict mode ----
{
  const sink = await udp();
  const packets = [];
  sink.on("message", (bytes) => packets.push(fromBuffer(bytes, true)));
  const client = live("--replay", at("walk.c3d"), "--actor", at("joe.actor"), "--vmc", `127.0.0.1:${sink.address().port}`);
  while (packets.length < 150) await pause(20);
  const report = await client.end();
  sink.close();
  const messages = packets.flatMap(({ oscType, elements }) => (assert.equal(oscType, "bundle"), elements));
  const bones = messages.filter(({ address }) => address === "/VMC/Ext/Bone/Pos");
  assert.ok(bones.every(({ args }) => args.map(({ type }) => type).join() === `string${",float".repeat(7)}`), "types of a bone");
  assert.ok(new Set(bones.map(({ args }) => args[0].value)).size >= 15, "bones have names");
  assert.ok(bones.every(({ args }) => Math.abs(Math.hypot(...args.slice(4).map(({ value }) => value)) - 1) < 1e-5), "rotations");
  assert.ok(report.frames > 50);
}
console.log("osc-min reads VMC");

// ---- trackers that osc-min took apart and put together again are followed ----
{
  const relay = await udp();
  const port = 20000 + (process.pid % 20000);
  const simulator = spawn(sinew, ["live", "--simulate", "vmc", at("track.c3d"), "--listen", `127.0.0.1:${relay.address().port}`], { stdio: "ignore" });
  let count = 0;
  relay.on("message", (bytes) => (count++, relay.send(toBuffer(fromBuffer(bytes, true)), port, "127.0.0.1")));
  const client = live("--vmc-in", `127.0.0.1:${port}`, "--actor", at("avatar.actor"));
  while (count < 200) await pause(20);
  const report = await client.end();
  simulator.kill();
  relay.close();
  assert.ok(report.frames > 60 && report.followed >= report.frames - 8 && report.sources[0].refused === 0, JSON.stringify(report));
}
console.log("osc-min writes trackers");
