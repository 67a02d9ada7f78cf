// Runs a WASI program: node run.mjs PROGRAM.wasm; its exit code is ours.
import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env: {}, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(argv[2]), { wasi_snapshot_preview1: wasi.wasiImport });
exit(wasi.start(instance));
