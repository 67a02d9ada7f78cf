// Twelve states of the page in light, dark, on a phone and at 200 %: pictures compared with those kept in tests/page/states, with a
// tolerance for fonts and drawing in software. usage: node states.mjs SOURCE_DIR SINEW WORK_DIR [--keep] [all | state or look...]
// Without a word every state is seen in one look, each in another; "all": all 48, some minutes. --keep: writes the pictures anew; look at
// every one before committing them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, openFiles, openPage, solved } from "./browser.mjs";

const words = process.argv.slice(2);
const isKeeping = words.includes("--keep");
const [source, sinew, work, ...only] = words.filter((word) => word !== "--keep");
const folder = join(source, "tests/page/states");
const at = (name) => join(work, name);
const make = (...words) => execFileSync(sinew, words, { stdio: "ignore" });
const address = pathToFileURL(join(source, "build/page/sinew.html")).href + "#seconds=2";

make("synth", at("walk.c3d"), "--motion", "walk", "--seconds", "3", "--gaps", "LKNE@100+50", "--force");
make("synth", at("hand.c3d"), "--motion", "gestures", "--hand", "right", "--seconds", "2", "--force");
make("solve", at("walk.c3d"), "-o", at("walk.mot"), "--force");
writeFileSync(at("broken.c3d"), readFileSync(at("walk.c3d")).subarray(0, 700));

const stop = (page, frame) => page.evaluate((n) => { sinewPage.clock.isPlaying.set(false); sinewPage.clock.seek(n); }, frame);
const click = (name) => (page) => page.getByRole("button", { name }).first().click();

/** What is done in a fresh page, which opens with the dance. */
const states = {
  start: async () => undefined,
  capture: (page) => openFiles(page, at("walk.c3d")),
  layers: async (page) => {
    await openFiles(page, at("walk.c3d"));
    await page.evaluate(() => sinewPage.settings.set({ labels: true, trails: true, segments: true, uncertainty: true }));
  },
  marker: async (page) => {
    await openFiles(page, at("walk.c3d"));
    await page.evaluate(() => sinewPage.selection.markers([sinewPage.document.capture.get().markers.findIndex((m) => m.name.endsWith("LKNE"))]));
  },
  hand: (page) => openFiles(page, at("hand.c3d")),
  table: (page) => openFiles(page, at("walk.mot")),
  broken: (page) => openFiles(page, at("broken.c3d")),
  export: click("Export"),
  solve: click("Solve"),
  compare: async (page) => {
    await openFiles(page, at("walk.c3d"));
    await page.evaluate(async () => {
      sinewPage.comparison.keep();
      sinewPage.document.solveOptions.set({ ...sinewPage.document.solveOptions.get(), method: "gamage-lasenby" });
      await sinewPage.document.solve();
      sinewPage.comparison.setLayout("beside");
    });
  },
  data: async (page) => {
    await openFiles(page, at("walk.c3d"));
    const tab = page.locator("#tabs button", { hasText: "Data" });
    if (await tab.isVisible()) await tab.click();
  },
  robot: async (page) => {
    await page.evaluate(() => sinewPage.bar.openExample("robot"));
    await page.waitForFunction(() => sinewPage.play.body?.joints.length > 6 && !sinewPage.play.isBusy);
  },
};
const looks = {
  light: { width: 1000, height: 640, colorScheme: "light" },
  dark: { width: 1000, height: 640, colorScheme: "dark" },
  phone: { width: 390, height: 760, colorScheme: "light", touch: true },
  large: { width: 500, height: 400, colorScheme: "light", scale: 2 }, // 1000 x 800 at 200 %
};

/** A picture made small: what is left are areas, not the edges of letters and pixels. Grey would not tell a colour that went wrong. */
async function small(page, png) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const [width, height] = [Math.round(image.width / 8), Math.round(image.height / 8)];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return { width, height, pixels: [...context.getImageData(0, 0, width, height).data].filter((_, n) => n % 4 < 3) };
  }, png.toString("base64"));
}

/** Share of the small picture's points whose colour differs by more than 24 of 255. */
function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let n = 0; n < a.pixels.length; n += 3) count += [0, 1, 2].some((k) => Math.abs(a.pixels[n + k] - b.pixels[n + k]) > 24);
  return count / (a.pixels.length / 3);
}

const browser = await launch(source);
mkdirSync(folder, { recursive: true });
const failures = [];
for (const [look, options] of Object.entries(looks)) {
  for (const [state, prepare] of Object.entries(states)) {
    const isTurn = Object.keys(states).indexOf(state) % 4 === Object.keys(looks).indexOf(look);
    if (!only.includes("all") && (only.length ? !only.includes(state) && !only.includes(look) : !isTurn)) continue;
    const page = await openPage(browser, address, options);
    await solved(page);
    await stop(page, 40);
    await prepare(page);
    await page.evaluate(async () => { for (let n = 0; n < 2; n++) await sinewPage.engine.ask("memory", null); }); // surfaces are made last, one after the other
    await stop(page, 60);
    await page.evaluate(() => { sinewPage.settings.set({ follow: false }); sinewPage.viewport.fit(); }); // it was fitted while it played, at some frame or other
    await page.addStyleTag({ content: "* { animation: none !important; transition: none !important; caret-color: transparent !important; }" });
    // Times differ from run to run.
    await page.evaluate(() => document.querySelectorAll("p, .card, small, span").forEach((e) => e.childElementCount || (e.textContent = e.textContent.replace(/Solved here in [\d.]+ s/, "Solved here").replace(/[\d.]+ [µm]s\b/g, "0 ms"))));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 350)))));
    const png = await page.screenshot();
    const name = `${state}-${look}.webp`;
    const path = join(folder, name);
    if (isKeeping) {
      // Kept as WebP, which the browser itself writes: a tenth of the bytes.
      const webp = await page.evaluate(async (base64) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext("2d").drawImage(image, 0, 0);
        const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.35 });
        return btoa([...new Uint8Array(await blob.arrayBuffer())].map((c) => String.fromCharCode(c)).join(""));
      }, png.toString("base64"));
      writeFileSync(path, Buffer.from(webp, "base64"));
      writeFileSync(at(`${state}-${look}.png`), png);
    } else if (!existsSync(path)) failures.push(`${name}: there is no picture (--keep makes it)`);
    else {
      const share = difference(await small(page, png), await small(page, readFileSync(path)));
      if (!(share < 0.02)) {
        failures.push(`${name}: ${(100 * share).toFixed(1)} % of the picture differ`);
        writeFileSync(at(`${state}-${look}.png`), png);
      }
      console.log(`${share < 0.02 ? "ok" : "FAILED"} ${name} ${(100 * share).toFixed(2)} %`);
    }
    page.noComplaints();
    await page.context().close();
  }
}
await browser.close();
assert.deepEqual(failures, []);
