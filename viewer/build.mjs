// Puts the page together: one HTML file that holds the script, the styles, the worker and the library, and needs nothing else.
// usage: node viewer/build.mjs WASM_BUILD_DIR OUTPUT_DIR     writes sinew.html, sinew.html.gz and NOTICES.txt
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { notices } from "../bindings/wasm/notices.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, output] = process.argv.slice(2).map((path) => resolve(path));

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true, minify: true, write: false, format: "iife", target: "es2022", charset: "utf8", legalComments: "none",
    alias: { sinew: join(wasm, "sinew-page-source/src/core.ts") },
    loader: { ".css": "text" },
    nodePaths: [join(here, "../node_modules")],
  });
  return result.outputFiles[0].text;
}

const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const zip = (bytes) => gzipSync(bytes, { level: 9 }); // no name and no time in it: the same bytes every time
/** A gzip file too, two hundredths smaller, for what is made once and sent often. */
const zipTighter = (path) => execFileSync("zopfli", ["-c", path], { maxBuffer: 1 << 26 });
/** The library is packed tighter, by xz (see worker/lzma.ts); its code has no alignment, so no bits for that. */
const pack = (path) => execFileSync("xz", ["--stdout", "--format=lzma", "--lzma1=preset=9e,nice=273,lc=4,pb=0", path], { maxBuffer: 1 << 26 });
/** No text inside a script element may look like its end. */
const quoted = (text) => text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");

const [script, worker] = (await Promise.all([bundle("main.ts"), bundle("worker/main.ts")])).map(quoted);
const module = pack(join(wasm, "sinew-page.wasm"));
const style = readFileSync(join(here, "src/style.css"), "utf8") + readFileSync(join(here, "../node_modules/uplot/dist/uPlot.min.css"), "utf8");
const hash = createHash("sha256").update(script).digest("base64");
// Nothing can leave the computer: the page may talk to nobody but the command that serves it.
const policy = [
  "default-src 'none'", `script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:`, "worker-src blob:", "style-src 'unsafe-inline'",
  "img-src data: blob:", "media-src blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
].join("; ");

// The bundler drops comments; whoever gets the page, or a copy that it exported, has the licences in its source.
const licences = notices(["three", "uplot"]);
const page = readFileSync(join(here, "src/index.html"), "utf8")
  .replace("<!doctype html>\n", () => `<!doctype html>\n<!--\n${licences.replace(/--/g, "- -")}-->\n`)
  .replace("<!-- policy -->", `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
  .replace("/* style */", () => style.replace(/\s+/g, " "))
  .replace("<!-- parts -->", () =>
    `<script type="text/plain" id="worker">${base64(zip(worker))}</script>\n` +
    `<script type="text/plain" id="module">${base64(module)}</script>\n` +
    `<script>${script}</script>`);
mkdirSync(output, { recursive: true });
writeFileSync(join(output, "sinew.html"), page);
writeFileSync(join(output, "NOTICES.txt"), licences);
const zipped = zipTighter(join(output, "sinew.html"));
writeFileSync(join(output, "sinew.html.gz"), zipped);
const kb = (n) => `${(n / 1000).toFixed(0)} kB`;
console.log(`page ${kb(zipped.length)} gzipped: script ${kb(zip(script).length)}, worker ${kb(zip(worker).length)}, library ${kb(module.length)}`);
