// Runs a WASI program: node run.mjs PROGRAM.wasm; its exit code is ours.
import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env: {}, returnOnExit: true });
// Called through a function of ours: node 20 crashes when a program calls its own ones directly after its memory has grown.
const imports = Object.fromEntries(Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...words) => call(...words)]));
const { instance } = await WebAssembly.instantiate(await readFile(argv[2]), { wasi_snapshot_preview1: imports });
exit(wasi.start(instance));
